"""Columns as codes: what counts as a number, a date, a missing value; how dates are shifted."""

from __future__ import annotations

import datetime
import decimal
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sharewell.cells import Exact, Interval
from sharewell.date_shift import shift_column
from sharewell.errors import DataError
from sharewell.hierarchy import Dates, Prefixes
from sharewell.keys import Key
from sharewell.roles import Role
from sharewell.tables.engine.columns import encode, infer

KEY = Key(b"a key for tests, long enough....")


def column(values: Any, type: Any = None, **settings: Any) -> Any:
    return encode("x", Role.QUASI, pa.array(values, type), **settings)


@pytest.mark.parametrize(
    ("values", "kind", "texts"),
    [
        pytest.param(["10", "9", "-3"], "number", ("-3", "9", "10"), id="numbers in their order"),
        pytest.param(["0.5", "-0.5", "0"], "number", ("-0.5", "0", "0.5"), id="fractions"),
        pytest.param(["007", "8"], "text", ("007", "8"), id="leading zeros are a code"),
        pytest.param(["1e5", "2"], "text", ("1e5", "2"), id="exponents are a code"),
        pytest.param(["-0", "0"], "text", ("-0", "0"), id="minus zero is not a number"),
        pytest.param(["+5", "6"], "text", ("+5", "6"), id="plus"),
        pytest.param(["1,5", "2"], "text", ("1,5", "2"), id="decimal comma"),
        pytest.param(["nan", "1"], "text", ("1", "nan"), id="nan is a word"),
        pytest.param(["1_000", "2"], "text", ("1_000", "2"), id="underscore"),
        pytest.param(["٣", "4"], "text", ("4", "٣"), id="other digits"),
        pytest.param(["1" * 41, "2"], "text", ("1" * 41, "2"), id="a very long number is a code"),
        pytest.param(
            ["9999999999999999", "10000000000000000", "5"],
            "number",
            ("5", "9999999999999999", "10000000000000000"),
            id="one float, two numbers",
        ),
        pytest.param(
            ["-9007199254740993", "-9007199254740992"],
            "number",
            ("-9007199254740993", "-9007199254740992"),
            id="one float, two negative numbers",
        ),
        pytest.param(["2100-12-31", "1900-01-01"], "date", ("1900-01-01", "2100-12-31"), id="far dates"),
        pytest.param(["2000-02-29", "1900-02-29"], "text", ("1900-02-29", "2000-02-29"), id="1900 was no leap year"),
        pytest.param(["29.02.2019", "01.03.2019"], "text", ("01.03.2019", "29.02.2019"), id="29 February 2019"),
        pytest.param(["01/02/2019", "03/04/2019"], "text", ("01/02/2019", "03/04/2019"), id="ambiguous day and month"),
        pytest.param(["13/02/2019", "03/04/2019"], "date", ("2019-02-13", "2019-04-03"), id="one day above 12 decides"),
        pytest.param(["02/13/2019", "03/04/2019"], "date", ("2019-02-13", "2019-03-04"), id="month first"),
        pytest.param([None, "", None], "text", ("",), id="nothing but missing"),
        pytest.param(
            ["*", "[1-2]", "{a}", "<suppressed>"], "text", ("*", "<suppressed>", "[1-2]", "{a}"), id="literal"
        ),
    ],
)
def test_what_a_text_column_is(values: list[str | None], kind: str, texts: tuple[str, ...]) -> None:
    found = column(values, pa.string())
    assert (found.kind, found.texts) == (kind, texts)
    assert found.arrow.to_pylist() == [
        None if not value else found.texts[code] for value, code in zip(values, found.codes, strict=True)
    ]


def test_a_literal_that_looks_like_a_cell_means_itself_until_it_is_published() -> None:
    assert column(["*", "[1-2]"]).cells == (Exact("*"), Exact("[1-2]"))
    assert column(["[1-2]", "\\*"], kind="cells").cells == (Interval("1", "2"), Exact("*"))


