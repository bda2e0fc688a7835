"""Generalisation height: how many levels of its hierarchy a column has climbed, on average, summed over columns.

## What it does not protect
Not a privacy measure. Levels are no common currency: one step may merge two values or two thousand (see `lm`).

## Parameters
None. Columns without a hierarchy have no height and are left out.

## Worked example
Zip codes that keep three of five digits have climbed two levels.

>>> import pyarrow as pa
>>> from sharewell.hierarchy import Prefixes
>>> from sharewell.tables import Table
>>> before = Table.of(pa.table({"zip": ["02139", "02138"]}), quasi=["zip"], hierarchies={"zip": Prefixes()})
>>> cells = pa.table({"zip": ["021*", "021*"]})
>>> after = Table.from_arrow(cells, before.schema, {"zip": Prefixes()}, published=True)
>>> result = Height().score(before, after)
>>> result.value, result.details.precision
(Fraction(2, 1), Fraction(3, 5))

## Why it is safe
It is scored on what is published. A cell's level is that of its label, a set's that of the lowest label above all its
members, a missing value's 0; `*`, what the hierarchy lacks and every cell of a withheld record count as the top. Where
all cells of a column stand at one level, as full-domain recoding has it, a part is that level and the value is the
height of the node in the lattice. `precision` is 1 minus the mean of level / height.

## Cost
O(d + n) for d distinct cells.

## Source
Samarati, 2001 (height); Sweeney, 2002 (precision).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from sharewell.algorithm import Declared, Finding, Measure
from sharewell.cells import Any, Cell, Exact, Set, Suppressed
from sharewell.hierarchy.levels import Levels
from sharewell.tables.data import Column, Ints, Table
from sharewell.tables.engine.measures.cell_regions import label_of, read_like


@dataclass(frozen=True)
class HeightDetails:
    precision: Fraction
    withheld_records: int


@dataclass(frozen=True)
class Height(Declared, Measure[Table]):
    """The sum over columns of the mean level of their cells, exact; one part for each quasi column with a hierarchy."""

    def score(self, before: Table, after: Table) -> Finding:
        climbed = {column.name: column.levels for column in before.quasi if column.levels is not None}
        if not before.rows or not climbed:
            return Finding(self.name, None, note="no quasi column has a hierarchy")
        withheld = before.rows - int((~after.suppressed).sum())
        parts, shares = [], []
        for name, levels in climbed.items():
            mean = Fraction(_climbed(before.columns[name], after) + withheld * levels.height, before.rows)
            parts.append(Finding(self.name, mean, column=name, unit="levels"))
            shares.append(mean / max(1, levels.height))
        value = sum((Fraction(part.value or 0) for part in parts), Fraction(0))
        details = HeightDetails(1 - sum(shares, Fraction(0)) / len(shares), withheld)
        return Finding(self.name, value, unit="levels", parts=tuple(parts), details=details)


def _climbed(column: Column, after: Table) -> int:
    """The levels of a column's published cells, in sum."""
    published, levels = after.columns[column.name], column.levels
    if published.kind != "cells" or levels is None:  # original values
        return 0
    counts = np.bincount(published.codes[~after.suppressed], minlength=published.size)
    heights, place = level_of(levels), {value: position for position, value in enumerate(levels.values)}

    def level(cell: Cell) -> int:
        match cell:
            case Exact(""):
                return 0
            case Any() | Suppressed():
                return levels.height
            case Set(members):
                at = np.array(sorted(place.get(member, -1) for member in members))
                return levels.height if at[0] < 0 else int(heights[levels.lowest_common(at[:1], at[-1:])[0]])
        node = levels.node_of.get(label_of(cell))
        return levels.height if node is None else int(heights[node])

    cells = read_like(column, published).cells
    return sum(int(n) * level(cell) for cell, n in zip(cells, counts, strict=True) if n)


def level_of(levels: Levels) -> Ints:
    """The level of each node: how far it lies above the values that have farthest to climb to it."""
    levels_of_labels = np.zeros(len(levels.labels), dtype=np.int64)
    for level in range(1, levels.height + 1):
        arrived = levels.nodes[level] != levels.nodes[level - 1]
        np.maximum.at(levels_of_labels, levels.nodes[level][arrived], level)
    return levels_of_labels
