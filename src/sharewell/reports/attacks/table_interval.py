"""Table interval: what a reader computes about hidden cells from the totals around them.

Guarantee
---------
None; a measurement. The value is the share of hidden (or rounded) cells that can be computed exactly; where nothing is
hidden, all cells are known: 1.

Adversary
---------
Reads the published table and adds and subtracts; knows that numbers are 0 or more, and whole.

What it does not protect
------------------------
Bounds come from linear programs, which forget that other cells are whole numbers too: a reader may now and then do
better than this says. Persons in the table, who know more, are looked at by cell-protection.

Parameters
----------
tight: a cell whose least and greatest value differ by at most so much counts as tight.

Worked example
--------------
One hidden cell is the total less the other.

>>> import numpy as np
>>> from sharewell.reports.tables.dataset import HIDDEN, CountTable
>>> cells = {("m", "flu"): 20, ("m", "gout"): 3, ("f", "flu"): 15, ("f", "gout"): 12}
>>> table = CountTable.of_cells(cells, ["sex", "illness"])
>>> found = TableInterval().mount(table.showing(np.where(table.shown < 11, HIDDEN, table.shown)))
>>> found.value, found.details.hidden
(1.0, 1)
>>> found = TableInterval().mount(table.showing(np.where(table.leaves, HIDDEN, table.shown)))
>>> found.value, found.details.median_width
(0.0, 13.0)

Why it is safe
--------------
It reads a published table and returns counts and widths, never a number of the table.

Cost
----
At most two linear programs for each hidden cell, each begun where the last one ended; bounds that a table found before
attains, and cells that the equations determine by their rank, need none.

Source
------
Fischetti and Salazar, 2001; Zayatz, 1992 (audits of tables).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from sharewell.errors import PolicyError
from sharewell.findings import Finding
from sharewell.protocols import Truth
from sharewell.reports.tables.dataset import CountTable
from sharewell.reports.tables.intervals import intervals
from sharewell.reports.tables.relations import NO_LIMIT


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


@dataclass(frozen=True)
class TableInterval:
    """Least and greatest value of every hidden cell."""

    tight: int = 1

    name: ClassVar[str] = "table-interval"
    packages: ClassVar[tuple[str, ...]] = ("highspy",)
    of_tables: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.tight < 0:
            raise ValueError("tight must be 0 or more")

    def mount(self, released: CountTable, truth: Truth[Any] | None = None) -> Finding:
        if not isinstance(released, CountTable):
            raise PolicyError(
                "table-interval — bounds cells of patients, and these are figures of owners — take snooper"
            )
        low, high = released.bounds()
        if not (low < high).any():
            details = TableIntervalDetails(0, 0, 0, None, 0, 0)
            return Finding(self.name, 1.0, unit="share", details=details, note="nothing is hidden: every cell is known")
        found = intervals(released.relations, low, high)
        widths = np.where(found.high >= NO_LIMIT, np.inf, found.high - found.low)
        middle = float(np.median(widths))
        details = TableIntervalDetails(
            len(widths),
            int(found.exact.sum()),
            int((widths <= self.tight).sum()),
            middle if np.isfinite(middle) else None,
            int(np.isinf(widths).sum()),
            found.asked,
        )
        return Finding(self.name, float(found.exact.mean()), unit="share", details=details)
