"""Cues of many rules are found together where each rule's own search would find them."""

from __future__ import annotations

import re

from sharewell.notes.engine.spans import Text
from sharewell.notes.matcher.cues import SharedCues
from sharewell.notes.matcher.rule import Rule


def made(name: str, pattern: str, **more: object) -> Rule:
    return Rule(name, "ID", 0.5, pattern, "d", "f.toml", **more)  # type: ignore[arg-type]


RULES = [
    made("word", r"ward \d", words=frozenset(["ward", "bay"])),
    made("digits", r"\d+-\d", digits=(2, 3)),
    made("next", r"\d+-\d", digits=(1, 3), next="/"),
    made("at digits", r".{0,9}\d+ c", digits=(1, 2), sign=r"\d+ c", reach=9),
    made("sign", r"\w+@\w+", sign="@", reach=9),
    made("written", r"[A-Z]\d", sign=r"[A-Z]\d", as_written=True),
    made("run", r"[a-z]\d{4}", run=True),
    made("follows", r" then (?P<value>\d+)", follows="doses"),
]
NOTE = Text.of("Bay 12-3, Ward 7: see 1234-5/6, x@home; 12 cats, B7, a1234; ward")


def test_each_rule_gets_its_cues_in_order() -> None:
    cues = {RULES[number].name: places for number, places in SharedCues(RULES).of(NOTE)[0].items()}
    low = NOTE.lower()
    assert cues["word"] == [match.start() for match in re.finditer(r"\b(?:ward|bay)\b", low)]
    assert cues["digits"] == [NOTE.index("12-3")]
    assert "next" not in cues
    assert cues["at digits"] == [NOTE.index("12 cats")]
    assert cues["sign"] == [NOTE.index("@")]
    assert cues["written"] == [NOTE.index("B7")]
    assert (NOTE.index("a1234"), NOTE.index("a1234") + 5) in cues["run"]


def test_only_rules_with_a_cue_are_tried_and_those_that_follow_others() -> None:
    shared, empty = SharedCues(RULES), Text.of("nothing here")
    assert shared.of(empty) == ({}, [len(RULES) - 1])
    assert shared.of(NOTE)[1] == [0, 1, 3, 4, 5, 6, 7]


def test_two_collections_of_rules_do_not_mix() -> None:
    one, other = SharedCues(RULES[:1]), SharedCues(RULES[1:])
    assert list(one.of(NOTE)[0]) == [0]
    assert other.of(NOTE)[0][0] == [NOTE.index("12-3")]
