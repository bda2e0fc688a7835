"""Whoever is seen otherwise than k others loses what makes the difference, at the least cost."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
from joined_worlds import draw

from sharewell.joint.engine.joined_records import JoinedRecords
from sharewell.joint.engine.protection.group_levelling import levelled
from sharewell.protocols import PersonFacts


def level(joined: JoinedRecords, k: int, droppable: bool = True) -> Any:
    wrong = np.ones(joined.persons, bool)
    return levelled(joined, k, lambda persons: len(persons) >= k, wrong, [droppable] * len(joined.parts))


def test_one_record_too_many_is_dropped_rather_than_a_person_withheld() -> None:
    """Five people; one of them alone has codes."""
    people = PersonFacts(list("abcde"), {"age": np.zeros(5, int)}, ("age",))
    codes = PersonFacts(["c"], {}, sets=(np.array([0, 1]), np.array([0])))
    joined = JoinedRecords.of({"people": people, "codes": codes}, {"people": ["age"], "codes": 1})
    target, withheld = level(joined, 2)
    assert target.tolist() == [[0]] * 5
    assert not withheld.any()
    assert level(joined, 2, droppable=False)[1].tolist() == [False, False, True, False, False]


def test_few_without_facts_are_joined_by_those_who_lose_least() -> None:
    """b has no code and cannot get one: d, who has one where others have three, loses it."""
    sets = np.array([0, 3, 3, 6, 7, 10]), np.array([0, 1, 2, 0, 1, 2, 0, 0, 1, 2])
    joined = JoinedRecords.of({"codes": PersonFacts(list("abcde"), {}, sets=sets)}, {"codes": 1})
    target, withheld = level(joined, 2)
    assert target[:, 0].tolist() == [2, 1, 2, 1, 2]
    assert not withheld.any()


def test_in_every_world_k_or_none_are_seen_alike_and_nobody_gains_facts() -> None:
    rng = np.random.default_rng(11)
    for _ in range(800):
        world, k = draw(rng, 8), int(rng.integers(2, 5))
        joined = JoinedRecords.of(world.facts(), world.knows)
        target, withheld = level(joined, k, droppable=bool(rng.random() < 0.5))
        assert (target <= joined.seen).all()
        labels = [i for i, one in enumerate(joined.parts) if one.sort == "labels" and one.most]
        for size in range(min(len(labels), joined.at_most) + 1):
            for parts in combinations(labels, size):
                plain = ~withheld & (target[:, parts] <= 2).all(axis=1)
                left = np.concatenate([joined.alike[:, None], np.minimum(target, 1), target[:, parts]], axis=1)[plain]
                _, counts = np.unique(left, axis=0, return_counts=True)
                assert (counts >= k).all()
