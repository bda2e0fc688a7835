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

Large work is done by the compiled `node_kernel`, which says of every class what the criteria say.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType

import numpy as np

from sharewell.compiled import numba_or_none
from sharewell.tables.engine.array_types import Indices, Ints, Verdicts
from sharewell.tables.engine.checks.class_criterion import ClassCriterion
from sharewell.tables.engine.checks.exact_averages import OverallCriterion
from sharewell.tables.engine.checks.population_classes import PerClassCriterion, PopulationClassCriterion, is_union_safe
from sharewell.tables.engine.classes import Classes
from sharewell.tables.engine.protection.lattice.compiled_judges import (
    CERTAIN,
    FAILS,
    UNSURE,
    PackedJudges,
    has_judge,
)
from sharewell.tables.engine.protection.lattice.population_counts import PopulationCounts
from sharewell.tables.engine.protection.lattice.rollup import (
    NODE_KERNEL,
    CheckedNode,
    Grouping,
    Node,
    NodeClasses,
    TableTuples,
)
from sharewell.tables.engine.published_cells import owners


@dataclass(frozen=True, eq=False)
class SuppressedClasses:
    """The failing classes of a node, and the persons that lose a record (records, where no person is known)."""

    verdicts: Verdicts
    persons: int
    persons_below: int
    """At least this many at every lower node."""
    least: Ints
    """At least this many records of each class are withheld at every lower node."""
    riskiest: tuple[int, int] | None = None
    """What compiled code says of the riskiest of the other classes, where it was asked; see `riskiest` there."""

    @cached_property
    def failing(self) -> Indices:
        return self.verdicts.nonzero()[0]

    @property
    def everything(self) -> bool:
        return bool(self.verdicts.all())


