"""Joined records against a plain count of equal facts, and the walk over combinations in small slices."""

from __future__ import annotations

import numpy as np
import pytest
from joined_worlds import draw
from test_joined_suppression import counted

from sharewell.joint.engine import joined_records
from sharewell.joint.engine.joined_records import Holders, JoinedRecords, candidates, fewest
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
