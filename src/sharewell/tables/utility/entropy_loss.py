"""Entropy loss (non-uniform entropy): the share of a table's bits that its published cells no longer carry.

## What it does not protect
Not a privacy measure. Columns are looked at one by one: what they tell together is not seen (see `pairwise`).

## Worked example
Of four people three are women. `{F,M}` for all loses what sex told: 3 · log2(4/3) + log2(4) = 3.245 bits, all of it.
Two exact women and `{F,M}` for the others lose 1 · log2(4/3) + log2(4).

>>> import pyarrow as pa
>>> from sharewell.tables import Table
>>> before = Table.of(pa.table({"sex": ["F", "F", "F", "M"]}), quasi=["sex"])
>>> def published(*cells):
...     return Table.from_arrow(pa.table({"sex": cells}), before.schema, {}, published=True)
>>> result = EntropyLoss().score(before, published("{F,M}", "{F,M}", "{F,M}", "{F,M}"))
>>> result.value, round(result.details.bits, 3)
(1.0, 3.245)
>>> round(EntropyLoss().score(before, published("F", "F", "{F,M}", "{F,M}")).details.bits, 3)
2.415

## Why it is safe
A cell g that stands for the value v costs −log2(count(v) / count(g)): the surprise of the true value to someone who
sees g and knows how often each value occurs in the original; count(g) counts the original records that g covers. The
sum needs no alignment of rows: the counts of the original values are known, and those of the cells are published. A
withheld record costs what `*` does. The value is the bits lost over the bits there were, in a column whose values are
all alike 0. A release that shows itself to be untrue (a cell covers no original value, or more is told than there was)
has no entropy loss.

## Cost
O(d · covered + n) for d distinct cells.

## Source
Gionis and Tassa, 2009; de Waal and Willenborg, 1999. ARX's measure of this name is the same in bits where nothing is
withheld.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sharewell.algorithm import Declared, Finding, Measure
from sharewell.tables.data import Column, Indices, Ints, Table
from sharewell.tables.engine.measures.cell_regions import MISSING, Line, incomparable, regions


@dataclass(frozen=True)
class EntropyLossDetails:
    bits: float
    """Lost in all quasi columns."""
    bits_before: float
    withheld_records: int


@dataclass(frozen=True)
class EntropyLoss(Declared, Measure[Table]):
    """Bits lost over bits there were, with one part for each quasi column."""

    def score(self, before: Table, after: Table) -> Finding:
        if (unmeasured := incomparable(self.name, before, after)) is not None:
            return unmeasured
        withheld = before.rows - int((~after.suppressed).sum())
        parts, lost, had = [], 0.0, 0.0
        for column in before.quasi:
            bits, most = _bits(column, after, withheld)
            if bits is None:
                return Finding(self.name, None, note=f"column {column.name} — not every cell covers its original value")
            parts.append(Finding(self.name, bits / most if most else 0.0, column=column.name, unit="share"))
            lost, had = lost + bits, had + most
        details = EntropyLossDetails(lost, had, withheld)
        return Finding(self.name, lost / had if had else 0.0, unit="share", parts=tuple(parts), details=details)


def _bits(column: Column, after: Table, withheld: int) -> tuple[float | None, float]:
    """(bits lost, bits there were) in a column."""
    counts = np.bincount(column.codes, minlength=column.size)
    published = after.columns[column.name]
    shown = np.bincount(published.codes[~after.suppressed], minlength=published.size)
    covered = _covered(column, published, counts)
    if (covered[shown > 0] == 0).any():
        return None, 0.0
    own_bits = _times_log(counts, counts)
    rows = np.array([len(column.codes)])
    most = max(0.0, _times_log(rows, rows) - own_bits)
    lost = _times_log(shown, covered) + _times_log(np.array([withheld]), rows) - own_bits
    return (None if lost < -1e-9 * max(1.0, own_bits) else max(0.0, lost)), most


def _covered(column: Column, published: Column, counts: Indices) -> Ints:
    """How many original records each distinct cell covers."""
    cells, line = regions(column, published), Line.of(column)
    known = line.places < MISSING
    places, below = line.places[known], np.append(0, np.cumsum(counts[known]))
    start, end = np.searchsorted(places, cells.low, side="left"), np.searchsorted(places, cells.high, side="right")
    inside = np.where(cells.low < MISSING, below[end] - below[start], counts[~known].sum())
    covered = np.zeros(cells.cells, dtype=np.int64)
    np.add.at(covered, cells.cell, inside)
    return covered


def _times_log(weights: NDArray[np.integer], numbers: NDArray[np.integer]) -> float:
    """Σ weight · log2(number), nothing where the weight is 0."""
    used = weights > 0
    return float(weights[used] @ np.log2(numbers[used].astype(np.float64)))
