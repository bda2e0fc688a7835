"""Differences of the digamma function ψ, which the standard library lacks."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_FAR = 12.0
_TERMS = (1 / 12, -1 / 120, 1 / 252, -1 / 240, 1 / 132, -691 / 32760, 1 / 12)
"""B_2k / 2k: the coefficients of the asymptotic series."""


def sums_of_inverses(first: NDArray[np.float64], number: int) -> NDArray[np.float64]:
    """1/x + 1/(x+1) + …, so many terms, for each x = first > 0: ψ(x + number) − ψ(x), without what would cancel.

    >>> sums_of_inverses(np.array([1.0, 2.0]), 2).round(12).tolist(), sums_of_inverses(np.array([1e12]), 1000).tolist()
    ([1.5, 0.833333333333], [9.999999995005e-10])
    """
    if number < 2 * _FAR:
        return np.sum([1.0 / (first + i) for i in range(number)], axis=0) if number else np.zeros_like(first)
    steps = int(_FAR)
    below = np.sum([1.0 / (first + i) for i in range(steps)], axis=0)
    x, end = first + steps, first + number
    found: NDArray[np.float64] = np.log1p((end - x) / x) + _away(end) - _away(x) + below
    return found


def _away(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """ψ(x) − ln x, far from 0, by the asymptotic series."""
    inverse = 1.0 / (x * x)
    series = np.zeros_like(x)
    for term in reversed(_TERMS):
        series = (series - term) * inverse
    return series - 0.5 / x
