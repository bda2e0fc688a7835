"""Attribute suppression: the fewest possible columns are suppressed entirely, so that the others can stay unchanged.

## Guarantee
Every required criterion holds in every published class, or `Infeasible` is raised. Columns that are left are true to
the last digit; a suppressed one shows `*` in every row. The choice is the cheapest there is, if the result says that it
is proven.

## Adversary
That of the criteria.

## What it does not protect
Nothing beyond the criteria. Which columns are suppressed depends on the data.

## Parameters
weights: column → what its loss costs; columns that are not named cost 1.
steps: how many choices of columns may be tried before the best one so far is taken (default 20,000).

## Worked example
>>> import pyarrow as pa
>>> from sharewell.tables import KAnonymity, Table
>>> people = pa.table({"sex": ["F", "F", "M", "M"], "age": [30, 31, 32, 33], "town": ["A", "A", "B", "B"]})
>>> table = Table.of(people, quasi=["sex", "age", "town"])
>>> released = AttributeSuppression().protect(table, must=[KAnonymity(2)])
>>> released.details.columns_suppressed, released.details.proven
(('age',), True)

## Why it is safe
A choice of columns is taken only if every criterion holds in all classes of the columns that are left. If classes in
which a criterion holds can be joined (`union_safe`), then fewer columns hold wherever more columns do, so that a choice
that fails rules out every choice with more columns. All choices that are neither ruled out nor too expensive are tried.
Where a criterion has no such law, up to 12 columns are tried in all combinations. Beyond the limits columns are added
one by one, the dearest first, as long as everything holds: that is not proven to be the cheapest.

## Cost
O(n log n) time for each choice, at most 2^q of them for q columns; in practice far fewer. Equal costs go to the choice
that keeps the earlier columns.

## Source
Meyerson and Williams, 2004 (attribute suppression is NP-hard).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from sharewell.algorithm import Count, Declared, Key, Mechanism, Positive, Protected, refuse_failing
from sharewell.tables.data import Column, Ints, Table, group
from sharewell.tables.engine.checks.class_criterion import ClassCriteria
from sharewell.tables.engine.checks.population_classes import is_union_safe
from sharewell.tables.engine.protection.partitioning.preconditions import refuse_unknown_weights, root_class
from sharewell.tables.engine.protection.perturbation.cell_writer import as_cells, released

_WITHOUT_LAW = 12
"""Columns up to which all choices are tried although nothing rules any of them out."""


@dataclass(frozen=True)
class AttributeSuppressionDetails:
    columns_suppressed: tuple[str, ...]
    cost: float
    proven: bool
    """Is there no cheaper choice?"""
    tried: int


@dataclass(frozen=True)
class AttributeSuppression(Declared, Mechanism[Table]):
    """Whole columns go, as few as possible."""

    weights: dict[str, Positive] = field(default_factory=dict)
    steps: Count = 20_000

    engine: ClassVar[str] = "worst"

    def protect(self, data: Table, must: ClassCriteria, key: Key | None = None) -> Protected[Table]:
        refuse_unknown_weights(self.name, data, self.weights)
        root_class(self.name, data, must)
        costs = [float(self.weights.get(column.name, 1.0)) for column in data.quasi]
        lawful = all(is_union_safe(criterion, data.several_records) for criterion in must)
        search = _Search(data, must, costs, self.steps, lawful)
        kept = search.run()
        dropped = [column for j, column in enumerate(data.quasi) if j not in kept]
        out = released(data, {column.name: suppressed(column) for column in dropped})
        refuse_failing(self.name, out, must)
        cost = sum(cost for j, cost in enumerate(costs) if j not in kept)
        names = tuple(column.name for column in dropped)
        details = AttributeSuppressionDetails(names, cost, search.proven, search.tried)
        return Protected(out, details, np.arange(data.rows))


def suppressed(column: Column) -> Column:
    """The column with `*` in every row."""
    return as_cells(column, np.zeros(len(column.codes), dtype=np.int32), ["*"])


class _Search:
    """Depth first over the columns, dearest first: keep it, or suppress it. The cost of what is kept is maximised."""

    def __init__(self, table: Table, criteria: ClassCriteria, costs: Sequence[float], steps: int, lawful: bool) -> None:
        self.table, self.criteria, self.costs, self.steps, self.lawful = table, criteria, costs, steps, lawful
        self.order = sorted(range(len(costs)), key=lambda j: (-costs[j], j))
        self.tried = 0
        self.proven = True
        self.best: frozenset[int] = frozenset()
        self.best_cost = 0.0

    def run(self) -> frozenset[int]:
        self._greedy()
        if not self.lawful and len(self.order) > _WITHOUT_LAW:
            self.proven = False
            return self.best
        nothing = np.zeros(self.table.rows, dtype=np.int64)
        alone = [j for j in self.order if not self.lawful or self._holds(self._with(nothing, j))]
        left = np.cumsum([0.0, *(self.costs[j] for j in alone[::-1])])[::-1]
        self._descend(alone, 0, left.tolist(), frozenset(), 0.0, nothing)
        return self.best

    def _descend(
        self, columns: Sequence[int], at: int, left: Sequence[float], kept: frozenset[int], cost: float, key: Ints
    ) -> None:
        """`left[at]` is what the columns from `at` on are worth: a branch that cannot beat the best is not entered."""
        if at == len(columns) or cost + left[at] <= self.best_cost + 1e-12:
            return
        if self.tried >= self.steps:
            self.proven = False
            return
        column = columns[at]
        wider = self._with(key, column)
        holds = self._holds(wider)
        if holds and cost + self.costs[column] > self.best_cost + 1e-12:
            self.best, self.best_cost = kept | {column}, cost + self.costs[column]
        if holds or not self.lawful:
            self._descend(columns, at + 1, left, kept | {column}, cost + self.costs[column], wider)
        self._descend(columns, at + 1, left, kept, cost, key)

    def _greedy(self) -> None:
        """A first choice: the dearest columns, as long as everything holds."""
        key = np.zeros(self.table.rows, dtype=np.int64)
        for column in self.order:
            wider = self._with(key, column)
            if self._holds(wider):
                key, self.best = wider, self.best | {column}
                self.best_cost += self.costs[column]

    def _with(self, key: Ints, column: int) -> Ints:
        """Classes of one column more, numbered."""
        codes = self.table.quasi[column]
        number: Ints = np.unique(key * max(1, codes.size) + codes.codes, return_inverse=True)[1].astype(np.int64)
        return number

    def _holds(self, key: Ints) -> bool:
        self.tried += 1
        classes = self.table.as_classes(*group([key.astype(np.int32)], self.table.rows))
        return all(bool(criterion.holds(classes).all()) for criterion in self.criteria)
