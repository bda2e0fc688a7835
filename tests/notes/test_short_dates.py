"""Days and months in numbers alone, by the words around them, by their numbers, or like others of the note."""

from __future__ import annotations

import pytest
from marked_text import check, found

from sharewell.notes.detectors.short_dates import ShortDates, can_be

FOUND = [
    "seen on [4/18], back [5/2]",
    "echo [3/30]: normal",
    "admitted [2/14] 0830",
    "away [12/3-12/9]",
    "stent placed [6/22], drain pulled [6/27]",
]
NOTHING = ["strength 5/5, pain 6/10, BP 120/80", "2/7 of cough", "take 1-2 tabs, 3-5 days"]


@pytest.mark.parametrize("marked", FOUND)
def test_days_are_found(marked: str) -> None:
    check(ShortDates(), marked)


@pytest.mark.parametrize("text", NOTHING)
def test_scales_and_spells_are_not(text: str) -> None:
    assert not found(ShortDates(), text)


def test_a_month_and_a_day() -> None:
    assert can_be(12, 31)
    assert not can_be(13, 1)
    assert not can_be(1, 32)
