"""Compiled loops over packed sets; see packed_sets for what they are for, and for their twins."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sharewell.codes.engine.packed_sets import Ints
from sharewell.compiled import jit

_FEW = 32
"""Items up to which they are put in order one by one."""


@jit
def renumbered(starts: Ints, items: NDArray[np.int32], number: NDArray[np.int32]) -> tuple[Ints, NDArray[np.int32]]:
    """O(items) for short sets: each is put in order by itself."""
    result = np.empty(len(items), dtype=np.int32)
    offsets = np.zeros(len(starts), dtype=np.int64)
    begin = 0
    for row in range(len(starts) - 1):
        end = begin
        few = starts[row + 1] - starts[row] <= _FEW
        for i in range(starts[row], starts[row + 1]):
            item = number[items[i]]
            if item < 0:
                continue
            place = end
            if few:
                while place > begin and result[place - 1] > item:
                    result[place] = result[place - 1]
                    place -= 1
            result[place] = item
            end += 1
        if not few:
            result[begin:end].sort()
        kept = begin
        for i in range(begin, end):
            if i == begin or result[i] != result[kept - 1]:
                result[kept] = result[i]
                kept += 1
        begin = kept
        offsets[row + 1] = begin
    return offsets, result[:begin].copy()


@jit
def transposed(starts: Ints, items: NDArray[np.int32], universe: int) -> tuple[Ints, NDArray[np.int32]]:
    """O(items + universe): a place is kept for every occurrence of an item."""
    offsets = np.zeros(universe + 1, dtype=np.int64)
    for item in items:
        offsets[item + 1] += 1
    for item in range(universe):
        offsets[item + 1] += offsets[item]
    rows = np.empty(len(items), dtype=np.int32)
    following = offsets[:-1].copy()
    for row in range(len(starts) - 1):
        for i in range(starts[row], starts[row + 1]):
            rows[following[items[i]]] = row
            following[items[i]] += 1
    return offsets, rows
