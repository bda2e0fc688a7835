"""The records of one release of codes, beside what other releases show of the same persons.

A joined record is a record of the one dataset with a record of the same person from every other one, or none where the
person is missing there. Who knows a code of somebody learns from each release the labels that may stand for it; this is
one *fact*: for each release, the atom of the code that the record shows there, or nothing. A joined record holds a fact
if it shows all of its atoms. What is counted are the records of the one dataset that hold some facts, among those whose
persons are in the same releases.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from sharewell.codes.data import CodeSets
from sharewell.codes.engine.itemsets import count, occurrences
from sharewell.codes.engine.packed_sets import Ints, Sets, common
from sharewell.people_evidence import NotComparable, PeopleEvidence, comparable, joined_places, of_same_file

MOST_ROWS = 5_000_000
"""Joined records; more are not looked at."""
MOST_FACTS = 50_000_000
"""Places of facts in joined records."""
MOST_COUNTED = 400_000_000
"""Combinations of facts in all joined records."""
MOST_LISTED = 2_000_000
"""The same, where the records behind them must be told apart one by one."""
Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class LinkedSets:
    """One published dataset of codes, and whose each of its records is."""

    title: str
    data: CodeSets = field(repr=False)
    people: PeopleEvidence | None = field(repr=False)
    files: frozenset[int] = frozenset()
    same_identifiers: bool = False
    """Does the policy claim that a person has the same identifier in all files?"""


class TooMany(Exception):
    """Counting would take too long; the text says what, without any value."""


@dataclass(frozen=True, eq=False)
class JoinedSets:
    """Joined records, all of persons who are in the same datasets."""

    datasets: tuple[CodeSets, ...]
    """The own one first."""
    places: Ints
    """The record of each dataset in each joined record; −1: the person is not there."""

    @property
    def rows(self) -> int:
        return len(self.places)

    @property
    def owners(self) -> int:
        """How many records of the own dataset there are."""
        return len(np.unique(self.places[:, 0]))

    @cached_property
    def _most_of_an_owner(self) -> int:
        return int(np.bincount(self.places[:, 0]).max(initial=0))

    @cached_property
    def _shown(self) -> list[Sets]:
        """For each dataset the atoms that each joined record shows there."""
        return [_taken(data.atoms.sets, self.places[:, i]) for i, data in enumerate(self.datasets)]

    @cached_property
    def _holders(self) -> list[Sets]:
        return [shown.transposed(data.atoms.count) for shown, data in zip(self._shown, self.datasets, strict=True)]

    @cached_property
    def facts(self) -> Sets:
        """All facts that each joined record holds, of those that knowing a code of some record gives."""
        distinct = self._distinct_facts()
        work = sum(min(self._support(i, atom) for i, atom in _atoms(fact)) for fact in distinct)
        if work > MOST_FACTS:
            raise TooMany("too many labels go together to count")
        holders = [common([self._holders[i].row(atom) for i, atom in _atoms(fact)]) for fact in distinct]
        number = np.repeat(np.arange(len(holders)), [len(rows) for rows in holders])
        rows = np.concatenate([np.zeros(0, np.int32), *holders]).astype(np.int64)
        held = Sets.of_pairs(rows, number, self.rows)
        return held.by_support([f"{i:09}" for i in range(len(holders))])[0]

    def _support(self, dataset: int, atom: int) -> int:
        starts = self._holders[dataset].starts
        return int(starts[atom + 1] - starts[atom])

    def _distinct_facts(self) -> list[list[int]]:
        """For each the atom that it shows in each dataset, −1 where it shows none."""
        codes = sorted({code for data in self.datasets for code in data.atoms.of_code})
        atoms = np.array([[data.atoms.of_code.get(code, -1) for data in self.datasets] for code in codes], np.int64)
        atoms = np.unique(atoms.reshape(len(codes), len(self.datasets)), axis=0)
        of_atom = [_by_atom(atoms[:, i], data.atoms.count) for i, data in enumerate(self.datasets)]
        sizes = [int(of.lengths[shown.items].sum()) for of, shown in zip(of_atom, self._shown, strict=True)]
        if sum(sizes) > MOST_FACTS:
            raise TooMany("labels stand for too many codes to count")
        keys = [shown.composed_with(of) for shown, of in zip(self._shown, of_atom, strict=True)]
        pairs = np.concatenate([one.row_of * len(atoms) + one.items for one in keys])
        bits = np.concatenate([np.full(len(one.items), 1 << i, np.int64) for i, one in enumerate(keys)])
        order = np.argsort(pairs, kind="stable")
        pairs, bits = pairs[order], bits[order]
        first = np.flatnonzero(np.append(True, pairs[1:] != pairs[:-1])[: len(pairs)])
        masks = np.bitwise_or.reduceat(bits, first) if len(first) else bits
        shown_in = (masks[:, None] >> np.arange(len(self.datasets))) & 1 == 1
        maximal = np.where(shown_in, atoms[pairs[first] % max(1, len(atoms))], -1)
        result: list[list[int]] = np.unique(maximal, axis=0).tolist() if len(maximal) else []
        return result

    def rare(self, m: int, k: int) -> int | None:
        """How many combinations of up to m facts fewer than k records hold; None: that cannot be told.

        A record of the own dataset that is joined with several counts once. Where that makes too much work, and the
        joined records are not enough even if each record had as many of them as any has, nobody can tell.
        """
        sizes = range(1, min(m, self.facts.longest) + 1)
        work = sum(occurrences(self.facts, size) for size in sizes)
        if self._most_of_an_owner > 1 and work <= MOST_LISTED:
            return self._rare_one_by_one(m, k)
        if work > MOST_COUNTED:
            return None
        enough = (k - 1) * self._most_of_an_owner + 1
        universe = int(self.facts.items.max(initial=-1)) + 1
        below = sum(count(self.facts, universe, size, enough).below for size in sizes)
        return None if below and self._most_of_an_owner > 1 else below

    def _rare_one_by_one(self, m: int, k: int) -> int:
        owners: dict[tuple[int, ...], set[int]] = {}
        own = self.places[:, 0].tolist()
        for row, facts in enumerate(self.facts.tuples()):
            for size in range(1, m + 1):
                for combination in combinations(facts, size):
                    owners.setdefault(combination, set()).add(own[row])
        return sum(len(one) < k for one in owners.values())

    def small_groups(self, k: int) -> int:
        """How many different joined records fewer than k records have."""
        labels = [_taken(data.sets, self.places[:, i]).equal()[0] for i, data in enumerate(self.datasets)]
        _, group = np.unique(np.stack(labels, axis=1), axis=0, return_inverse=True)
        return sum(owners < k for owners in self._owners_by(group.reshape(-1)))

    def _owners_by(self, group: Ints) -> Iterator[int]:
        """For each group how many records of the own dataset are in it."""
        pairs = np.unique(np.stack([group, self.places[:, 0]], axis=1), axis=0)
        yield from np.bincount(pairs[:, 0]).tolist()

    def rare_parts(self, codes: Sequence[str], k: int, strict: bool) -> int:
        """How much that joined records show of a combination of codes fewer than k records show.

        Not strict: only what is shown of all of its codes, in a release that shows them all.
        """
        columns: list[Bools] = []
        for i, data in enumerate(self.datasets):
            shown = [self._showing(i, data.atoms.of_code.get(code, -1)) for code in codes]
            whole = np.logical_and.reduce(shown)
            columns += shown if strict else [whole] * len(codes)
        matrix = np.stack(columns, axis=1)
        parts = np.unique(matrix[matrix.any(axis=1)], axis=0)
        if len(parts) * self.rows * matrix.shape[1] > MOST_COUNTED:
            raise TooMany("listed combinations are too many to count")
        own = self.places[:, 0]
        return sum(len(np.unique(own[matrix[:, part].all(axis=1)])) < k for part in parts)

    def _showing(self, dataset: int, atom: int) -> Bools:
        """Which joined records show an atom of a dataset."""
        result = np.zeros(self.rows, dtype=bool)
        if atom >= 0:
            result[self._holders[dataset].row(atom)] = True
        return result


def joined_sets(own: LinkedSets, others: Sequence[LinkedSets]) -> list[JoinedSets]:
    """The joined records of a dataset, apart by the datasets in which their persons are.

    NotComparable if nobody can say which records belong together, or if they are too many.
    """
    datasets = (own.data, *(other.data for other in others))
    for one, other in combinations((own, *others), 2):
        _refuse_unpaired_visits(one, other)
    return [JoinedSets(datasets, places) for places in joined_places(own, own.data.records, others, MOST_ROWS)]


def _refuse_unpaired_visits(one: LinkedSets, other: LinkedSets) -> None:
    """Visits of two files are joined only where nobody has several: else any visit might be any other of its person.

    A visit beside each visit of its person would count as a record that shows what both show, though a reader who knows
    which visits are the same finds no such record.
    """
    ours, theirs = comparable(one, other)
    if of_same_file(one, other) or not (_by_visit(one, ours) and _by_visit(other, theirs)):
        return
    if _repeated(ours) or _repeated(theirs):
        pair = " and ".join(sorted((one.title, other.title)))
        raise NotComparable(f"which visits of {pair} are the same cannot be determined: they were read from two files")


def _by_visit(one: LinkedSets, persons: Ints) -> bool:
    return (one.people is not None and one.people.visits) or _repeated(persons)


def _repeated(persons: Ints) -> bool:
    return len(np.unique(persons)) < len(persons)


def repeats(own: LinkedSets, other: LinkedSets) -> bool:
    """Does the other dataset show of each person of this one the same labels, and nothing else?"""
    if dict(zip(own.data.names, own.data.members, strict=True)) != dict(
        zip(other.data.names, other.data.members, strict=True)
    ):
        return False
    ours, theirs = comparable(own, other)
    if len(np.unique(ours)) < len(ours) or len(np.unique(theirs)) < len(theirs) or len(np.setdiff1d(ours, theirs)):
        return False
    place = np.argsort(theirs, kind="stable")[np.searchsorted(np.sort(theirs), ours)]
    number = {name: i for i, name in enumerate(own.data.names)}
    same = other.data.sets.take(place).renumbered(np.array([number[name] for name in other.data.names], np.int64))
    return np.array_equal(same.starts, own.data.sets.starts) and np.array_equal(same.items, own.data.sets.items)


def _taken(sets: Sets, places: Ints) -> Sets:
    """The sets of some rows; empty where a place is −1."""
    there = places >= 0
    taken = sets.take(np.where(there, places, 0)) if sets.count else Sets.of([[]] * len(places))
    return Sets.of_pairs(taken.row_of[there[taken.row_of]], taken.items[there[taken.row_of]], len(places))


def _by_atom(atoms: Ints, universe: int) -> Sets:
    """For each atom of a dataset the combinations of atoms that have it."""
    known = np.flatnonzero(atoms >= 0)
    return Sets.of_pairs(atoms[known], known, universe)


def _atoms(fact: Sequence[int]) -> list[tuple[int, int]]:
    return [(i, atom) for i, atom in enumerate(fact) if atom >= 0]
