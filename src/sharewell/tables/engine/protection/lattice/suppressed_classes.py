"""Which classes must be suppressed at a node, and what follows for all lower nodes.

At a lower node classes are parts of this node's classes. Three kinds of criteria:

- *growing*: what holds for a class holds for every larger one (k-anonymity, distinct l-diversity, k-map). Records in
  failing classes are then withheld at every lower node too.
- *union-safe*: what holds for two classes holds for their union. A failing class then has a failing part at every lower
  node, so that at least one of its records is withheld there; or as many as the criterion says by `least_withheld`:
  what is left of the class is a union of classes that hold, and so must hold itself.
- any other: nothing is known about lower nodes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sharewell.compiled import numba_or_numpy
from sharewell.tables.engine.array_types import Indices, Ints
from sharewell.tables.engine.checks.class_criterion import ClassCriterion
from sharewell.tables.engine.checks.population_classes import PopulationClassCriterion
from sharewell.tables.engine.classes import Classes
from sharewell.tables.engine.protection.lattice.compiled_judges import ColumnJudge, column_judges
from sharewell.tables.engine.protection.lattice.node_arrays import UNSURE, Verdicts
from sharewell.tables.engine.protection.lattice.rollup import NodeClasses, TableTuples
from sharewell.tables.engine.published_cells import owners

_KERNEL = "sharewell.tables.engine.protection.lattice.judge_kernel"

PerClassCriterion = ClassCriterion | PopulationClassCriterion
"""Criteria that are decided class by class."""


def is_union_safe(criterion: PerClassCriterion, classes_share_persons: bool) -> bool:
    """Some criteria are so only if no person owns records in two classes. n/N of a union lies between its parts'."""
    if isinstance(criterion, PopulationClassCriterion):
        return not classes_share_persons
    return criterion.union_safe if classes_share_persons else criterion.disjoint_union_safe


@dataclass(frozen=True, eq=False)
class SuppressedClasses:
    """The failing classes of a node, and the persons that lose a record (records, where no person is known)."""

    failing: Indices
    certain: Indices
    """Those of them whose records are withheld at every lower node as well."""
    persons: int
    persons_below: int
    """At least so many at every lower node."""