@pytest.mark.parametrize(
    ("values", "type", "kind", "texts"),
    [
        pytest.param([1.5, float("nan"), None, -0.0, 0.0], pa.float64(), "number", ("0", "1.5", ""), id="floats"),
        pytest.param([1.5, 2.0], pa.float16(), "number", ("1.5", "2"), id="half floats"),
        pytest.param([2**53 + 1, 2**53], pa.int64(), "number", ("9007199254740992", "9007199254740993"), id="int64"),
        pytest.param([2**64 - 1, 0], pa.uint64(), "number", ("0", "18446744073709551615"), id="uint64"),
        pytest.param([decimal.Decimal("1.50"), None], pa.decimal128(9, 2), "number", ("1.50", ""), id="decimal"),
        pytest.param([True, False, None], pa.bool_(), "text", ("false", "true", ""), id="boolean"),
        pytest.param([datetime.date(1900, 1, 1)], pa.date32(), "date", ("1900-01-01",), id="date32"),
        pytest.param([datetime.date(2100, 1, 1)], pa.date64(), "date", ("2100-01-01",), id="date64"),
        pytest.param(
            [datetime.datetime(2020, 1, 1), None], pa.timestamp("ns"), "date", ("2020-01-01", ""), id="midnights"
        ),
        pytest.param(
            [datetime.datetime(2020, 1, 1, 8)], pa.timestamp("s"), "text", ("2020-01-01 08:00:00",), id="instants"
        ),
        pytest.param([None, None], pa.timestamp("us"), "text", ("",), id="no instant at all"),
        pytest.param([None, None], pa.null(), "text", ("",), id="null"),
        pytest.param([datetime.time(8)], pa.time32("s"), "text", ("08:00:00",), id="time of day"),
        pytest.param(["b", "a", None], pa.large_string(), "text", ("a", "b", ""), id="large strings"),
        pytest.param(["b", "a", None], pa.dictionary(pa.int8(), pa.string()), "text", ("a", "b", ""), id="categories"),
        pytest.param([3, 10], pa.dictionary(pa.int8(), pa.int64()), "number", ("3", "10"), id="categories of numbers"),
    ],
)
def test_what_a_typed_column_is(values: list[Any], type: Any, kind: str, texts: tuple[str, ...]) -> None:
    found = column(np.array(values, np.float16) if type == pa.float16() else values, type)
    assert (found.kind, found.texts, found.has_missing) == (kind, texts, texts[-1] == "")


@pytest.mark.parametrize(
    ("values", "settings", "message"),
    [
        pytest.param(
            [1.0, float("inf"), -float("inf")],
            {},
            "2 infinite value(s) — correct them, or leave them out",
            id="infinity",
        ),
        pytest.param(
            [[1], [2]],
            {},
            "of type list<item: int64>, which cannot be quasi, sensitive or subject — turn it into text first",
            id="lists",
        ),
        pytest.param(
            ["1", "SECRET", "nan", "inf", " 2", "1_0"],
            {"kind": "number"},
            "5 of 6 distinct value(s) are not numbers — set `type: text`, or correct the data",
            id="not numbers",
        ),
        pytest.param(
            ["1e999", "1"],
            {"kind": "number"},
            "1 number(s) too large to compare — correct them, or set `type: text`",
            id="too large",
        ),
        pytest.param(
            ["2019-02-28", "2019-02-29", "SECRET"],
            {"kind": "date"},
            "2 of 3 distinct value(s) are not dates of the form %Y-%m-%d"
            ' — set another form, such as `type: {date: "%d.%m.%Y"}`, or correct the data',
            id="not dates",
        ),
        pytest.param(
            ["2019-02-28", "SECRET"],
            {"hierarchy": Dates()},
            "hierarchy date — values without an entry — 1 of 2 values"
            " — write dates as YYYY-MM-DD, YYYY-MM or YYYY, or set on_gap: root",
            id="a gap in the hierarchy",
        ),
    ],
)
def test_what_a_column_cannot_be_is_told_with_counts(values: Any, settings: dict[str, Any], message: str) -> None:
    with pytest.raises(DataError) as caught:
        column(values, **settings)
    assert str(caught.value) == f"column x — {message}"


def test_unknown_codes_are_counted_and_not_lost() -> None:
    from sharewell.hierarchy import from_spec
    from sharewell.io.sources import Path

    found = column(["E11.9", "ZZZ9", "QQQ", None], hierarchy=from_spec("icd10cm", Path()))
    assert found.levels.unknown == 2
    assert set(found.texts) == {"E11.9", "ZZZ9", "QQQ", ""}


@pytest.mark.parametrize("hierarchy", [Dates(), Prefixes()])
def test_a_column_of_missing_values_has_one_code_under_any_hierarchy(hierarchy: Any) -> None:
    found = column([None, ""], pa.string(), hierarchy=hierarchy)
    assert (found.codes.tolist(), found.texts, found.has_missing) == ([0, 0], ("",), True)


numbers = st.integers(-(10**20), 10**20).map(str) | st.decimals(-1000, 1000, places=2).map(str).filter(
    lambda text: infer(pa.array([text]))[0] == "number"
)


