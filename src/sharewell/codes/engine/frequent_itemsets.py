"""Frequent combinations of codes, level by level: what is frequent in part of its codes only is never counted."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sharewell.codes.engine.itemsets import items_of, keyed, occurrences, stretches
from sharewell.codes.engine.packed_sets import Ints, Sets, counted, numbering

MOST = 400_000_000
"""Occurrences of combinations of one size that are counted; more is refused."""


@dataclass(frozen=True, eq=False)
class Frequent:
    """Combinations, and in how many records each is.

    >>> result = frequent(Sets.of([[0, 1, 2], [0, 1], [0, 2], [1, 2]]), 3, least=2, size=3)
    >>> [tuple(result.sets.row(i).tolist()) for i in range(result.sets.count)], result.supports.tolist()
    ([(0,), (1,), (2,), (0, 1), (0, 2), (1, 2)], [3, 3, 3, 2, 2, 2])
    """

    sets: Sets
    supports: Ints

    def take(self, rows: NDArray[np.integer]) -> Frequent:
        return Frequent(self.sets.take(rows), self.supports[rows])

    def without(self, sensitive: Iterable[Collection[int]], universe: int) -> Frequent:
        """Those that hold none of the sensitive combinations."""
        by_item = self.sets.transposed(universe)
        bad = [self.sets.holding(sorted(combination), by_item) for combination in sensitive]
        return self.take(np.delete(np.arange(self.sets.count), np.concatenate([*bad, np.zeros(0, dtype=np.int64)])))

    def border(self) -> Frequent:
        """Those that are no part of another one here; as long as these stay frequent, all do."""
        rows = self.sets.tuples()
        inner = {part for row in rows for part in itertools.combinations(row, len(row) - 1)}
        return self.take(np.array([i for i, row in enumerate(rows) if row not in inner], dtype=np.int64))


def frequent(
    sets: Sets, universe: int, least: int, size: int, touching: NDArray[np.bool_] | None = None
) -> Frequent | None:
    """All combinations of up to `size` items in `least` sets or more; with `touching`, those that hold such an item.

    None if there are too many to count.
    """
    alive = sets.supports(universe) >= max(1, least)
    levels = [np.flatnonzero(alive)[:, None]]
    supports = [sets.supports(universe)[alive]]
    for width in range(2, size + 1):
        present = np.flatnonzero(alive)
        kept = sets.renumbered(numbering(present, universe))
        if occurrences(kept, width) > MOST:
            return None
        rows, counts = _level(kept, len(present), width, max(1, least))
        levels.append(present[rows])
        supports.append(counts)
        alive = np.zeros(universe, dtype=bool)
        alive[present[rows].ravel()] = True
    if touching is not None:
        touched = [touching[rows].any(axis=1) for rows in levels]
        levels = [rows[chosen] for rows, chosen in zip(levels, touched, strict=True)]
        supports = [counts[chosen] for counts, chosen in zip(supports, touched, strict=True)]
    return Frequent(Sets.of_tables(levels), np.concatenate(supports).astype(np.int64))


def _level(sets: Sets, universe: int, size: int, least: int) -> tuple[Ints, Ints]:
    """Combinations of one size, and their supports."""
    rows, counts = [np.zeros((0, size), dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
    for low, high in stretches(sets, universe, size) if universe else ():
        keys, times = counted(keyed(sets, universe, size, low, high))
        often = times >= least
        rows.append(items_of(keys[often], universe, size))
        counts.append(times[often])
    return np.concatenate(rows), np.concatenate(counts)
