"""Each guard of ages and doses says yes and no."""

from __future__ import annotations

import re

import pytest
from test_guards import LISTS, asked

from sharewell.notes.engine.spans import Text
from sharewell.notes.matcher.named_guards import guard
from sharewell.notes.matcher.rule import Candidate

ASKED = [
    ("near_drug:8", "gave heparin, [5] more", "gave heparin to the patient, [5] more"),
    ("drug_in_sentence:9", "gave heparin, [5] more", "gave heparin. Bed [5] more"),
    ("beside_drug", "[1%] lidocaine", "[1%] given, lidocaine"),
    ("drug_next", "[50 of ]benadryl", "[50 of ]them"),
    ("bare_dose", "etomidate[ 20]", "pressors[ 20]"),
    ("some_in_sentence:colours", "red, [5 ml] of it", "red. Then [5 ml] of it"),
    ("none_in_sentence:colours", "red. Then [5 ml] of it", "red, [5 ml] of it"),
    ("none_before:colours", "red. She is [95]", "red and [95]"),
    ("tells_a_great_age", "born [1921], seen 2016", "born [1931], seen 2016"),
]


@pytest.mark.parametrize(("name", "yes", "no"), ASKED)
def test_a_guard_says_yes_and_no(name: str, yes: str, no: str) -> None:
    assert asked(name, yes)
    assert not asked(name, no)


def test_a_name_before_an_age_is_no_frequent_word() -> None:
    text = Text.of("Rosalind is 98. Total is 98. is 98")
    named, guarded = re.compile(r"(?:(?P<name>[A-Z]\w+) )?is 98"), guard("named_uncommon", LISTS.__getitem__)
    assert [guarded(Candidate(text, match, *match.span())) for match in named.finditer(text)] == [True, False, True]
