"""Suppressed share: how much of a table is hidden, by value.

## Parameters
of: "value" (default): hidden values over all values, or "cells": hidden cells over all cells that are not 0. Totals
count like other cells.

## Worked example
>>> import numpy as np
>>> from sharewell.reports.counts.data import HIDDEN, CountTable
>>> table = CountTable.of_cells({("m",): 30, ("f",): 10}, ["sex"])
>>> after = table.showing(np.array([40, HIDDEN, HIDDEN]))
>>> SuppressedShare().score(table, after).value, SuppressedShare(of="cells").score(table, after).value
(0.5, 0.6666666666666666)

## Why it is safe
It reads two tables and returns shares only.

## Cost
O(cells).

## Source
Hundepool et al., Statistical Disclosure Control, 2012 (the usual cost of suppression).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from sharewell.algorithm import Declared, Finding, Measure
from sharewell.reports.counts.data import CountTable


@dataclass(frozen=True)
class SharesHidden:
    cells: int
    hidden: int
    value_share: float
    cell_share: float
    mean_error: float
    """By how much numbers that are shown differ from the true ones, on average: rounding."""


@dataclass(frozen=True)
class SuppressedShare(Declared, Measure[CountTable]):
    """The share of the table that is hidden."""

    of: Literal["value", "cells"] = "value"

    of_tables: ClassVar[bool] = True

    def score(self, before: CountTable, after: CountTable) -> Finding:
        if not isinstance(before, CountTable):
            return Finding(self.name, None, unit="share", note="figures about owners have no cells to hide")
        if before.truth is None or before.shape != after.shape:
            return Finding(self.name, None, unit="share", note="the tables are not of one shape")
        values = before.truth.values
        hidden, real = after.hidden, values > 0
        total = int(values.sum())
        if not total:
            return Finding(self.name, None, unit="share", note="there is nothing in the table")
        by_value = int(values[hidden].sum()) / total
        by_cells = int(np.count_nonzero(hidden & real)) / int(np.count_nonzero(real))
        errors = np.abs(after.shown - values)[~hidden]
        error = float(errors.mean()) / 10**before.decimals if len(errors) else 0.0
        details = SharesHidden(after.size, int(hidden.sum()), by_value, by_cells, error)
        return Finding(self.name, by_value if self.of == "value" else by_cells, unit="share", details=details)