class NodeJudge:
    """Judges nodes by a list of criteria, growing ones first: they are cheap, and rule out lower nodes.

    Where every record is another person's, those that compiled code knows come before all others.
    """

    def __init__(
        self,
        criteria: Sequence[PerClassCriterion],
        most_persons: int,
        classes_share_persons: bool,
        space: TableTuples,
        people: Mapping[int, PopulationCounts] = MappingProxyType({}),
        overall: Sequence[OverallCriterion] = (),
    ) -> None:
        several = space.subject is not None
        self.criteria = sorted(criteria, key=lambda one: (not several and not has_judge(one), not one.growing))
        self.most_persons = most_persons
        self.safe = {id(criterion): is_union_safe(criterion, classes_share_persons) for criterion in criteria}
        self.grows = all(criterion.growing for criterion in criteria)
        self.union_safe = all(self.safe.values())
        alone = [one for one in self.criteria if isinstance(one, ClassCriterion)]
        self._least_records = max((one.least_records for one in alone), default=1)
        self._close: dict[bytes, tuple[int, int]] = {}
        """What was decided of classes too close to a bound."""
        self._space, self._people = space, people
        self._kernel = numba_or_none(space.compiled, f"{NODE_KERNEL}:judge")
        self._judged = [one for one in self.criteria if has_judge(one)]
        """What the kernel asks."""
        self._packed = self._pack(overall)
        self.judges_overall = self._packed is not None and len(self._packed.arrays[-1]) > 0
        """Does the kernel say which of the riskiest classes must go?"""

    def _pack(self, overall: Sequence[OverallCriterion]) -> PackedJudges | None:
        if self._kernel is None or self._space.subject is not None:
            return None
        totals = {criterion: people.total for criterion, people in self._people.items()}
        safe, others = [self.safe[id(one)] for one in self._judged], len(self._judged) < len(self.criteria)
        given = self._judged, safe, self._least_records, self._space, totals
        return (None if others or not overall else PackedJudges.of(*given, overall)) or PackedJudges.of(*given)

    def look(self, node: Node, wants_bounds: bool = True) -> tuple[Grouping, dict[int, Ints], SuppressedClasses]:
        """The classes of a node, the people who fit each by criterion, and which of them are withheld."""
        if self._packed is None:
            grouping, fitting = self.grouped(node)
            return grouping, fitting, self.at(self._space.classes(grouping), fitting, wants_bounds)
        given = node, self._packed.arrays, wants_bounds, self.most_persons
        fitting = {}
        if not self._people:
            checked = self._space.checked(*given)
        elif len(self._people) == 1 and not any(one.several_rows for one in self._people.values()):
            ((criterion, counts),) = self._people.items()
            checked, fitting[criterion] = counts.checked(*given)
        else:
            checked, fitting = self._by_kernel(node, wants_bounds)
        return checked.grouping, fitting, self._completed(checked, fitting, wants_bounds)

    def grouped(self, node: Node) -> tuple[Grouping, dict[int, Ints]]:
        """The classes of a node, and the people who fit each, by criterion."""
        counted = {criterion: people.at(node) for criterion, people in self._people.items()}
        grouping = next((grouping for grouping, _ in counted.values()), None) or self._space.at(node)
        return grouping, {criterion: people for criterion, (_, people) in counted.items()}

    def at(self, classes: Classes, fitting: Mapping[int, Ints], wants_bounds: bool = True) -> SuppressedClasses:
        """Criteria are asked one after the other, until all are or too much is withheld at every lower node.

        `fitting` gives the people who fit each class, for the criteria (by identity) that want to know. Without
        `wants_bounds` less may be said of what is withheld at lower nodes.
        """
        verdicts, certain = np.zeros(classes.count, dtype=np.uint8), np.zeros(classes.count, dtype=np.int64)
        persons = 0
        if classes.subject is None:
            small = classes.sizes < self._least_records
            verdicts[small], certain[small] = CERTAIN, classes.sizes[small]
            persons = int(classes.sizes[small].sum())
        nothing = SuppressedClasses(verdicts, persons, persons, certain)
        return self._asked(self.criteria, nothing, classes, fitting, wants_bounds)

    def _asked(
        self,
        criteria: Sequence[PerClassCriterion],
        before: SuppressedClasses,
        classes: Classes,
        fitting: Mapping[int, Ints],
        wants_bounds: bool,
    ) -> SuppressedClasses:
        """Some criteria are asked of the classes that have not failed before."""
        verdicts, persons, below, certain = before.verdicts, before.persons, before.persons_below, before.least
        for criterion in criteria:
            if not criterion.growing and below > self.most_persons:
                break
            bad, least = self._failing(criterion, classes, fitting, verdicts, wants_bounds)
            if not len(bad):
                continue
            verdicts[bad] = np.where(least >= classes.sizes[bad], CERTAIN, FAILS)
            certain[bad] = least
            persons = persons_of(classes, verdicts.nonzero()[0])
            if classes.subject is None:
                below += int(least.sum())
            elif criterion.growing:
                below = persons
            else:  # one person may lose records of several classes
                below = max(below, int(self.safe[id(criterion)]))
        return SuppressedClasses(verdicts, persons, below, certain)

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

    def _by_kernel(self, node: Node, wants_bounds: bool) -> tuple[CheckedNode, dict[int, Ints]]:
        """Judged after grouping: each population is grouped by itself."""
        assert self._kernel is not None
        assert self._packed is not None
        grouping, fitting = self.grouped(node)
        verdicts, certain = np.zeros(grouping.count, dtype=np.uint8), np.zeros(grouping.count, dtype=np.int64)
        people = np.stack([fitting[criterion] for criterion in self._people])
        given = wants_bounds, self.most_persons, grouping.records, people, grouping.values, verdicts, certain
        tally = self._kernel(self._packed.arrays, *given)
        return CheckedNode(grouping, grouping.count, verdicts, certain, tally), fitting

    def _completed(self, checked: CheckedNode, fitting: Mapping[int, Ints], wants_bounds: bool) -> SuppressedClasses:
        """What the kernel says, and the criteria of classes that it left to them, or where it does not know them."""
        assert self._packed is not None
        classes, verdicts, certain = self._space.classes(checked.grouping), checked.verdicts, checked.certain
        records, below, unsure, cut, some = checked.tally
        if unsure and fitting:  # a list that should have everybody may lack people: its criterion says so
            return self.at(classes, fitting, wants_bounds)
        for c in np.flatnonzero(verdicts == UNSURE).tolist() if unsure else ():
            verdicts[c], certain[c] = self._decided(self._packed, classes, c)
            records += int(classes.sizes[c]) if verdicts[c] else 0
            below += int(certain[c])
        riskiest = (cut, some) if self.judges_overall and not unsure and cut >= 0 else None
        suppressed = SuppressedClasses(verdicts, records, below, certain, riskiest)
        others = self.criteria[len(self._judged) :]
        return self._asked(others, suppressed, classes, fitting, wants_bounds) if others else suppressed

    def _decided(self, judges: PackedJudges, classes: NodeClasses, c: int) -> tuple[int, int]:
        """The verdict on a class that is too close to a bound for decimals, and how much of it is withheld below.

        Only entropy is ever too close. How often values occur matters to it, not which: many nodes have such classes.
        """
        assert classes.grouping.values is not None
        row = classes.grouping.values[c]
        key = b"".join([np.sort(row[begin:end]).tobytes() for begin, end in judges.known_values])
        if key not in self._close or not judges.symmetric:
            one = classes.select(np.array([c]))
            none = np.zeros(1, dtype=np.uint8), np.zeros(1, dtype=np.int64)
            decided = self._asked(self._judged, SuppressedClasses(none[0], 0, 0, none[1]), one, {}, True)
            self._close[key] = int(decided.verdicts[0]), decided.persons_below
        return self._close[key]


def persons_of(classes: Classes, which: Indices) -> int:
    """How many persons own a record in these classes; a record without a person counts as one of its own."""
    if not len(which) or classes.subject is None:
        return int(classes.sizes[which].sum())
    subject = classes.columns[classes.subject]
    return owners(subject, subject.codes[classes.select(which).order])
