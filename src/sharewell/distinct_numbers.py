"""Distinct whole numbers, and which of them each number is: by sorting, or by a table where the numbers are dense.

`np.unique` hashes where nothing but the distinct numbers is asked for, which takes many times as long as sorting them.

>>> distinct(np.array([7, 3, 7, 5])).tolist()
[3, 5, 7]
>>> [part.tolist() for part in numbered(np.array([7, 3, 7, 5]))]
[[3, 5, 7], [2, 0, 2, 1]]
>>> contained(np.array([7, 3, 7, 5]), np.array([7, 8])).tolist()
[True, False, True, False]
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Whole = NDArray[np.integer[Any]]
_DENSE, _SMALL = 4, 1 << 16
"""A table of all numbers from the least to the largest may have so many places for each number, or so many in all."""


def distinct(numbers: Whole) -> NDArray[np.int64]:
    """Each number once, ascending."""
    numbers = np.asarray(numbers, dtype=np.int64).ravel()
    if (numbers[1:] > numbers[:-1]).all():
        return numbers.copy()
    ordered = np.sort(numbers)
    return ordered[_begins(ordered)]


def numbered(numbers: Whole) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The distinct numbers, ascending, and the place of each number among them."""
    numbers = np.asarray(numbers, dtype=np.int64)
    table = _table(numbers, len(numbers))
    if table is None:
        values, places = np.unique(numbers, return_inverse=True)
        return values, places.astype(np.int64)
    least, there = table
    place = np.cumsum(there, dtype=np.int64) - 1
    return np.flatnonzero(there) + least, place[numbers - least]


def contained(numbers: Whole, among: Whole) -> NDArray[np.bool_]:
    """Is each number one of some others?"""
    numbers, among = np.asarray(numbers, dtype=np.int64), np.asarray(among, dtype=np.int64)
    table = _table(among, len(numbers) + len(among))
    if table is not None:
        least, there = table
        place = numbers - least
        inside = (place >= 0) & (place < len(there))
        return inside & there[np.where(inside, place, 0)]
    if not len(among):
        return np.zeros(len(numbers), dtype=np.bool_)
    ordered = distinct(among)
    place = np.minimum(np.searchsorted(ordered, numbers), len(ordered) - 1)
    return np.asarray(ordered[place] == numbers)


def _begins(ascending: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Where a run of equal numbers begins."""
    begins = np.ones(len(ascending), dtype=np.bool_)
    np.not_equal(ascending[1:], ascending[:-1], out=begins[1:])
    return begins


def _table(numbers: NDArray[np.int64], count: int) -> tuple[int, NDArray[np.bool_]] | None:
    """The least number, and for each from there on whether it occurs; None where such a table would be too long."""
    if not len(numbers):
        return None
    least, largest = int(numbers.min()), int(numbers.max())
    if largest - least >= max(_SMALL, _DENSE * count):
        return None
    there = np.zeros(largest - least + 1, dtype=np.bool_)
    there[numbers - least] = True
    return least, there
