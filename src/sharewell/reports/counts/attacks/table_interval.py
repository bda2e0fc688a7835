"""Table interval: what a reader can compute about hidden cells by adding and subtracting published ones.

## Guarantee
None; a measurement. The value is the share of hidden (or rounded) cells that can be computed exactly; where nothing is
hidden, all cells are known: 1. It is exact: a cell counts as computed if one whole number alone fits all that is
published, and as open only if two tables of whole numbers differ in it. If a cell could not be decided within the steps
allowed, or the table has too many open cells, there is no value: undecided, never 0.

## Adversary
Reads the published table and adds and subtracts; knows that numbers are 0 or more, and whole, how they were rounded,
and what marks such as −11 say.

## What it does not protect
Widths (`tight`, `median_width`) come from linear programs, which forget that other cells are whole numbers too: a
reader may now and then come closer than they say. Persons in the table, who know more, are looked at by
cell-protection; other tables of the same people by tables-together.

## Parameters
tight: a cell whose least and greatest value differ by at most so much counts as tight.
most: a table with more open cells than this is not attacked, and the finding says so.

## Worked example
One hidden cell is the total less the other.

>>> import numpy as np
>>> from sharewell.reports.counts.data import HIDDEN, CountTable
>>> cells = {("m", "flu"): 20, ("m", "gout"): 3, ("f", "flu"): 15, ("f", "gout"): 12}
>>> table = CountTable.of_cells(cells, ["sex", "illness"])
>>> result = TableInterval().mount(table.showing(np.where(table.shown < 11, HIDDEN, table.shown)))
>>> result.value, result.details.hidden
(1.0, 1)
>>> result = TableInterval().mount(table.showing(np.where(table.leaves, HIDDEN, table.shown)))
>>> result.value, result.details.median_width
(0.0, 13.0)

## Why it is safe
It reads a published table and returns counts and widths, never a number of the table.

## Cost
At most two linear programs for each hidden cell, each begun where the last one ended; bounds that a table found before
attains, and cells that the equations determine by their rank, need none. In three and more dimensions, and with
categories between values and total, up to 400 searches for tables of whole numbers of up to 1,000 steps each.

## Source
Fischetti and Salazar, 2001; Zayatz, 1992 (audits of tables).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sharewell.algorithm import Attack, Count, Declared, Finding, Natural, PolicyError, Truth
from sharewell.reports.counts.data import CountTable
from sharewell.reports.counts.engine.intervals import WholeTables, intervals
from sharewell.reports.counts.engine.relations import NO_LIMIT
from sharewell.reports.counts.engine.table_readers import View


@dataclass(frozen=True)
class TableIntervalDetails:
    hidden: int
    exact: int
    """Hidden cells that can be computed."""
    tight: int
    median_width: float | None
    """None if more than half of them have no upper end."""
    unlimited: int
    """Hidden cells without an upper end."""
    programs: int
    """Linear programs solved."""
    undecided: int = 0
    """Hidden cells for which the steps did not suffice."""
    best_guess: float | None = None
    """The chance of naming the tightest hidden cell right, were all whole numbers between its ends equally likely."""


@dataclass(frozen=True)
class TableInterval(Declared, Attack[CountTable]):
    """Least and greatest value of every hidden cell."""

    tight: Natural = 1
    most: Count = 1_000

    packages: ClassVar[tuple[str, ...]] = ("highspy",)
    of_tables: ClassVar[bool] = True

    def mount(self, released: CountTable, truth: Truth[CountTable] | None = None) -> Finding:
        if not isinstance(released, CountTable):
            what = "bounds cells of patients, and these are figures of owners"
            raise PolicyError(f"table-interval — {what} — take snooper")
        view = View.of(released)
        is_open = int((view.low < view.high).sum())
        if not is_open:
            details = TableIntervalDetails(0, 0, 0, None, 0, 0, best_guess=1.0)
            return Finding(self.name, 1.0, unit="share", details=details, note="nothing is hidden: every cell is known")
        if is_open > self.most:
            details = TableIntervalDetails(is_open, 0, 0, None, 0, 0, is_open)
            what = (
                f"undecided: {is_open} open cells, and {self.most} is the most — name table-interval with a larger most"
            )
            return Finding(self.name, None, unit="share", details=details, note=what)
        return self._measured(released, view)

    def _measured(self, released: CountTable, view: View) -> Finding:
        bounds = intervals(view.relations, view.low, view.high)
        widths = np.where(bounds.high >= NO_LIMIT, np.inf, bounds.high - bounds.low)
        exact, undecided = bounds.exact.copy(), np.zeros(len(bounds.cells), dtype=bool)
        if not released.is_network or view.jumps.any():
            wide = np.flatnonzero(~exact)
            exact[wide], undecided[wide] = WholeTables(view).single_valued(bounds.cells[wide])
            widths[exact] = 0
        middle = float(np.median(widths))
        details = TableIntervalDetails(
            len(widths),
            int(exact.sum()),
            int((widths <= self.tight).sum()),
            middle if np.isfinite(middle) else None,
            int(np.isinf(widths).sum()),
            bounds.programs,
            int(undecided.sum()),
            None if undecided.any() else float(1 / (np.floor(widths.min()) + 1)),
        )
        if undecided.any():
            note = f"undecided: {details.undecided} of {details.hidden} hidden cells; {details.exact} can be computed"
            return Finding(self.name, None, unit="share", details=details, note=note)
        return Finding(self.name, float(exact.mean()), unit="share", details=details)
