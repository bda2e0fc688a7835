"""Numbers of a report are fractions: as written, rounded to the nearest, in bins that hold their whole interval."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sharewell.reports.figures.engine.numbers import coarser, exact, is_exact, rounded_root, rounded_to

FINE = st.integers(-5000, 5000).map(lambda v: Fraction(v, 10))


@pytest.mark.parametrize("odd", [True, "nan", "inf", "", None, "1e400", "0x10", "--1"])
def test_what_is_no_number(odd: object) -> None:
    assert not is_exact(odd)


@given(st.decimals(-1000, 1000, places=4))
def test_a_number_is_as_it_is_written(number: object) -> None:
    assert exact(str(number)) == Fraction(str(number))


@given(FINE, st.sampled_from([1, 2, 5, 7]))
def test_a_bin_holds_the_whole_interval_and_neighbours_share_it(value: Fraction, width: int) -> None:
    half = Fraction(1, 20)
    low, high = coarser(value, half, Fraction(width))
    assert low <= value - half
    assert value + half <= high
    assert high - low == width
    assert coarser(value // width * width, half, Fraction(width)) == (low, high)


@given(st.fractions(0, 1000), st.integers(0, 3))
def test_roots_and_numbers_are_rounded_to_the_nearest(number: Fraction, decimals: int) -> None:
    half = Fraction(1, 2 * 10**decimals)
    assert abs(rounded_to(number, decimals) - number) <= half
    root = rounded_root(number, decimals)
    assert max(root - half, Fraction(0)) ** 2 <= number <= (root + half) ** 2
