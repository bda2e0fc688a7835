"""Value suppression: single cells are suppressed, as few as the search finds, and all others are published unchanged.

## Guarantee
Every required criterion holds in every published class, or `Infeasible` is raised. A class is what a recipient sees:
the rows with *equal published cells*, where `*` is a cell like any other. Cells that are not suppressed are true to the
last digit; every record is published.

## Adversary
That of the criteria.

## What it does not protect
Nothing beyond the criteria. Which cells are suppressed depends on the data: a lone `*` says that the value is rare
among the rows that share the rest.

## Parameters
weights: column → what the loss of one of its cells costs; columns that are not named cost 1. Give important columns a
higher weight, and they keep more cells.

## Worked example
>>> import pyarrow as pa
>>> from sharewell.tables import KAnonymity, Table
>>> people = pa.table({"age": [30, 30, 30, 41, 41], "sex": ["F", "F", "F", "M", "F"]})
>>> table = Table.of(people, quasi=["age", "sex"])
>>> released = ValueSuppression().protect(table, must=[KAnonymity(2)])
>>> released.data.arrow.to_pydict()
{'age': ['30', '30', '30', '41', '41'], 'sex': ['F', 'F', 'F', '*', '*']}
>>> released.details.cells_suppressed
{'age': 0, 'sex': 2}

## Why it is safe
Rows form a class only if they suppress the same columns and agree in all others, and only if every criterion holds
there. The published cells are grouped anew and judged once more at the end.

Usual tools for local suppression count a suppressed cell as fitting every value, so that a row with `*` adds to the
frequency of all rows that it might equal. They suppress fewer cells. But then a row may be the only one with its
published cells, and the k rows that are counted with it are not equal to it: a recipient who groups the release finds
classes smaller than k. Here the strict count is used, which a verifier can repeat from the published file.

## Cost
The least number of cells is NP-hard to find. The search groups the rows that still need a class once or twice for each
pattern of columns, of which there are 2^q for q columns (at most 4,096 are tried): O(2^q · n log n) time at worst, in
practice about half a second for 30,000 rows and eight columns. On tables small enough for brute force it suppresses
about 4 % more cells than the optimum.

## Source
Meyerson and Williams, 2004 (hardness); Templ, Kowarik and Meindl, 2015 (local suppression in practice, with weights of
importance).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from sharewell.algorithm import Declared, Key, Mechanism, PolicyError, Positive, Protected, refuse_failing
from sharewell.tables.data import Table
from sharewell.tables.engine.checks.class_criterion import ClassCriteria
from sharewell.tables.engine.protection.partitioning.preconditions import refuse_unknown_weights, root_class
from sharewell.tables.engine.protection.perturbation.cell_writer import as_cells, exact_texts, released
from sharewell.tables.engine.protection.row_order import by_content
from sharewell.tables.engine.protection.value_patterns import Patterns

_MOST_COLUMNS = 60


@dataclass(frozen=True)
class ValueSuppressionDetails:
    cells_suppressed: dict[str, int]
    """By column."""
    share: float
    """Of all quasi cells."""
    classes: int
    borrowed: int
    """Rows that no pattern gave a class, so that others lost cells for them."""


@dataclass(frozen=True)
class ValueSuppression(Declared, Mechanism[Table]):
    """Local suppression over any class criteria."""

    weights: dict[str, Positive] = field(default_factory=dict)

    engine: ClassVar[str] = "worst"

    def protect(self, data: Table, must: ClassCriteria, key: Key | None = None) -> Protected[Table]:
        refuse_unknown_weights(self.name, data, self.weights)
        root_class(self.name, data, must)
        if len(data.quasi) > _MOST_COLUMNS:
            raise PolicyError(f"{self.name} — {len(data.quasi)} quasi columns — at most {_MOST_COLUMNS} are searched")
        costs = [float(self.weights.get(column.name, 1.0)) for column in data.quasi]
        search = Patterns(data, must, costs, by_content(data))
        patterns = search.run()
        quasi, cells = {}, {}
        for j, column in enumerate(data.quasi):
            suppressed = (patterns >> j & 1).astype(bool)
            codes = np.where(suppressed, column.size, column.codes)
            quasi[column.name] = as_cells(column, codes, [*exact_texts(column), "*"])
            cells[column.name] = int(suppressed.sum())
        out = released(data, quasi)
        refuse_failing(self.name, out, must, ["generalise the quasi columns first"])
        share = sum(cells.values()) / max(1, data.rows * len(data.quasi))
        details = ValueSuppressionDetails(cells, share, out.classes.count, search.rescued)
        return Protected(out, details, np.arange(data.rows))
