"""The judge of texts beside rows: every way of saying more than a cell, and what it lets pass."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import pyarrow as pa
import pytest

from sharewell.notes import Notes, TextAgreesWithTable
from sharewell.notes.criteria.text_agrees_with_table import NO_COLUMNS


def beyond(text: str, judge: TextAgreesWithTable, **row: str) -> bool:
    beside = pa.table({name: [cell, *others] for name, (cell, *others) in _columns(row).items()})
    texts = [text, *[""] * (beside.num_rows - 1)]
    return judge.check(replace(Notes.of(texts), beside=beside)).value == 1


def _columns(row: dict[str, str]) -> dict[str, list[str]]:
    """Every column also shows its vocabulary in a second row."""
    return {
        name: [cell, "{Boston,asthma,Type 2 diabetes}" if name in ("city", "illness") else cell]
        for name, cell in row.items()
    }


@pytest.mark.parametrize(
    ("text", "cell", "says_more"),
    [
        ("63-year-old", "[60-69]", True),
        ("[60-69]-year-old", "[60-69]", False),
        ("Her mother died at age 81.", "[60-69]", True),
        ("DOB 3/5/1961", "[60-69]", True),
        ("sixty-three years old", "*", True),
        ("Mr. Lee is sixty-three.", "*", True),
        ("63-year-old", "63", False),
        ("took 63 mg", "[60-69]", False),
        ("in her sixties", "[60-69]", True),
        ("HR 63, BP 120/63", "*", False),
    ],
)
def test_ages(text: str, cell: str, says_more: bool) -> None:
    assert beyond(text, TextAgreesWithTable(ages=("age",)), age=cell) is says_more


@pytest.mark.parametrize(
    ("text", "cell", "says_more"),
    [
        ("on 3/5/2016", "2016-03", True),
        ("on 5 March", "2016-03", True),
        ("March 2016", "2016-03", False),
        ("March 2016", "2016", True),
        ("04/2016", "2016-03", True),
        ("in 2016", "2016", False),
        ("in 2015", "2016", True),
        ("2016-03-05", "[2016-03-01..2016-03-31]", True),
        ("[2016-03-01..2016-03-31]", "[2016-03-01..2016-03-31]", False),
        ("she may 5 times a day walk", "*", False),
        ("1950 mg, $2000", "*", False),
    ],
)
def test_dates(text: str, cell: str, says_more: bool) -> None:
    assert beyond(text, TextAgreesWithTable(dates=("seen",)), seen=cell) is says_more


@pytest.mark.parametrize(
    ("text", "cell", "says_more"),
    [
        ("MA 02139", "021*", True),
        ("lives in 02139", "021*", True),
        ("021*", "021*", False),
        ("12345 steps", "021*", False),
        ("lives near LS6", "LS*", True),
        ("moved to the LS6 area", "*", True),
        ("LS6 2AB", "LS6 *", True),
        ("lives near LS6", "LS6 *", False),
        ("lives with pain at L5, CO2 30", "*", False),
    ],
)
def test_zip_codes(text: str, cell: str, says_more: bool) -> None:
    assert beyond(text, TextAgreesWithTable(zips=("zip",)), zip=cell) is says_more


@pytest.mark.parametrize(
    ("text", "cell", "says_more"),
    [
        ("Has ASTHMA.", "{asthma,flu}", True),
        ("type-2 diabetes", "*", True),
        ("Asthma", "*", True),
        ("asthma", "asthma", False),
        ("bronchitis", "{asthma,flu}", False),
        ("type 2 diabetes", "{asthma,flu}", False),
        ("{asthma,flu}", "{asthma,flu}", False),
        ("asthmatic", "*", False),
    ],
)
def test_words_of_a_column(text: str, cell: str, says_more: bool) -> None:
    """A word that the row's cell excludes is about something else."""
    assert beyond(text, TextAgreesWithTable(diagnoses=("illness",)), illness=cell) is says_more


def test_a_label_of_a_hierarchy_is_no_value() -> None:
    judge = TextAgreesWithTable(diagnoses=("illness",), labelled=("illness",))
    assert beyond("has asthma", judge, illness="respiratory")
    assert not beyond("respiratory failure", judge, illness="respiratory")


@pytest.mark.parametrize(
    ("text", "says_more"), [("E11.9", True), ("ICD: E11", True), ("E11", False), ("vitamin B12", False), ("T12", False)]
)
def test_codes(text: str, says_more: bool) -> None:
    assert beyond(text, TextAgreesWithTable(codes=("code",)), code="ch04") is says_more


@pytest.mark.parametrize("sort", ["age", "birth"])
def test_a_dropped_column_lets_nothing_be_said(sort: Literal["age", "birth"]) -> None:
    judge = TextAgreesWithTable(hidden=(sort,))
    assert judge.check(Notes.of(["A 63-year-old."])).value == 1
    assert judge.check(Notes.of(["An [age]-year-old."])).value == 0


def test_a_sex_may_be_said_only_where_it_is_published() -> None:
    judge = TextAgreesWithTable(sexes=("sex",))
    assert beyond("She is well.", judge, sex="*")
    assert beyond("A man.", judge, sex="{F,M}")
    assert not beyond("She is well.", judge, sex="F")
    assert TextAgreesWithTable(hidden=("sex",)).check(Notes.of(["She is well."])).value == 1


def test_without_the_columns_it_is_undecided_and_fails() -> None:
    found = TextAgreesWithTable(ages=("age",)).check(Notes.of(["Well."]))
    assert (found.ok, found.note, found.failed) == (None, NO_COLUMNS, True)
