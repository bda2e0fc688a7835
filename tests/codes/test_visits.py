"""The order of visits: from columns with everything that can be wrong with them, and from lists and back."""

from __future__ import annotations

import datetime
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.codes import CodeLinkage, CodeSets, PrivacyPolicy
from sharewell.codes.engine.visits import Visits
from sharewell.errors import DataError, PolicyError

CODES = list("abcd")


def seen(data: CodeSets) -> list[list[list[str]]]:
    assert data.visits is not None
    return data.visits.listed(data.names, data.records)


def read(rows: list[tuple[Any, ...]], **columns: str) -> CodeSets:
    names = ("who", "code", *columns.values())
    table = pa.table({name: [row[i] for row in rows] for i, name in enumerate(names)})
    return CodeSets.from_long(table, subject="who", code="code", **columns)


def test_visits_go_by_date_and_codes_by_sequence() -> None:
    rows = [
        ("p", "c", 2, "2024-02-01", 2),
        ("p", "a", 2, "2024-02-01", 1),
        ("q", "a", 1, "2023-05-05", 1),
        ("p", "b", 1, "2024-01-31", None),
        ("p", "d", 1, "2024-01-31", 7),
    ]
    data = read(rows, visit="visit", date="date", sequence="at")
    assert seen(data) == [[["d", "b"], ["a", "c"]], [["a"]]]
    assert data.visits is not None
    assert data.visits.ordered
    plain = read([row[:4] for row in rows], visit="visit", date="date")
    assert seen(plain) == [[["b", "d"], ["a", "c"]], [["a"]]]
    assert plain.visits is not None
    assert not plain.visits.ordered


def test_without_a_date_visits_stand_as_in_the_file() -> None:
    rows = [("p", "a", "z"), ("p", "b", "a"), ("p", "c", "z")]
    assert seen(read(rows, visit="visit")) == [[["a", "c"], ["b"]]]


def test_a_date_alone_makes_one_visit_a_day() -> None:
    rows = [("p", "a", "2024-01-02T09:00"), ("p", "b", "2024-01-02T08:00"), ("p", "c", "2024-01-01"), ("p", "d", None)]
    data = read(rows, date="date")
    assert seen(data) == [[["c"], ["a", "b"]]]
    assert data.support(["d"]) == 1  # a code without a date is in no visit, but it is the person's
    typed = pa.table(
        {"who": ["p", "p"], "code": ["a", "b"], "on": [datetime.date(2024, 1, 2), datetime.date(2023, 1, 2)]}
    )
    assert seen(CodeSets.from_long(typed, subject="who", code="code", date="on")) == [[["b"], ["a"]]]


def test_ties_and_missing_dates_stand_as_in_the_file() -> None:
    rows = [
        ("p", "a", 9, None),
        ("p", "b", 8, "2024-01-01"),
        ("p", "c", 3, None),
        ("p", "d", 1, "2024-01-01"),
        ("p", "a", 1, None),
        ("p", "b", None, "2020-01-01"),
    ]
    assert seen(read(rows, visit="visit", date="date")) == [[["b"], ["a", "d"], ["a"], ["c"]]]


@pytest.mark.parametrize(
    ("early", "late"),
    [
        ("31.12.2023", "02.01.2024"),
        ("12/31/2023", "01/13/2024"),
        ("2023/12/31", "2024/01/02"),
        ("20231231", "20240102"),
        ("9", "10"),
        (9, 10),
        (9.0, None),
        (pd.Timestamp("2023-12-31", tz="Europe/Berlin"), pd.Timestamp("2024-01-01", tz="Europe/Berlin")),
        (datetime.datetime(2023, 12, 31, 10), datetime.datetime(2023, 12, 31, 11)),
    ],
)
def test_dates_are_read_in_many_forms(early: Any, late: Any) -> None:
    frame = pd.DataFrame({"who": ["p", "p"], "code": ["b", "a"], "visit": [1, 2], "on": [late, early]})
    data = CodeSets.from_long(frame, subject="who", code="code", visit="visit", date="on")
    assert seen(data) == [[["a"], ["b"]]]


def test_what_is_no_date_is_told_by_counts() -> None:
    with pytest.raises(DataError, match=r"column date — 1 of 2 different value\(s\) are not dates") as told:
        read([("p", "a", "2024-01-01"), ("p", "b", "secret"), ("q", "b", "secret")], date="date")
    assert "secret" not in str(told.value)
    with pytest.raises(DataError, match="ambiguous"):
        read([("p", "a", "01/02/2024")], date="date")
    with pytest.raises(DataError, match=r"column at — 1 of 1 different value\(s\) are not whole numbers"):
        read([("p", "a", 1, "first")], visit="visit", sequence="at")
    with pytest.raises(PolicyError, match="name the visit"):
        read([("p", "a", 1)], sequence="at")
    with pytest.raises(DataError, match="no column when"):
        CodeSets.from_long(pa.table({"who": ["p"], "code": ["x"]}), subject="who", code="code", date="when")
    with pytest.raises(DataError, match="orders nothing"):
        read([("p", "a", {"day": 1})], date="date")


