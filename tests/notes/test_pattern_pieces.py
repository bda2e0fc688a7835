"""Pieces of patterns that rules and code share."""

from __future__ import annotations

import re
from itertools import product

import pytest

from sharewell.calendar_names import MONTH_WORDS, WEEKDAYS
from sharewell.errors import PolicyError
from sharewell.io.shipped import package_files, package_text
from sharewell.notes.engine.pattern_pieces import DOSE_UNIT, MEASURE, MONTH, PIECES, SHORT_MONTH, TITLE, WEEKDAY
from sharewell.notes.engine.word_lists import TITLES
from sharewell.notes.matcher import rule_files

RULE = """
kind = "DATE"
{pieces}
[[rule]]
name = "one"
certainty = 0.9
digits = [1, 2]
pattern = '\\d{{1,2}} {{{name}}}'
found = ["[[3 May]]"]
not_found = ["3 x"]
"""


def test_a_month_is_every_way_to_write_it_and_no_part_of_it() -> None:
    parts = {word[:length] for word in MONTH_WORDS for length in range(3, len(word) + 1)}
    assert {part for part in parts if re.fullmatch(MONTH, part)} == MONTH_WORDS
    assert {part[:3] for part in parts} == {part for part in parts if re.fullmatch(SHORT_MONTH, part)}


def test_every_weekday_and_title_is_one() -> None:
    assert all(re.fullmatch(WEEKDAY, day) for day in WEEKDAYS)
    assert {word for word in (*TITLES, "mrss", "drs") if re.fullmatch(TITLE, word)} == TITLES


@pytest.mark.parametrize(
    ("gap", "unit"), list(product(("", " "), ("mg", "mcg", "ml", "unit", "units", "kg", "bpm", "%")))
)
def test_a_number_before_a_unit_measures_something(gap: str, unit: str) -> None:
    assert re.match(MEASURE, gap + unit)
    assert not re.match(MEASURE, f"{gap}, {unit}")


@pytest.mark.parametrize("name", PIECES)
def test_a_rule_may_name_any_piece(name: str) -> None:
    [rule] = rule_files.parse(RULE.format(name=name, pieces=""), "own.toml", "own", own=False)
    assert rule.pattern == r"\d{1,2} " + PIECES[name]


def test_a_piece_of_its_own_comes_first() -> None:
    own = RULE.format(name="month", pieces="[pieces]\nmonth = 'May'\n")
    [rule] = rule_files.parse(own, "own.toml", "own", own=False)
    assert rule.pattern == r"\d{1,2} May"
    with pytest.raises(PolicyError, match="no piece"):
        rule_files.parse(RULE.format(name="moonth", pieces=""), "own.toml", "own", own=False)


def test_no_shipped_rule_has_a_list_of_months_or_dose_units_of_its_own() -> None:
    files = [*package_files("notes/rules", ".toml"), *package_files("notes/locales", ".toml")]
    spelt = re.compile(rf"jan\|feb\|mar\|apr|(?:{DOSE_UNIT})(?:\|(?:{DOSE_UNIT})){{2}}")
    # What a dose may be counted in is the matter of the rules of doses, which tell one unit from another.
    assert {file for file in files if spelt.search(package_text(file))} <= {"notes/rules/doses.toml"}
