"""Cuts that define disjoint regions of a population, all classes of one depth together.

Along a line, and among categories, a class is cut in two, midway between two neighbouring values of its records. In a
hierarchy it is cut into all the nodes below its lowest common one that hold records: two parts of several nodes each
could not be published by one cell each. A cut is scored by Σ n²/N of its parts; of those after which everything asked
still holds in every part, the least is taken, equal ones by column and then from the lowest value on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sharewell.tables.data import Classes, Floats, Indices, Ints, Table
from sharewell.tables.engine.protection.instance.axes import Axis, TreeAxis
from sharewell.tables.engine.protection.instance.people import InstanceCriteria, People, PopulationSpace, Runs, placed


@dataclass(frozen=True, eq=False)
class Leaves:
    """Finished classes: their records, regions[end, column, class], and the people in them."""

    classes: Classes
    regions: Ints
    people: People

    @staticmethod
    def join(root: Classes, parts: Sequence[Leaves]) -> Leaves:
        sizes = [np.diff(part.people.starts) for part in parts]
        people = People(
            np.concatenate([part.people.numbers for part in parts], axis=1),
            np.concatenate([part.people.weights for part in parts]),
            np.concatenate([[0], np.cumsum(np.concatenate(sizes))]),
        )
        return Leaves(
            root.join([part.classes for part in parts]),
            np.concatenate([part.regions for part in parts], axis=2),
            people,
        )


def divide(space: PopulationSpace, root: Classes, criteria: InstanceCriteria) -> tuple[Leaves, int]:
    """Cut as long as a cut is allowed. The finished classes, and how deep it went."""
    everything = np.array([[[0] for _ in space.axes], [[axis.size - 1] for axis in space.axes]], dtype=np.int64)
    active, depth = Leaves(root, everything.reshape(2, len(space.axes), 1), space.people), 0
    identities = persons_of(space.table)
    finished: list[Leaves] = []
    while True:
        chosen = _choose(space, active, criteria, identities)
        done = np.ones(active.classes.count, dtype=bool)
        done[chosen.owner] = False
        finished.append(_picked(active, np.flatnonzero(done)))
        if done.all():
            return Leaves.join(root, finished), depth
        active, depth = _cut(space, active, chosen), depth + 1


def persons_of(table: Table) -> Ints | None:
    """A number for the person of each row, records without one being persons of their own; None: all are others."""
    everybody = table.as_classes(np.arange(table.rows), np.array([0, table.rows]))
    return None if everybody.subject is None else everybody.owners()[0]


@dataclass(frozen=True, eq=False)
class Cuts:
    """Cut i of class owner[i] has the parts first[i] … first[i + 1] − 1, each a run of its column."""

    owner: Ints
    column: Ints
    first: Ints
    low: Ints
    high: Ints
    persons: Ints
    records: Ints
    people: Ints

    @property
    def score(self) -> Floats:
        """Σ n²/N over the parts; infinite where nobody fits one."""
        parts = np.full(len(self.people), np.inf)
        np.divide(self.persons.astype(np.float64) ** 2, self.people, out=parts, where=self.people > 0)
        return np.add.reduceat(parts, self.first[:-1]) if len(self.owner) else np.zeros(0)

    def take(self, which: Indices) -> Cuts:
        sizes = np.diff(self.first)[which]
        first = np.concatenate([[0], np.cumsum(sizes)])
        parts = np.repeat(self.first[which] - first[:-1], sizes) + np.arange(first[-1])
        ends = self.low[parts], self.high[parts]
        counts = self.persons[parts], self.records[parts], self.people[parts]
        return Cuts(self.owner[which], self.column[which], first, *ends, *counts)

    @staticmethod
    def join(parts: Sequence[Cuts]) -> Cuts:
        sizes = np.concatenate([np.zeros(0, dtype=np.int64), *(np.diff(part.first) for part in parts)])
        first = np.concatenate([[0], np.cumsum(sizes)])
        joined = {
            name: np.concatenate([np.zeros(0, dtype=np.int64), *(getattr(part, name) for part in parts)])
            for name in ("owner", "column", "low", "high", "persons", "records", "people")
        }
        return Cuts(first=first, **joined)


def _choose(space: PopulationSpace, active: Leaves, criteria: InstanceCriteria, identities: Ints | None) -> Cuts:
    """The best allowed cut of every class that has one, by class."""
    candidates = []
    for j, axis in enumerate(space.axes):
        cuts = (_by_node if isinstance(axis, TreeAxis) else _in_two)(space, j, active, identities)
        if len(cuts.owner):
            possible = criteria.possible(cuts.persons, cuts.records, cuts.people)
            candidates.append(cuts.take(np.flatnonzero(np.logical_and.reduceat(possible, cuts.first[:-1]))))
    every = Cuts.join(candidates)
    order = np.lexsort((every.score, every.owner))  # stable: equal ones stay by column and value
    owner = every.owner[order]
    place = np.flatnonzero(np.append(True, owner[1:] != owner[:-1])[: len(owner)])
    end = np.append(place[1:], len(owner))
    chosen: list[Indices] = []
    while len(place):
        tried = every.take(order[place])
        parts = _rows_cut(space, active.classes.select(tried.owner), tried)
        holds = np.logical_and.reduceat(criteria.holds(parts, tried.people), tried.first[:-1])
        chosen.append(order[place[holds]])
        place, end = place[~holds] + 1, end[~holds]
        place, end = place[place < end], end[place < end]
    which = np.concatenate([np.zeros(0, dtype=np.intp), *chosen])
    return every.take(which[np.argsort(every.owner[which], kind="stable")])


def _picked(active: Leaves, which: Indices) -> Leaves:
    if len(which) == active.classes.count:
        return active
    return Leaves(active.classes.select(which), active.regions[:, :, which], active.people.select(which))


def _rows_cut(space: PopulationSpace, classes: Classes, cuts: Cuts) -> Classes:
    """The parts of classes, one cut for each class."""
    numbers = space.rows[:, classes.order]
    part = placed(numbers, cuts.column, classes.starts, Runs(cuts.first, cuts.low, cuts.high))
    starts = np.concatenate([[0], np.cumsum(np.bincount(part, minlength=len(cuts.low)))])
    order = classes.order[np.argsort(part, kind="stable")]
    return Classes(order, starts, classes.columns, classes.subject)


def _cut(space: PopulationSpace, active: Leaves, cuts: Cuts) -> Leaves:
    """The parts as classes with regions and people; classes without a cut are left out."""
    classes = _rows_cut(space, active.classes.select(cuts.owner), cuts)
    sizes = np.diff(cuts.first)
    parent, column = np.repeat(cuts.owner, sizes), np.repeat(cuts.column, sizes)
    regions, places = active.regions[:, :, parent], np.arange(len(parent))
    regions[0, column, places], regions[1, column, places] = cuts.low, cuts.high
    columns = np.zeros(active.classes.count, dtype=np.int64)
    columns[cuts.owner] = cuts.column
    first = np.searchsorted(parent, np.arange(active.classes.count + 1))
    return Leaves(classes, regions, active.people.divided(columns, Runs(first, cuts.low, cuts.high)))


@dataclass(frozen=True, eq=False)
class _SortedRecords:
    """The records of every class by their numbers in one column."""

    owner: Ints
    number: Ints
    persons: Ints | None

    @classmethod
    def of(cls, numbers: NDArray[np.int32], classes: Classes, identities: Ints | None) -> _SortedRecords:
        order = np.lexsort((numbers[classes.order], classes.class_of))
        rows = classes.order[order]
        persons = None if identities is None else identities[rows]
        return cls(classes.class_of[order], numbers[rows].astype(np.int64), persons)

    def persons_so_far(self) -> tuple[Ints, Ints]:
        """For each record: persons among the records of its class up to this one, and among those after it."""
        size = len(self.owner)
        new, last = np.ones(size, dtype=np.int64), np.ones(size, dtype=np.int64)
        if self.persons is not None:
            keys = self.owner * (int(self.persons.max(initial=0)) + 1) + self.persons
            new[:], last[:] = 0, 0
            new[np.unique(keys, return_index=True)[1]] = 1
            last[size - 1 - np.unique(keys[::-1], return_index=True)[1]] = 1
        starts = np.flatnonzero(np.append(True, self.owner[1:] != self.owner[:-1]))
        before = np.concatenate([[0], np.cumsum(new)])
        after = np.concatenate([[0], np.cumsum(last)])
        ends = np.append(starts[1:], size)
        which = np.cumsum(np.append(True, self.owner[1:] != self.owner[:-1])) - 1
        return before[1:] - before[starts][which], after[ends][which] - after[1:]


def _in_two(space: PopulationSpace, j: int, active: Leaves, identities: Ints | None) -> Cuts:
    """Every cut of every class between neighbouring values."""
    axis: Axis = space.axes[j]
    assert not isinstance(axis, TreeAxis)
    classes, regions = active.classes, active.regions[:, j]
    rows = _SortedRecords.of(space.rows[j], classes, identities)
    at = np.flatnonzero((rows.owner[1:] == rows.owner[:-1]) & (rows.number[1:] != rows.number[:-1]))
    apart = np.zeros(classes.count, dtype=bool)
    apart[rows.owner[rows.number >= axis.known]] = True
    at = at[~apart[rows.owner[at]] | (rows.number[at + 1] >= axis.known)]  # a cell never joins them to a half
    owner, left, right = rows.owner[at], rows.number[at], rows.number[at + 1]
    beyond = right >= axis.known
    cut = np.where(beyond, axis.known - 1, axis.midway(left, np.where(beyond, left, right)))
    start, end = regions[0, owner], np.minimum(regions[1, owner], axis.known - 1)
    records = at + 1 - classes.starts[owner]
    persons, others = (counts[at] for counts in rows.persons_so_far())
    people = _on_both_sides(active.people, j, owner, cut, start, end, np.where(beyond, right, end))
    return Cuts(
        owner,
        np.full(len(at), j, dtype=np.int64),
        2 * np.arange(len(at) + 1),
        _paired(start, np.where(beyond, right, cut + 1)),
        _paired(cut, np.where(beyond, right, end)),
        _paired(persons, others),
        _paired(records, classes.sizes[owner] - records),
        people,
    )


def _paired(left: Ints, right: Ints) -> Ints:
    return np.stack([left, right], axis=1).reshape(-1)


def _on_both_sides(people: People, j: int, owner: Ints, cut: Ints, start: Ints, end: Ints, last: Ints) -> Ints:
    """People to the left and right of every cut: counted once between neighbouring cuts, and summed up."""
    classes = len(people.starts) - 1
    first = np.searchsorted(owner, np.arange(classes + 1))
    number = np.diff(first)
    opening = np.append(True, owner[1:] != owner[:-1])[: len(owner)]
    closing = np.append(opening[1:], True)[: len(owner)]
    low = np.where(opening, start, np.append(0, cut[:-1] + 1)[: len(owner)])
    # A class with m cuts has m + 1 runs: one up to each cut, and one from the last cut to the end.
    slots = np.concatenate([[0], np.cumsum(np.where(number > 0, number + 1, 0))])
    slot = np.arange(len(owner)) - first[owner] + slots[owner]
    lows, highs = np.zeros(slots[-1], dtype=np.int64), np.zeros(slots[-1], dtype=np.int64)
    lows[slot], highs[slot] = low, cut
    beyond = last > end  # the missing value, which lies apart
    lows[slot[closing] + 1] = np.where(beyond, last, cut + 1)[closing]
    highs[slot[closing] + 1] = last[closing]
    up_to = np.concatenate([[0], np.cumsum(people.counted(j, Runs(slots, lows, highs)))])
    left = up_to[slot + 1] - up_to[slots[owner]]
    return _paired(left, up_to[slots[owner + 1]] - up_to[slot + 1])


def _by_node(space: PopulationSpace, j: int, active: Leaves, identities: Ints | None) -> Cuts:
    """Every class cut into the nodes below its lowest common one; not where a record has that node for its value."""
    axis = space.axes[j]
    assert isinstance(axis, TreeAxis)
    classes = active.classes
    rows = _SortedRecords.of(space.rows[j], classes, identities)
    low, high = rows.number[classes.starts[:-1]], rows.number[classes.starts[1:] - 1]
    level = axis.common_level(low, high)
    top = axis.node(level, low)
    below = np.maximum(level - 1, 0)[rows.owner]
    child = axis.node(below, rows.number)
    uncut = level == 0
    uncut[rows.owner[child == top[rows.owner]]] = True
    keep = ~uncut[rows.owner]
    owner, child, number, below = rows.owner[keep], child[keep], rows.number[keep], below[keep]
    new = np.append(True, (owner[1:] != owner[:-1]) | (child[1:] != child[:-1]))[: len(owner)]
    at = np.flatnonzero(new)
    starts, ends = axis.run(below[at], number[at])
    records = np.diff(np.append(at, len(owner)))
    persons = records
    if rows.persons is not None:
        part = np.cumsum(new) - 1
        persons_kept = rows.persons[keep]
        pairs = np.unique(part * (int(persons_kept.max(initial=0)) + 1) + persons_kept)
        persons = np.bincount(pairs // (int(persons_kept.max(initial=0)) + 1), minlength=len(at))
    slots = np.searchsorted(owner[at], np.arange(classes.count + 1))
    people = active.people.counted(j, Runs(slots, starts, ends))
    cut = np.flatnonzero(np.diff(slots))
    first = np.append(slots[cut], len(at))
    column = np.full(len(cut), j, dtype=np.int64)
    return Cuts(cut.astype(np.int64), column, first, starts, ends, persons, records, people)
