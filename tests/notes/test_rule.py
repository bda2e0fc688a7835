"""What a rule asks of the words around, and when its patterns are compiled."""

from __future__ import annotations

import re

from sharewell.notes.engine.spans import Text
from sharewell.notes.matcher.rule import Candidate, Rule


def candidate(text: str, found: str) -> Candidate:
    note = Text.of(text)
    match = re.search(found, note)
    assert match
    return Candidate(note, match, *match.span())


def test_the_words_around_decide() -> None:
    rule = Rule("r", "ID", 0.5, r"\d+", "d", "f.toml", before="no ", not_after=" mg")
    assert rule.accepts(candidate("No 12 Main", "12"))
    assert not rule.accepts(candidate("no 12 mg", "12"))
    assert not rule.accepts(candidate("12", "12"))


def test_a_guard_decides_last() -> None:
    rule = Rule("r", "ID", 0.5, r"\d+", "d", "f.toml", guards=(lambda found: found.written == "12",))
    assert rule.accepts(candidate("12", "12"))
    assert not rule.accepts(candidate("13", "13"))


def test_patterns_are_compiled_when_they_are_needed() -> None:
    rule = Rule("r", "ID", 0.5, r"(?P<value>\d)", "d", "f.toml")
    assert "regex" not in vars(rule)
    assert rule.groups == ("value",)
    assert "regex" in vars(rule)


def test_what_stands_around_is_in_lower_case() -> None:
    found = candidate("MRN 12 Ward", "12")
    assert (found.before, found.after, found.written, found.lower) == ("mrn ", " ward", "12", "12")
