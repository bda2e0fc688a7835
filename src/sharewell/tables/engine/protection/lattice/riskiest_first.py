"""Criteria about all classes together (average risk, uniqueness): the riskiest classes are withheld until they hold.

Of two classes of one risk the smaller one goes first, then the one with the lower loss, then the one whose first row
comes first. Where several criteria are asked they are met one after the other, and again until all hold.

Without a population the riskiest class is the smallest. Average risk and sample uniqueness are then lowest if the
smallest classes go. What is left of a lower node, at a higher one, is as many records or more in as many classes or
fewer: so a higher node withholds no more than a lower one. (Where persons own records in several classes this does
not follow: a union may have fewer persons than its parts together.)

A bound on risk that a share of the persons may exceed is met alike. There a higher node may well withhold more than a
lower one, for a class is withheld as a whole; but lower nodes withhold at least what the persons at risk here ask for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from sharewell.protocols import Criteria
from sharewell.tables.data import Classes, Floats, Indices, Ints, Table
from sharewell.tables.engine.checks.class_criterion import ClassCriterion
from sharewell.tables.engine.checks.exact_averages import OverallBound, OverallCriterion, ShareExemption
from sharewell.tables.engine.checks.population_classes import (
    PerClassCriterion,
    PopulationClassCriterion,
    names_population,
)
from sharewell.tables.engine.protection.lattice.compiled_judges import FAILS, overall_bound
from sharewell.tables.engine.protection.lattice.node_losses import ColumnLoss, NodeLoss
from sharewell.tables.engine.protection.lattice.rollup import Grouping, TableTuples
from sharewell.tables.engine.protection.lattice.suppressed_classes import (
    SuppressedClasses,
    persons_of,
)

LESS_ABOVE = ("marketer-risk", "sample-uniqueness")
"""Criteria for which a higher node withholds no more than a lower one, unless a population is given."""


def judged_together(criteria: Criteria[Table]) -> list[OverallCriterion]:
    """Criteria about all classes together. A bound on risk is one if a share of the persons may exceed it."""
    return [
        criterion
        for criterion in criteria
        if isinstance(criterion, OverallCriterion)
        and (exempts_a_share(criterion) or not isinstance(criterion, ShareExemption))
    ]


def judged_one_by_one(criteria: Criteria[Table]) -> list[PerClassCriterion]:
    """Criteria about each class alone."""
    return [
        criterion
        for criterion in criteria
        if isinstance(criterion, ClassCriterion | PopulationClassCriterion) and not exempts_a_share(criterion)
    ]


def exempts_a_share(criterion: object) -> bool:
    """May a share of the persons exceed the bound?"""
    return isinstance(criterion, ShareExemption) and criterion.for_all_but_a_share


class RiskiestFirst:
    """Withholds the riskiest classes of a node until every criterion about all of them holds."""

    def __init__(self, space: TableTuples, loss: NodeLoss, criteria: Sequence[OverallCriterion], grows: bool) -> None:
        self.space, self.loss, self.criteria = space, loss, criteria
        self._several = space.table.several_records
        self.less_above = grows and all(
            not self._several and criterion.name in LESS_ABOVE and not names_population(criterion)
            for criterion in criteria
        )
        first = np.empty(len(space.records), dtype=np.int64)
        first[space.tuple_of_row[::-1]] = np.arange(space.table.rows)[::-1]
        self._first = first

    def at(
        self,
        grouping: Grouping,
        classes: Classes,
        suppressed: SuppressedClasses,
        people: Mapping[int, Ints],
        most_persons: int,
    ) -> SuppressedClasses:
        """The failing classes, and as many of the riskiest others as need be, or more than may be withheld.

        O(classes log classes) a criterion
        """
        bounds = [one for criterion in self.criteria for one in criterion.overall(classes, people.get(id(criterion)))]
        left = np.flatnonzero(suppressed.verdicts == 0)
        if suppressed.riskiest is not None:
            keys, unmet = self._keys(grouping, people), None
            left = self._without(*suppressed.riskiest, keys, grouping, left, most_persons)
        else:
            unmet = next((one for one in bounds if not one.holds(left)), None)
        while unmet is not None and len(left):
            left = self._until(unmet, grouping, left, most_persons)
            if not self._several and self._withheld(grouping, left) > most_persons:
                break
            unmet = next((one for one in bounds if not one.holds(left)), None)
        withheld = np.ones(grouping.count, dtype=bool)
        withheld[left] = False
        failing = np.flatnonzero(withheld)
        persons = persons_of(classes, failing)
        below = persons if self.less_above else suppressed.persons_below
        if not self._several:
            below = max([below, *(one.least_withheld_below() for one in bounds)])
        verdicts = np.where(withheld, np.maximum(suppressed.verdicts, FAILS), 0)
        return SuppressedClasses(verdicts, persons, below, suppressed.least)

    def _without(
        self, cut: int, some: int, keys: Ints, grouping: Grouping, left: Indices, most_persons: int
    ) -> Indices:
        """What stays where compiled code has said how many classes go, by their keys."""
        alike = left[keys[left] == cut] if some else left[:0]
        stays = left[keys[left] > cut] if some else left
        if len(alike) == some:
            return stays
        if self._withheld(grouping, stays) - int(grouping.records[alike[some:]].sum()) <= most_persons:
            alike = alike[np.lexsort((self._first_rows(grouping)[alike], self._losses(grouping)[alike]))]
        return np.sort(np.append(stays, alike[some:]))

    def _keys(self, grouping: Grouping, people: Mapping[int, Ints]) -> Ints:
        """As compiled code has them."""
        fitting = people.get(id(self.criteria[0]))
        if fitting is None:
            return grouping.records
        least = overall_bound(self.criteria[0])[0]
        return np.asarray(np.minimum(np.maximum(fitting, grouping.records), least) << 32 | grouping.records)

    def _withheld(self, grouping: Grouping, left: Indices) -> int:
        return self.space.table.rows - int(grouping.records[left].sum())

    def _until(self, bound: OverallBound, grouping: Grouping, left: Indices, most_persons: int) -> Indices:
        """What stays of these classes if the riskiest go until it holds; fewer than there were."""
        by_risk = (grouping.records[left], -bound.risk[left])
        order = left[np.lexsort(by_risk)]
        low, high = 0, len(order)
        if not self._several:  # where every record is a person, stop at the limit of persons
            withheld = self._withheld(grouping, left)
            high = int(np.searchsorted(np.cumsum(grouping.records[order]) + withheld, most_persons, side="right"))
            if high < len(order) and not bound.holds(order[high:]):  # whichever of equal classes goes
                return np.sort(order[high + 1 :])
        order = left[np.lexsort((self._first_rows(grouping)[left], self._losses(grouping)[left], *by_risk))]
        while low < high:
            middle = (low + high) // 2
            low, high = (low, middle) if bound.holds(order[middle:]) else (middle + 1, high)
        return np.sort(order[low:])

    def _first_rows(self, grouping: Grouping) -> Ints:
        first_rows = np.full(grouping.count, self.space.table.rows, dtype=np.int64)
        np.minimum.at(first_rows, self.space.class_of_tuple(grouping), self._first)
        return first_rows

    def _losses(self, grouping: Grouping) -> Floats:
        """What each class loses by generalisation alone; nothing where the loss does not say."""
        if not isinstance(self.loss, ColumnLoss) or not self.loss.by_share:
            return np.zeros(grouping.count)
        shares = [
            grouping.records * ladder.leaves[level][codes[grouping.tuples]] / ladder.domain
            for ladder, level, codes in zip(self.space.ladders, grouping.node, self.space.codes, strict=True)
        ]
        return self.loss.of_each(shares)
