"""Which classes are looked at again."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from sharewell.joint.engine.joined_records import PersonClasses
from sharewell.joint.engine.protection.open_classes import OpenClasses, restricted
from sharewell.protocols import PersonFacts


def _people(ages: list[int], who: str = "abcdef") -> dict[str, PersonFacts]:
    return {"people": PersonFacts(list(who), {"age": np.array(ages)}, ("age",))}


def test_a_class_is_looked_at_again_if_somebody_in_it_changed_came_or_went() -> None:
    search = OpenClasses({"people": ["age"]})
    assert search.records(_people([0, 0, 1, 1, 2, 2]))["people"].all()
    search.looked_at(finished=True)
    assert not search.records(_people([0, 0, 1, 1, 2, 2]))["people"].any()
    search.looked_at(finished=True)
    search.changed(pa.array(["c"]))
    assert search.records(_people([0, 0, 1, 1, 2, 2]))["people"].tolist() == [False, False, True, True, False, False]
    search.looked_at(finished=True)
    search.changed(pa.array(["c"]))  # who moves from one class to another
    assert search.records(_people([0, 0, 2, 1, 2, 2]))["people"].tolist() == [False, False, True, True, True, True]
    search.looked_at(finished=True)
    assert search.records(_people([0, 2, 1, 2, 2], "acdef"))["people"].tolist() == [True, False, False, False, False]


def test_a_class_that_was_not_finished_stays_open() -> None:
    search = OpenClasses({"people": ["age"]})
    search.records(_people([0, 0, 1, 1, 2, 2]))
    search.looked_at(finished=False)
    assert search.records(_people([0, 0, 1, 1, 2, 2]))["people"].all()


def test_facts_of_some_records_are_those_of_these_records() -> None:
    facts = PersonFacts(list("abc"), {"x": np.arange(3)}, sets=(np.array([0, 2, 2, 3]), np.array([5, 6, 7])))
    some = restricted(facts, np.array([True, False, True]))
    assert list(some.persons) == ["a", "c"]
    assert some.cells["x"].tolist() == [0, 2]
    assert some.sets is not None
    assert [one.tolist() for one in some.sets] == [[0, 2, 3], [5, 6, 7]]
    assert restricted(facts, np.ones(3, bool)) is facts


@given(st.integers(0, 10**6))
def test_some_persons_are_numbered_as_if_there_were_no_others(seed: int) -> None:
    rng = np.random.default_rng(seed)
    who = [None if one == 9 else f"p{one}" for one in rng.permutation(10).tolist()]
    several = [None if one == 9 else f"p{one}" for one in rng.integers(0, 10, 14).tolist()]
    facts = {
        "people": PersonFacts(who, {"age": rng.integers(0, 3, 10), "sex": rng.integers(0, 2, 10)}, ("age", "sex")),
        "visits": PersonFacts(several, {"type": rng.integers(0, 3, 14)}, ("type",)),
    }
    knows = {"people": ["age", "sex"], "visits": 1}
    every = PersonClasses.of(facts, knows)
    chosen = rng.random(len(every.by_name)) < 0.6
    some = {name: restricted(one, chosen[every.person_of[name]]) for name, one in facts.items()}
    expected, quick = PersonClasses.of(some, knows), every.only(chosen)
    for name in facts:
        assert quick.person_of[name].tolist() == expected.person_of[name].tolist()
    assert quick.by_name.tolist() == expected.by_name.tolist()
    assert quick.names.to_pylist() == expected.names.to_pylist()
    assert quick.alike.tolist() == expected.alike.tolist()
