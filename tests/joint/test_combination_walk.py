"""The walk over combinations in small slices, against a plain count of equal facts."""

from __future__ import annotations

import numpy as np
import pytest
from joined_worlds import draw
from test_joined_suppression import counted

from sharewell.joint.engine import combination_walk
from sharewell.joint.engine.combination_walk import fewest
from sharewell.joint.engine.joined_records import JoinedRecords
from sharewell.protocols import PersonFacts


@pytest.mark.parametrize("rows", [1, 7, 2_000_000])
def test_the_fewest_are_those_of_a_plain_count_however_the_walk_is_sliced(
    rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(combination_walk, "SLICE", rows)
    rng = np.random.default_rng(rows)
    for _ in range(250):
        world = draw(rng)
        found = fewest(JoinedRecords.of(world.facts(), world.knows, world.at_most), k=1)
        assert found.decided
        assert found.least == counted(world.facts(), world.knows, world.at_most)


def test_nobody_is_joined_with_nobody() -> None:
    assert (
        fewest(
            JoinedRecords.of({"codes": PersonFacts([], {}, sets=(np.zeros(1, int), np.zeros(0, int)))}, {"codes": 1}), 2
        ).least
        is None
    )
