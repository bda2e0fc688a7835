"""What is told of the beginning of a pattern holds for every match of it."""

from __future__ import annotations

import json
import re

import pytest

from sharewell.notes.matcher.pattern_beginnings import BEYOND, Beginning, beginning, first_characters
from sharewell.notes.matcher.rule import Rule
from sharewell.notes.matcher.rule_files import parse, shipped, shipped_detectors

PATTERNS = [
    *(r"\d\d:\d\d", r"(?<!x)\d+\.", r"[^\W\d_]{2,}\s", r"(?i:ab|c)d", r"(?P<a>.)(?P=a)", r"x?\b", "x*", "(?:a?|b)c"),
    *(
        r"(?>ab?)c",
        r"(?:ab){2,3}+$",
        r"(?!a)[a-z]b*",
        "(?:a?)*b",
        "(?i)STRA(?:ß|SS)E",
        r"\S\D\W",
        r"\bx",
        r"(?<![a-z])q",
    ),
    *("(?i)(?<![^a])x", "(?i)(?<![^\u212a])b", "(?:a|b?){2}c"),
]
TEXTS = ["12:30 7. x", "Über alles", "aBd cd CD", "aa xa qx", "abc ababab b", "straße Strasse Kb kb ax Ax", "cqxxq"]


def bit(sign: str) -> int:
    return 1 << min(ord(sign), BEYOND)


@pytest.mark.parametrize("pattern", PATTERNS)
def test_a_match_begins_and_follows_as_is_told(pattern: str) -> None:
    told = beginning(pattern)
    first = first_characters(told.nodes)
    for text in TEXTS:
        for match in re.finditer(pattern, text):
            at = match.start()
            assert at == len(text) or first & bit(text[at])
            assert at == 0 or told.preceding & bit(text[at - 1])


def test_something_is_told() -> None:
    told = first_characters(beginning(r"(?:\d|[a-c]x?)y").nodes)
    assert [sign for sign in "09acdxy" if told & bit(sign)] == ["0", "9", "a", "c"]
    assert [sign for sign in "ab1 " if beginning(r"(?<![a-z])q").preceding & bit(sign)] == ["1", " "]


def test_shipped_rules_keep_what_would_be_worked_out() -> None:
    rules = [rule for name in shipped_detectors() for rule in shipped(name)]
    kept = [rule for rule in rules if rule.begins]
    assert len(kept) > 100
    assert all(rule.cue_beginning == beginning(rule.cue) for rule in kept)
    assert all(rule.first == first_characters(beginning(rule.pattern).nodes) for rule in rules if rule.reach > 2)


def test_a_rule_in_memory_works_it_out_and_one_of_a_file_does_not() -> None:
    given = Rule("a", "ID", 0.5, r"[a-w]*x\d", "d", "f", sign=r"x\d", reach=9)
    assert (given.begins, given.cue_beginning) == (None, beginning(r"x\d"))
    assert (given.may_begin["a"], given.may_begin["y"]) == (True, False)
    source = 'kind = "ID"\n[[rule]]\nname = "a"\ncertainty = 0.5\nsign = "x[0-9]"\nreach = 9\n'
    [rule] = parse(source + 'pattern = "[a-w]*x[0-9]"\nfound = ["[[ax1]]"]\nnot_found = ["x"]\n', "f.toml", "f")
    assert rule.begins == beginning("x[0-9]")
    assert Beginning(*json.loads(json.dumps(rule.begins))) == rule.begins
    assert (rule.may_begin["a"], rule.may_begin["y"]) == (True, False)
