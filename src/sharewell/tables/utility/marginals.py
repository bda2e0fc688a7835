"""Marginals: how far each column's histogram, as a recipient would compute it, is from the original one.

## What it does not protect
Not a privacy measure. Columns are looked at one by one (see `pairwise` and `correlation`).

## Parameters
bins: numbers and dates without a tree are counted in at most this many ranges of equal width.

## Worked example
Ages 1, 1, 1, 4 are published as `[1-4]`: spread evenly, one person for each age instead of 3, 0, 0, 1. Half of the
people would have to move (total variation 1/2), over 1 or 2 of 3 steps: the earth mover's distance is 1/4.

>>> import pyarrow as pa
>>> from sharewell.tables import Table
>>> before = Table.of(pa.table({"age": [1, 1, 1, 4]}), quasi=["age"])
>>> after = Table.from_arrow(pa.table({"age": ["[1-4]"] * 4}), before.schema, {}, published=True)
>>> result = Marginals().score(before, after)
>>> result.value, result.details.earth_mover
(0.5, {'age': 0.25})

## Why it is safe
Published records are spread evenly over what their cells leave open, as `cell_regions` defines it; both histograms are
divided by their number of records, so that withheld records count only by whom they leave over. Total variation is
half the sum of absolute differences; missing values have a bin of their own, and what a cell places nowhere counts as
different. The earth mover's distance is given for ordered columns: the sum of absolute differences of the running
sums, divided by bins − 1, among values that are not missing. Numbers published beyond the original's range count to
its outermost bins.

## Cost
O(d · covered + n) for d distinct cells.

## Source
Domingo-Ferrer and Torra, 2001 (comparison of contingency tables); Rubner, Tomasi and Guibas, 2000 (earth mover).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sharewell.algorithm import Declared, Finding, Measure, TwoOrMore
from sharewell.tables.data import Column, Floats, Table
from sharewell.tables.engine.measures.cell_regions import is_ordered, regions


@dataclass(frozen=True)
class MarginalsDetails:
    earth_mover: dict[str, float]
    """Ordered column → distance, from 0 to 1."""
    withheld_records: int


@dataclass(frozen=True)
class Marginals(Declared, Measure[Table]):
    """Total variation, the mean over quasi and sensitive columns; one part for each."""

    bins: TwoOrMore = 32

    def score(self, before: Table, after: Table) -> Finding:
        columns = [*before.quasi, *before.sensitive]
        shown = int((~after.suppressed).sum())
        if not before.rows or not shown or not columns:
            return Finding(self.name, None, note="no cells to compare")
        parts, moved = [], {}
        for column in columns:
            old, new = self._histograms(column, after)
            parts.append(Finding(self.name, total_variation(old, new), column=column.name, unit="share"))
            distance = earth_mover(old[:-1], new[:-1]) if is_ordered(column) else None
            if distance is not None:
                moved[column.name] = distance
        mean = float(np.mean([float(part.value or 0) for part in parts]))
        details = MarginalsDetails(moved, before.rows - shown)
        return Finding(self.name, mean, unit="share", parts=tuple(parts), details=details)

    def _histograms(self, column: Column, after: Table) -> tuple[Floats, Floats]:
        """Shares of records by bin, before and after; the last bin is for missing values."""
        published = after.columns[column.name]
        original, shown = regions(column, column), regions(column, published)
        edges = original.line.edges(None if original.line.unit is None else self.bins)
        visible = ~after.suppressed
        old = original.histogram(np.bincount(column.codes, minlength=column.size), edges)
        new = shown.histogram(np.bincount(published.codes[visible], minlength=published.size), edges)
        return old / len(column.codes), new / int(visible.sum())


def total_variation(old: Floats, new: Floats) -> float:
    """Half the sum of absolute differences; mass that is missing on one side counts as different."""
    unplaced = abs(float(old.sum() - new.sum()))
    distance = (float(np.abs(old - new).sum()) + unplaced) / 2
    return distance if distance > 1e-12 else 0.0


def earth_mover(old: Floats, new: Floats) -> float | None:
    """The mean way that mass has to move along equally spaced bins, as a share of the whole; None without any mass.

    >>> earth_mover(np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0, 1.0]))
    0.75
    """
    if not old.sum() > 0 or not new.sum() > 0:
        return None
    running = np.cumsum(old / old.sum() - new / new.sum())
    distance = float(np.abs(running).sum()) / max(1, len(old) - 1)
    return distance if distance > 1e-12 else 0.0
