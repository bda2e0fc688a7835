"""A noisy table as an attacker reads it: its marginals, their noise, and sums of their cells."""

from __future__ import annotations

import numpy as np
import pytest
from small_visits import table

from sharewell.queries import NoisyMarginals, NoisyTable
from sharewell.queries.engine.attackers.published_marginals import (
    Estimate,
    NoiseLaw,
    loss_of,
    marginals_of,
    noise_of,
    summed,
    true_counts,
)


def test_marginals_are_found_again() -> None:
    released = NoisyMarginals(epsilon=1.0, of=[["sex", "age"], ["ward"]]).protect(table(), []).data
    first, second = marginals_of(released)
    assert (first.columns, second.columns) == (("sex", "age"), ("ward",))
    assert (len(first.counts), len(second.counts)) == (30, 3)
    assert noise_of(released) == NoiseLaw("discrete-laplace", 4.0)
    assert loss_of(released) == 1.0
    by_sex = summed(first, ["sex"])
    assert by_sex[("F",)][1] == 10
    assert sum(total for total, _ in by_sex.values()) == pytest.approx(first.counts.sum())
    assert sum((true_counts(table(), ["sex"]) or {}).values()) == 60


def test_noise_that_is_drawn_has_the_variance_that_is_stated() -> None:
    rng = np.random.default_rng(2)
    for law in (NoiseLaw("discrete-laplace", 3.0), NoiseLaw("discrete-gaussian", 3.0)):
        assert law.draw(rng, (200_000, 1)).var() == pytest.approx(law.variance, rel=0.03)


def test_a_chance_is_told_where_the_truth_is_not_known() -> None:
    assert Estimate(2.2, 1.0, 2).exact == 1.0
    assert Estimate(2.2, 1.0, 3).exact == 0.0
    assert Estimate(2.2, 1.0, None).exact == pytest.approx(0.3829, abs=1e-4)
    assert noise_of(NoisyTable({}, np.zeros(0), {"terms": "none"})) is None
