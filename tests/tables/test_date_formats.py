"""Days and months in published cells, and what only looks like them."""

from __future__ import annotations

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sharewell.tables.engine.checks.cell_spelling import normalised
from sharewell.tables.engine.checks.date_formats import reading, tells_days, without_days

SURE = [
    *(
        "2025-01-31",
        "2025/1/31",
        "31.01.2025",
        "1/31/2025",
        "2025.01.31",
        "2025 01 31",
        "20250131T101500Z",
        "2025-W05-3",
    ),
    *(
        "2025-03",
        "03/2025",
        "Mar 2025",
        "March 5, 2025",
        "5th of January 2025",
        "31JAN2025",
        "31-JAN-25",
        "31. Januar 2025",
    ),
    *("31 de enero de 2025", "2025年1月31日", "DOB1981-05-01", "(2025-01-31 10:15:30.5+01:00)", "Fri Jan 31 2025"),
]
PERHAPS = ["31.1.25", "3/2025", "03.2025", "2010-11", "Jan-25", "5 may", "10-10-10", "1/2048"]
NEVER = [
    *("2025", "1980-1989", "120/80", "12.5", "E11.9", "1-0-1", "1-1-1", "2028-9", "0002-1433-80", "1:2048", "2019.12"),
    *(
        "Augmentin 875",
        "Decadron 40",
        "may",
        "1.2.840.10008",
        "192.168.1.1",
        "123-45-6789",
        "4111-2025-01-02-3",
        "10:15",
    ),
    "f81d4fae-7dec-11d0-a765-00a0c91e6bf6",
]


@pytest.mark.parametrize(
    ("text", "expected"),
    [*((text, "sure") for text in SURE), *((text, "perhaps") for text in PERHAPS), *((text, None) for text in NEVER)],
)
def test_how_surely_a_cell_tells_a_day(text: str, expected: str | None) -> None:
    assert reading(normalised(text)) == expected


FORMS = ("%Y-%m-%d", "%d.%m.%Y", "%m/%d/%Y", "%d %B %Y", "%B %d, %Y", "%d%b%Y", "%Y-%m-%dT%H:%M:%SZ", "%Y/%m/%d %H:%M")


@given(
    st.datetimes(datetime.datetime(1801, 1, 1), datetime.datetime(2199, 1, 1)),
    st.sampled_from(FORMS),
    st.sampled_from(["", "seen ", "DOB: ", "("]),
    st.sampled_from(["", " (approx.)", ";", ")"]),
)
def test_every_day_is_read_and_taken_out(day: datetime.datetime, form: str, before: str, behind: str) -> None:
    text = before + day.strftime(form) + behind
    assert reading(text) == "sure"
    assert not [c for c in without_days(text) if c.isdecimal()]


def test_one_cell_in_six_makes_dates() -> None:
    assert tells_days(["perhaps", None, None, None, None, None])
    assert not tells_days(["perhaps", None, None, None, None, None, None])
    assert not tells_days([])
