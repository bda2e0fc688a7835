"""Signs that are looked for together are found where a search for each would find them."""

from __future__ import annotations

import random
import re

import pytest

from sharewell.notes.matcher import sign_search
from sharewell.notes.matcher.rule_files import shipped, shipped_detectors
from sharewell.notes.matcher.sign_search import SignSearch

SIGNS = [
    *("@", r"\d ?%", r"(?<![a-z])[a-z] ?\.", r"\b[A-Z]{2}\d", r"-\n", r"[½¼]", r"(?i:ab)c?", r"x[\d ]", r"[^a-z]\Z"),
    *("(?i)(?<![^a])x", "(?i)(?<!a)q", "(?i)(?<![a-k])c", "(?i)(?<![^\u212a])b"),
    *(r"\Bb", r"(?<!\d)\d{2}", r"(?<=q)1", r"[/:][A-Z]?[ \t]*(?:\n|\Z)", "ß|ss", r".\n", r"a{1,9}b"),
]
LETTERS = "abkK cqxABZ019.%@-/:\n\tß½éŁ😀ssAB"


def wanted(signs: list[str], text: str) -> dict[int, list[int]]:
    places = {n: [match.start() for match in re.finditer(sign, text)] for n, sign in enumerate(signs)}
    return {number: starts for number, starts in places.items() if starts}


@pytest.mark.parametrize("block", [1, 7, 1 << 16])
def test_found_together_as_alone(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sign_search, "_BLOCK", block)
    search, draw, seen = SignSearch(SIGNS), random.Random(5), set()
    for _ in range(300):
        text = "".join(draw.choices(LETTERS, k=draw.randrange(30)))
        assert search.found(text) == wanted(SIGNS, text)
        seen |= wanted(SIGNS, text).keys()
    assert seen == set(range(len(SIGNS)))


def test_without_bits_to_spare_a_pattern_that_begins_in_many_ways_is_found_all_the_same() -> None:
    many = "ax|bk|cq|kA|qB|xZ|A0|B1|Z9|@a|%b"
    signs, draw, seen = [many, *(f"{many}|{n}" for n in range(10, 73))], random.Random(7), 0
    assert len(signs) == SignSearch.MOST
    full, alone = SignSearch(signs), SignSearch([many])
    for _ in range(100):
        text = "".join(draw.choices(LETTERS, k=40))
        assert full.found(text) == wanted(signs, text)
        assert alone.found(text) == wanted([many], text)
        seen += len(alone.found(text))
    assert seen > 50


def test_signs_of_shipped_rules_are_found_in_their_examples() -> None:
    rules = [rule for name in shipped_detectors() for rule in shipped(name) if rule.sign and not rule.digits]
    signs = list(dict.fromkeys(rule.sign for rule in rules))
    parts = [signs[at : at + SignSearch.MOST] for at in range(0, len(signs), SignSearch.MOST)]
    searches, hits = [(part, SignSearch(part)) for part in parts], 0
    for text in (example for rule in rules for example in (*rule.found, *rule.not_found)):
        for part, search in searches:
            assert search.found(text) == wanted(part, text)
            hits += len(search.found(text))
    assert hits > len(signs)
