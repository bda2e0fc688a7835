"""What noisy tables tell of counts: from the smallest marginal, and groups spread over their values."""

from __future__ import annotations

import numpy as np
import pytest

from sharewell.queries.data import EVERY, NoisyTable, Range, Values
from sharewell.queries.engine.marginal_estimates import Estimates

DOMAINS = {"ward": Values(("a", "b")), "age": Range(0, 20, bins=2)}
OLD, YOUNG = "[10, 20]", "[0, 10)"


def test_the_smallest_marginal_answers() -> None:
    table = NoisyTable(
        {"ward": ["a", "b", "other", "a", "b"], "age": [EVERY, EVERY, EVERY, OLD, YOUNG]},
        np.array([1.0, 2, 3, 40, 50]),
        {},
    )
    estimates = Estimates(DOMAINS, table)
    assert np.array_equal(estimates.of(["ward"]), [1, 2, 3])  # type: ignore[arg-type]
    assert np.array_equal(estimates.of(["age"]), [50, 40])  # type: ignore[arg-type]
    assert np.array_equal(estimates.of(["age", "ward"]), [[0, 50, 0], [40, 0, 0]])  # type: ignore[arg-type]


def test_groups_are_spread_evenly() -> None:
    spent = {"labels": {"ward": {"both": ["a", "b"]}}}
    table = NoisyTable({"ward": ["both", "other"], "age": [OLD, YOUNG]}, np.array([4.0, 1.0]), spent)
    found = Estimates(DOMAINS, table).of(["ward", "age"])
    assert found is not None
    assert found.tolist() == [[0, 2], [0, 2], [1, 0]]


def test_what_is_not_told_is_none() -> None:
    table = NoisyTable({"ward": ["a"], "age": [EVERY]}, np.array([4.0]), {})
    assert Estimates(DOMAINS, table).of(["age"]) is None
    assert Estimates(DOMAINS, NoisyTable({}, np.array([]), {})).of(["age"]) is None


@pytest.mark.parametrize("groups", [{}, {"labels": {}}, {"labels": {"ward": {"x": ["nothing known"]}}}])
def test_a_label_that_nobody_explains_counts_nowhere(groups: dict[str, object]) -> None:
    table = NoisyTable({"ward": ["x", "a"], "age": [OLD, OLD]}, np.array([4.0, 1.0]), groups)
    found = Estimates(DOMAINS, table).of(["ward"])
    assert found is not None
    assert found.tolist() == [1, 0, 0]
