"""Each guard says yes and no."""

from __future__ import annotations

import re

import pytest

from sharewell.notes.engine.spans import Text
from sharewell.notes.matcher.named_guards import guard
from sharewell.notes.matcher.rule import Candidate

LISTS = {"colours": frozenset(["red", "blue"])}
ASKED = [
    ("ean", "[756.9217.0769.85]", "[756.9217.0769.84]"),
    ("iban", "[DE89 3704 0044 0532 0130 00]", "[DE89 3704 0044 0532 0130 01]"),
    ("german_insured", "[A123456780]", "[A123456781]"),
    ("german_tax", "[86095742719]", "[86095742718]"),
    ("german_pension", "[65170839J003]", "[65170839J004]"),
    ("austrian_insured", "[1237 010180]", "[1238 010180]"),
    ("spanish_identity", "[12345678Z]", "[12345678A]"),
    ("spanish_insured", "[28 12345678 40]", "[28 12345678 41]"),
    ("mexican_curp", "[BOXW310820HNERXN09]", "[BOXW310820HNERXN08]"),
    ("chilean_rut", "[12.345.678-5]", "[12.345.678-6]"),
    ("begins_in:colours", "[Red Blue House]", "[Green Red]"),
    ("ends_in:colours", "[house red]", "[red house]"),
    ("ends_not_in:colours", "[red house]", "[house red]"),
    ("no_capital_in:colours", "[red House]", "[Red house]"),
    ("caseless_note", "ANNA WENT TO THE [SHOP]", "Anna went to the [shop]"),
    ("luhn", "[4111 1111 1111 1111]", "[4111 1111 1111 1112]"),
    ("not_clocks", "[0830 0999]", "[0830 0915]"),
    ("not_round", "[500 251]", "[500 250]"),
    ("not_a_numeric_date", "[503 555 0142]", "[3/4/2021]"),
    ("has_letter", "[a1]", "[11]"),
    ("no_range_of_years", "[2019-05]", "[2010-12]"),
    ("may_in_cased_note", "Since [May] she is well", "SINCE [MAY] SHE IS WELL"),
    ("no_short_shout", "in [Oct] she came", "in [OCT] she came"),
    ("is_none_of:colours", "[green]", "[red]"),
    ("capital", "[Anna]", "[anna]"),
    ("cased_note", "Anna went to the [shop]", "ANNA WENT TO THE [SHOP]"),
    ("small_word_before", "awoke [1430]", "Ward [1430]"),
    ("british_spells", "for [4/7], then 3/52", "for [4/7]"),
    ("ends_in_eponym", "[circle of Willis]", "[circle of friends]"),
    ("digits_at_least:3", "[1-23]", "[1-2]"),
    ("digits_at_most:2", "[1-2]", "[1-23]"),
    ("alphanumerics_at_least:3", "[a:bc]", "[a:b]"),
    ("after:colours", "red [x]", "green [x]"),
    ("not_after:colours", "green [x]", "blue, [x]"),
    ("not_followed_by:colours", "[x] green", "[x] red"),
    ("holds_none:colours", "[green 5]", "[red 5]"),
    ("prefix_not_in:colours", "[green-12]", "[red-12]"),
    ("short_prefix_not_in:colours", "[red-12345]", "[red-12]"),
    ("falling_pair", "[4410-77]", "[100-1500]"),
    ("last_word_no_word", "[134 SAH]", "[134 the]"),
    ("near:colours", "[x] and then blue", "[x] and then"),
    ("not_shouted", "Anna saw [Bo] today", "Anna saw [BOB] today and was glad"),
    ("quiet_note", "Anna saw [Bo]", "ANNA SAW [BO]"),
    ("small_or_caseless", "Anna saw [bob] today", "Anna saw [Bob] today"),
    ("uncommon_word", "[Ketner Hill]", "[red hill]"),
    ("uncommon_if_alone", "[Ketner]", "[house]"),
    ("comma_or_code", "from [Reno] 89501 today", "from [Reno] today"),
    ("city_and_no_person", "lives in [Reno]", "saw [Smith] today"),
    ("telling:colours", "[green house]", "[red house]"),
    ("uncommon_name:colours", "[Ketner house]", "[red house]"),
    ("initials_not_in:colours", "[R.D.]", "[R.E.D.]"),
    ("all_people", "[Swanson and Hughes]", "[Aspirin and Codeine]"),
    ("no_english_word", "[krmc]", "[house]"),
    ("no_country", "[Reno]", "[mexico]"),
    ("large_place", "[Chicago]", "[Ottumwa]"),
    ("american_place", "[Ottumwa]", "[Blorp]"),
    ("no_acronym", "[qzw]", "[ecg]"),
    ("initials_in_capitals", "[QZ]", "[Qz]"),
    ("two_syllables", "[Hyun-woo]", "[Follow-up]"),
    ("ends_in_surname", "[J. Kowalczyk]", "[E. the]"),
    ("like_a_name", "[Janina]", "[house]"),
    ("given_name", "Ask [Janina] now", "Ask [house] now"),
    ("mostly_latin", "Seen [王] today", "[漢字]"),
]


def asked(name: str, marked: str) -> bool:
    start, end = marked.index("["), marked.index("]") - 1
    text = Text.of(re.sub(r"[\[\]]", "", marked))
    match = re.compile(re.escape(text[start:end])).search(text)
    assert match
    return guard(name, LISTS.__getitem__)(Candidate(text, match, start, end))


@pytest.mark.parametrize(("name", "yes", "no"), ASKED)
def test_a_guard_says_yes_and_no(name: str, yes: str, no: str) -> None:
    assert asked(name, yes)
    assert not asked(name, no)


def test_a_month_in_two_parts_is_put_together() -> None:
    text = Text.of("Octo-\nber well-\nknown")
    halves = re.compile(r"(?P<head>\w+)-\n(?P<tail>\w+)")
    asked = guard("split_month", LISTS.__getitem__)
    assert [asked(Candidate(text, match, *match.span())) for match in halves.finditer(text)] == [True, False]
