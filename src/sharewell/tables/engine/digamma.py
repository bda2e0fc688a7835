"""Differences of the digamma function ψ, which the standard library lacks."""

from __future__ import annotations

import math
from typing import TypeVar

import numpy as np

from sharewell.tables.engine.array_types import Floats, Ints

Real = TypeVar("Real", float, Floats)
_NEAR = 12
"""So many terms are added one by one; what lies further away is a series."""
_TERMS = (1 / 12, -1 / 120, 1 / 252, -1 / 240, 1 / 132, -691 / 32760, 1 / 12)
"""B_2k / 2k: the coefficients of the asymptotic series."""


def sums_of_inverses(first: Floats, number: int) -> Floats:
    """1/x + 1/(x+1) + …, so many terms, for each x = first > 0: ψ(x + number) − ψ(x), without what would cancel.

    >>> sums_of_inverses(np.array([1.0, 2.0]), 2).round(12).tolist(), sums_of_inverses(np.array([1e12]), 1000).tolist()
    ([1.5, 0.833333333333], [9.999999995005e-10])
    """
    few = number < 2 * _NEAR
    near = (1.0 / (first + np.arange(number if few else _NEAR)[:, None])).sum(axis=0)
    if few:
        return np.asarray(near)
    x, end = first + _NEAR, first + number
    return np.asarray(np.log1p((end - x) / x) + _away(end) - _away(x) + near)


def sum_of_inverses(first: float, number: int) -> float:
    """The same for one number, ten times as fast.

    >>> sum_of_inverses(2.0, 2), sum_of_inverses(1e12, 1000)
    (0.8333333333333333, 9.999999995005e-10)
    """
    few = number < 2 * _NEAR
    near = sum([1.0 / (first + i) for i in range(number if few else _NEAR)])
    if few:
        return near
    x, end = first + _NEAR, first + number
    return float(math.log1p((end - x) / x) + _away(end) - _away(x) + near)


def sums_to_each(first: Floats, numbers: Ints) -> Floats:
    """[x, number]: the same for each x = first and each number of terms.

    >>> sums_to_each(np.array([1.0, 2.0]), np.array([1, 2])).round(12).tolist()
    [[1.0, 1.5], [0.5, 0.833333333333]]
    """
    terms = 1.0 / (first[:, None] + np.arange(2 * _NEAR))
    up_to = np.concatenate([np.zeros((len(first), 1)), np.cumsum(terms, axis=1)], axis=1)
    sums = up_to[:, np.minimum(numbers, 2 * _NEAR)]
    many = numbers > 2 * _NEAR
    x, end = first[:, None] + _NEAR, first[:, None] + numbers[many]
    sums[:, many] = np.log1p((end - x) / x) + _away(end) - _away(x) + up_to[:, _NEAR, None]
    return sums


def _away(x: Real) -> Real:
    """ψ(x) − ln x, far from 0, by the asymptotic series."""
    inverse, series = 1.0 / (x * x), x * 0.0
    for term in reversed(_TERMS):
        series = (series - term) * inverse
    return series - 0.5 / x
