"""Nodes of one table's lattice, looked at for one list of criteria and one loss."""

from __future__ import annotations

import math

import numpy as np

from sharewell.algorithm import Criteria, Infeasible, PolicyError
from sharewell.number_format import show
from sharewell.tables.criteria.delta_presence import DeltaPresence
from sharewell.tables.data import Floats, Indices, Ints, Table
from sharewell.tables.engine.checks.class_criterion import ClassCriterion
from sharewell.tables.engine.checks.population_classes import names_population
from sharewell.tables.engine.generalization_levels import Ladder
from sharewell.tables.engine.protection.lattice.node_losses import LossChoice
from sharewell.tables.engine.protection.lattice.open_nodes import NodeAssessment, Score
from sharewell.tables.engine.protection.lattice.population_counts import PopulationCounts
from sharewell.tables.engine.protection.lattice.riskiest_first import (
    RiskiestFirst,
    exempts_a_share,
    judged_one_by_one,
    judged_together,
)
from sharewell.tables.engine.protection.lattice.rollup import Grouping, Node, TableTuples
from sharewell.tables.engine.protection.lattice.search import SearchResult
from sharewell.tables.engine.protection.lattice.suppressed_classes import NodeJudge, SuppressedClasses


class Nodes:
    """What each node would publish, withhold and lose."""

    def __init__(self, table: Table, criteria: Criteria[Table], choice: LossChoice, most_persons: int) -> None:
        self.table, self.criteria, self.most_persons = table, criteria, most_persons
        self.ladders = [Ladder.of(column) for column in table.quasi]
        self.space = TableTuples(table, self.ladders, table.sensitive)
        overall, self.one_by_one = judged_together(criteria), judged_one_by_one(criteria)
        most_records = table.rows if table.several_records else min(table.rows, most_persons)
        least = [criterion.least_records for criterion in self.one_by_one if isinstance(criterion, ClassCriterion)]
        self.loss = choice.of(self.space, most_records, max(least, default=1))
        judged = {id(criterion) for criterion in (*overall, *self.one_by_one)}
        if unjudged := [criterion.name for criterion in criteria if id(criterion) not in judged]:
            problem = "judged neither class by class nor over all classes together"
            raise PolicyError(f"{', '.join(unjudged)} — {problem} — leave it out, or take another mechanism")
        self.people = {
            id(criterion): PopulationCounts(self.space, criterion)
            for criterion in criteria
            if names_population(criterion) and id(criterion) in judged
        }
        self.several_rows_listed = any(people.several_rows for people in self.people.values())
        """Do people of a population have several rows that differ? Then two classes may have people in common."""
        self._alone = not table.several_records
        """Is every record another person's?"""
        self._shared = table.several_records or self.several_rows_listed
        given = self.one_by_one, most_persons, self._shared, self.space
        self.withholding = NodeJudge(*given, self.people, overall)
        self.overall = RiskiestFirst(self.space, self.loss, overall, self.withholding.grows) if overall else None
        self.present = [
            id(one) for one in criteria if id(one) in self.people and isinstance(one, DeltaPresence) and one.min
        ]
        """Criteria by which nobody of the population may be without a class: a positive least presence."""
        self.like_arx = False
        """For comparison: all may be withheld, and people whose class was withheld, or is too small, need none."""
        self.fewest: tuple[int, Node] | None = None
        """The node that withholds the fewest persons, if it publishes any, among those that withhold too many."""

    @property
    def chooses_whom_to_withhold(self) -> bool:
        """Might other classes be withheld than the riskiest ones, and lose less?"""
        overall = [] if self.overall is None else self.overall.criteria
        return self.most_persons > 0 and any(exempts_a_share(one) or names_population(one) for one in overall)

    @property
    def shape(self) -> Node:
        return tuple(ladder.height + 1 for ladder in self.ladders)

    @property
    def top(self) -> Node:
        return tuple(ladder.height for ladder in self.ladders)

    def floors(self) -> list[Floats] | None:
        """Lower bounds on the loss of each node, where they are worth computing before the search."""
        return self.loss.lattice_floors()

    def usual_losses(self, share: float) -> Floats | None:
        """About the loss of each node if it withheld this share of what it may withhold; None if that is not known."""
        if not self.most_persons:
            return None
        return self.loss.usual(share * self.most_persons / max(1, self.table.persons))

    def look(self, node: Node, worst: float | None, wants_bounds: bool = True) -> NodeAssessment:
        """Evaluate a node for the search; without what is withheld at all lower nodes, where nobody wants to know.

        worst: a loss for certain above this (by its first number) may come out as infinite; None if none is asked for.
        """
        grouping, withheld, (absent, absent_below) = self.withheld(node, wants_bounds)
        floor, none_below = self.loss.above(grouping), absent_below or withheld.persons_below > self.most_persons
        everything = withheld.persons == self.table.rows if self._alone else withheld.everything
        empty = everything and not self.like_arx
        excess = None
        if self.overall is None and wants_bounds:  # else classes are withheld until all of them together hold
            excess = math.log((withheld.persons_below + 1) / (self.most_persons + 1))
        if withheld.persons <= self.most_persons and not empty and not absent:
            all_above = self._all_above(withheld)
            score = None if worst is None else self._score(grouping, withheld, worst)
            known_below = wants_bounds and withheld.persons_below
            below = (lambda: self.loss.below(grouping, withheld.least)) if known_below else None
            all_above, room = all_above and not self.present, self._room(score)
            return NodeAssessment(True, score, none_below, all_above, floor, below, excess, room)
        if not empty and not absent and (self.fewest is None or withheld.persons < self.fewest[0]):
            self.fewest = withheld.persons, node
        return NodeAssessment(False, None, none_below, False, floor, None, excess)

    def _score(self, grouping: Grouping, withheld: SuppressedClasses, worst: float) -> Score:
        if self._alone and self.loss.exceeds(worst, grouping.node, withheld.persons):
            return (math.inf,)
        return self.loss.score(grouping, withheld.failing)

    def _room(self, score: Score | None) -> float:
        """The logarithm of what a node may withhold that loses no more, over what may be withheld at all."""
        if score is None or score[0] == math.inf:
            return 0.0
        return math.log((min(self.most_persons, self.loss.most_withheld(score)) + 1) / (self.most_persons + 1))

    def _all_above(self, withheld: SuppressedClasses) -> bool:
        """Does every higher node fit if this one does?"""
        if self.overall is not None:
            return self.overall.less_above
        return self.withholding.grows or (self.withholding.union_safe and not withheld.persons)

    def withheld(self, node: Node, wants_bounds: bool = True) -> tuple[Grouping, SuppressedClasses, tuple[bool, bool]]:
        """The classes of a node, which of them fail, and whether people are left without a class who must have one:
        here, and at every lower node.

        Where too much is withheld, not all failing classes may have been found.
        """
        grouping, fitting, suppressed = self._judged(node, self.withholding, wants_bounds)
        absent = [self._absent(one, fitting[one], suppressed) for one in self.present]
        return grouping, suppressed, (any(here for here, _ in absent), any(below for _, below in absent))

    def _judged(
        self, node: Node, judge: NodeJudge, wants_bounds: bool = True
    ) -> tuple[Grouping, dict[int, Ints], SuppressedClasses]:
        grouping, fitting, suppressed = judge.look(node, wants_bounds)
        if self.overall is not None and suppressed.persons_below <= judge.most_persons:
            classes = self.space.classes(grouping)
            suppressed = self.overall.at(grouping, classes, suppressed, fitting, judge.most_persons)
        return grouping, fitting, suppressed

    def _absent(self, criterion: int, fitting: Ints, suppressed: SuppressedClasses) -> tuple[bool, bool]:
        """Has somebody no class: here, and at every lower node, whose classes are parts of these?

        Whoever fits a class that is withheld has none. Lower nodes may withhold others, or none.
        """
        if int(fitting.sum()) < self.people[criterion].total:
            small = any(isinstance(one, ClassCriterion) and one.least_records > 1 for one in self.criteria)
            missing = not (self.like_arx and small)
            return missing, missing
        if self.like_arx:
            return False, False
        return bool(len(suppressed.failing)), bool(suppressed.persons_below)

    def score(self, node: Node) -> Score:
        """The loss of a node whatever it withholds."""
        every = NodeJudge(self.withholding.criteria, self.table.rows, self._shared, self.space, self.people)
        grouping, _, suppressed = self._judged(node, every, False)
        return self.loss.score(grouping, suppressed.failing)

    def kept(self, node: Node) -> tuple[Indices, int]:
        """The rows that a node publishes, in their order, and in how many classes."""
        grouping, withheld, _ = self.withheld(node)
        suppressed = np.zeros(grouping.count, dtype=bool)
        suppressed[withheld.failing] = True
        rows = (
            np.flatnonzero(~suppressed[self.space.class_of_row(grouping)])
            if suppressed.any()
            else np.arange(self.table.rows)
        )
        return rows, grouping.count - len(withheld.failing)

    def infeasible(self, result: SearchResult, name: str = "optimal-recoding") -> Infeasible:
        """Why there is no node, and what would help."""
        if not result.proven:
            problem = f"none of the {result.checked} nodes looked at meets the criteria"
            return Infeasible(f"{name} — {problem}", relaxations=["more steps"])
        root = self.table.as_classes(np.arange(self.table.rows), np.array([0, self.table.rows]))
        blocking, relaxations = [], []
        for criterion in self.one_by_one:
            if isinstance(criterion, ClassCriterion) and not criterion.holds(root)[0]:
                reached = criterion.worst(root)[0].item()
                bound = f"{criterion.name} {criterion.sense} {show(criterion.bound)}"
                blocking.append(f"{bound}: all rows as one class reach {show(reached)}")
                relaxations.append(f"{criterion.name} with bound {show(reached)}")
        if self.fewest is not None and self.fewest[0] <= self.table.persons:
            share = -(-10_000 * self.fewest[0] // max(1, self.table.persons)) / 10_000
            relaxations.append(f"suppress {share:g}, which the best of {result.checked} nodes looked at needs")
        elif self.most_persons:
            blocking.append("everything would be suppressed: no node keeps a class in which all criteria hold")
        problem = "no choice of levels meets the criteria within the share that may be suppressed"
        return Infeasible(f"{name} — {problem}", blocking=blocking, relaxations=relaxations)
