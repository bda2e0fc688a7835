"""Sums and counts by group as one opendp measurement: `make_private_lazyframe` over a scan of the rows.

opendp knows the domain of the rows (a group number and an amount, whole numbers), clamps the amounts to the public
bounds, adds up, draws the noise and states the loss for two frames that differ in this many rows. Every group is there,
because the public keys are joined to it: no delta is needed for groups that nobody is in.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sharewell.extras import package
from sharewell.opendp_noise import Accounting, Price, guarded, opendp, smallest_scale
from sharewell.queries.data import MOST_ROWS
from sharewell.queries.engine.row_store import AMOUNT, CELL

if TYPE_CHECKING:
    import polars as pl

ROWS = "rows"


@dataclass(frozen=True)
class PrivateSums:
    """Noisy sums of an amount (and noisy counts of rows, if wanted) for groups 0 … cells - 1."""

    accounting: Accounting
    cells: int
    low: int
    high: int
    counted: bool
    """Are rows counted too? Both then share the price evenly."""
    sum_scale: float
    count_scale: float
    loss: float
    """ε or ρ, as opendp states it."""
    changed_rows: int

    @classmethod
    def within(cls, price: Price, cells: int, low: int, high: int, changed_rows: int, counted: bool) -> PrivateSums:
        """The least noise within the price."""
        largest = max(abs(low), abs(high), 1)

        def of(scale: float, loss: float = 0.0) -> PrivateSums:
            """`scale`: of a count; a sum is moved by so much more."""
            return cls(price.accounting, cells, low, high, counted, scale * largest, scale, loss, changed_rows)

        def stated(scale: float) -> float:
            return float(of(scale)._measurement.map(changed_rows))

        parts, pure = (2 if counted else 1), price.accounting == "pure"
        first = changed_rows * parts / price.amount if pure else changed_rows * (parts / (2 * price.amount)) ** 0.5
        scale, loss = smallest_scale(stated, first, price)
        return of(scale, loss)

    def draw(self, rows: pl.LazyFrame) -> tuple[NDArray[np.int64], NDArray[np.int64] | None]:
        """(sums, counts) of every group, with fresh noise."""
        sort = guarded(lambda: self._measurement(rows).collect()).sort(CELL)
        counts = sort[ROWS].to_numpy().astype(np.int64) if self.counted else None
        return sort[AMOUNT].to_numpy().astype(np.int64), counts

    @cached_property
    def _measurement(self) -> Any:
        dp, polars = opendp(), package("polars", "questions")
        columns = [dp.series_domain(CELL, dp.atom_domain(T="u32")), dp.series_domain(AMOUNT, dp.atom_domain(T="i64"))]
        domain = dp.with_margin(dp.lazyframe_domain(columns), dp.polars.Margin(by=[], max_length=MOST_ROWS))
        empty = polars.LazyFrame(schema={CELL: polars.UInt32, AMOUNT: polars.Int64})
        wanted = [polars.col(AMOUNT).dp.sum((self.low, self.high), scale=self.sum_scale)]
        if self.counted:
            wanted.append(dp.len(scale=self.count_scale, signed=True).alias(ROWS))
        keys = polars.LazyFrame({CELL: np.arange(self.cells, dtype=np.uint32)})
        plan = keys.join(empty.group_by(CELL).agg(wanted), on=CELL, how="left")
        measure = dp.max_divergence() if self.accounting == "pure" else dp.zero_concentrated_divergence()
        return guarded(
            lambda: dp.m.make_private_lazyframe(domain, dp.symmetric_distance(), measure, plan, global_scale=1.0)
        )
