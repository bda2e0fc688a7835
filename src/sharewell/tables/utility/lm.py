"""Loss metric (LM): the share of a column's values for which a published cell may stand.

## Worked example
Two stomach diseases become their common ancestor, which leaves 3 of 6 diseases open: (3 − 1) / (6 − 1) = 2/5. A range
of whole numbers counts the numbers in it: of ages 20 to 90, `[20-30]` loses 10/70.

>>> import pyarrow as pa
>>> from sharewell.hierarchy import Tree
>>> from sharewell.tables import Table
>>> tree = Tree([[name, "stomach", "*"] for name in ("ulcer", "gastritis", "cancer")]
...             + [[name, "lung", "*"] for name in ("flu", "pneumonia", "bronchitis")])
>>> rows = pa.table({"illness": ["ulcer", "cancer"], "age": [20, 90]})
>>> before = Table.of(rows, quasi=["illness", "age"], hierarchies={"illness": tree})
>>> cells = pa.table({"illness": ["stomach", "stomach"], "age": ["[20-30]", "90"]})
>>> after = Table.from_arrow(cells, before.schema, {"illness": tree}, published=True)
>>> [part.value for part in LM().score(before, after).parts]
[Fraction(2, 5), Fraction(1, 14)]

## Why it is safe
It is scored on what is published, exactly, as (values left open − 1) / (values of the domain − 1). The domain of a
column with a tree is the tree's leaves; of numbers and dates every one between the smallest and the largest, in steps
of the column's precision; of anything else its distinct values. A missing value is one more. `*` and every cell of a
withheld record lose 1, and no cell more than that. The value is the mean over cells; `total` is their sum. A mean does
not say what it leaves open: where means are published there is no score.

## Cost
O(d + n) for d distinct cells.

## Source
Iyengar, 2002 (whose sum over columns of their mean losses is the number of columns times ours).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from sharewell.algorithm import Declared, Finding, Measure
from sharewell.cells import Any, Cell, Exact, Set
from sharewell.tables.data import Column, Indices, Ints, Table
from sharewell.tables.engine.measures.cell_regions import Line, incomparable, label_of, read_like, regions


@dataclass(frozen=True)
class LMDetails:
    total: Fraction
    """The sum over all cells."""
    withheld_records: int


@dataclass(frozen=True)
class LM(Declared, Measure[Table]):
    """Mean loss per cell, exact, with one part for each quasi column."""

    def score(self, before: Table, after: Table) -> Finding:
        if (unmeasured := incomparable(self.name, before, after)) is not None:
            return unmeasured
        visible = np.flatnonzero(~after.suppressed)
        withheld = before.rows - len(visible)
        sums = {column.name: lost(column, after, visible) + withheld for column in before.quasi}
        parts = [Finding(self.name, sums[name] / before.rows, column=name, unit="share") for name in sums]
        total = sum(sums.values(), Fraction(0))
        value = total / (before.rows * len(parts))
        return Finding(self.name, value, unit="share", parts=tuple(parts), details=LMDetails(total, withheld))


def lost(column: Column, after: Table, rows: Indices) -> Fraction:
    """The losses of a column's published cells in some rows, in sum."""
    published = after.columns[column.name]
    left, domain = left_open(column, published)
    counts = np.bincount(published.codes[rows], minlength=len(left))
    total = sum(int(n) * (min(int(v), domain) - 1) for v, n in zip(left, counts, strict=True) if v > 0)
    untold = int(counts[left == 0].sum())  # a cell that says nothing we understand
    return Fraction(total, max(1, domain - 1)) + untold


def left_open(column: Column, published: Column) -> tuple[Ints, int]:
    """How many values each distinct cell leaves open (0 where it cannot be told), and how many there are in all."""
    if column.levels is None:
        return regions(column, published).volume, Line.of(column).length
    domain = column.levels.domain + column.has_missing
    cells = read_like(column, published).cells
    literal = published.kind != "cells"
    return np.array([1 if literal else _leaves(cell, column, domain) for cell in cells], dtype=np.int64), domain


def _leaves(cell: Cell, column: Column, domain: int) -> int:
    match cell:
        case Any():
            return domain
        case Exact(""):
            return 1
        case Set(members):
            return min(domain, sum(_below(members, column)))
    return _below([label_of(cell)], column)[0]


def _below(labels: Sequence[str], column: Column) -> list[int]:
    """How many leaves lie below each label; 0 for one that the tree lacks, 1 for a missing value."""
    assert column.levels is not None
    levels = column.levels
    return [
        1 if not label else int(levels.leaves[levels.node_of[label]]) if label in levels.node_of else 0
        for label in labels
    ]
