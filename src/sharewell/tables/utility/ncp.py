"""Normalised certainty penalty (NCP): the share of detail that was lost, from 0 (nothing) to 1 (everything).

## Parameters
tightest: score each class as if its tightest range or set of values were published, whatever was: a common yardstick
for releases in different styles. The original rows of each class are found by their order, by person or by class.

## Worked example
Six people cut by age: [20-25] × {F,M} and [27-29] × F score 16/3 of 12 cells.

>>> import pyarrow as pa
>>> from sharewell.tables import KAnonymity, Mondrian, Table
>>> people = pa.table({"age": [20, 23, 25, 27, 28, 29], "sex": ["M", "F", "M", "F", "F", "F"]})
>>> before = Table.of(people, quasi=["age", "sex"])
>>> after = Mondrian(split="width").protect(before, must=[KAnonymity(2)]).data
>>> round(NCP().score(before, after).value, 6) == round(4 / 9, 6)
True

## Why it is safe
It is scored on the cells that are published, against the domain of the original: for numbers and dates
(high − low) / (domain high − domain low), for sets and nodes (values covered − 1) / (domain size − 1), for `*` and for
every cell of a withheld record 1, and never more than 1. The leaves of a tree are the domain of a column that has one.
A mean does not say what it leaves open: with means published, only `tightest` has a score.

## Cost
O(d + n) for d distinct cells.

## Source
Xu, Wang, Pei, Wang, Shi and Fu, 2006.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sharewell.algorithm import Declared, Finding, Measure
from sharewell.cells import Cell, Exact, Interval, Node, Prefix, Set, place_on_line
from sharewell.tables.data import Column, Floats, Indices, Table
from sharewell.tables.engine.measures.cell_regions import read_like
from sharewell.tables.engine.measures.row_alignment import rows_behind
from sharewell.tables.engine.most_detailed import beginning_with, days_in

MEANS = "means do not say what they leave open"


@dataclass(frozen=True)
class NCPDetails:
    withheld_records: int
    exact_cells: dict[str, float]
    """Column → share of its published cells that kept their exact value."""


@dataclass(frozen=True)
class NCP(Declared, Measure[Table]):
    """Mean loss per cell, with one part for each quasi column."""

    tightest: bool = False

    def score(self, before: Table, after: Table) -> Finding:
        if not before.rows or not before.quasi:
            return Finding(self.name, None, note="no quasi cells to compare")
        withheld = before.rows - int((~after.suppressed).sum())
        if means := [c.name for c in before.quasi if after.columns[c.name].shows_means and not self.tightest]:
            return Finding(self.name, None, note=f"{MEANS} ({', '.join(means)}): say `tightest: true`")
        rows = rows_behind(before, after) if self.tightest else None
        if self.tightest and rows is None:
            return Finding(self.name, None, note="which original rows each class holds cannot be told")
        parts, exact = [], {}
        for column in before.quasi:
            published = read_like(column, after.columns[column.name])
            if rows is not None:
                losses, counts = _tightest(column, rows, after), after.classes.sizes
            else:
                losses = np.array([cell_loss(cell, column) for cell in published.cells] or [0.0])
                counts = np.bincount(published.codes[~after.suppressed], minlength=len(losses))
            parts.append(Finding(self.name, (float(losses @ counts) + withheld) / before.rows, column=column.name))
            exact[column.name] = float(counts[losses == 0].sum()) / max(1, int(counts.sum()))
        mean = float(np.mean([part.value for part in parts if part.value is not None]))
        return Finding(self.name, mean, parts=tuple(parts), details=NCPDetails(withheld, exact))


def _tightest(column: Column, rows: Indices, after: Table) -> Floats:
    """The penalty of each class if the range (of numbers) or the set of its own values were published."""
    classes = after.classes
    codes = column.codes[rows[classes.order]]
    if column.numbers is not None and classes.count:
        starts = classes.starts[:-1]
        return column.range_loss(np.minimum.reduceat(codes, starts), np.maximum.reduceat(codes, starts))
    pairs = np.unique(classes.class_of * max(1, column.size) + codes)
    values = np.bincount(pairs // max(1, column.size), minlength=classes.count)
    domain = column.size if column.levels is None else column.levels.domain
    return np.minimum(1.0, (values - 1) / max(1, domain - 1))


def cell_loss(cell: Cell, column: Column) -> float:
    """The penalty of one published cell against the original column's domain."""
    match cell:
        case Exact():
            return 0.0
        case Set(members):
            return _set_loss(members, column)
        case Prefix(start) if column.kind == "date" and column.numbers is not None and (days := days_in(start)):
            return _share_of_line(days[1] - days[0], column)
        case Prefix(start) if column.levels is None and column.numbers is None:
            known = column.texts[: column.known]
            return (len(beginning_with(known, start)) - 1) / max(1, column.size - 1)
        case Interval(low, high) if column.numbers is not None:
            first, last = place_on_line(low), place_on_line(high)
            if first is None or last is None or not first[0] == last[0] == column.kind:
                return 1.0
            return _share_of_line(float(last[1] - first[1]), column)
        case Node() | Prefix() | Interval() if column.levels is not None:
            label = cell.label if isinstance(cell, Node) else cell.text
            node = column.levels.node_of.get(label)
            return 1.0 if node is None else float(column.levels.loss(np.array([node]))[0])
    return 1.0


def _share_of_line(width: float, column: Column) -> float:
    """Never more than all: months and years may reach beyond the first and last day."""
    if column.numbers is None or not column.known:
        return 1.0
    return min(1.0, width / (column.span or 1.0)) if width else 0.0


def _set_loss(members: Sequence[str], column: Column) -> float:
    """Values covered; in a tree the leaves below them."""
    if column.levels is None:
        return (len(members) - 1) / max(1, column.size - 1)
    levels = column.levels
    covered = sum(int(levels.leaves[levels.node_of[m]]) if m in levels.node_of else 1 for m in members)
    return min(1.0, (covered - 1) / max(1, levels.domain + column.has_missing - 1))
