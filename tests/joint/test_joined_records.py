"""Joined records against a plain count of equal facts, and the walk over combinations in small slices."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from joined_worlds import draw
from test_joined_suppression import counted

from sharewell.joint.engine import joined_records
from sharewell.joint.engine.joined_records import Holders, JoinedRecords, _placed, candidates, fewest, packed
from sharewell.protocols import PersonFacts


@pytest.mark.parametrize("rows", [1, 7, 2_000_000])
def test_the_fewest_are_those_of_a_plain_count_however_the_walk_is_sliced(
    rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(joined_records, "SLICE", rows)
    rng = np.random.default_rng(rows)
    for _ in range(250):
        world = draw(rng)
        found = fewest(JoinedRecords.of(world.facts(), world.knows, world.at_most), k=1)
        assert found.decided
        assert found.least == counted(world.facts(), world.knows, world.at_most)


def test_candidates_hold_every_chosen_fact() -> None:
    codes = PersonFacts(list("abc"), {}, sets=(np.array([0, 2, 3, 5]), np.array([0, 1, 0, 0, 1])))
    joined = JoinedRecords.of({"codes": codes}, {"codes": 2})
    holders = Holders.of(joined)
    assert candidates(joined, 0, [(0, 0)], holders) == 3
    assert candidates(joined, 0, [(0, 0), (0, 1)], holders) == 2


def test_nobody_is_joined_with_nobody() -> None:
    assert (
        fewest(
            JoinedRecords.of({"codes": PersonFacts([], {}, sets=(np.zeros(1, int), np.zeros(0, int)))}, {"codes": 1}), 2
        ).least
        is None
    )


@given(st.integers(0, 10**6))
def test_places_of_one_record_a_person_are_packed_like_any_others(seed: int) -> None:
    rng = np.random.default_rng(seed)
    persons, places = int(rng.integers(1, 6)), int(rng.integers(0, 4))
    who = rng.permutation(persons)[: int(rng.integers(0, persons + 1))]
    items = np.arange(places) * 3 + rng.integers(0, 3, (len(who), places))
    found = _placed(who, items, persons)
    asked = packed(np.repeat(who, places), items.ravel(), persons)
    assert [one.tolist() for one in found] == [one.tolist() for one in asked]
