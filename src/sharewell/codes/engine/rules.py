"""Rules: of the records that hold a combination of items, how many hold one more item?

A rule `a, b → s` has an antecedent (perhaps empty), and a consequent that is not part of it. Rules are counted size by
size and part by part, as `itemsets` counts combinations: the antecedents in all records, and again in the records that
hold the consequent. A cohort is the records of an antecedent together with the consequent that most of them hold.

>>> sets = Sets.of([[0, 1, 2], [0, 1], [1]])
>>> [rule] = rules(sets, 3, [2], size=1)
>>> rule.antecedent.tolist(), rule.together.tolist(), rule.alone.tolist()
([[0], [1]], [1, 1], [2, 3])
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from sharewell.codes.engine.itemsets import Keys, items_of, keyed, occurrences, stretches
from sharewell.codes.engine.packed_sets import Ints, Sets, counted

_MANY = 2_000_000
"""Occurrences beyond which compiled loops pay."""


@dataclass(frozen=True, eq=False)
class Rules:
    """Rules that occur, one a row: their items, and the records that hold all of them, or the antecedent."""

    antecedent: Ints
    consequent: Ints
    together: Ints
    alone: Ints

    @property
    def items(self) -> Ints:
        """Antecedent and consequent, one rule a row."""
        return np.column_stack([self.antecedent, self.consequent])

    def where(self, chosen: NDArray[np.bool_]) -> Rules:
        return Rules(self.antecedent[chosen], self.consequent[chosen], self.together[chosen], self.alone[chosen])


def rules(
    sets: Sets,
    universe: int,
    consequents: Sequence[int],
    size: int,
    high: int | None = None,
    holders: Sets | None = None,
) -> Iterator[Rules]:
    """Every rule of a size that occurs. With `high`, those whose antecedent holds an item below it.

    `holders` are the records of each item, where these are more than the sets show: then a consequent need not be in
    the sets that give the antecedents.
    """
    by_item = sets.transposed(universe) if holders is None else holders
    occurring = [item for item in consequents if by_item.lengths[item]]
    if size == 0:
        consequent = np.array(occurring, dtype=np.int64)
        alone = np.full(len(consequent), sets.count, dtype=np.int64)
        yield Rules(np.zeros((len(consequent), 0), dtype=np.int64), consequent, by_item.lengths[consequent], alone)
        return
    without_item = [(item, _beside(sets, by_item.row(item), item)) for item in occurring]
    large = occurrences(sets, size) > _MANY
    for low, stop in stretches(sets, universe, size, high):
        known: Keys | None = None
        for item, others in without_item:
            keys, together = counted(keyed(others, universe, size, low, stop, large))
            if not len(keys):
                continue
            if known is None:
                known, supports = counted(keyed(sets, universe, size, low, stop, large))
            alone = supports[np.searchsorted(known, keys)]
            yield Rules(items_of(keys, universe, size), np.full(len(keys), item), together, alone)


def _beside(sets: Sets, rows: NDArray[np.int32], item: int) -> Sets:
    """Some records, without an item."""
    taken = sets.take(rows)
    kept = np.append(0, np.cumsum(taken.items != item))
    return Sets(kept[taken.starts], taken.items[taken.items != item])


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


def cohort_occurrences(public: Sets, private: Sets, size: int) -> int:
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
    large = cohort_occurrences(public, private, size) > _MANY
    universe, private_universe = (int(sets.items.max(initial=-1)) + 1 for sets in (public, private))
    by_private = private.transposed(private_universe)
    for low, high in stretches(public, universe, size):
        keys, support = counted(keyed(public, universe, size, low, high, large))
        shared = np.zeros(len(keys), dtype=np.int64)
        for code in np.flatnonzero(by_private.lengths).tolist():
            holders = public.take(by_private.row(code))
            part_keys, counts = counted(keyed(holders, universe, size, low, high, large))
            places = np.searchsorted(keys, part_keys)
            shared[places] = np.maximum(shared[places], counts)
        yield Cohorts(support, shared, keys, universe, size)


def most_of(share: Fraction, counts: Ints) -> Ints:
    """For each count the largest whole number that is at most this share of it.

    >>> most_of(Fraction(3, 5), np.array([1, 5, 7])).tolist()
    [0, 3, 4]
    """
    largest = np.zeros(int(counts.max(initial=0)) + 1, dtype=np.int64)
    present = np.flatnonzero(np.bincount(counts)) if len(counts) else counts
    largest[present] = [share.numerator * count // share.denominator for count in present.tolist()]
    limits: Ints = largest[counts]
    return limits
