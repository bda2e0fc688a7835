"""Rounds of recoding: what forms classes at one node of the lattice is taken out, and the rest is recoded again.

All rows with the same original values share a class, so that work is done on distinct tuples. A class is published at
the lowest level of each column at which its tuples have one label, whatever the node it was found at.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from sharewell.tables.engine.array_types import Bools, Floats, Indices, Ints
from sharewell.tables.engine.checks.class_criterion import ClassCriteria
from sharewell.tables.engine.protection.lattice.rollup import Node, TableTuples
from sharewell.tables.engine.protection.lattice.search import lower
from sharewell.tables.engine.protection.lattice.suppressed_classes import NodeJudge
from sharewell.tables.engine.published_cells import persons_withheld

TupleLosses = list[list[Floats]]
"""lost[column][level][tuple]: the share of the domain that the tuple leaves open there, times the column's weight."""


class RecodingRounds:
    """One table, one list of criteria. An `owner` is the number of each tuple's class; −1 is none."""

    def __init__(self, space: TableTuples, criteria: ClassCriteria, weights: Mapping[str, float]) -> None:
        self.space, self.criteria = space, criteria
        self._judge = NodeJudge(criteria, space.table.rows, space.table.several_records, space)
        self._weights = [float(weights.get(ladder.column.name, 1.0)) for ladder in space.ladders]
        ends = [w for w, ladder in zip(self._weights, space.ladders, strict=True) if ladder.domain > 1]
        self._everything = sum(ends)
        """What a withheld record loses; a column of one value has nothing to lose."""
        self.lost: TupleLosses = [
            [weight * (leaves[codes] - 1) / max(1, ladder.domain - 1) for leaves in ladder.leaves]
            for ladder, codes, weight in zip(space.ladders, space.codes, self._weights, strict=True)
        ]

    def classes(self, guess: float, most: int, first: Node | None = None) -> Ints:
        """Owners after at most this many rounds. `guess` is the loss that a tuple left for later is reckoned with.

        O(columns · levels) nodes of the rest are looked at in each round.
        """
        owner = np.full(len(self.space.records), -1, dtype=np.int64)
        rest, number = np.arange(len(owner)), 0
        for _ in range(most):
            if not len(rest):
                break
            part = UnclassedTuples(
                self.space.part(rest), self._judge, [[lost[rest] for lost in levels] for levels in self.lost]
            )
            node = first if first is not None and not number else part.descend(guess * self._everything)
            class_of, count = part.classes_at(node)
            in_class = class_of >= 0
            if not in_class.any():
                break
            owner[rest[in_class]] = number + class_of[in_class]
            rest, number = rest[~in_class], number + count
        return owner

    def levels(self, owner: Ints) -> Ints:
        """levels[column, tuple]: the lowest at which a class has one label; the height, where there is no class."""
        order = np.argsort(owner, kind="stable")
        starts = np.flatnonzero(np.append(True, np.diff(owner[order]) != 0)[: len(order)])
        place = np.repeat(np.arange(len(starts)), np.diff(np.append(starts, len(order))))
        levels = np.empty((len(self.space.labels), len(owner)), dtype=np.int64)
        for j, labels in enumerate(self.space.labels):
            lowest = np.full(len(starts), len(labels) - 1)
            for level in reversed(range(len(labels) - 1)):
                label = labels[level][order]
                one = np.minimum.reduceat(label, starts) == np.maximum.reduceat(label, starts)
                lowest[one] = level
            levels[j, order] = lowest[place]
            levels[j, owner < 0] = len(labels) - 1
        return levels

    def total(self, owner: Ints) -> float:
        """The loss, summed over columns, and averaged over records; one without a class loses everything."""
        return self._summed(self.levels(owner), np.where(owner < 0, 0, self.space.records))

    def loss(self, kept: Indices, levels: Ints) -> float:
        """The mean of cells, if these rows are published at these levels."""
        records = np.bincount(self.space.tuple_of_row[kept], minlength=len(self.space.records))
        return self._summed(levels, records) / max(1, len(self._weights))

    def _summed(self, levels: Ints, published: Ints) -> float:
        rows = max(1, self.space.table.rows)
        lost = self._everything * (self.space.table.rows - int(published.sum()))
        for shares, level in zip(self.lost, levels, strict=True):
            lost += float((np.stack(shares)[level, np.arange(len(level))] * published).sum())
        return round(lost / rows, 12)  # so that equal losses compare equal

    def persons_without(self, owner: Ints) -> int:
        """Who would lose a record."""
        return persons_withheld(self.space.table, np.flatnonzero(owner[self.space.tuple_of_row] >= 0))

    def joined(self, owner: Ints) -> Ints | None:
        """The tuples without a class together with as few classes as make them hold, those that it costs least."""
        rest = owner < 0
        if not rest.any():
            return owner
        order = self._cheapest(owner, np.flatnonzero(rest))
        for number in [0, *(2**i for i in range(len(order).bit_length() + 1))]:
            together = rest | np.isin(owner, order[:number])
            if self._holds(together):
                return np.where(together, int(owner.max()) + 1, owner)
        return None

    def _cheapest(self, owner: Ints, rest: Indices) -> Ints:
        """The classes in the order of what each loses if it takes the rest in."""
        numbers, first = np.unique(owner, return_index=True)
        numbers, first = numbers[numbers >= 0], first[numbers >= 0]
        records = np.bincount(owner + 1, weights=self.space.records, minlength=int(owner.max()) + 2)
        more, unclassed, levels = records[numbers + 1], records[0], self.levels(owner)
        cost = np.zeros(len(numbers))
        for j, (labels, lost) in enumerate(zip(self.space.labels, self.lost, strict=True)):
            now, shared = levels[j, first], np.full(len(numbers), len(labels) - 1)
            for level in reversed(range(len(labels) - 1)):
                label = labels[level]
                if (label[rest] != label[rest[0]]).any():
                    break
                shared[(label[first] == label[rest[0]]) & (now <= level)] = level
            share, before = np.stack(lost)[shared, rest[0]], np.stack(lost)[now, first]
            cost += (more + unclassed) * share - more * before
        return numbers[np.argsort(cost, kind="stable")]

    def _holds(self, tuples: Bools) -> bool:
        rows = np.flatnonzero(tuples[self.space.tuple_of_row])
        one = self.space.table.as_classes(rows, np.array([0, len(rows)]))
        return all(bool(criterion.holds(one)[0]) for criterion in self.criteria)


