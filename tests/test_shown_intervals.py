"""The time between two shifted dates is published exactly: a number that is this time is found, and no other."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sharewell.shown_intervals import Shown, days_in, numbers_in, shown_intervals

STAYS = [1 + i % 9 for i in range(40)]
ADMITTED = np.arange(40.0) * 3


@pytest.mark.parametrize("unit", [1 / 24, 1, 7, 365.25], ids=["hours", "days", "weeks", "years"])
@pytest.mark.parametrize("off", [0, 1, -0.4], ids=["full", "both days counted", "rounded"])
def test_the_time_between_two_dates_is_found_in_any_unit(unit: float, off: float) -> None:
    stays = np.array(STAYS, dtype=float)
    dates = {"in": ADMITTED, "out": ADMITTED + stays * unit}
    assert shown_intervals(dates, {"los": stays + off}) == [Shown("los", "in", "out")]


@given(st.lists(st.integers(0, 60), min_size=40, max_size=40), st.randoms(use_true_random=False))
def test_what_agrees_in_few_rows_is_not_found(stays: list[int], random: object) -> None:
    numbers = np.array([stay + 100 for stay in stays], dtype=float)
    dates = {"in": ADMITTED, "out": ADMITTED + np.array(stays, dtype=float) / 2000}
    assert shown_intervals(dates, {"weight": numbers}) == []


def test_missing_cells_and_few_rows_decide_nothing() -> None:
    stays = np.array(STAYS, dtype=float)
    stays[::3] = np.nan
    dates = {"in": ADMITTED, "out": ADMITTED + np.array(STAYS, dtype=float)}
    assert shown_intervals(dates, {"los": stays}) == [Shown("los", "in", "out")]
    stays[15:] = np.nan
    assert shown_intervals(dates, {"los": stays}) == []


@pytest.mark.parametrize(
    ("cells", "form"),
    [
        (["2020-01-02", "2020-01-03T12:00:00", None], None),
        (["02.01.2020 00:00", "03.01.2020 12:00", ""], "%d.%m.%Y %H:%M"),
    ],
)
def test_dates_are_read_as_days(cells: list[str | None], form: str | None) -> None:
    days = days_in(pa.chunked_array([pa.array(cells, pa.string())]), form)
    assert days is not None
    assert (days[1] - days[0], bool(np.isnan(days[2]))) == (1.5, True)


def test_what_is_no_date_and_no_number_is_left_alone() -> None:
    words = pa.array(["ward", "home"])
    assert (days_in(words), numbers_in(words), days_in(pa.array([1, 2]))) == (None, None, None)
    numbers = numbers_in(pa.array(["4", "x", "5.5"]))
    assert numbers is not None
    assert np.nansum(numbers) == 9.5
