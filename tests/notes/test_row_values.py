"""The judge's own searches for what a text says beyond a row."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sharewell.notes.engine.checks.row_values import (
    dates_beyond,
    said_of_somebody,
    vocabulary,
    words_beyond,
    zips_beyond,
)

FORMS = (
    "%Y-%m-%d",
    "%d/%m/%Y",
    "%m/%d/%y",
    "%d.%m.%Y",
    "%d %B %Y",
    "%B %d, %Y",
    "%b %d %Y",
    "%d-%b-%Y",
    "%Y%m%d",
    "%d %b",
)


@given(st.dates(date(1990, 1, 1), date(2030, 1, 1)), st.sampled_from(FORMS))
def test_a_day_in_any_form_says_more_than_its_month(day: date, form: str) -> None:
    assert dates_beyond(f"Seen on {day.strftime(form)} at home.", [day.strftime("%Y-%m")])


@given(st.dates(date(1990, 1, 1), date(2030, 1, 1)), st.integers(32, 400))
def test_a_month_is_within_its_own_cell_and_no_other(day: date, days: int) -> None:
    other = day + timedelta(days)
    for form in ("%B %Y", "%m/%Y", "%Y-%m"):
        assert not dates_beyond(f"in {day.strftime(form)}", [day.strftime("%Y-%m")])
        assert dates_beyond(f"in {other.strftime(form)}", [day.strftime("%Y-%m")])
        assert dates_beyond(f"in {day.strftime(form)}", [day.strftime("%Y")])


@given(st.integers(0, 99999))
def test_a_zip_below_a_prefix_says_more(number: int) -> None:
    code = f"{number:05d}"
    assert zips_beyond(f"From {code}.", [f"{code[:3]}*"])
    assert not zips_beyond(f"From {code}.", [code])


def test_a_vocabulary_holds_what_a_column_shows() -> None:
    assert vocabulary(["{Boston,Quincy}", "New  York", "*", None, "X", "[1-2]", "12345"]) == {
        "boston",
        "quincy",
        "new york",
    }


@pytest.mark.parametrize("text", ["from New York.", "NEW-YORK", "in new\nyork,"])
def test_words_are_found_however_they_are_parted(text: str) -> None:
    assert words_beyond(text, "*", vocabulary(["New York"]))


@pytest.mark.parametrize(("text", "says"), [("Migraines.", True), ("Abscesses.", True), ("A migrainer.", False)])
def test_a_plural_says_as_much(text: str, says: bool) -> None:
    known = frozenset({"migraine", "abscess"})
    assert words_beyond(text, "*", known) == says
    assert not words_beyond(text, "{asthma,flu}", known)


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("Lee is 63.", ["63"]),
        ("Lee turned 63 and left", ["63"]),
        ("Rate was 63 bpm.", []),
        ("It is 63.5", []),
        ("INR was 2.", []),
    ],
)
def test_an_age_after_a_name(text: str, numbers: list[str]) -> None:
    assert said_of_somebody(text) == numbers


@pytest.mark.parametrize(
    "text",
    ["Mild asth-\nma.", "asth\r\n  ma", "A S T H M A", "a s t h m a, mild", "asth\u00adma", "asth- ma", "Mild as thma"],
)
def test_a_word_in_pieces_is_found(text: str) -> None:
    assert words_beyond(text, "{asthma,flu}", frozenset({"asthma", "flu"}))
    assert not words_beyond("A flight\nuntil noon, vitamin A b c.", "*", frozenset({"asthma", "flu"}))
