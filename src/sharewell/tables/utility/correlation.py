"""Correlation: how much the correlations of numeric columns change if each cell is read as its middle.

## What it does not protect
Not a privacy measure. It sees straight-line relations only (see `pairwise`).

## Parameters
None. Numbers and dates among the quasi and sensitive columns take part, also under a hierarchy of intervals or dates.

## Worked example
Four points on a line; two of them are drawn into the middle of their range.

>>> import pyarrow as pa
>>> from sharewell.tables import Table
>>> before = Table.of(pa.table({"age": [1, 2, 3, 4], "weight": [10, 20, 30, 40]}), quasi=["age", "weight"])
>>> cells = pa.table({"age": ["1", "2", "[3-4]", "[3-4]"], "weight": ["10", "20", "30", "40"]})
>>> result = Correlation().score(before, Table.from_arrow(cells, before.schema, {}, published=True))
>>> round(result.value, 4)  # 1 − √(9/10)
0.0513

## Why it is safe
The value is the mean of |r after − r before| over pairs of columns, r being Pearson's coefficient over the records
where both are known. The middle of a cell is the mean of what it leaves open, as `cell_regions` has it: of a range its
mid-point, of a set the mean of its members, of `*` the middle of the domain. A column that has become constant
correlates with nothing (r = 0); pairs without a correlation in the original are left out.

## Cost
O(p · n log n) for p pairs.

## Source
Domingo-Ferrer and Torra, 2001 (variation of the correlation matrix).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from sharewell.algorithm import Declared, Finding, Measure
from sharewell.tables.data import Floats, Table, group
from sharewell.tables.engine.measures.cell_regions import numbers_of, regions
from sharewell.tables.utility.pairwise import mean_over_pairs


@dataclass(frozen=True)
class Correlation(Declared, Measure[Table]):
    """Mean absolute change of Pearson's r; one part for each numeric column, over its pairs."""

    def score(self, before: Table, after: Table) -> Finding:
        visible = np.flatnonzero(~after.suppressed)
        numeric = {c.name: n for c in (*before.quasi, *before.sensitive) if (n := numbers_of(c)) is not None}
        changes: dict[tuple[str, str], float] = {}
        for pair in combinations(numeric, 2):
            old = [(before.columns[name].codes, numeric[name]) for name in pair]
            r = _pearson(*old)
            if r is not None and len(visible):
                shown = [(after.columns[n], regions(before.columns[n], after.columns[n]), numeric[n]) for n in pair]
                new = [(column.codes[visible], cells.middles(numbers)) for column, cells, numbers in shown]
                changes[pair] = abs((_pearson(*new) or 0.0) - r)
        if not changes:
            return Finding(self.name, None, note="no two numeric columns that correlate at all")
        return mean_over_pairs(self.name, changes, list(numeric), before.rows - len(visible))


Coded = tuple[NDArray[np.int32], Floats]
"""Codes, and the number that each stands for."""


def _pearson(one: Coded, other: Coded) -> float | None:
    """Pearson's r over the rows where both numbers are known; None where one of them does not vary."""
    order, starts = group([one[0], other[0]], len(one[0]))
    first, weight = order[starts[:-1]], np.diff(starts).astype(np.float64)
    x, y = one[1][one[0][first]], other[1][other[0][first]]
    known = ~(np.isnan(x) | np.isnan(y))
    x, y, weight = x[known], y[known], weight[known]
    if not len(x) or x.min() == x.max() or y.min() == y.max():
        return None
    dx, dy = (values - np.average(values, weights=weight) for values in (x, y))
    scale = math.sqrt(float(weight @ (dx * dx)) * float(weight @ (dy * dy)))
    return float(weight @ (dx * dy)) / scale if scale > 0 else None
