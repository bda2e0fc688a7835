"""Groups of persons with like DNA or like codes."""

from __future__ import annotations

from typing import Any

import numpy as np
import plain_dna
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.joint.engine.protection.dna_groups import groups_by_codes, groups_by_dna, numbers_of

people = st.lists(plain_dna.person(plain_dna.calls), min_size=3, max_size=14)


@given(people, st.integers(1, 3))
@settings(max_examples=60, deadline=None)
def test_everybody_is_in_one_group_of_k(rows: Any, k: int) -> None:
    data = plain_dna.opened(rows)
    for order, starts in (
        groups_by_codes(data, k),
        groups_by_dna(data, k, "mondrian"),
        groups_by_dna(data, k, "k-member"),
    ):
        assert sorted(order.tolist()) == list(range(len(rows)))
        assert np.diff(starts).min() >= k
        assert (starts[0], starts[-1]) == (0, len(rows))
        assert np.bincount(numbers_of(order, starts)).tolist() == np.diff(starts).tolist()


def test_equal_codes_and_equal_dna_stay_together() -> None:
    rows = [(20, "F", {"abc"[i % 3]}, [i % 3, 0, 0]) for i in range(12)]
    data = plain_dna.opened(rows)
    for order, starts in (groups_by_codes(data, 2), groups_by_dna(data, 4, "k-member")):
        for group in np.split(order, starts[1:-1]):
            assert len({i % 3 for i in group.tolist()}) == 1


@pytest.mark.parametrize("start", ["k-member", "mondrian"])
def test_people_whose_dna_is_all_the_same_are_one_group(start: str) -> None:
    data = plain_dna.opened([(20, "F", {"a"}, [1, 1, 1])] * 5)
    assert groups_by_dna(data, 2, start)[1].tolist() == [0, 5]
