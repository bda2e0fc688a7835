"""Fractions are compared exactly, however many digits the bound has."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from sharewell.tables.engine.checks.exact_criteria import Ratios

pairs = st.lists(st.tuples(st.integers(0, 2**62), st.integers(1, 2**62)), max_size=5)


@given(pairs=pairs, bound=st.fractions(0, 2))
@example(pairs=[(0, 1)], bound=Fraction(4112533237432605001, 13075367600283675280))
@example(pairs=[], bound=Fraction(1, 10**30))
@example(pairs=[(1, 2**62), (2**62, 1)], bound=Fraction(10**25, 10**25 + 1))
def test_whole_numbers_are_compared_as_fractions(pairs: list[tuple[int, int]], bound: Fraction) -> None:
    over, under = (np.array([pair[i] for pair in pairs], dtype=np.int64) for i in (0, 1))
    expected = [(Fraction(*pair) > bound) - (Fraction(*pair) < bound) for pair in pairs]
    assert Ratios(np.arange(len(pairs)), over, under).compared(bound).tolist() == expected


def test_decimals_beside_whole_numbers_are_compared_with_a_long_bound() -> None:
    near, sizes = np.array([0.0, 0.5, 3.0]), np.array([1, 1, 4])
    bound = Fraction(5 * 10**24, 10**25)
    long = Fraction(5 * 10**24 + 1, 10**25)
    assert Ratios(np.arange(3), near, sizes).compared(bound).tolist() == [-1, 0, 1]
    assert Ratios(np.arange(3), near, sizes).compared(long).tolist()[::2] == [-1, 1]
