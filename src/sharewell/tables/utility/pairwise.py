"""Pairwise: how far the joint histogram of every two columns, as a recipient would compute it, is from the original.

## What it does not protect
Not a privacy measure. Relations of three columns and more are not seen.

## Parameters
bins: the values of a column are counted in at most this many bins, neighbours together: ranges of equal width for
numbers and dates, neighbouring leaves of a tree, neighbours in the order of their text for other categories.

## Worked example
Young men and old women, published as one class: the sexes and ages stay, what they have to do with each other is gone.

>>> import pyarrow as pa
>>> from sharewell.tables import Marginals, Table
>>> before = Table.of(pa.table({"age": [1, 2], "sex": ["M", "F"]}), quasi=["age", "sex"])
>>> cells = pa.table({"age": ["[1-2]"] * 2, "sex": ["{F,M}"] * 2})
>>> after = Table.from_arrow(cells, before.schema, {}, published=True)
>>> Pairwise().score(before, after).value, Marginals().score(before, after).value
(0.5, 0.0)

## Why it is safe
A published record is spread evenly over the rectangle of what its two cells leave open, as `cell_regions` has it. The
distance is the total variation of the two histograms, each divided by its number of records. Missing values have a
row and a column of their own; what a cell places nowhere counts as different.

## Cost
O(p · n log n + p · c · bins²) for p pairs and c distinct pairs of cells.

## Source
Domingo-Ferrer and Torra, 2001 (comparison of contingency tables).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from sharewell.algorithm import Declared, Finding, Measure, TwoOrMore
from sharewell.tables.data import Column, Floats, Indices, Table, group
from sharewell.tables.engine.measures.cell_regions import regions
from sharewell.tables.utility.marginals import total_variation


@dataclass(frozen=True)
class PairDetails:
    pairs: int
    largest: float
    withheld_records: int


@dataclass(frozen=True)
class Pairwise(Declared, Measure[Table]):
    """Mean total variation over all pairs of quasi and sensitive columns; one part for each column, over its pairs."""

    bins: TwoOrMore = 10

    def score(self, before: Table, after: Table) -> Finding:
        columns = [*before.quasi, *before.sensitive]
        visible = np.flatnonzero(~after.suppressed)
        if not before.rows or not len(visible) or len(columns) < 2:
            return Finding(self.name, None, note="no two columns to compare")
        everyone = np.arange(before.rows)
        old = {c.name: self._spread(c, c, everyone) for c in columns}
        new = {c.name: self._spread(c, after.columns[c.name], visible) for c in columns}
        distances = {
            (a.name, b.name): total_variation(_joint(old[a.name], old[b.name]), _joint(new[a.name], new[b.name]))
            for a, b in combinations(columns, 2)
        }
        withheld = before.rows - len(visible)
        return mean_over_pairs(self.name, distances, [column.name for column in columns], withheld, unit="share")

    def _spread(self, original: Column, shown: Column, rows: Indices) -> _Spread:
        cells = regions(original, shown)
        return _Spread(shown.codes[rows], cells.spread(cells.line.edges(self.bins)))


def mean_over_pairs(
    name: str, by_pair: Mapping[tuple[str, str], float], columns: Sequence[str], withheld: int, unit: str = ""
) -> Finding:
    """The mean over pairs of columns, with one part for each column, over its pairs."""
    by_column = {column: [number for pair, number in by_pair.items() if column in pair] for column in columns}
    parts = [Finding(name, float(np.mean(own)), column=one, unit=unit) for one, own in by_column.items() if own]
    values = list(by_pair.values())
    details = PairDetails(len(values), max(values), withheld)
    return Finding(name, float(np.mean(values)), unit=unit, parts=tuple(parts), details=details)


@dataclass(frozen=True, eq=False)
class _Spread:
    codes: NDArray[np.int32]
    shares: Floats
    """Cells × bins."""


def _joint(one: _Spread, other: _Spread) -> Floats:
    """The share of records in each pair of bins."""
    rows = len(one.codes)
    order, starts = group([one.codes, other.codes], rows)
    first, sizes = order[starts[:-1]], np.diff(starts)
    by_cell = np.zeros((len(one.shares), other.shares.shape[1]))
    np.add.at(by_cell, one.codes[first], sizes[:, None] * other.shares[other.codes[first]])
    return np.asarray(one.shares.T @ by_cell / rows)