@given(st.lists(numbers, min_size=1, max_size=20))
def test_numbers_keep_their_exact_order(values: list[str]) -> None:
    placed = [decimal.Decimal(text) for text in column(values).texts]
    assert placed == sorted(placed)


@given(st.lists(st.none() | st.text(max_size=5), max_size=30))
def test_any_text_survives_coding(values: list[str | None]) -> None:
    """What is not blank comes back as it was; what is empty or blank is missing."""
    found = column(values, pa.string())
    for value, shown in zip(values, found.arrow.to_pylist(), strict=True) if found.kind == "text" else ():
        assert shown == value if value and value.strip() else shown in (None, value)
    assert column(["", " ", "\t\r\n", "\u00a0", None], pa.string()).arrow.to_pylist() == [None] * 5
    assert len(set(found.texts)) == found.size


def shifted(values: Any, type: Any = None, **settings: Any) -> list[Any]:
    array = pa.array(values, type)
    moved: list[Any] = shift_column("x", array, ["one"] * len(array), KEY, "d", 100, **settings).to_pylist()
    return moved


DAYS = KEY.shift_days("d", "one", 100)


def moved(day: datetime.date) -> datetime.date:
    return day + datetime.timedelta(DAYS)


@pytest.mark.parametrize("day", [datetime.date(1900, 2, 28), datetime.date(2000, 2, 29), datetime.date(2100, 12, 31)])
def test_every_form_of_a_date_moves_by_the_same_days(day: datetime.date) -> None:
    to = moved(day)
    assert shifted([day.isoformat(), None, ""]) == [to.isoformat(), None, None]
    stamps = [f"{day}T08:30", f"{day} 08:30:00.5+02:00"]
    assert shifted(stamps) == [to.isoformat()] * 2
    assert shifted(stamps, time="hour") == [f"{to}T08:00", f"{to} 08:00"]
    assert shifted(stamps, time="keep") == [f"{to}T08:30", f"{to} 08:30:00.5+02:00"]
    assert shifted([day.strftime("%d.%m.%Y")]) == [to.isoformat()]
    assert shifted([int(day.strftime("%Y%m%d"))]) == [to.isoformat()]
    assert shifted([day, None], pa.date32()) == [to, None]
    instant = datetime.datetime(day.year, day.month, day.day, 8, 31, 7)
    later = datetime.datetime(to.year, to.month, to.day, 8, 31, 7)
    assert shifted([instant, None], pa.timestamp("us")) == [to, None]
    assert shifted([instant], pa.timestamp("us"), time="hour") == [later.replace(minute=0, second=0)]
    assert shifted([instant], pa.timestamp("us"), time="keep") == [later]
    assert shifted([day.strftime("%m/%d/%Y")], date_format="%m/%d/%Y") == [to.isoformat()]


@pytest.mark.parametrize(
    ("values", "why"),
    [
        (["2019-02-29"], "1 of 1 distinct value(s) are not dates in any one form"),
        (["2019-01-01", "SECRET", "31.12.2019"], "2 of 3 distinct value(s) are not dates in any one form"),
        (["2019-01-01 SECRET"], "1 of 1 distinct value(s) are not dates in any one form"),
        (["2019111"], "1 of 1 distinct value(s) are not dates in any one form"),
        ([True], "1 of 1 distinct value(s) are not dates in any one form"),
        (["01/02/2019"], "the order of day and month is ambiguous"),
    ],
)
def test_what_is_no_date_cannot_be_shifted(values: list[Any], why: str) -> None:
    with pytest.raises(DataError) as caught:
        shifted(values)
    assert str(caught.value) == (
        f"column x — cannot be shifted: {why} — write it as YYYY-MM-DD, or give it another role"
    )


def test_types_without_dates_cannot_be_shifted() -> None:
    with pytest.raises(DataError) as caught:
        shifted([[1]])
    assert str(caught.value) == "column x — of type list<item: int64>, which holds no dates — give it another role"


@pytest.mark.parametrize("type", [pa.string(), pa.date32(), pa.timestamp("us")])
def test_dates_never_leave_the_calendar(type: Any) -> None:
    edge = datetime.date(9999, 12, 31) if DAYS > 0 else datetime.date(1, 1, 1)
    with pytest.raises(DataError) as caught:
        shifted(pa.array([edge.isoformat()]).cast(type))
    assert str(caught.value) == (
        "column x — 1 date(s) would leave the years 1 to 9999 — correct them or drop the column"
    )