class UnclassedTuples:
    """Tuples that have no class yet."""

    def __init__(self, space: TableTuples, judge: NodeJudge, lost: TupleLosses) -> None:
        self.space, self._judge, self._lost = space, judge, lost
        self._whole = [[float((level * space.records).sum()) for level in levels] for levels in lost]
        """What all of them lose at each level."""

    def descend(self, guess: float) -> Node:
        """From the top, each time to the best lower node, as long as that improves."""
        node = tuple(len(levels) - 1 for levels in self._lost)
        best = self._score(node, guess)
        while True:
            scored = min(((self._score(one, guess), one) for one in lower(node)), default=None)
            if scored is None or scored[0] >= best:
                return node
            best, node = scored

    def _score(self, node: Node, guess: float) -> float:
        """What the classes that hold lose, and by guess the others."""
        grouping = self.space.at(node)
        failing = self._judge.at(self.space.classes(grouping), {}).failing
        tuples, records = grouping.tuples[failing], grouping.records[failing]
        lost = sum(totals[level] for totals, level in zip(self._whole, node, strict=True))
        if len(failing):
            failed = sum(levels[at][tuples] for levels, at in zip(self._lost, node, strict=True))
            lost -= float((failed * records).sum())
        return lost + guess * int(records.sum())

    def classes_at(self, node: Node) -> tuple[Ints, int]:
        """The class of each tuple at a node, −1 if it fails; and how many classes there are."""
        grouping = self.space.at(node)
        number = np.arange(grouping.count)
        number[self._judge.at(self.space.classes(grouping), {}).failing] = -1
        return number[self.space.class_of_tuple(grouping)], grouping.count
