"""Dates as exports write them are read strictly, form by form."""

from __future__ import annotations

import datetime

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sharewell.errors import PolicyError
from sharewell.io.date_forms import DateForm, form_problem


@pytest.mark.parametrize(
    ("form", "text", "date"),
    [
        ("%d.%m.%Y", "29.02.2020", "2020-02-29"),
        ("%d.%m.%Y", "29.02.2019", None),
        ("%d.%m.%Y", "29.02.1900", None),
        ("%d.%m.%Y", "29.02.2000", "2000-02-29"),
        ("%d.%m.%Y", "1.2.2020", "2020-02-01"),
        ("%d.%m.%Y", "31.04.2020", None),
        ("%d.%m.%Y", "00.01.2020", None),
        ("%d.%m.%Y", "01.00.2020", None),
        ("%d.%m.%Y", "01.13.2020", None),
        ("%d.%m.%Y", "01.01.20", None),
        ("%d.%m.%Y", "01.01.0000", None),
        ("%d.%m.%Y", "01.01.2020 ", None),
        ("%d.%m.%Y", "01x01x2020", None),
        ("%d-%b-%Y", "01-MAR-2020", "2020-03-01"),
        ("%d-%b-%Y", "01-Foo-2020", None),
        ("%B %d, %Y", "march 1,  2020", "2020-03-01"),
        ("%Y%m%d", "20200301", "2020-03-01"),
        ("%Y-%m-%d %H:%M:%S", "2020-03-01 00:00:00", "2020-03-01"),
        ("%Y-%m-%d %H:%M:%S", "2020-03-01 09:05:07", "2020-03-01T09:05:07"),
        ("%Y-%m-%d %H:%M:%S", "2020-03-01 24:00:00", None),
        ("%Y-%m-%dT%H:%M:%S.%f", "2020-03-01T09:05:07.250", "2020-03-01T09:05:07.25"),
        ("%m/%d/%Y %I:%M %p", "3/1/2020 12:00 AM", "2020-03-01"),
        ("%m/%d/%Y %I:%M %p", "3/1/2020 12:30 pm", "2020-03-01T12:30:00"),
        ("%m/%d/%Y %I:%M %p", "3/1/2020 13:30 pm", None),
        ("%d%%%m%%%Y", "01%03%2020", "2020-03-01"),
    ],
)
def test_a_text_is_this_date_or_none(form: str, text: str, date: str | None) -> None:
    assert DateForm(form).read(pa.array([text, None])).to_pylist() == [date, None]


def test_a_time_of_day_can_be_dropped() -> None:
    assert DateForm("%Y-%m-%d %H:%M", time=False).read(pa.array(["2020-03-01 09:05"])).to_pylist() == ["2020-03-01"]


@given(st.integers(0, 99), st.integers(1800, 2100))
def test_two_digits_are_a_year_of_the_hundred_named(digits: int, first: int) -> None:
    [read] = DateForm("%d.%m.%y", first).read(pa.array([f"01.02.{digits:02d}"])).to_pylist()
    year = int(read[:4])
    assert first <= year < first + 100
    assert year % 100 == digits


@pytest.mark.parametrize(
    ("form", "problem"),
    [
        ("%d.%m", "must name a year (%Y)"),
        ("%d.%m.%Y.%Y", "must name a year (%Y) only once"),
        ("%d.%m.%Q", "has the unknown part %Q"),
        ("%d.%m.%Y%", "has the unknown part %"),
        ("dd.mm.yyyy", "must name a year (%Y)"),
        ("%Y-%m-%d %M", "must name hours before minutes and offsets, and minutes before seconds"),
        ("%Y-%m-%d %z", "must name hours before minutes and offsets, and minutes before seconds"),
        ("%Y-%m-%d %I:%M", "must have %I and %p together"),
        ("%Y-%m-%d %H %I %p", "must name each part of a time only once"),
    ],
)
def test_a_form_that_is_none_says_why(form: str, problem: str) -> None:
    assert form_problem(form) == problem
    with pytest.raises(PolicyError):
        DateForm(form)


def test_years_of_two_digits_need_their_first_year() -> None:
    with pytest.raises(PolicyError, match="first_year"):
        DateForm("%d.%m.%y")


def _by_python(text: str, form: str) -> str | None:
    """What the standard library reads, an oracle of another making."""
    try:
        return datetime.datetime.strptime(text, form).date().isoformat()
    except ValueError:
        return None


_PART = st.integers(0, 40).map(str) | st.integers(0, 15).map("{:02d}".format)


@given(st.lists(st.tuples(_PART, _PART, st.integers(1, 9999).map("{:04d}".format)), min_size=1, max_size=20))
def test_forms_agree_with_the_standard_library(parts: list[tuple[str, str, str]]) -> None:
    for form, order in (("%d/%m/%Y", "012"), ("%m/%d/%Y", "102"), ("%Y/%m/%d", "210")):
        texts = ["/".join(part[int(i)] for i in order) for part in parts]
        assert DateForm(form).read(pa.array(texts)).to_pylist() == [_by_python(text, form) for text in texts]
