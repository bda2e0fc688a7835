"""The ε of noisy sums is computed anew from what the table tells about its noise."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sharewell.reports import CountTable, SumPrivacy
from sharewell.reports.counts.data import Rounding, SumNoise

SUMS = CountTable.of_cells({("a",): 3, ("b",): 4}, ["x"], value="cost")


@given(st.integers(1, 1000), st.floats(0.1, 1000), st.floats(0.01, 10))
def test_laplace_noise_tells_most_over_scale(most: int, scale: float, asked: float) -> None:
    finding = SumPrivacy(asked).check(replace(SUMS, noise=SumNoise("discrete-laplace", scale, most)))
    assert float(finding.value or 0) == pytest.approx(most / scale)
    assert finding.ok == (most <= asked * scale) or most / scale == pytest.approx(asked)


def test_the_likelihoods_of_two_neighbours_never_differ_by_more() -> None:
    """By the probabilities themselves: P(k) is proportional to e^(−|k| / scale)."""
    scale, most = 7.0, 5
    value = float(SumPrivacy(1).check(replace(SUMS, noise=SumNoise("discrete-laplace", scale, most))).value or 0)
    for moved in range(-most, most + 1):
        for k in range(-100, 101):
            assert (abs(k - moved) - abs(k)) / scale <= value + 1e-12


def test_gaussian_noise_needs_a_delta() -> None:
    table = replace(SUMS, noise=SumNoise("discrete-gaussian", 10.0, 5))
    assert SumPrivacy(1).check(table).ok is None
    rho = 0.125
    assert SumPrivacy(4, 1e-6).check(table).value == pytest.approx(rho + 2 * math.sqrt(rho * math.log(1e6)))


def test_sums_without_noise_and_noise_on_others_are_undecided() -> None:
    noise = SumNoise("discrete-laplace", 10.0, 5)
    counts = CountTable.of_cells({("a",): 3}, ["x"])
    for table in (SUMS, replace(counts, noise=noise), replace(SUMS, noise=noise, rounding=Rounding(5))):
        assert SumPrivacy(1).check(table).ok is None
        assert SumPrivacy(1).check(table).failed


@pytest.mark.parametrize("wrong", [("laplace", 1.0, 1), ("discrete-laplace", 0.0, 1), ("discrete-laplace", 1.0, 0)])
def test_noise_that_is_none(wrong: tuple[str, float, int]) -> None:
    with pytest.raises(ValueError, match="noise has"):
        SumNoise(*wrong)  # type: ignore[arg-type]


def test_a_steward_sees_that_no_noise_was_added() -> None:
    """With the true amounts: sums that are exact, and a total that is far off, are not believed."""
    cells = [(f"w{i}",) for i in range(8)]
    parts = (cells, list(range(8)), [40] * 8)
    true = CountTable.of_cells(dict.fromkeys(cells, 40), ["x"], given=parts, value="cost")
    noise = SumNoise("discrete-laplace", 100.0, 50)
    assert SumPrivacy(1).check(replace(true, noise=noise)).ok is None
    assert SumPrivacy(1).check(replace(true, noise=noise, truth=None)).ok, "a reader cannot tell"
    moved = true.shown.copy()
    moved[0], moved[1] = moved[0] + 30, moved[1] + 30
    assert SumPrivacy(1).check(replace(true, noise=noise, shown=moved)).ok
    moved[0] += 10**6
    assert SumPrivacy(1).check(replace(true, noise=noise, shown=moved)).ok is None
