"""Chatterjee's coefficient: 1 for a function of any shape, about 0 for what has nothing to do with it."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sharewell.dependence import following, following_groups

DRAW = np.random.default_rng(3)
DAYS = DRAW.integers(0, 60, 600).astype(float)


def _plain(first: list[int], second: list[int]) -> float:
    """By its definition: ranks of neighbours, over what a random order would make of them."""
    values = [second[i] for i in sorted(range(len(first)), key=lambda i: (first[i], i))]
    if not (n := len(values)):
        return 0.0
    ranks = [sum(other <= one for other in values) for one in values]
    above = [sum(other >= one for other in values) for one in values]
    usual = sum(2 * one * (n - one) for one in above) / n / n
    steps = [abs(a - b) for a, b in pairwise(ranks)]
    return 1 - sum(steps) / len(steps) / usual if steps and usual else 0.0


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=12))
def test_it_is_what_its_definition_says(rows) -> None:
    first, second = [a for a, _ in rows], [b for _, b in rows]
    assert following(np.array(first, float), np.array(second, float)) == pytest.approx(_plain(first, second))


@pytest.mark.parametrize("shape", [lambda d: d * 1440, lambda d: np.minimum(d, 7), lambda d: -(d**2), lambda d: d // 7])
def test_functions_of_any_shape_are_followed(shape) -> None:
    assert following(DAYS, shape(DAYS)) > 0.9


def test_strangers_are_not() -> None:
    assert abs(following(DAYS, DRAW.permutation(DAYS))) < 0.2
    assert following_groups(DAYS.astype(int) % 5, DRAW.permutation(DAYS))[0] < 0.2


def test_groups_have_no_order_and_missing_values_no_say() -> None:
    labels = np.array([3, 0, 7])[DAYS.astype(int) % 3]
    share, pairs = following_groups(DAYS.astype(int) % 3, labels.astype(float))
    assert (share, pairs) == (1.0, 597)
    gone = DAYS.copy()
    gone[::2] = np.nan
    assert following(gone, DAYS) > 0.9
    assert following_groups(np.full(600, -1), DAYS) == (0.0, 0)
