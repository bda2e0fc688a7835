"""Intervals are exact: what they promise is added up from the distribution itself."""

from __future__ import annotations

import math

import numpy as np
import pytest

from sharewell.queries.engine.accuracy import (
    gaussian_half_width,
    laplace_half_width,
    ratio_interval,
)


@pytest.mark.parametrize(("epsilon", "expected"), [(1.0, 2.9957), (0.1, 29.957)])
def test_the_half_width_of_laplace_noise_is_ln_20_over_epsilon(epsilon: float, expected: float) -> None:
    assert math.log(20) / epsilon == pytest.approx(expected, abs=1e-3)
    assert laplace_half_width(1 / epsilon) == math.ceil(expected), "of whole numbers"
    assert math.sqrt(2) / epsilon == pytest.approx({1.0: 1.4142, 0.1: 14.142}[epsilon], abs=1e-3)


@pytest.mark.parametrize("scale", [0.02, 0.3, 1.0, 3.0, 17.3, 400.0])
@pytest.mark.parametrize("confidence", [0.5, 0.95, 0.975, 0.999])
def test_the_interval_is_the_smallest_that_keeps_its_promise(scale: float, confidence: float) -> None:
    far = np.arange(-20_000, 20_001)
    for width, weights in (
        (laplace_half_width(scale, confidence), np.exp(-np.abs(far) / scale)),
        (gaussian_half_width(scale, confidence), np.exp(-(far.astype(float) ** 2) / (2 * scale**2))),
    ):
        weights = weights / weights.sum()
        assert weights[np.abs(far) <= width].sum() >= confidence - 1e-9
        assert width == 0 or weights[np.abs(far) <= width - 1].sum() < confidence


def test_wide_gaussian_noise_has_the_normal_interval() -> None:
    assert gaussian_half_width(1e6) == pytest.approx(1_959_964, abs=3)


def test_a_ratio_lies_within_its_interval() -> None:
    low, high = ratio_interval(-30, 5, 20, 4, -50, 50)
    assert low == pytest.approx(-35 / 16)
    assert high == pytest.approx(-25 / 24)
    for total in (-35, -30, -25):
        for count in (16, 20, 24):
            assert low <= total / count <= high


def test_of_a_group_that_may_be_empty_nothing_is_said() -> None:
    assert ratio_interval(10, 1, 3, 3, 0, 9) == (0, 9)
