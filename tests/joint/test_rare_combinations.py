"""Rare combinations of the last step are those that listing all of them finds."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sharewell.joint.engine import combination_walk
from sharewell.joint.engine.combination_walk import Combinations, Walk
from sharewell.joint.engine.joined_records import JoinedRecords
from sharewell.joint.engine.protection.fact_suppression import rare_with
from sharewell.protocols import PersonFacts

Rare = set[tuple[int, tuple[int, ...]]]


def listed(walk: Walk, one: Combinations, k: int) -> Rare:
    """(group, facts) of every combination below that fits fewer than k persons."""
    found = set()
    for more in walk.below(one, one.support >= k):
        for node in np.flatnonzero(more.support < k).tolist():
            group = int(walk.joined.group[more.owner[more.node == node][0]])
            found.add((group, tuple(more.items[node].tolist())))
    return found


def counted(walk: Walk, one: Combinations, k: int) -> Rare:
    group_of = np.zeros(len(one.support), np.int64)
    group_of[one.node] = walk.joined.group[one.owner]
    return {
        (int(group_of[parent]), tuple(facts))
        for more in walk.one_more(one, one.support >= k)
        for parents, every in [rare_with(walk, one, more, k)]
        for parent, facts in zip(parents.tolist(), every.tolist(), strict=True)
    }


@pytest.mark.parametrize("bins", [0, 16])
@given(st.integers(0, 10**6), st.integers(1, 4), st.integers(1, 3))
def test_counting_finds_what_listing_finds(bins: int, seed: int, k: int, at_most: int) -> None:
    rng = np.random.default_rng(seed)
    persons = int(rng.integers(1, 12))
    who = [f"p{i}" for i in range(persons)]
    sizes = rng.integers(0, 4, persons)
    codes = np.concatenate([np.zeros(0, int), *(rng.choice(5, size, replace=False) for size in sizes)])
    visits = [who[i] for i in rng.integers(0, persons, 2 * persons)]
    facts = {
        "people": PersonFacts(who, {"age": rng.integers(0, 2, persons)}, ("age",)),
        "codes": PersonFacts(who, {}, sets=(np.concatenate([[0], np.cumsum(sizes)]), codes)),
        "visits": PersonFacts(visits, {"type": rng.integers(0, 3, len(visits))}, ("type",)),
    }
    joined = JoinedRecords.of(facts, {"people": ["age"], "codes": 2, "visits": 2}, at_most)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(combination_walk, "BINS", bins)
        walk = Walk(joined)
        for group in walk.groups():
            for one in walk.extensions(group):
                assert counted(walk, one, k) == listed(walk, one, k)
