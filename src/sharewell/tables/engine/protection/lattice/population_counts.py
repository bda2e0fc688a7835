"""The people of a population, counted at nodes of the lattice: how many fit each class of a table."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sharewell.errors import PolicyError
from sharewell.tables.engine.array_types import Indices, Ints, Judges, Values
from sharewell.tables.engine.checks.population_classes import PopulationCriterion
from sharewell.tables.engine.protection.lattice.rollup import (
    CheckedNode,
    Grouping,
    Node,
    TableTuples,
    Tuples,
    distinct_tuples,
    joined_labels,
)
from sharewell.tables.engine.register import Register


class PopulationCounts:
    """A population beside a table, both at the levels of the same hierarchies."""

    def __init__(self, space: TableTuples, criterion: PopulationCriterion) -> None:
        names = {ladder.column.name for ladder in space.ladders}
        if criterion.by is not None and set(criterion.by) != names:
            raise PolicyError(f"optimal-recoding — {criterion.name} by some columns only — leave `by` out")
        listed = criterion.register([ladder.column for ladder in space.ladders], space.table.schema.subject)
        placed = [ladder.placed(column.texts) for ladder, column in zip(space.ladders, listed.columns, strict=True)]
        codes: Sequence[Ints] = [column.codes.astype(np.int64) for column in listed.columns]
        listed_labels = [
            [label[code].astype(np.int32) for label in levels] for (levels, _), code in zip(placed, codes, strict=True)
        ]
        self.total, self._sizes = listed.people, [sizes for _, sizes in placed]
        moved = _moved(listed)
        self._moved = [[label[moved] for label in levels] for levels in listed_labels]
        self._persons = None if listed.person is None else np.unique(listed.person[moved], return_inverse=True)[1]
        weights = listed.weights.copy()
        weights[moved] = 0
        labels = [
            [np.append(label_of_table, label) for label_of_table, label in zip(table_labels, others, strict=True)]
            for table_labels, others in zip(space.labels, listed_labels, strict=True)
        ]
        self._both = JointTuples(labels, self._sizes, space.records, weights, space.values)

    @property
    def several_rows(self) -> bool:
        """Has somebody several rows that differ?"""
        return self._persons is not None

    def at(self, node: Node) -> tuple[Grouping, Ints]:
        """The classes of the table at a node, and how many people fit each."""
        joint = self._both.at(node)
        count = int(np.count_nonzero(joint.tuples < self._both.ours))
        return self._split(joint, slice(count) if self._both.compiled else slice(joint.count - count, None))

    def checked(self, node: Node, judges: Judges, bounds: bool, most: int) -> tuple[CheckedNode, Ints]:
        """The same, and what compiled judges say of the table's classes; where nobody has several rows that differ."""
        checked = self._both.checked(node, judges, bounds, most)
        grouping, people = self._split(checked.grouping, slice(checked.own))
        return checked._replace(grouping=grouping), people

    def _split(self, joint: Grouping, ours: slice) -> tuple[Grouping, Ints]:
        both, bits = joint.records[ours], self._both.bits
        values = None if joint.values is None else joint.values[ours]
        grouping = Grouping(joint.node, joint.tuples[ours], both >> bits, values=values)
        return grouping, (both & ((1 << bits) - 1)) + self._several_rows(grouping)

    def _several_rows(self, grouping: Grouping) -> Ints:
        """Persons with different rows, once in each class that one of them fits. O(their rows + classes)"""
        if self._persons is None:
            return np.zeros(grouping.count, dtype=np.int64)
        labels = [
            np.append(self._both.labels[j][level].take(grouping.tuples), self._moved[j][level])
            for j, level in enumerate(grouping.node)
        ]
        sizes = [self._sizes[j][level] for j, level in enumerate(grouping.node)]
        number = np.unique(joined_labels(labels, sizes, grouping.count + len(self._persons))[0], return_inverse=True)[1]
        class_of = np.full(int(number.max(initial=0)) + 1, -1)
        class_of[number[: grouping.count]] = np.arange(grouping.count)
        person_classes = class_of[number[grouping.count :]]
        width = int(self._persons.max(initial=0)) + 1
        pairs = np.unique(person_classes[person_classes >= 0] * width + self._persons[person_classes >= 0])
        return np.bincount(pairs // width, minlength=grouping.count)


def _moved(listed: Register) -> Indices:
    """Rows of persons who have several that differ."""
    if listed.person is None:
        return np.zeros(0, dtype=np.intp)
    return np.flatnonzero((np.bincount(listed.person) > 1)[listed.person])


class JointTuples(Tuples):
    """Tuples of a table, and of people after them. Records and people are kept in one number and counted together."""

    def __init__(
        self,
        labels: Sequence[Sequence[NDArray[np.integer]]],
        sizes: Sequence[Sequence[int]],
        records: Ints,
        people: Ints,
        values: Values | None,
    ) -> None:
        ours, self.bits = len(records), int(people.sum()).bit_length()
        both = np.append(records << self.bits, people)[::-1]  # of equal tuples the last stands for all: ours
        last_places, counts = distinct_tuples([column[0][::-1] for column in labels], [size[0] for size in sizes], both)
        places = len(both) - 1 - last_places
        order = places.argsort(kind="stable")
        if values is not None:
            values = np.vstack([values, np.zeros((len(order) - ours, values.shape[1]), values.dtype)])
        distinct = [[label[places[order]] for label in column] for column in labels]
        super().__init__(distinct, sizes, counts[order], values)
        self.ours = ours
        every = np.arange(len(order))
        self._remember(self._all if self.compiled else self._kept((0,) * len(sizes), every, self.records, every))

    def _kept(self, node: Node, tuples: Ints, records: Ints, keys: Ints) -> Grouping:
        """Classes of the table come last, so that one of its tuples stands for each of them: in numpy the last of equal
        tuples does. In compiled code it is the first, and classes of the table come first as their tuples do."""
        of_people = tuples >= self.ours
        order = np.concatenate((of_people.nonzero()[0], (~of_people).nonzero()[0]))
        return Grouping(node, tuples.take(order), records.take(order))
