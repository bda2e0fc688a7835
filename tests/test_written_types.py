"""Columns of text that are really dates or numbers."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from sharewell.io.cleaning import Cleaning
from sharewell.io.yaml_positions import parse
from sharewell.policy.cleaning import FileDefaults, cleanings
from sharewell.policy.mistakes import MistakeCollector
from sharewell.written_types import free_text, mistyped

DATES = ["01.02.1950", "1951-03-04", "1.12.1960", "17.5.1971"]


@pytest.mark.parametrize(
    ("values", "what", "cleaning"),
    [
        (DATES, "dates", '{date: ["%d.%m.%Y", "%Y-%m-%d"]}'),
        ([*DATES, "not known"], "dates", '{date: ["%d.%m.%Y", "%Y-%m-%d"], unreadable: missing}'),
        (["01/02/2020", "03/04/2020"], "dates", '{date: ["%d/%m/%Y"]}'),
        (["13/02/2020", "02/14/2020", "01/02/2020"], "dates", '{date: ["%d/%m/%Y", "%m/%d/%Y"], day_first: true}'),
        (["02/13/2020", "02/14/2020"], "dates", '{date: ["%m/%d/%Y"]}'),
        (["2020-01-02T10:11:12", "2020-01-02T11:11:12"], "dates", '{date: ["%Y-%m-%dT%H:%M:%S"]}'),
        (["2020-01-02T10:11:12+02:00", "2020-01-02T11:11:12Z"], "dates", '{date: ["%Y-%m-%dT%H:%M:%S%z"]}'),
        (["2020-01-02 10:11 UTC", "2020-01-03 10:11 +0100"], "dates", '{date: ["%Y-%m-%d %H:%M %z"]}'),
        (["12-MAR-1950", "1-jan-1951"], "dates", '{date: ["%d-%b-%Y"]}'),
        (["72,5", "81", "64,0"], "numbers", '{number: {decimal: ","}}'),
        (["1,072.5", "81", "64.0"], "numbers", '{number: {thousands: ","}}'),
        (["1.072,5", "81", "64,0"], "numbers", '{number: {decimal: ",", thousands: "."}}'),
        (["72.5", "81", "64", "3", "?"], "numbers", "{number: true, unreadable: missing}"),
        ([" 72", "81 ", "64"], "numbers", "{number: true}"),
        (["$1,234.50", "$81.00", "($64.00)"], "numbers", '{number: {thousands: ",", unit: "$"}}'),
        (["37,6 %", "41,0 %", "50 %"], "numbers", '{number: {decimal: ",", unit: "%"}}'),
    ],
)
def test_the_advice_reads_what_it_counts(values: list[str], what: str, cleaning: str) -> None:
    found = mistyped(pa.array(values))
    assert found is not None
    assert (found.what, found.cleaning) == (what, cleaning)
    reading = MistakeCollector(parse(f"x: {cleaning}"), Path())
    meant = cleanings(reading, reading.document.plain, (), FileDefaults())["x"]
    account = meant.apply(pa.chunked_array([pa.array(values)]))[1]
    assert not reading.mistakes
    assert meant.problem(account) is None
    assert found.count == found.of - account.unread


@pytest.mark.parametrize(
    "values",
    [
        [],
        ["F", "M"],
        ["1", "U"],
        ["02139", "94110", "10001", "60601"],
        ["E11.9", "I10", "250.00", "401.9"],
        ["70-79", "80-89", "90+"],
        ["5 mg", "10 mg", "20 mg"],
        ["1.2.3", "1.2.4", "2.0.1"],
        ["555-1234", "555-4321", "555-9999"],
        ["30/02/2020", "31/04/2021"],
    ],
)
def test_text_and_codes_are_left_alone(values: list[str]) -> None:
    assert mistyped(pa.array(values, pa.string())) is None


def test_times_of_day_are_generalised_and_not_listed() -> None:
    minutes = [f"{hour:02}:{minute:02}:{minute:02}" for hour in range(24) for minute in (7, 43)]
    found = mistyped(pa.array(minutes))
    assert found is not None
    what, advice = found.problem("seen")
    assert what == "read as categories, but 48 of 48 different values are times of day"
    assert advice.startswith("generalise it with `hierarchy: prefix`")
    assert mistyped(pa.array([f"{hour:02}:00" for hour in range(24)])) is None


def test_four_in_five_is_the_rule() -> None:
    assert mistyped(pa.array(["1.5", "2,5", "3,5", "4,5", "5,5"])) is not None
    assert mistyped(pa.array(["1.5", "2,5", "3,5", "4,5"])) is None


@pytest.mark.parametrize(
    ("values", "unclear"),
    [
        (["01/02/2020", "03/04/2020"], True),
        (["13/02/2020", "03/04/2020"], False),
        (["2020-02-01", "01.02.2020"], True),
        (["2020-02-01", "2020/02/03"], False),
        (["1 March 2020", "2 March 2020"], False),
    ],
)
def test_an_order_that_nothing_decides_is_left_to_the_steward(values: list[str], unclear: bool) -> None:
    found = mistyped(pa.array(values))
    assert found is not None
    assert found.unclear is unclear
    assert found.problem("x")[1].startswith("ask whether the day comes first") is unclear


def test_it_says_what_to_do() -> None:
    found = mistyped(pa.array(DATES))
    assert found is not None
    clean = 'read it with `clean: {born: {date: ["%d.%m.%Y", "%Y-%m-%d"]}}` under `read`'
    assert found.problem("born") == (
        "read as text, but 4 of 4 different values are dates",
        f"{clean}, or say `type: text`",
    )
    assert found.problem("born", may_be_text=False)[1] == f"{clean}, or give it another role"
    assert Cleaning(date=("%d.%m.%Y", "%Y-%m-%d")).apply(pa.chunked_array([DATES]))[1].unread == 0


def test_sentences_are_free_text_however_often_they_repeat() -> None:
    """A set of them would tell of people, word by word; categories of several words are no sentences."""
    remarks = pa.array([f"Sr. Araújo{i} refere melhoria." for i in range(30)])
    wards = pa.array([f"outpatients of the clinic {i}" for i in range(30)])
    for filled in (30, 3000):
        assert free_text(remarks, filled) is not None
    assert (free_text(wards, 30) is None, free_text(wards, 3000)) == (False, None)
    assert free_text(remarks.slice(0, 19), 3000) is None
