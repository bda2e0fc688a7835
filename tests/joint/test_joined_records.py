"""Joined records: whom chosen facts fit, and how facts are packed."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sharewell.joint.engine.joined_records import Holders, JoinedRecords, _placed, candidates, packed
from sharewell.protocols import PersonFacts


def test_candidates_hold_every_chosen_fact() -> None:
    codes = PersonFacts(list("abc"), {}, sets=(np.array([0, 2, 3, 5]), np.array([0, 1, 0, 0, 1])))
    joined = JoinedRecords.of({"codes": codes}, {"codes": 2})
    holders = Holders.of(joined)
    assert candidates(joined, 0, [(0, 0)], holders) == 3
    assert candidates(joined, 0, [(0, 0), (0, 1)], holders) == 2


@given(st.integers(0, 10**6))
def test_places_of_one_record_a_person_are_packed_like_any_others(seed: int) -> None:
    rng = np.random.default_rng(seed)
    persons, places = int(rng.integers(1, 6)), int(rng.integers(0, 4))
    who = rng.permutation(persons)[: int(rng.integers(0, persons + 1))]
    items = np.arange(places) * 3 + rng.integers(0, 3, (len(who), places))
    found = _placed(who, items, persons)
    asked = packed(np.repeat(who, places), items.ravel(), persons)
    assert [one.tolist() for one in found] == [one.tolist() for one in asked]