def test_nothing_and_little() -> None:
    nothing = pa.table({name: pa.array([], pa.string()) for name in ("who", "code", "visit", "date", "at")})
    data = CodeSets.from_long(nothing, subject="who", code="code", visit="visit", date="date", sequence="at")
    assert seen(data) == []
    assert seen(read([("p", None, None, None)], visit="visit", date="date")) == [[]]
    assert seen(read([("p", "a", None), ("q", None, "2024-01-01")], date="date")) == [[], []]
    twice = read([("p", "a", 1, 5), ("p", "b", 1, 2), ("p", "a", 1, 1)], visit="visit", sequence="at")
    assert seen(twice) == [[["a", "b"]]]


def test_every_frame_and_who_uses_visits() -> None:
    columns = {
        "who": ["p", "p", "q"],
        "code": ["x", "y", "x"],
        "visit": [2, 1, 1],
        "on": ["2024-02-01", "2024-01-01", None],
    }
    for frame in (pd.DataFrame(columns), pl.DataFrame(columns), pa.table(columns)):
        data = CodeSets.from_long(frame, subject="who", code="code", visit="visit", date="on")
        assert seen(data) == [[["y"], ["x"]], [["x"]]]
        assert PrivacyPolicy.extract(data, 2, mode="visit").itemsets == (("y",),)
        assert CodeLinkage(knowledge="visit").mount(data).value is not None


rows_of_visits = st.lists(
    st.lists(st.lists(st.sampled_from(CODES), min_size=1, max_size=3, unique=True), max_size=4), max_size=5
)


@settings(max_examples=100, deadline=None)
@given(rows_of_visits, st.booleans())
def test_visits_come_back_as_they_went(rows: Any, ordered: bool) -> None:
    data = CodeSets.of_visits(rows, ordered=ordered, published=True)
    expected = rows if ordered else [[sorted(visit) for visit in visits] for visits in rows]
    assert seen(data) == expected
    again = CodeSets.of_visits(seen(data), ordered=ordered, published=True)
    assert seen(again) == expected
    assert data.visits is not None
    assert data.visits.by_person(data.records).items.tolist() == data.sets.items.tolist()


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from("pq"),
            st.sampled_from([*CODES, None]),
            st.sampled_from(["x", "y", "z", None]),
            st.sampled_from(["2024-01-01", "2024-01-02", "2023-07-07", None]),
            st.sampled_from([1, 2, None]),
        ),
        min_size=1,
        max_size=9,
    ),
    st.booleans(),
    st.booleans(),
    st.booleans(),
)
def test_the_order_is_as_defined(rows: Any, by_visit: bool, by_date: bool, by_place: bool) -> None:
    if not by_visit and not by_date:
        return
    columns = {"visit": "visit"} if by_visit else {}
    columns |= {"date": "date"} if by_date else {}
    columns |= {"sequence": "at"} if by_place else {}
    table = pa.table(
        {
            name: pa.array([row[i] for row in rows], pa.int64() if name == "at" else pa.string())
            for i, name in enumerate(("who", "code", "visit", "date", "at"))
        }
    )
    data = CodeSets.from_long(table, subject="who", code="code", **columns)
    assert seen(data) == plainly(rows, by_visit, by_date, by_place)


def plainly(rows: Any, by_visit: bool, by_date: bool, by_place: bool) -> list[list[list[str]]]:
    """The definition, with loops."""
    people = list(dict.fromkeys(row[0] for row in rows))
    found = []
    for person in people:
        visits: dict[str, list[Any]] = {}
        for at, row in enumerate(rows):
            name = row[2] if by_visit else row[3]
            if row[0] == person and name is not None:
                visits.setdefault(name, []).append((at, row))

        def when(lines: list[Any]) -> tuple[str, int]:
            dates = [row[3] for _, row in lines if row[3] is not None] if by_date else []
            return (min(dates, default="9999"), lines[0][0])

        told = []
        for lines in sorted(visits.values(), key=when):
            if by_place:
                lines = sorted(lines, key=lambda line: (line[1][4] is None, line[1][4] or 0, line[0]))
            codes = list(dict.fromkeys(row[1] for _, row in lines if row[1] is not None))
            if codes:
                told.append(codes if by_place else sorted(codes))
        found.append(told)
    return found


def test_what_is_kept_and_renumbered() -> None:
    visits = Visits.of_rows(CODES, [[["b", "a"], ["c"]], [["d", "a"]]], ordered=True)
    left = visits.kept(np.array([True, False, False, True, True]))
    assert left.listed(CODES, 2) == [[["a"]], [["d", "a"]]]
    merged = visits.renumbered(np.array([0, 0, -1, 1]))
    assert merged.listed(["ab", "d"], 2) == [[["ab"]], [["d", "ab"]]]
