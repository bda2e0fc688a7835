"""The judge reads months of every language that has a pack, from a list of its own."""

from __future__ import annotations

import pytest

from sharewell.notes import Known, NoKnownIdentifiers, Notes
from sharewell.notes.engine.checks.month_words import MONTH
from sharewell.notes.engine.gazetteer import plain
from sharewell.notes.matcher.language_packs import language_packs


@pytest.mark.parametrize("language", language_packs())
def test_the_months_of_a_pack_are_read(language: str) -> None:
    for number, spellings in enumerate(language_packs()[language].months, 1):
        assert MONTH[plain(spellings[0])] == number


@pytest.mark.parametrize(
    ("text", "survives"),
    [
        ("geb. 5. März 1961", True),
        ("geboren am 5. Maerz 61", True),
        ("nacido el 5 de marzo de 1961", True),
        ("5 de marzo del 1961", True),
        ("am 5. Mai 1961", False),
        ("2 weeks ago, 15 mg", False),
    ],
)
def test_a_date_of_the_row_survives_in_no_language(text: str, survives: bool) -> None:
    known = {"p": Known.of(dates=["1961-03-05", "1990-08-15"])}
    assert NoKnownIdentifiers().check(Notes.of([text], ["p"], known)).value == survives
