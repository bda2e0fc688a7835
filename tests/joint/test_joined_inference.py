"""Among those who fit what is known, no sensitive value is too frequent: against a plain count, and by hand."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from joined_worlds import draw

from sharewell.errors import PolicyError
from sharewell.joint.criteria.joined_inference import JoinedInference
from sharewell.protocols import PersonFacts


def test_shares_equal_those_of_a_plain_count(cases: Callable[[int], int]) -> None:
    """Where every cell is exact, candidates are those who fit, and their illnesses can be counted."""
    rng = np.random.default_rng(5)
    for _ in range(cases(8_000)):
        world = draw(rng)
        exact = replace(
            world,
            people=tuple(replace(one, age=one.age or 0, codes=one.codes or (), snps=None) for one in world.people),
            age_class=tuple(range(4)),
            label=tuple(range(5)),
            ward_class=tuple(range(4)),
            knows={
                "people": ["age"],
                **{name: world.knows[name] for name in ("codes", "visits") if name in world.knows},
            },
        )
        largest = max(
            Fraction(max(Counter(exact.people[who].illness for who in found).values()), len(found))
            for found in exact.candidate_sets()
        )
        assert JoinedInference("1/2", exact.knows).judge(exact.facts()).value == largest


def test_a_person_with_two_values_counts_for_both() -> None:
    visits = PersonFacts(list("aab"), {"ward": np.zeros(3, int)}, ("ward",), {"illness": np.array([0, 1, 1])})
    assert JoinedInference("1/2", {"visits": 1}).judge({"visits": visits}).value == 1


def test_without_a_sensitive_column_there_is_nothing_to_judge() -> None:
    people = PersonFacts(["a"], {"age": np.zeros(1, int)}, ("age",))
    with pytest.raises(PolicyError, match="none of the datasets has a sensitive column"):
        JoinedInference("1/2", {"people": ["age"]}).judge({"people": people})
    with pytest.raises(PolicyError, match="not published as sensitive"):
        JoinedInference("1/2", {"people": ["age"]}, of={"people": ["illness"]}).judge({"people": people})


def test_too_many_combinations_are_undecided_and_say_how_much_was_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sixty pairs of people; the walk is given up after some, in none of which a value is too frequent."""
    from sharewell.joint.criteria import joined_inference
    from sharewell.joint.engine import combination_walk

    pairs = np.repeat(np.arange(60), 2)
    people = PersonFacts([str(n) for n in range(120)], {"age": pairs}, ("age",), {"illness": np.arange(120) % 2})
    codes = PersonFacts([str(n) for n in range(120)], {}, sets=(np.arange(121), np.zeros(120, int)))
    judge = JoinedInference("1/2", {"people": ["age"], "codes": 1}).judge
    assert judge({"people": people, "codes": codes}).ok
    monkeypatch.setattr(combination_walk, "SLICE", 8)
    monkeypatch.setattr(joined_inference, "Walk", lambda joined: combination_walk.Walk(joined, most_rows=61))
    judged = judge({"people": people, "codes": codes})
    assert judged.ok is None
    seen = re.search(r"undecided: too many combinations; (\d+) of 60 groups were examined and none fails", judged.note)
    assert seen
    assert 0 < int(seen[1]) < 60
    assert f"with 95 % confidence at most a share of {3 / int(seen[1]):.2g} of them does" in judged.note
