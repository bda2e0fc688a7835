"""Distinct whole numbers, and which of them each number is: by sorting, or by a table where the numbers are dense.

`np.unique` hashes where nothing but the distinct numbers is asked for, which takes many times as long as sorting them.

>>> distinct(np.array([7, 3, 7, 5])).tolist()
[3, 5, 7]
>>> [part.tolist() for part in numbered(np.array([7, 3, 7, 5]))]
[[3, 5, 7], [2, 0, 2, 1]]
>>> [part.tolist() for part in counted(np.array([7, 3, 7, 5]))]
[[3, 5, 7], [1, 1, 2]]
>>> contained(np.array([7, 3, 7, 5]), np.array([7, 8])).tolist()
[True, False, True, False]
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Whole = NDArray[np.integer[Any]]
_DENSE, _SMALL = 4, 1 << 16
"""A table from the least number to the largest may have this many places for each number, or this many in all."""


def distinct(numbers: Whole) -> NDArray[np.int64]:
    """Each number once, ascending."""
    whole: NDArray[np.int64] = np.asarray(numbers, dtype=np.int64).ravel()
    if (whole[1:] > whole[:-1]).all():
        return whole.copy()
    ordered = np.sort(whole)
    return ordered[_begins(ordered)]


def numbered(numbers: Whole) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The distinct numbers, ascending, and the place of each number among them."""
    whole: NDArray[np.int64] = np.asarray(numbers, dtype=np.int64)
    table = _table(whole, len(whole))
    if table is None:
        values, places = np.unique(whole, return_inverse=True)
        return values, places.astype(np.int64)
    least, there = table
    place = np.cumsum(there, dtype=np.int64) - 1
    return (np.flatnonzero(there) + least).astype(np.int64), place[whole - least]


def counted(numbers: Whole) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The distinct numbers, ascending, and how often each occurs."""
    whole: NDArray[np.int64] = np.asarray(numbers, dtype=np.int64).ravel()
    if len(whole):
        least, largest = int(whole.min()), int(whole.max())
        most = max(_SMALL, _DENSE * len(whole))
        if largest - least < most:
            least = 0 if least >= 0 and largest < most else least
            counts = np.bincount(whole - least if least else whole)
            there = np.flatnonzero(counts)
            return there + least, counts[there]
    ordered = np.sort(whole)
    begins = np.flatnonzero(_begins(ordered))
    return ordered[begins], np.diff(np.append(begins, len(ordered)))


def contained(numbers: Whole, among: Whole) -> NDArray[np.bool_]:
    """Is each number one of some others?"""
    whole: NDArray[np.int64] = np.asarray(numbers, dtype=np.int64)
    others: NDArray[np.int64] = np.asarray(among, dtype=np.int64)
    if len(others) and len(whole):
        least, largest = int(min(whole.min(), others.min())), int(max(whole.max(), others.max()))
        if largest - least < max(_SMALL, _DENSE * (len(whole) + len(others))):
            marked = np.zeros(largest - least + 1, dtype=np.bool_)
            marked[others - least] = True
            return np.asarray(marked[whole - least if least else whole])
    table = _table(others, len(whole) + len(others))
    if table is not None:
        least, there = table
        place = whole - least
        inside = (place >= 0) & (place < len(there))
        return np.asarray(inside & there[np.where(inside, place, 0)])
    if not len(others):
        return np.zeros(len(whole), dtype=np.bool_)
    ordered = distinct(others)
    place = np.minimum(np.searchsorted(ordered, whole), len(ordered) - 1)
    return np.asarray(ordered[place] == whole)


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
