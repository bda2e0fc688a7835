"""The automaton may name a pattern that does not match, and never leaves out one that does."""

from __future__ import annotations

import re

import pytest

from sharewell.notes.matcher.pattern_beginnings import beginning
from sharewell.notes.matcher.prefix_automaton import PrefixAutomaton
from sharewell.notes.matcher.rule_examples import unmarked
from sharewell.notes.matcher.rule_files import shipped, shipped_detectors

PATTERNS = [
    *(r"\d\d:\d\d", r"\d{1,3} ?mg", r"(?<!x)\d+\.", r"[^\W\d_]{2,}\s", r"(?i:ab|c)d", r"(?P<a>.)(?P=a)", r"x?\b"),
    *(r"(?>ab?)c", r"(?:ab){2,3}+$", r"(?!a)[a-z]b*", r"", r"(?:a?)*b", r"(?i)STRA(?:ß|SS)E", r"a{40,}b", r"\S\D\W"),
    r"[^a-f]+?,",
    r"(?:x[ab]|Über|aa|12|c(?:d|e|f|g) ?|[ab]+){1,3}",
]
TEXTS = [
    "12:30",
    "12 mg",
    "7. ",
    "Über alles",
    "aBd cd CD",
    "aa",
    "xyz,",
    "ac abc ababab",
    "straße Strasse",
    "a" * 45 + "b",
]


@pytest.mark.parametrize("text", TEXTS)
def test_what_matches_is_named(text: str) -> None:
    automaton = PrefixAutomaton(list(map(beginning, PATTERNS)))
    for at in range(len(text)):
        named = automaton.may_match(text, at, automaton.start())
        for number, pattern in enumerate(PATTERNS):
            if re.compile(pattern).match(text, at):
                assert number in named


def test_most_that_do_not_match_are_not_named() -> None:
    patterns = [r"\d\d:\d\d", r"\d{1,3} ?mg", r"\d+\.", r"\d{2}/\d{2}/\d{4}", r"(?:jan|feb) \d"]
    automaton = PrefixAutomaton(list(map(beginning, patterns)))
    for text, named in (("12:30", (0,)), ("120 mg", (1,)), ("12/31/", ()), ("feb 3", (4,)), ("fed", ()), ("", ())):
        assert automaton.may_match(text, 0, automaton.start()) == named
    assert automaton.may_match("12:30 or 12 mg at noon", 9, automaton.start([0, 3])) == ()


def test_a_text_that_goes_on_beyond_the_walk_may_still_match() -> None:
    automaton = PrefixAutomaton([beginning(r"a{30}b"), beginning(r"a{30}")])
    assert automaton.may_match("a" * 30 + "b", 0, automaton.start()) == (0, 1)
    assert automaton.may_match("a" * 5, 0, automaton.start()) == ()


def test_no_shipped_rule_loses_its_own_examples() -> None:
    rules = [rule for name in shipped_detectors() for rule in shipped(name)]
    automaton = PrefixAutomaton([beginning(rule.pattern) for rule in rules])
    hits = 0
    for number, rule in enumerate(rules):
        for example in rule.found[:2]:
            text = unmarked(example)[0]
            seen = text if rule.as_written or rule.as_named else text.lower()
            for match in rule.regex.finditer(seen):
                hits += 1
                assert number in automaton.may_match(seen, match.start(), automaton.start([number]))
                assert match.start() == len(seen) or rule.may_begin[seen[match.start()]]
    assert hits > len(rules)
