"""Every rule does justice to its own examples."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sharewell.notes.matcher.rule_examples import failed, unmarked
from sharewell.notes.matcher.rule_files import shipped, shipped_detectors


@pytest.mark.parametrize("detector", shipped_detectors())
def test_rules_find_what_their_examples_mark_and_nothing_else(detector: str) -> None:
    assert [str(one) for one in failed(shipped(detector))] == []


def test_a_rule_that_gets_an_example_wrong_is_told() -> None:
    rule = shipped("ssn")[0]
    missed = replace(rule, found=("SSN [[12-345]]",))
    greedy = replace(rule, not_found=("123-45-6789",))
    unmarked_one = replace(rule, found=("nothing here",))
    assert [one.found for one in failed([missed, greedy, unmarked_one])] == [(), ("123-45-6789",), ()]
    first = next(failed([missed]))
    assert "12-345" not in str(first)
    assert str(first).endswith("rule social-security-number, found, example 1 — finds 0 where 1 are marked")
    assert "finds nothing in: SSN [[12-345]]" in first.with_words


def test_brackets_are_taken_out() -> None:
    assert unmarked("a [[b]] c [[d]]") == ("a b c d", [(2, 3), (6, 7)])
