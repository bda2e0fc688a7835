"""Cohorts: the records that hold a combination of public codes, and how many of them share a private code.

Every combination of one size that occurs is counted, and counted again among the holders of each private code; part by
part, so that memory stays bounded.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from sharewell.codes.engine.itemsets import Keys, items_of, keyed, stretches
from sharewell.codes.engine.packed_sets import Ints, Sets, counted

_SMALL = 2_000_000
"""Occurrences up to which numpy alone is quick enough."""


@dataclass(frozen=True, eq=False)
class Cohorts:
    """Combinations of one size, each once."""

    support: Ints
    """How many records hold each."""
    shared: Ints
    """How many of these hold the private code that most of them hold."""
    _keys: Keys
    _universe: int
    _size: int

    def combinations(self, chosen: Ints) -> Ints:
        """The codes of some of them, one combination a row, rising."""
        return items_of(self._keys[chosen], self._universe, self._size)


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
    universe, private_universe = (int(sets.items.max(initial=-1)) + 1 for sets in (public, private))
    by_private = private.transposed(private_universe)
    for low, high in stretches(public, universe, size):
        keys, support = counted(keyed(public, universe, size, low, high, large))
        shared = np.zeros(len(keys), dtype=np.int64)
        for code in np.flatnonzero(by_private.lengths).tolist():
            holders = public.take(by_private.row(code))
            held, counts = counted(keyed(holders, universe, size, low, high, large))
            places = np.searchsorted(keys, held)
            shared[places] = np.maximum(shared[places], counts)
        yield Cohorts(support, shared, keys, universe, size)
