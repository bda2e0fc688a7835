"""Dates of language packs move as dates in English do, and keep their spelling."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from sharewell.notes.matcher.language_packs import language_packs
from sharewell.notes.replacers.dates import DateRewriter
from sharewell.notes.replacers.foreign_dates import ForeignDates, in_language, years_of_months


def dates(language: str, shift: int = 29, row: frozenset[tuple[int, int]] = frozenset()) -> ForeignDates:
    return in_language(DateRewriter(shift, row, day_first=True), language_packs()[language])


@pytest.mark.parametrize(
    ("language", "written", "moved"),
    [
        ("german", "3. März 2024", "1. April 2024"),
        ("german", "03.05.2016", "01.06.2016"),
        ("german", "3.5.", "1.6."),
        ("german", "Montag, 3. Mai 2021", "Dienstag, 1. Juni 2021"),
        ("german", "Mo, 03.05.", "Di, 01.06."),
        ("german", "3. Okt. 2024", "1. Nov. 2024"),
        ("german", "3. JÄNNER 2020", "1. FEBRUAR 2020"),
        ("german", "März 2021", "2021"),
        ("german", "März", None),
        ("german", "31. Februar 2021", None),
        ("spanish", "3 de marzo de 2024", "1 de abril de 2024"),
        ("spanish", "martes 3 de mayo de 2022", "miércoles 1 de junio de 2022"),
        ("spanish", "3/5/2021", "1/6/2021"),
        ("spanish", "3-may-21", "1-jun-21"),
        ("spanish", "12 de ene", "10 de feb"),
        ("spanish", "mayo de 2021", "2021"),
    ],
)
def test_dates_move(language: str, written: str, moved: str | None) -> None:
    assert dates(language).shifted(written, near=2022) == moved


@pytest.mark.parametrize("language", language_packs())
@pytest.mark.parametrize("shift", [-300, -1, 1, 29, 364])
def test_every_month_moves_to_the_right_day(language: str, shift: int) -> None:
    months = language_packs()[language].months
    link = " de " if language == "spanish" else " "
    for number, spellings in enumerate(months, 1):
        new = date(2021, number, 15) + timedelta(shift)
        moved = dates(language, shift).shifted(f"15{link}{spellings[0]}{link}2021")
        assert moved == f"{new.day}{link}{months[new.month - 1][0]}{link}{new.year}"


def test_a_day_of_the_row_becomes_its_year_and_old_births_no_year() -> None:
    assert dates("german", row=frozenset({(4, 1)})).shifted("3. März 2024") == "2024"
    assert dates("german").shifted("3. März 1920", birth=True) == dates("german").shown_year(1920, birth=True) != "1920"
    assert dates("german").years("3. März 2024") == "2024"
    assert dates("german").years("3. März") is None
    assert years_of_months("3 de marzo de 2024", language_packs()["spanish"]) == [2024]
