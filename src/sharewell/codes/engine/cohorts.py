"""Cohorts: the records that hold a combination of public codes, and how many of them share a private code.

Every combination of one size that occurs is counted, and counted again among the holders of each private code. As in
itemsets, a combination is a number with its codes as digits; where that does not fit into 63 bits, the combinations of
each first code are counted apart. Work and memory are bounded by parts.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from sharewell.codes.engine.itemsets import numbers, stretches
from sharewell.codes.engine.packed_sets import Ints, Sets, counted
from sharewell.compiled import large_or_twin

_SMALL = 2_000_000
"""Occurrences up to which numpy alone is quick enough."""


@dataclass(frozen=True, eq=False)
class Cohorts:
    """Combinations of one size, each once."""

    support: Ints
    """How many records hold each."""
    shared: Ints
    """How many of these hold the private code that most of them hold."""
    _keys: Ints
    _bits: int
    _size: int
    _names: Ints
    """The public code that each digit stands for."""
    _first: tuple[int, ...] = ()
    """Codes that belong to every combination."""

    def combinations(self, which: Ints) -> Ints:
        """The codes of some of them, one combination a row, rising."""
        digits = self._keys[which][:, None] >> (np.arange(self._size)[::-1] * self._bits) & ((1 << self._bits) - 1)
        first = np.broadcast_to(np.array(self._first, dtype=np.int64), (len(which), len(self._first)))
        return np.concatenate([first, self._names[digits]], axis=1)


def occurrences(public: Sets, private: Sets, size: int) -> int:
    """How many combinations the records hold in all, each counted for itself and for every private code beside it."""
    weights = np.bincount(public.lengths, weights=1 + private.lengths).tolist()
    return sum(math.comb(length, size) * int(weight) for length, weight in enumerate(weights))


def cohorts(public: Sets, private: Sets, size: int) -> Iterator[Cohorts]:
    """All combinations of `size` public codes that some record holds, part by part.

    >>> public, private = Sets.of([[0, 1], [0, 1], [0]]), Sets.of([[7], [], [7]])
    >>> [(c.combinations(np.arange(len(c.support))).tolist(), c.support.tolist(), c.shared.tolist())
    ...     for size in (1, 2) for c in cohorts(public, private, size)]
    [([[0], [1]], [3, 2], [2, 1]), ([[0, 1]], [2], [1])]
    """
    large = occurrences(public, private, size) > _SMALL
    yield from _counted(public, private, size, np.arange(_universe(public)), (), large)


def _counted(
    public: Sets, private: Sets, size: int, names: Ints, first: tuple[int, ...], large: bool
) -> Iterator[Cohorts]:
    bits = max(1, (len(names) - 1).bit_length())
    if bits * size > 63:
        public, names = _compact(public, names)
        bits = max(1, (len(names) - 1).bit_length())
    if bits * size > 63:
        yield from _counted_apart(public, private, size, names, first, large)
        return
    fill = large_or_twin(large, "sharewell.codes.engine.itemsets_kernel:combinations", numbers)
    by_private = private.transposed(_universe(private))
    holders = [by_private.row(one) for one in np.flatnonzero(by_private.lengths).tolist()]
    for low, high in stretches(public, len(names), size):
        keys, support = counted(fill(public.starts, public.items, size, low, high, bits))
        shared = np.zeros(len(keys), dtype=np.int64)
        for rows in holders:
            some = public.take(rows)
            found, counts = counted(fill(some.starts, some.items, size, low, high, bits))
            places = np.searchsorted(keys, found)
            shared[places] = np.maximum(shared[places], counts)
        yield Cohorts(support, shared, keys, bits, size, names, first)


def _counted_apart(
    public: Sets, private: Sets, size: int, names: Ints, first: tuple[int, ...], large: bool
) -> Iterator[Cohorts]:
    """For each first code the combinations of the codes after it, among its holders."""
    by_code = public.transposed(len(names))
    for code in range(len(names)):
        rows = by_code.row(code)
        held = public.take(rows)
        later = np.arange(len(names))
        later[: code + 1] = -1
        after, shown = _compact(held.renumbered(later), names)
        yield from _counted(after, private.take(rows), size - 1, shown, (*first, int(names[code])), large)


def _compact(sets: Sets, names: Ints) -> tuple[Sets, Ints]:
    """The same sets, their items numbered without gaps."""
    present, items = np.unique(sets.items, return_inverse=True)
    return Sets(sets.starts, items.astype(np.int32)), names[present]


def _universe(sets: Sets) -> int:
    return int(sets.items.max(initial=-1)) + 1
