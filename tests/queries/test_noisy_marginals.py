"""Noisy marginals: every public cell, noise for all marginals together."""

from __future__ import annotations

import math

import numpy as np
import pytest
from small_visits import table

from sharewell.errors import Infeasible, PolicyError
from sharewell.queries import DifferentialPrivacy, NoisyMarginals

OF = [["age", "sex"], ["ward"]]


def test_every_cell_is_there_and_near_the_truth_at_a_generous_price() -> None:
    released = NoisyMarginals(epsilon=50.0, of=OF).protect(table(), [])
    truth = np.concatenate([table().counts(["sex", "age"]).ravel(), table().counts(["ward"])])
    assert released.data.rows == len(truth) == 33
    assert np.abs(released.data.counts - truth).max() <= 5  # e^-50 and less
    assert list(released.data.keys) == ["sex", "age", "ward"]
    assert released.data.keys["ward"][:30] == ["*"] * 30
    assert not released.reproducible


@pytest.mark.parametrize(("neighbours", "factor"), [("add-remove", 1), ("change-one", 2)])
def test_noise_grows_with_marginals_rows_and_neighbours(neighbours: str, factor: int) -> None:
    details = NoisyMarginals(epsilon=0.5, of=OF).protect(table(neighbours), []).details  # type: ignore[arg-type]
    assert details.sensitivity == 2 * 2 * factor
    assert details.scale == details.sensitivity / 0.5
    gaussian = NoisyMarginals(rho=0.5, of=OF).protect(table(neighbours), []).details  # type: ignore[arg-type]
    assert gaussian.sensitivity == pytest.approx(2 * math.sqrt(2) * math.sqrt(factor))


@pytest.mark.parametrize("budget", [{"epsilon": 0.7}, {"rho": 0.02}])
def test_its_own_judge_agrees(budget: dict[str, float]) -> None:
    released = NoisyMarginals(**budget, of=OF).protect(table(), []).data  # type: ignore[arg-type]
    limit = DifferentialPrivacy(0.7) if "epsilon" in budget else DifferentialPrivacy(1.2, 1e-6)
    assert limit.check(released).ok
    assert DifferentialPrivacy(0.5, 1e-6).check(released).failed


def test_without_a_list_all_columns_are_one_marginal() -> None:
    assert NoisyMarginals(epsilon=1.0).protect(table(), []).data.rows == 3 * 10 * 3


@pytest.mark.parametrize("budget", [{}, {"epsilon": 1.0, "rho": 1.0}, {"epsilon": -1.0}, {"epsilon": math.nan}])
def test_one_budget_and_only_one_is_given(budget: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="epsilon"):
        NoisyMarginals(**budget)  # type: ignore[arg-type]


@pytest.mark.parametrize("of", [[["age"], ["age"]], [["age", "age"]], [["sex", "age"], ["age", "sex"]]])
def test_a_marginal_that_stands_twice_is_refused(of: list[list[str]]) -> None:
    with pytest.raises(PolicyError, match="twice"):
        NoisyMarginals(epsilon=1.0, of=of).protect(table(), [])


def test_too_many_cells_are_refused_before_anything_is_counted() -> None:
    from dataclasses import replace

    from sharewell.queries import Range

    wide = replace(table(), domains={name: Range(0, 100, 2000) for name in ("age", "sex")})
    with pytest.raises(Infeasible, match="4,000,000 cells"):
        NoisyMarginals(epsilon=1.0).protect(wide, [])
