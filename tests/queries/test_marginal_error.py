"""Marginal error: shares of rows in the wrong cell, over what is published."""

from __future__ import annotations

import numpy as np
import pytest
from tiny_tables import bins, confidential

from sharewell.queries.data import EVERY, NoisyTable
from sharewell.queries.mechanisms.data_cube import DataCube
from sharewell.queries.mechanisms.diffgen import DiffGen
from sharewell.queries.utility.marginal_error import MarginalError

BEFORE = confidential([(i % 3, i % 4) for i in range(120)], bins(a=3, b=4))


def test_an_exact_table_has_no_error() -> None:
    exact = BEFORE.counts(["a"]).astype(float)
    after = NoisyTable({"a": list(BEFORE.domains["a"].labels), "b": [EVERY] * 3}, exact, {})
    found = MarginalError().score(BEFORE, after)
    assert (found.value, found.details.published, found.details.marginals) == (0, 1, 3)


def test_more_budget_has_less_error() -> None:
    errors = [
        np.mean([MarginalError().score(BEFORE, DataCube(epsilon=e).protect(BEFORE, []).data).value for _ in range(3)])
        for e in (0.05, 0.5, 5)
    ]
    assert errors[0] > 2 * errors[1] > 4 * errors[2]


def test_groups_and_their_classes_can_be_scored() -> None:
    found = MarginalError(ways=1).score(BEFORE, DiffGen(epsilon=10, target="a").protect(BEFORE, []).data)
    assert found.value == pytest.approx(0, abs=0.2)
    assert set(found.details.by_ways) == {1}


def test_nothing_to_compare_is_said() -> None:
    empty = confidential([], bins(a=3, b=4))
    after = DataCube(epsilon=1.0).protect(empty, []).data
    assert MarginalError().score(empty, after).note == "there are no rows to count"
    assert MarginalError().score(after, after).note == "there is no noisy table to look at"
    nothing = NoisyTable({"a": [EVERY], "b": [EVERY]}, np.array([120.0]), {})
    assert MarginalError().score(BEFORE, nothing).note == "the table has no marginal"
