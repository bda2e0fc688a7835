"""Whatever a stated attacker knows of a person fits k persons: against people with true values, and by hand."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from joined_worlds import draw

from sharewell.errors import PolicyError
from sharewell.joint.criteria.joined_k_anonymity import JoinedKAnonymity
from sharewell.protocols import PersonFacts


def test_no_world_in_which_somebody_is_found_among_fewer_than_the_value_says(cases: Callable[[int], int]) -> None:
    """True candidates are counted from true values, by the definition; the criterion sees what is published."""
    rng, held, worlds = np.random.default_rng(17), 0, cases(10_000)
    for _ in range(worlds):
        world = draw(rng)
        if JoinedKAnonymity(2, world.knows, world.at_most).judge(world.facts()).ok:
            assert min(map(len, world.candidate_sets()), default=2) >= 2, world
            held += 1
    assert held > worlds / 50  # the criterion does hold now and then


def test_exact_cells_are_counted_exactly() -> None:
    """Where true values are published, nobody but those counted fits."""
    who = ["a", "b", "c", "d", "e"]
    people = PersonFacts(who, {"age": np.array([0, 0, 0, 1, 1])}, ("age",))
    codes = PersonFacts(who, {}, sets=(np.array([0, 2, 4, 5, 6, 7]), np.array([0, 1, 0, 1, 0, 2, 2])))
    for most, fewest in ((0, 2), (1, 2), (2, 2)):
        judged = JoinedKAnonymity(2, {"people": ["age"], "codes": most}).judge({"people": people, "codes": codes})
        assert (judged.value, judged.ok) == (fewest, True)
    assert JoinedKAnonymity(3, {"people": ["age"], "codes": 1}).judge({"people": people, "codes": codes}).ok is False


def test_somebody_in_one_dataset_alone_is_judged_too() -> None:
    people = PersonFacts(["a", "b"], {"age": np.array([0, 0])}, ("age",))
    codes = PersonFacts(["a", "b", "stranger"], {}, sets=(np.arange(4), np.array([0, 0, 0])))
    judged = JoinedKAnonymity(2, {"people": ["age"], "codes": 1}).judge({"people": people, "codes": codes})
    assert judged.value == 1


def test_records_of_nobody_are_persons_of_their_own() -> None:
    people = PersonFacts([None, None], {"age": np.array([0, 1])}, ("age",))
    assert JoinedKAnonymity(2, {"people": ["age"]}).judge({"people": people}).value == 1


def test_a_row_known_twice_excludes_who_has_it_once() -> None:
    visits = PersonFacts(["a", "a", "b"], {"ward": np.array([0, 0, 0])}, ("ward",))
    assert JoinedKAnonymity(2, {"visits": 1}).judge({"visits": visits}).value == 2
    assert JoinedKAnonymity(2, {"visits": 2}).judge({"visits": visits}).value == 1


def test_nobody_published_is_safe_and_unknown_datasets_are_refused() -> None:
    nobody = PersonFacts([], {"age": np.zeros(0, int)}, ("age",))
    assert JoinedKAnonymity(5, {"people": ["age"]}).judge({"people": nobody}).ok is True
    with pytest.raises(PolicyError, match="not among the datasets"):
        JoinedKAnonymity(5, {"patients": ["age"]}).judge({"people": nobody})
    with pytest.raises(PolicyError, match="publishes no column"):
        JoinedKAnonymity(5, {"people": ["zip"]}).judge({"people": nobody})


def test_columns_of_several_records_a_person_are_refused() -> None:
    visits = PersonFacts(["a", "a"], {"ward": np.array([0, 1])}, ("ward",))
    with pytest.raises(PolicyError, match="several records of a person"):
        JoinedKAnonymity(2, {"visits": ["ward"]}).judge({"visits": visits})


@pytest.mark.parametrize("given", [-1, True, "age", {"columns": ["age"]}, {"any": "two"}, [1], {"any": 1, "more": 2}])
def test_odd_knowledge_is_refused(given: object) -> None:
    with pytest.raises(ValueError, match="what is known of people must be"):
        JoinedKAnonymity(2, {"people": given})


def test_too_many_combinations_are_undecided_and_say_how_much_was_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    from sharewell.joint.criteria import joined_k_anonymity
    from sharewell.joint.engine.combination_walk import fewest

    monkeypatch.setattr(joined_k_anonymity, "fewest", lambda joined, k: fewest(joined, k, most_rows=3))
    codes = PersonFacts(list("abcd"), {}, sets=(np.arange(0, 9, 2), np.array([0, 1] * 4)))
    judged = JoinedKAnonymity(2, {"codes": 2}).judge({"codes": codes})
    assert judged.ok is None
    assert "undecided" in judged.note


def test_more_facts_than_anybody_has_are_all_facts() -> None:
    codes = PersonFacts(list("abcd"), {}, sets=(np.arange(0, 9, 2), np.array([0, 1] * 4)))
    assert JoinedKAnonymity(2, {"codes": 10**12}).judge({"codes": codes}).value == 4
