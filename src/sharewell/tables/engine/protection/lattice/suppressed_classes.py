"""Which classes must be suppressed at a node, and what follows for all lower nodes.

At a lower node classes are parts of this node's classes. Three kinds of criteria:

- *growing*: what holds for a class holds for every larger one (k-anonymity, distinct l-diversity, k-map). Records in
  failing classes are then withheld at every lower node too.
- *union-safe*: what holds for two classes holds for their union. A failing class then has a failing part at every lower
  node, so that at least one of its records is withheld there.
- any other: a failing class says nothing about its parts.

Beyond that, `least_withheld` says how many records of a failing class are withheld at every lower node, however it is
divided, and the criterion says why: with fewer than l values no part has l (entropy and recursive l); of n records the
parts that hold keep no more of a value than its largest share of n (β, δ, (α,k)); where the values that a class lacks
have more than t of the reference, its parts lack them too (t). And where too few records are left for any criterion, no
part holds, and all records are withheld.

Large work is done by the compiled `judge_kernel`, which says of every class what the criteria say.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sharewell.compiled import numba_or_none
from sharewell.tables.engine.array_types import Indices, Ints, Verdicts
from sharewell.tables.engine.checks.class_criterion import ClassCriterion
from sharewell.tables.engine.checks.population_classes import PerClassCriterion, PopulationClassCriterion, is_union_safe
from sharewell.tables.engine.classes import Classes
from sharewell.tables.engine.protection.lattice.compiled_judges import (
    CERTAIN,
    FAILS,
    UNSURE,
    PackedJudges,
)
from sharewell.tables.engine.protection.lattice.rollup import NodeClasses, TableTuples
from sharewell.tables.engine.published_cells import owners

_KERNEL = "sharewell.tables.engine.protection.lattice.judge_kernel"


@dataclass(frozen=True, eq=False)
class SuppressedClasses:
    """The failing classes of a node, and the persons that lose a record (records, where no person is known)."""

    verdicts: Verdicts
    persons: int
    persons_below: int
    """At least this many at every lower node."""
    least: Ints
    """At least this many records of each class are withheld at every lower node."""

    @cached_property
    def failing(self) -> Indices:
        return self.verdicts.nonzero()[0]

    @property
    def everything(self) -> bool:
        return bool(self.verdicts.all())


class NodeJudge:
    """Judges nodes by a list of criteria, growing ones first: they are cheap, and rule out lower nodes."""

    def __init__(
        self,
        criteria: Sequence[PerClassCriterion],
        most_persons: int,
        classes_share_persons: bool,
        space: TableTuples,
    ) -> None:
        self.criteria = sorted(criteria, key=lambda criterion: not criterion.growing)
        self.most_persons = most_persons
        self.safe = {id(criterion): is_union_safe(criterion, classes_share_persons) for criterion in criteria}
        self.grows = all(criterion.growing for criterion in criteria)
        self.union_safe = all(self.safe.values())
        alone = [one for one in self.criteria if isinstance(one, ClassCriterion)]
        self._least_records = max((one.least_records for one in alone), default=1)
        self._close: dict[bytes, tuple[int, int]] = {}
        """What was decided of classes too close to a bound."""
        self._kernel = numba_or_none(space.compiled, f"{_KERNEL}:judge")
        self._packed: PackedJudges | None = None
        if self._kernel is not None and len(alone) == len(self.criteria):
            self._packed = PackedJudges.of(alone, [self.safe[id(one)] for one in alone], space)

    def at(self, classes: Classes, fitting: Mapping[int, Ints], wants_bounds: bool = True) -> SuppressedClasses:
        """Criteria are asked one after the other, until all are or too much is withheld at every lower node.

        `fitting` gives the people who fit each class, for the criteria (by identity) that want to know. Without
        `wants_bounds` less may be said of what is withheld at lower nodes.
        """
        if self._packed is not None and isinstance(classes, NodeClasses) and classes.which is None:
            return self._by_kernel(self._packed, classes, wants_bounds)
        verdicts, withheld_below = np.zeros(classes.count, dtype=np.uint8), np.zeros(classes.count, dtype=np.int64)
        persons = below = 0
        if classes.subject is None:
            small = classes.sizes < self._least_records
            verdicts[small], withheld_below[small] = CERTAIN, classes.sizes[small]
            persons = below = int(classes.sizes[small].sum())
        for criterion in self.criteria:
            if not criterion.growing and below > self.most_persons:
                break
            bad, least = self._failing(criterion, classes, fitting, verdicts, wants_bounds)
            if not len(bad):
                continue
            verdicts[bad] = np.where(least >= classes.sizes[bad], CERTAIN, FAILS)
            withheld_below[bad] = least
            persons = persons_of(classes, verdicts.nonzero()[0])
            if criterion.growing:
                below = persons
            elif classes.subject is not None:  # one person may lose records of several classes
                below = max(below, int(self.safe[id(criterion)]))
            else:
                below += int(least.sum())
        return SuppressedClasses(verdicts, persons, below, withheld_below)

    def _failing(
        self,
        criterion: PerClassCriterion,
        classes: Classes,
        fitting: Mapping[int, Ints],
        verdicts: Verdicts,
        wants_bounds: bool,
    ) -> tuple[Indices, Ints]:
        """The classes that fail this one and none before, and how many of their records are withheld below for sure."""
        left = np.flatnonzero(verdicts == 0) if verdicts.any() else None
        judged = classes if left is None else classes.select(left)
        if isinstance(criterion, PopulationClassCriterion):
            people = fitting[id(criterion)] if left is None else fitting[id(criterion)][left]
            bad = np.flatnonzero(~criterion.holds_against(judged, people))
        else:
            bad = np.flatnonzero(~criterion.holds(judged))
        bad = bad if left is None else left[bad]
        sizes = classes.sizes[bad].astype(np.int64)
        if criterion.growing or not len(bad):
            return bad, sizes
        if classes.subject is not None or not wants_bounds:
            return bad, np.zeros(len(bad), dtype=np.int64)
        failed, safe = classes.select(bad), self.safe[id(criterion)]
        if isinstance(criterion, PopulationClassCriterion):
            least = criterion.least_withheld_against(failed, fitting[id(criterion)][bad])
            least = least if safe else np.where(least >= sizes, sizes, 0)  # people of several parts count in each
        else:
            least = criterion.least_withheld(failed)
        least = np.maximum(least, int(safe))
        return bad, np.where(sizes - least < self._least_records, sizes, least)

    def _by_kernel(self, judges: PackedJudges, classes: NodeClasses, wants_bounds: bool) -> SuppressedClasses:
        assert self._kernel is not None
        verdicts, values = np.zeros(classes.count, dtype=np.uint8), classes.grouping.values
        withheld_below = np.zeros(classes.count, dtype=np.int64)
        records, below, unsure = self._kernel(
            judges.kinds,
            judges.begins,
            judges.flags,
            judges.scalars,
            judges.whole,
            judges.real,
            wants_bounds,
            self.most_persons,
            classes.sizes,
            values,
            verdicts,
            withheld_below,
        )
        for c in np.flatnonzero(verdicts == UNSURE).tolist() if unsure else ():
            verdicts[c], withheld_below[c] = self._decided(judges, classes, c)
            records += int(classes.sizes[c]) if verdicts[c] else 0
            below += int(withheld_below[c])
        return SuppressedClasses(verdicts, records, below, withheld_below)

    def _decided(self, judges: PackedJudges, classes: NodeClasses, c: int) -> tuple[int, int]:
        """The verdict on a class that is too close to a bound for decimals, and how much of it is withheld below.

        Only entropy is ever too close. How often values occur matters to it, not which: many nodes have such classes.
        """
        assert classes.grouping.values is not None
        row = classes.grouping.values[c]
        key = b"".join([np.sort(row[begin:end]).tobytes() for begin, end in judges.known_values])
        if key not in self._close or not judges.symmetric:
            one, alone = classes.select(np.array([c])), NodeJudge.__new__(NodeJudge)
            alone.__dict__.update(self.__dict__, _packed=None)
            decided = alone.at(one, {})
            self._close[key] = int(decided.verdicts[0]), decided.persons_below
        return self._close[key]


def persons_of(classes: Classes, which: Indices) -> int:
    """How many persons own a record in these classes; a record without a person counts as one of its own."""
    if not len(which) or classes.subject is None:
        return int(classes.sizes[which].sum())
    subject = classes.columns[classes.subject]
    return owners(subject, subject.codes[classes.select(which).order])
