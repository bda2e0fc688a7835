"""Frequent combinations of codes, level by level: what is frequent in part of its codes only is never counted."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sharewell.codes.engine.itemsets import items_of, keyed, occurrences, stretches
from sharewell.codes.engine.packed_sets import Ints, Sets

MOST = 400_000_000
"""Occurrences of combinations of one size that are counted; more is refused."""


@dataclass(frozen=True, eq=False)
class Frequent:
    """Combinations, and in how many records each is.

    >>> found = frequent(Sets.of([[0, 1, 2], [0, 1], [0, 2], [1, 2]]), 3, least=2, size=3)
    >>> [tuple(found.sets.row(i).tolist()) for i in range(found.sets.count)], found.supports.tolist()
    ([(0,), (1,), (2,), (0, 1), (0, 2), (1, 2)], [3, 3, 3, 2, 2, 2])
    """

    sets: Sets
    supports: Ints

    def take(self, which: NDArray[np.integer]) -> Frequent:
        return Frequent(self.sets.take(which), self.supports[which])

    def without(self, sensitive: Iterable[Collection[int]], universe: int) -> Frequent:
        """Those that hold none of the sensitive combinations."""
        by_item = self.sets.transposed(universe)
        bad = [self.sets.holding(sorted(one), by_item) for one in sensitive]
        return self.take(np.delete(np.arange(self.sets.count), np.concatenate([*bad, np.zeros(0, dtype=np.int64)])))

    def border(self) -> Frequent:
        """Those that are no part of another one here; as long as these stay frequent, all do."""
        items, starts = self.sets.items.tolist(), self.sets.starts.tolist()
        rows = [tuple(items[a:b]) for a, b in itertools.pairwise(starts)]
        inner = {part for row in rows for part in itertools.combinations(row, len(row) - 1)}
        return self.take(np.array([i for i, row in enumerate(rows) if row not in inner], dtype=np.int64))


def frequent(
    sets: Sets, universe: int, least: int, size: int, touching: NDArray[np.bool_] | None = None
) -> Frequent | None:
    """All combinations of up to `size` items in `least` sets or more; with `touching`, those that hold such an item.

    None if there are too many to count.
    """
    alive = sets.supports(universe) >= max(1, least)
    found = [np.flatnonzero(alive)[:, None]]
    supports = [sets.supports(universe)[alive]]
    for width in range(2, size + 1):
        present = np.flatnonzero(alive)
        number = np.full(universe, -1, dtype=np.int64)
        number[present] = np.arange(len(present))
        sets_here = sets.renumbered(number)
        if occurrences(sets_here, width) > MOST:
            return None
        rows, counts = _level(sets_here, len(present), width, max(1, least))
        found.append(present[rows])
        supports.append(counts)
        alive = np.zeros(universe, dtype=bool)
        alive[present[rows].ravel()] = True
    if touching is not None:
        keep = [touching[rows].any(axis=1) for rows in found]
        found = [rows[kept] for rows, kept in zip(found, keep, strict=True)]
        supports = [counts[kept] for counts, kept in zip(supports, keep, strict=True)]
    lengths = np.concatenate([np.full(len(rows), rows.shape[1]) for rows in found])
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    items = np.concatenate([rows.ravel() for rows in found]).astype(np.int32)
    return Frequent(Sets(starts, items), np.concatenate(supports).astype(np.int64))


def _level(sets: Sets, universe: int, size: int, least: int) -> tuple[Ints, Ints]:
    """Combinations of one size, and their supports."""
    rows, counts = [np.zeros((0, size), dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
    for low, high in stretches(sets, universe, size) if universe else ():
        keys = keyed(sets, universe, size, low, high)
        keys.sort()
        ends = np.flatnonzero(np.append(keys[1:] != keys[:-1], True)[: len(keys)])
        times = np.diff(ends, prepend=-1)
        often = times >= least
        rows.append(items_of(keys[ends[often]], universe, size))
        counts.append(times[often])
    return np.concatenate(rows), np.concatenate(counts)
