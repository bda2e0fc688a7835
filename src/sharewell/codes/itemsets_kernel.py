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
        for i in range(starts[row], end):
            if low <= items[i] < high:
                rest = end - i - 1
                ways = 1
                for step in range(size - 1):
                    ways = ways * (rest - step) // (step + 1)
                total += max(0, ways)
    keys = np.empty(total, dtype=np.int64)
    place = 0
    chosen = np.zeros(size, dtype=np.int64)
    for row in range(len(starts) - 1):
        end = starts[row + 1]
        for i in range(starts[row], end - size + 1):
            if items[i] < low or items[i] >= high:
                continue
            for step in range(size):
                chosen[step] = i + step
            step = size
            while step > 0:
                key = np.int64(0)
                for digit in range(size):
                    key = (key << bits) | items[chosen[digit]]
                keys[place] = key
                place += 1
                step = size - 1
                while step > 0 and chosen[step] == end - size + step:
                    step -= 1
                if step > 0:
                    chosen[step] += 1
                    for later in range(step + 1, size):
                        chosen[later] = chosen[later - 1] + 1
    return keys
