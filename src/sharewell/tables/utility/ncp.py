"""Normalised certainty penalty (NCP): the share of detail that was lost, from 0 (nothing) to 1 (everything).

Guarantee
---------
None; a measure of cost.

Adversary
---------
None.

What it does not protect
------------------------
Not a privacy measure.

Parameters
----------
None.

Worked example
--------------
The tutorial's six people cut by age: [20-25] × {F,M} and [27-29] × F score 16/3 of 12 cells.

>>> import pyarrow as pa
>>> from sharewell.tables import KAnonymity, Mondrian, Table
>>> people = pa.table({"age": [20, 23, 25, 27, 28, 29], "sex": ["M", "F", "M", "F", "F", "F"]})
>>> before = Table.of(people, quasi=["age", "sex"])
>>> after = Mondrian(split="width").protect(before, must=[KAnonymity(2)]).data
>>> round(NCP().score(before, after).value, 6) == round(4 / 9, 6)
True

Why it is safe
--------------
It is scored on the cells that are published, against the domain of the original: for numbers and dates
(high − low) / (domain high − domain low), for sets and nodes (values covered − 1) / (domain size − 1), for `*` and for
every cell of a withheld record 1. The leaves of a tree are the domain of a column that has one.

Cost
----
O(d + n) for d distinct cells.

Source
------
Xu, Wang, Pei, Wang, Shi and Fu, 2006.
"""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sharewell.cells import Any, Cell, Exact, Interval, Node, Prefix, Set
from sharewell.findings import Finding
from sharewell.tables.columns import Column
from sharewell.tables.dataset import Table


@dataclass(frozen=True)
class NCPDetails:
    withheld_records: int
    exact_cells: dict[str, float]
    """Column → share of its published cells that kept their exact value."""


@dataclass(frozen=True)
class NCP:
    """Mean loss per cell, with one part for each quasi column."""

    name: ClassVar[str] = "ncp"

    def score(self, before: Table, after: Table) -> Finding:
        if not before.rows or not before.quasi:
            return Finding(self.name, None, note="no quasi cells to compare")
        gone = before.rows - int((~after.suppressed).sum())
        parts, exact = [], {}
        for column in before.quasi:
            published = after.columns[column.name]
            losses = np.array([cell_loss(cell, column) for cell in published.cells] or [0.0])
            counts = np.bincount(published.codes[~after.suppressed], minlength=len(losses))
            parts.append(Finding(self.name, (float(losses @ counts) + gone) / before.rows, column=column.name))
            exact[column.name] = float(counts[losses == 0].sum()) / max(1, int(counts.sum()))
        mean = float(np.mean([part.value for part in parts if part.value is not None]))
        return Finding(self.name, mean, parts=tuple(parts), details=NCPDetails(gone, exact))


def cell_loss(cell: Cell, column: Column) -> float:
    """The penalty of one published cell against the original column's domain."""
    match cell:
        case Exact():
            return 0.0
        case Set(members):
            return (len(members) - 1) / max(1, column.size - 1)
        case Interval(low, high) if column.numbers is not None:
            line = column.numbers[~np.isnan(column.numbers)]
            width = float(line[-1] - line[0]) or 1.0
            return (_place(high, column) - _place(low, column)) / width
        case Node() | Prefix() | Interval() if column.levels is not None:
            label = cell.label if isinstance(cell, Node) else cell.text
            node = column.levels.node_of.get(label)
            return 1.0 if node is None else float(column.levels.loss(np.array([node]))[0])
        case Any():
            return 1.0
    return 1.0


def _place(text: str, column: Column) -> float:
    """Where an end of an interval lies on the column's line."""
    return float(datetime.date.fromisoformat(text).toordinal()) if column.kind == "date" else float(text)
