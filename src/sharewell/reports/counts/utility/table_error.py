"""Table error: how far the numbers of a table are from the true ones, whether they were hidden, rounded or drawn.

## What it does not protect
Not a privacy measure. A reader who estimates hidden cells from the totals comes closer than this says.

## Worked example
Of 30 men and 10 women, the women are hidden, and the men with them. Both count as 0, which misses 40 of the 80 that all
three cells hold together. Rounded to multiples of 20, men are shown as 40, women as 20 and the total as 40: the cells
are off by 10, 10 and 0.

>>> import numpy as np
>>> from sharewell.reports.counts.data import HIDDEN, CountTable
>>> table = CountTable.of_cells({("m",): 30, ("f",): 10}, ["sex"])
>>> TableError().score(table, table.showing(np.array([40, HIDDEN, HIDDEN]))).value
0.5
>>> TableError().score(table, table.showing(np.array([40, 20, 40]))).value
0.25

## Why it is safe
It reads two tables and returns one share.

## Cost
O(cells).

## Source
Hundepool et al., Statistical Disclosure Control, 2012 (the distance between a table and the one that is published; a
hidden cell is taken for 0, so that hiding costs what `suppressed-share` says, and can be compared with rounding).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from typing import ClassVar

import numpy as np

from sharewell.algorithm import Declared, Finding, Measure
from sharewell.reports.counts.data import CountTable
from sharewell.reports.counts.engine.relations import Ints


@dataclass(frozen=True)
class Distance:
    cells: int
    hidden: int
    hidden_share: float
    """What hidden cells and cells that are not in the table hold, over what all cells hold."""
    shown_share: float
    """By how much numbers that are shown are off, over the same."""


@dataclass(frozen=True)
class TableError(Declared, Measure[CountTable]):
    """The sum of all errors over the sum of all true numbers."""

    of_tables: ClassVar[bool] = True

    def score(self, before: CountTable, after: CountTable) -> Finding:
        if not isinstance(before, CountTable):
            return Finding(self.name, None, unit="share", note="figures about owners are not counted in cells")
        if after.randomised is not None:
            return Finding(self.name, None, unit="share", note="answers were drawn: see estimate-error")
        names = [[one.name for one in table.dimensions] for table in (before, after)]
        if before.truth is None or names[0] != names[1]:
            return Finding(self.name, None, unit="share", note="the tables are not of the same columns")
        total = int(before.truth.values.sum())
        if not total:
            return Finding(self.name, None, unit="share", note="there is nothing in the table")
        true, hidden = _true_cells(before, after), after.hidden
        lacking = total - int(true[~hidden].sum())
        shown = after.shown[~hidden] * 10.0 ** (before.decimals - after.decimals)  # sums may be rounded
        off = float(np.abs(shown - true[~hidden]).sum())
        details = Distance(after.size, int(hidden.sum()), lacking / total, off / total)
        return Finding(self.name, (lacking + off) / total, unit="share", details=details)


def _true_cells(before: CountTable, after: CountTable) -> Ints:
    """The true number of each published cell: 0 where the data has no such category (noisy tables declare theirs)."""
    assert before.truth is not None
    places = []
    for old, new in zip(before.dimensions, after.dimensions, strict=True):
        place = {code: i for i, code in enumerate(old.codes)}
        places.append(np.array([place.get(code, -1) for code in new.codes]))
    grid = np.ix_(*places)
    known = reduce(np.logical_and, [one >= 0 for one in grid])
    true = before.truth.values.reshape(before.shape)[grid]
    return np.asarray(np.where(known, true, 0).ravel(), dtype=np.int64)
