"""What an attacker knows of a person's codes, and how many records may be that person's.

Draws use a fixed seed, and records sorted by content.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sharewell.algorithm import SEED, TARGETS, PolicyError, Truth
from sharewell.codes.data import Atoms, CodeSets, Ints, Sets
from sharewell.compiled import numba_or_numpy

Kind = Literal["all", "m", "visit"]
MOST = 400_000
"""At most this many sets of codes are looked up; for more persons than that, some are drawn."""
_SMALL = 50_000
_AT_ONCE = 1_000_000
"""Pairs of sets compared at a time."""
_KERNEL = "sharewell.codes.engine.itemsets_kernel:holders_of"


@dataclass(frozen=True, eq=False)
class KnownCodes:
    """Sets of codes, each known of one published record."""

    names: tuple[str, ...]
    """The codes that the sets number into."""
    sets: Sets
    target: Ints
    """The published record that each is known of."""
    left_out: int
    """Persons who have too few codes."""

    @classmethod
    def of(
        cls, released: CodeSets, truth: Truth[CodeSets] | None, kind: Kind, m: int, draws: int, without: frozenset[str]
    ) -> KnownCodes:
        """With the truth, codes that the persons really have; else one of the codes that each label may stand for."""
        rng = np.random.default_rng(SEED)
        if kind == "visit":
            return cls._visits(released, truth, rng)
        if truth is not None:
            names, codes = truth.original.names, truth.original.sets.take(truth.rows)
        else:
            names, codes = _possible(released, rng)
        if without:
            hidden = np.array([-1 if name in without else i for i, name in enumerate(names)], dtype=np.int64)
            codes = codes.renumbered(hidden)
        long_enough = np.flatnonzero(codes.lengths >= (m if kind == "m" else 1))
        targets = long_enough[np.argsort(_fingerprints(codes)[long_enough], kind="stable")]
        left_out = codes.count - len(targets)
        if len(targets) > MOST:
            targets = rng.permutation(targets)[:MOST]
        if kind == "m":
            targets = np.repeat(targets, max(1, min(draws, MOST // max(1, len(targets)))))
        known = codes.take(targets)
        result = cls(names, known if kind == "all" else _some(known, m, rng), targets, left_out)
        return result._covered_by(released)

    @classmethod
    def _visits(cls, released: CodeSets, truth: Truth[CodeSets] | None, rng: np.random.Generator) -> KnownCodes:
        """Every visit once."""
        original = released if truth is None else truth.original
        if original.visits is None:
            advice = "name the visit column, or choose knowledge: all or m"
            raise PolicyError(f"code-linkage — knowledge: visit needs visits, and the data has none — {advice}")
        rows = np.arange(released.records) if truth is None else truth.rows
        row = np.full(original.records, -1, dtype=np.int64)
        row[rows] = np.arange(len(rows))
        sets, owner = original.visits.sets, original.visits.owner
        seen = np.flatnonzero((sets.lengths > 0) & (row[owner] >= 0))
        records = original.sets.take(owner[seen])
        seen = seen[np.lexsort((_fingerprints(records), _fingerprints(sets)[seen]))]
        left_out = len(rows) - len(np.unique(owner[seen]))
        if len(seen) > MOST:
            seen = rng.permutation(seen)[:MOST]
        return cls(original.names, sets.take(seen), row[owner[seen]], left_out)._covered_by(released)

    def _covered_by(self, released: CodeSets) -> KnownCodes:
        """Without codes that no label of the release covers, since an attacker sees that they are withheld."""
        if not released.published:
            return self
        covered = released.atoms.of_code
        number = np.array([i if name in covered else -1 for i, name in enumerate(self.names)], dtype=np.int64)
        return replace(self, sets=self.sets.renumbered(number))

    def codes(self, number: int) -> list[str]:
        return [self.names[i] for i in self.sets.row(number)]

    def drawn(self) -> Ints:
        """One set each of up to TARGETS records."""
        order = np.random.default_rng(SEED + 1).permutation(len(self.target))
        _, first = np.unique(self.target[order], return_index=True)
        return order[np.sort(first)[:TARGETS]]


def crowd_of(released: CodeSets, population: CodeSets | None) -> Atoms:
    """The records among which a person is looked for: the release, or a population shown as the release shows codes."""
    atoms = released.atoms
    if population is None:
        return atoms
    if not released.published:
        return population.atoms
    number = np.array([atoms.of_code.get(name, -1) for name in population.names], dtype=np.int64)
    return Atoms(population.sets.renumbered(number), atoms.count, atoms.of_code)


def supports_among(crowd: Atoms, names: Sequence[str], wanted: Sets) -> Ints:
    """For each set of codes, how many records of a crowd may hold it; none if a code is in no label."""
    number = np.array([crowd.of_code.get(name, -1) for name in names], dtype=np.int64)
    unknown = np.bincount(wanted.row_of[number[wanted.items] < 0], minlength=wanted.count) > 0
    return np.where(unknown, 0, supports(crowd.sets, crowd.count, wanted.renumbered(number)))


def supports(sets: Sets, universe: int, wanted: Sets) -> Ints:
    """How many sets hold each wanted one; the empty set is in all."""
    if not universe or not len(wanted.items):
        return np.full(wanted.count, sets.count, dtype=np.int64)
    holders = sets.transposed(universe)
    some = np.flatnonzero(wanted.lengths)
    by_support = holders.lengths[wanted.items] * universe + wanted.items
    rarest = np.zeros(wanted.count, dtype=np.int64)
    rarest[some] = np.minimum.reduceat(by_support, wanted.starts[some]) % universe
    order = some[np.argsort(rarest[some], kind="stable")]
    kernel = numba_or_numpy(max(len(sets.items), len(wanted.items)) > _SMALL, _KERNEL, holders_of)
    counts = kernel(sets.starts, sets.items, holders.starts, holders.items, wanted.starts, wanted.items, rarest, order)
    return np.where(wanted.lengths == 0, sets.count, counts)


def holders_of(
    starts: Ints,
    items: NDArray[np.int32],
    holder_starts: Ints,
    holders: NDArray[np.int32],
    wanted_starts: Ints,
    wanted: NDArray[np.int32],
    rarest: Ints,
    order: Ints,
) -> Ints:
    """The twin of the kernel: the sets with the rarest item of all that are wanted, sifted by the next item, and so on.

    Which set holds which item is one rising list of numbers.
    """
    by_item, queries = Sets(holder_starts, holders), Sets(wanted_starts, wanted)
    pairs = Sets(starts, items).row_of * by_item.count + items
    ranked = wanted[np.lexsort((by_item.lengths[wanted], queries.row_of))]
    number = by_item.lengths[rarest[order]]
    counts = np.zeros(queries.count, dtype=np.int64)
    for some in np.split(order, np.flatnonzero(np.diff(np.cumsum(number) // _AT_ONCE)) + 1):
        query, row = np.repeat(some, by_item.lengths[rarest[some]]), by_item.take(rarest[some]).items.astype(np.int64)
        step = 0
        while len(query):
            step += 1
            ended = queries.lengths[query] <= step
            counts += np.bincount(query[ended], minlength=queries.count)
            query, row = query[~ended], row[~ended]
            sought = row * by_item.count + ranked[wanted_starts[query] + step]
            present = pairs[np.minimum(np.searchsorted(pairs, sought), len(pairs) - 1)] == sought
            query, row = query[present], row[present]
    return counts


def _possible(released: CodeSets, rng: np.random.Generator) -> tuple[tuple[str, ...], Sets]:
    """Each label as one of the codes that it may stand for, the same in all records."""
    chosen = [codes[int(rng.random() * len(codes))] for codes in released.members]
    names = tuple(sorted(set(chosen)))
    place = {name: i for i, name in enumerate(names)}
    return names, released.sets.renumbered(np.array([place[code] for code in chosen], dtype=np.int64))


def _fingerprints(sets: Sets) -> NDArray[np.uint64]:
    """A number for each set that follows from its items alone."""
    mixed = (sets.items.astype(np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    mixed ^= mixed >> np.uint64(29)
    mixed *= np.uint64(0xBF58476D1CE4E5B9)
    mixed ^= mixed >> np.uint64(32)
    total = np.append(np.uint64(0), np.cumsum(mixed, dtype=np.uint64))
    return np.asarray(total[sets.starts[1:]] - total[sets.starts[:-1]])


def _some(sets: Sets, m: int, rng: np.random.Generator) -> Sets:
    """m items of each set, drawn without replacement."""
    order = np.argsort(sets.row_of + rng.random(len(sets.items)), kind="stable")
    place = np.arange(len(sets.items)) - sets.starts[sets.row_of]
    first = order[place < m]
    return Sets.of_pairs(sets.row_of[first], sets.items[first], sets.count)
