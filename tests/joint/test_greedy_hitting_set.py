"""The greedy hitting set chooses what weighing all facts anew in every round chooses."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sharewell.joint.engine.protection.greedy_hitting_set import hitting_facts

TOTAL = 7


def plainly_chosen(bad: list[tuple[int, frozenset[int]]], price: dict[int, int]) -> set[int]:
    """Round after round; what is the only fact of a combination goes first."""
    left = [(group, {group * TOTAL + fact for fact in facts}) for group, facts in bad]
    chosen = {fact for _, facts in left if len(facts) == 1 for fact in facts}
    while left := [(group, facts) for group, facts in left if not facts & chosen]:
        for group in {group for group, _ in left}:
            counts = Counter(fact for other, facts in left if other == group for fact in facts)
            chosen.add(min(counts, key=lambda fact: (-counts[fact] / price[fact], fact)))
    return chosen


@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.frozensets(st.integers(0, TOTAL - 1), min_size=1, max_size=3)), max_size=25
    ),
    st.integers(0, 10**6),
)
def test_the_greedy_choice_is_that_of_weighing_anew(bad: list[tuple[int, frozenset[int]]], seed: int) -> None:
    prices = np.random.default_rng(seed).integers(1, 5, 4 * TOTAL)
    groups = np.array([group * 3 for group, _ in bad], dtype=np.int64)  # groups may leave numbers out
    facts = np.array([[*sorted(facts), -1, -1][:3] for _, facts in bad], dtype=np.int64).reshape(-1, 3)
    keys = np.array([group * 3 * TOTAL + fact for group in range(4) for fact in range(TOTAL)])
    expected = plainly_chosen(
        [(group * 3, held) for group, held in bad], dict(zip(keys.tolist(), prices.tolist(), strict=True))
    )
    assert hitting_facts(groups, facts, TOTAL, (keys, prices)).tolist() == sorted(expected)
