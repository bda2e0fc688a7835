"""What a judge takes for a published range of ages: wordings that say the whole range, and none that says a part."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sharewell.notes import TextAgreesWithTable
from sharewell.notes.engine.checks.cell_wordings import CELL, without_ages


@given(st.integers(1, 100), st.integers(1, 20), st.integers(1, 100), st.integers(1, 20))
def test_only_the_range_itself_is_taken_out(low: int, width: int, other: int, other_width: int) -> None:
    """Against an enumeration: a wording of another set of ages stays whole."""
    cell = f"[{low}-{low + width}]"
    shown = f"{other}-{other + other_width}"
    same = (low, width) == (other, other_width)
    assert without_ages(f"aged {shown}.", [cell]) == (f"aged {CELL}." if same else f"aged {shown}.")
    decade = f"{10 * (other // 10)}s"
    covers = range(10 * (other // 10), 10 * (other // 10) + 10) == range(low, low + width + 1) and 20 <= low <= 90
    assert (without_ages(f"in their {decade}", [cell]) == f"in their {CELL}") is covers


@pytest.mark.parametrize("part", ["early", "mid", "late", "upper", "lower", "mid-", "early-", "Late", "young"])
def test_a_part_of_a_decade_is_not_the_decade(part: str) -> None:
    text = f"in their {part} 60s".replace("- ", "-")
    assert "60s" in without_ages(text, ["[60-69]"])


@pytest.mark.parametrize("text", ["1960s", "'60s", "60-691", "160-69", "1.60-69", "60-69/5", "60st"])
def test_other_numbers_stay(text: str) -> None:
    assert without_ages(text, ["[60-69]"]) == text


@pytest.mark.parametrize(
    ("text", "more"),
    [
        ("A person in their 60s.", False),
        ("Age 60s; 60-69 years old; a 60-69-year-old.", False),
        ("A person in their early 60s.", True),
        ("A person in their 70s.", True),
        ("A person in their 60s, aged 63.", True),
        ("Aged 63-65.", True),
        ("Pt 60-64 presents.", True),
        ("Patients waited 60 to 80 minutes; BP 60-70 later.", False),
        ("Between 61 and 63 years old.", True),
        ("From 20 to 30 years ago.", False),
        ("Looks 62ish.", True),
        ("Born in the late fifties.", True),
        ("Born in the '60s.", True),
        ("Seen in the 60s ward.", False),
    ],
)
def test_the_judge_of_texts_beside_a_table(text: str, more: bool) -> None:
    judge = TextAgreesWithTable(ages=("age",))
    assert (judge.beyond(text, {"age": "[60-69]"}, {}) == {"age"}) is more
    assert not re.search(CELL, text)
