"""Compiled loops over combinations of items; see itemsets."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sharewell.compiled import jit


@jit
def pairs(starts: NDArray[np.int64], items: NDArray[np.int32], universe: int) -> NDArray[np.uint8]:
    """The support of every pair (a, b) with a < b at b(b−1)/2 + a, counted up to 255."""
    counts = np.zeros(universe * (universe - 1) // 2, dtype=np.uint8)
    for row in range(len(starts) - 1):
        for i in range(starts[row], starts[row + 1]):
            b = np.int64(items[i])
            base = b * (b - 1) // 2
            for j in range(starts[row], i):
                place = base + items[j]
                if counts[place] < 255:
                    counts[place] += 1
    return counts


@jit
def combinations(
    starts: NDArray[np.int64], items: NDArray[np.int32], size: int, low: int, high: int, bits: int
) -> NDArray[np.int64]:
    """The number of every combination of `size` items whose first lies in [low, high)."""
    total = 0
    for row in range(len(starts) - 1):
        end = starts[row + 1]
        for i in range(starts[row], end - size + 1):
            if items[i] >= high:
                break
            if items[i] >= low:
                ways = 1
                for step in range(size - 1):
                    ways = ways * (end - i - 1 - step) // (step + 1)
                total += ways
    keys = np.empty(total, dtype=np.int64)
    place = 0
    chosen = np.zeros(size, dtype=np.int64)
    for row in range(len(starts) - 1):
        end = starts[row + 1]
        for i in range(starts[row], end - size + 1):
            if items[i] >= high:
                break
            if items[i] < low:
                continue
            if size == 1:
                keys[place] = items[i]
                place += 1
                continue
            for step in range(size - 1):
                chosen[step] = i + step
            step = size - 2
            while step >= 0:  # all items but the last are chosen: every later one may be the last
                key = np.int64(0)
                for digit in range(size - 1):
                    key = (key | items[chosen[digit]]) << bits
                for last in range(chosen[size - 2] + 1, end):
                    keys[place] = key | items[last]
                    place += 1
                step = size - 2
                while step > 0 and chosen[step] == end - size + step:
                    step -= 1
                if step == 0:
                    break
                chosen[step] += 1
                for later in range(step + 1, size - 1):
                    chosen[later] = chosen[later - 1] + 1
    return keys


@jit
def runs(keys: NDArray[np.int64], k: int) -> tuple[int, int, int]:
    """Of sorted numbers: how many different ones, how many of them fewer than k times, the least times (0: none)."""
    distinct, below, least = 0, 0, len(keys)
    begun = 0
    for i in range(1, len(keys) + 1):
        if i == len(keys) or keys[i] != keys[begun]:
            times = i - begun
            distinct += 1
            below += times < k
            least = min(least, times)
            begun = i
    return distinct, below, least
