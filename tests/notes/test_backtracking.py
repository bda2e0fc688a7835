"""Patterns that would keep the matcher busy, and such that only look like it."""

from __future__ import annotations

import re
import time

import pytest

from sharewell.notes.matcher.backtracking import TooLongToCheck, explodes, widths
from sharewell.notes.matcher.rule import SEEN
from sharewell.notes.matcher.rule_files import shipped, shipped_detectors

SLOW = [
    "(?:a+)+$",
    "(?:a*)*$",
    "(?:a|aa)+$",
    "(?:a|ab|b)+$",
    "(?:a?b?)+$",
    "(a{1,1000}){1,1000}$",
    "([a-z]+){10}$",
    "(?:[a-z]+ ?)+$",
    "(?:(?:a|b)+,?)+$",
    "(?=(?:a+)+$)",
    "(?>(?:a+)+$)",
    "(a*)(?(1)(?:a+)+|b)$",
    r"\w*\w*\w*\w*$",
    ".*a.*a.*a.*a$",
    "(?:" + "|".join("a" * i for i in range(1, 80)) + ")+$",
]
QUICK = [
    "[a-z]+(?: [a-z]+)*",
    r"(?:\d{3}-)+\d{1,4}",
    r"(?:[-. ()/]{0,2}\d){6,15}",
    r"(?:\w+[.-])*\w+@",
    r"(?:\d{4})+",
    "(?:(?:a|b)+,)+",
    "(?:a?)+b",
    r"\d+ \d+ \d+ \d+ \d+",
    "(?:a|[a-c])+",
]


@pytest.mark.parametrize("pattern", SLOW)
def test_slow_patterns_are_known(pattern: str) -> None:
    assert explodes(pattern)


@pytest.mark.parametrize("pattern", QUICK)
def test_quick_ones_pass_and_are_quick(pattern: str) -> None:
    assert not explodes(pattern)
    start = time.process_time()
    for text in ("a" * SEEN, "1" * SEEN, "a " * SEEN, "ab" * SEEN):
        re.match(f"(?:{pattern})!", text[:SEEN])
    assert time.process_time() - start < 10  # milliseconds; a slow one would take years


def test_shipped_patterns_are_quick() -> None:
    assert [rule.name for name in shipped_detectors() for rule in shipped(name) if explodes(rule.pattern)] == []


def test_what_is_too_long_is_told() -> None:
    with pytest.raises(TooLongToCheck):
        explodes("((((((a{2,12}b){2,12}c){2,12}d){2,12}e){2,12}f){2,12}g)")
    with pytest.raises(TooLongToCheck):
        explodes(f"(?:{'ab' * 200})+")


def test_widths() -> None:
    assert widths("ab?c{2,5}") == (3, 7)
