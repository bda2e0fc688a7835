"""Do persons have the same identifiers in two releases of codes?"""

from __future__ import annotations

import random

import numpy as np
import pyarrow as pa

from sharewell.codes import CodeSets
from sharewell.codes.engine.code_identifier_doubts import agreement, code_identifier_doubts
from sharewell.codes.engine.joined_sets import LinkedSets
from sharewell.people_evidence import PeopleEvidence


def linked(title: str, rows: list[list[str]], persons: list[str], claimed: bool = False, file: str = "") -> LinkedSets:
    people = PeopleEvidence("names", file, pa.array(persons), np.arange(len(rows)))
    return LinkedSets(title, CodeSets.of(rows, published=True), people, same_identifiers=claimed)


DRAW = random.Random(5)
ROWS = [DRAW.sample(["a", "b", "c", "d", "e", "f"], 2) for _ in range(40)]
NAMES = [f"p{i}" for i in range(40)]
NUMBERS = np.arange(40)


def test_the_same_people_a_year_later_look_alike() -> None:
    later = [[*row, "g"] if i % 3 else row[:1] for i, row in enumerate(ROWS)]
    assert code_identifier_doubts([linked("one", ROWS, NAMES), linked("two", later, NAMES)]) == []


def test_wider_labels_and_suppressed_codes_still_fit() -> None:
    wide = [[{"a": "(a,b)", "b": "(a,b)"}.get(code, code) for code in row if code != "f"] for row in ROWS]
    found = agreement(CodeSets.of(ROWS, published=True), CodeSets.of(wide, published=True), NUMBERS, NUMBERS)
    assert found == 1


def test_strangers_under_the_same_identifiers_are_noticed() -> None:
    dealt = ROWS[7:] + ROWS[:7]
    (doubt,) = code_identifier_doubts([linked("one", ROWS, NAMES), linked("two", dealt, NAMES)])
    assert "look like those of strangers in one and two" in doubt
    assert code_identifier_doubts([linked("one", ROWS, NAMES, True), linked("two", dealt, NAMES, True)]) == []
    assert code_identifier_doubts([linked("one", ROWS, NAMES, file="f"), linked("two", dealt, NAMES, file="f")]) == []


def test_newcomers_are_noticed() -> None:
    (doubt,) = code_identifier_doubts([linked("one", ROWS, NAMES), linked("two", ROWS, [f"n{i}" for i in range(40)])])
    assert "fewer than half of the persons are in both" in doubt


def test_few_persons_and_labels_of_everybody_say_nothing() -> None:
    few = CodeSets.of(ROWS[:9], published=True)
    assert agreement(few, few, NUMBERS[:9], NUMBERS[:9]) is None
    same = CodeSets.of([["a"]] * 40, published=True)
    assert agreement(same, same, NUMBERS, NUMBERS) is None
    twice = CodeSets.of(ROWS, published=True)
    assert agreement(twice, twice, NUMBERS // 2, NUMBERS) is None
