"""The mean error of a count, from its noise alone."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sharewell.queries import NoiseError, NoisyTable


def table(noise: str, scale: float) -> NoisyTable:
    spent = {"marginals": [["sex"]], "terms": [{"noise": noise, "scale": scale}]}
    return NoisyTable({"sex": ["F", "M"]}, np.array([5.0, 7.0]), spent)


@given(st.floats(0.2, 50))
def test_discrete_laplace_noise_has_the_mean_of_its_law(scale: float) -> None:
    far = int(80 * scale) + 80
    weights = [math.exp(-abs(i) / scale) for i in range(-far, far + 1)]
    mean = sum(abs(i) * w for i, w in zip(range(-far, far + 1), weights, strict=True)) / sum(weights)
    assert NoiseError().score(None, table("discrete-laplace", scale)).value == pytest.approx(mean, rel=1e-6)


def test_gaussian_noise() -> None:
    found = NoiseError().score(None, table("discrete-gaussian", 10.0))
    assert found.value == pytest.approx(10 * math.sqrt(2 / math.pi))


def test_it_reads_no_count() -> None:
    one, other = table("discrete-laplace", 3.0), table("discrete-laplace", 3.0)
    object.__setattr__(other, "counts", np.array([900.0, -4.0]))
    assert NoiseError().score(None, one) == NoiseError().score(None, other)


def test_noise_that_is_not_told_is_undecided() -> None:
    assert NoiseError().score(None, NoisyTable({"sex": ["F"]}, np.array([5.0]), {})).value is None
