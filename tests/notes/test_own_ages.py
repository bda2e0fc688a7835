"""A number that is the row's own age is hidden beside a generalised age, whatever stands around it."""

from __future__ import annotations

from dataclasses import replace

import pyarrow as pa
import pytest
from tests.notes.test_row_agreement import KEY

from sharewell.notes import Known, Notes, Replace, TextAgreesWithTable
from sharewell.notes.annotation.own_ages import ages_by_row, births_by_row, own_age_mentions, own_year_mentions
from sharewell.notes.annotation.row_agreement import OwnColumns, RowAgreement
from sharewell.notes.data import ListedIdentifiers


@pytest.mark.parametrize("text", ["64 winters", "Sixty-four winters", "Seen: 64", "Aetat. 64!", "now (64)"])
def test_its_own_age_is_found_in_any_words(text: str) -> None:
    assert [mention.sort for mention in own_age_mentions(text, {63, 64})] == ["age"]


@pytest.mark.parametrize(
    "text",
    [
        *("64years", "is ~64", "A=64", "_64_", "age_64", "64jährig", "64j.", "64歳", "64½", "64male", "came -64"),
        *("64.0 at visit", "64.5 years", "64ish", "in the 64th year of life", "her 64th birthday"),
    ],
)
def test_its_own_age_is_found_beside_letters_and_signs(text: str) -> None:
    (mention,) = own_age_mentions(text, {64})
    assert text[mention.start : mention.end] == "64"


@pytest.mark.parametrize(
    "text",
    [
        *("64mg", "64d", "64A", "T64", "555-64", "64:10", "64th street", "64th percentile", "#64", "HR=64", "K+ 64"),
        *("64-70", "64µg", "3+64", "64,000", "0.64"),
    ],
)
def test_doses_codes_and_parts_of_other_numbers_stay(text: str) -> None:
    assert not list(own_age_mentions(text, {64}))


@pytest.mark.parametrize(
    "text",
    ["HR 64", "64 mg", "BP 120/64", "64.5", "1964", "weight was 64", "64%", "bed 64", "64 bpm", "a64", "65 winters"],
)
def test_measures_and_other_numbers_stay(text: str) -> None:
    assert not list(own_age_mentions(text, {64}))


def test_an_age_comes_from_its_column_or_from_birth_and_visit() -> None:
    own = {"age": ["64", "x", None], "born": [None, "1960-01-02", "02.01.1960"], "seen": ["2024-01-01"] * 3}
    assert ages_by_row(own, ("age",), ("born",), 3) == [{64, 65}, {63, 64, 65}, {63, 64, 65}]


@pytest.mark.parametrize("text", ["a child of 1960", "Jahrgang 1960", "né en 1960,", "b 1960", "vintage 1960."])
def test_its_own_year_of_birth_is_found_in_any_words(text: str) -> None:
    assert [(mention.sort, mention.value) for mention in own_year_mentions(text, {1960})] == [("birth", "1960")]


@pytest.mark.parametrize("text", ["1960-05-03", "03.05.1960", "1960 ml", "11960", "room 1960", "1961", "1960/4"])
def test_dates_and_measures_with_its_figures_stay(text: str) -> None:
    assert not list(own_year_mentions(text, {1960}))


def test_a_year_of_birth_comes_from_its_column_or_from_age_and_visit() -> None:
    own = {"age": ["64", None, "3", "64"], "born": [None, "02.01.1960", None, "1959"], "seen": ["2024-01-01"] * 4}
    assert births_by_row(own, ("age",), ("born",), 4) == [{1959, 1960}, {1960}, frozenset(), {1959, 1960}]


def test_a_year_of_birth_does_not_stay_beside_a_generalised_age() -> None:
    own: dict[str, list[str | None]] = {"age": ["64"], "seen": ["2024-01-01"]}
    row = {"age": "[60-69]", "city": "Memphis"}
    assert rewritten("A child of 1959, well.", row, own) == "A child of [date], well."
    assert rewritten("Pump from 1975, well.", row, own) == "Pump from 1975, well."


def rewritten(
    text: str, row: dict[str, str], own: dict[str, list[str | None]], known: Known | None = None
) -> str | None:
    people = ListedIdentifiers({"p": known}) if known else None
    notes = Notes(texts=(text,), persons=("p",), people=people)
    judge = TextAgreesWithTable(ages=("age",), places=("city",))
    columns = OwnColumns(own, ("age",), ("born",))
    values = {"city": ("Nashville", "Memphis", "Knoxville")}
    mechanism = RowAgreement.of(Replace(), judge, notes, [row], values, columns)
    made = mechanism.protect(notes, [], KEY)
    return next(iter(made.data.texts), None)


def test_the_row_s_own_age_becomes_its_cell() -> None:
    row = {"age": "[60-69]", "city": "Memphis"}
    assert rewritten("Has seen 64 winters; HR 64.", row, {"age": ["64"]}) == "Has seen 60-69 winters; HR 64."
    assert rewritten("Has seen 64 winters.", {**row, "age": "64"}, {"age": ["64"]}) == "Has seen 64 winters."


def test_a_cell_that_names_the_person_s_own_town_is_not_written_into_the_text() -> None:
    """Else the search for what is known of the person would find the town in its own cell, and refuse all texts."""
    row = {"age": "64", "city": "{Memphis,Nashville}"}
    known = Known.of(names=["Ann Lee"], places=["Nashville"])
    assert rewritten("Moved from Memphis.", row, {}, known) == "Moved from [place]."
    assert rewritten("Moved from Memphis.", row, {}) == "Moved from {Memphis,Nashville}."


def test_a_race_in_the_text_becomes_the_cell_of_its_row() -> None:
    """To be called black beside `{Asian,Black}` tells more than the row."""
    texts = ("The patient is black and smokes. Had asian flu.", "The patient is white.")
    notes = Notes(texts=texts, persons=("p", "q"))
    judge = TextAgreesWithTable(traits=("race",))
    rows = [{"race": "{Asian,Black}"}, {"race": "White"}]
    mechanism = RowAgreement.of(Replace(), judge, notes, rows, {"race": ("Asian", "Black", "White", "5.5")})
    made = mechanism.protect(notes, [], KEY).data
    assert "The patient is {Asian,Black} and smokes. Had {Asian,Black} flu." in made.texts
    assert "The patient is white." in made.texts
    shown = pa.table({"race": ["{Asian,Black}", "White"]})
    before, after = (replace(one, beside=shown) for one in (notes, made))
    assert (judge.check(before).value, judge.check(after).value) == (1, 0)
