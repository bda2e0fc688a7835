"""The one special function that the standard library lacks, and its differences."""

from __future__ import annotations

import math

_FAR = 12.0
_TERMS = (1 / 12, -1 / 120, 1 / 252, -1 / 240, 1 / 132, -691 / 32760, 1 / 12)
"""B_2k / 2k: the coefficients of the asymptotic series."""


def digamma(x: float) -> float:
    """ψ(x) = d/dx ln Γ(x) for x > 0: by recurrence up to 12, then by the asymptotic series. Error about 1e-15.

    >>> round(digamma(1.0), 12), round(digamma(0.5), 12)
    (-0.577215664902, -1.963510026021)
    """
    below, x = _below(x)
    return math.fsum([math.log(x), *_series(x), *(-term for term in below)])


def sum_of_inverses(first: float, number: int) -> float:
    """1/x + 1/(x+1) + …, so many terms, for x = first > 0: ψ(x + number) − ψ(x), without what would cancel.

    >>> sum_of_inverses(1.0, 2), sum_of_inverses(1e12, 1000)
    (1.5, 9.999999995005e-10)
    """
    if number < 2 * _FAR:
        return math.fsum(1.0 / (first + i) for i in range(number))
    below, x = _below(first)
    end = first + number
    return math.fsum([math.log1p((end - x) / x), *_series(end), *(-term for term in _series(x)), *below])


def _below(x: float) -> tuple[list[float], float]:
    """1/x, 1/(x+1), … as far as the series is not good enough, and where it is."""
    if not x > 0:
        raise ValueError("digamma is for positive numbers here")
    steps = max(0, math.ceil(_FAR - x))
    return [1.0 / (x + i) for i in range(steps)], x + steps


def _series(x: float) -> list[float]:
    """ψ(x) − ln x, far from 0."""
    inverse = 1.0 / (x * x)
    return [-0.5 / x, *(-term * inverse**k for k, term in enumerate(_TERMS, 1))]
