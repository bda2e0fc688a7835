"""Sums and means are left to opendp: its loss, its clamping, its keys."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from sharewell.opendp_noise import Price, VectorNoise
from sharewell.queries.engine.opendp_frames import PrivateSums
from sharewell.queries.engine.row_store import AMOUNT, CELL


def frame(cells: list[int], amounts: list[int], path: object) -> pl.LazyFrame:
    pl.DataFrame({CELL: pl.Series(cells, dtype=pl.UInt32), AMOUNT: pl.Series(amounts, dtype=pl.Int64)}).write_parquet(
        str(path)
    )
    return pl.scan_parquet(str(path))


def test_opendp_clamps_to_the_bounds_and_every_group_is_there(tmp_path: object) -> None:
    """At ε = 50 a sum is off by less than 10 with a probability of all but e^-50."""
    sums = PrivateSums.within(Price("pure", 50.0), 4, 0, 10, 1, counted=True)
    rows = frame([0, 0, 2, 2, 2], [5, 9_000_000, -3, 4, 4], f"{tmp_path}/rows.parquet")
    totals, counts = sums.draw(rows)
    assert counts is not None
    assert np.abs(totals - [15, 0, 8, 0]).max() <= 10
    assert np.abs(counts - [2, 0, 3, 0]).max() <= 2


@pytest.mark.parametrize("accounting", ["pure", "zcdp"])
@pytest.mark.parametrize("rows", [1, 3])
def test_the_noise_of_a_sum_is_what_its_sensitivity_asks_for(accounting: str, rows: int) -> None:
    """opendp's own statement agrees with ours for a vector that one person moves by rows · bound."""
    price = Price(accounting, 0.5)  # type: ignore[arg-type]
    sums = PrivateSums.within(price, 3, -4, 10, rows, counted=False)
    ours = VectorNoise.within(price, rows * 10, rows * 10.0)
    assert sums.sum_scale == pytest.approx(ours.scale, rel=1e-9)
    assert 0.5 * (1 - 1e-9) <= sums.loss <= 0.5


def test_sum_and_count_share_the_price() -> None:
    sums = PrivateSums.within(Price("pure", 1.0), 2, 0, 10, 3, counted=True)
    assert (sums.count_scale, sums.sum_scale, sums.loss) == (6.0, 60.0, 1.0)