class NodeJudge:
    """Judges nodes by a list of criteria, growing ones first: they are cheap, and rule out lower nodes."""

    def __init__(
        self,
        must: Sequence[PerClassCriterion],
        most_persons: int,
        classes_share_persons: bool,
        space: TableTuples | None = None,
    ) -> None:
        self.must = sorted(must, key=lambda criterion: not criterion.growing)
        self.most_persons = most_persons
        self.safe = {id(criterion): is_union_safe(criterion, classes_share_persons) for criterion in must}
        self.grows = all(criterion.growing for criterion in must)
        self.union_safe = all(self.safe.values())
        self._compiled: dict[int, list[ColumnJudge]] = {}
        self._close: dict[bytes, tuple[bool, int]] = {}
        self._judge = numba_or_numpy(space is not None and space.compiled, f"{_KERNEL}:judge", None)
        if space is not None and self._judge is not None:
            self._counted = space.counted
            for criterion in must:
                judges = column_judges(criterion, space.table)
                if judges is not None and all(judge.column in self._counted for judge in judges):
                    self._compiled[id(criterion)] = judges

    def at(self, classes: Classes, fitting: Mapping[int, Ints]) -> SuppressedClasses:
        """Criteria are asked one after the other, until all are or too much is withheld at every lower node.

        `fitting` gives the people who fit each class, for the criteria (by identity) that want to know.
        """
        failing = certain = np.zeros(0, dtype=np.intp)
        persons = below = 0
        verdicts = np.zeros(classes.count, dtype=np.uint8)
        for criterion in self.must:
            if not criterion.growing and below > self.most_persons:
                break
            bad, least = self._failing(criterion, classes, fitting, verdicts, len(failing))
            if not len(bad):
                continue
            failing = np.flatnonzero(verdicts) if len(failing) else bad
            persons = persons_of(classes, failing)
            if criterion.growing:
                below, certain = persons, failing
            elif classes.subject is not None:  # one person may lose records of several classes
                below = max(below, int(self.safe[id(criterion)]))
            else:
                sizes = classes.sizes[bad]
                whole = least >= sizes
                if self.safe[id(criterion)]:
                    below = max(1, below + int(least.sum()))
                else:
                    below += int(sizes[whole].sum())
                certain = np.append(certain, bad[whole])
        return SuppressedClasses(failing, certain, persons, below)

    def _failing(
        self,
        criterion: PerClassCriterion,
        classes: Classes,
        fitting: Mapping[int, Ints],
        verdicts: Verdicts,
        failed: int,
    ) -> tuple[Indices, Ints]:
        """The classes that fail this one and none before, and how many of their records are withheld below for sure."""
        if id(criterion) in self._compiled and isinstance(classes, NodeClasses) and classes.which is None:
            return self._by_kernel(criterion, classes, verdicts)
        left = np.flatnonzero(verdicts == 0) if failed else None
        judged = classes if left is None else classes.select(left)
        if isinstance(criterion, PopulationClassCriterion):
            people = fitting[id(criterion)] if left is None else fitting[id(criterion)][left]
            bad = np.flatnonzero(~criterion.holds_against(judged, people))
        else:
            bad = np.flatnonzero(~criterion.holds(judged))
        bad = bad if left is None else left[bad]
        verdicts[bad] = 1
        return bad, self._least(criterion, classes, bad, fitting)

    def _least(self, criterion: PerClassCriterion, classes: Classes, bad: Indices, fitting: Mapping[int, Ints]) -> Ints:
        if criterion.growing or classes.subject is not None or not len(bad):
            return np.zeros(len(bad), dtype=np.int64)
        if isinstance(criterion, PopulationClassCriterion):
            return criterion.least_withheld_against(classes.select(bad), fitting[id(criterion)][bad])
        return criterion.least_withheld(classes.select(bad))

    def _by_kernel(
        self, criterion: PerClassCriterion, classes: NodeClasses, verdicts: Verdicts
    ) -> tuple[Indices, Ints]:
        assert self._judge is not None
        assert isinstance(criterion, ClassCriterion)
        before, values, mark = verdicts.copy(), classes.grouping.values, 1
        least = np.zeros(classes.count, dtype=np.int64)
        for one in self._compiled[id(criterion)]:
            begin = self._counted[one.column]
            self._judge(one.kind, values, begin, classes.sizes, verdicts, mark, one.whole, one.real, one.scalars, least)
        for c in np.flatnonzero(verdicts == UNSURE).tolist():
            verdicts[c], least[c] = self._decided(criterion, classes, c)
        bad = np.flatnonzero(verdicts != before)
        return bad, _withheld(criterion, classes.sizes[bad], least[bad])

    def _decided(self, criterion: ClassCriterion, classes: NodeClasses, c: int) -> tuple[bool, int]:
        """Does a class fail that is too close to the bound for decimals, and how much of it is withheld below?

        Only entropy is ever too close. It depends on how often values occur, not on which: many nodes have such a class.
        """
        assert classes.grouping.values is not None
        row, key = classes.grouping.values[c], [np.int64(id(criterion)).tobytes()]
        for judge in self._compiled[id(criterion)]:
            begin = self._counted[judge.column]
            key.append(np.sort(row[begin : begin + judge.scalars[1]]).tobytes())
        counts = b"".join(key)
        if counts not in self._close:
            one = classes.select(np.array([c]))
            self._close[counts] = not criterion.holds(one)[0], int(criterion.least_withheld(one)[0])
        return self._close[counts]


def _withheld(criterion: ClassCriterion, sizes: Ints, least: Ints) -> Ints:
    """A class that is too small has no part that is not."""
    return np.where(sizes < criterion.least_records, sizes, np.maximum(1, least)).clip(max=sizes)


def persons_of(classes: Classes, which: Indices) -> int:
    """How many persons own a record in these classes; a record without a person counts as one of its own."""
    if not len(which) or classes.subject is None:
        return int(classes.sizes[which].sum())
    subject = classes.columns[classes.subject]
    return owners(subject, subject.codes[classes.select(which).order])
