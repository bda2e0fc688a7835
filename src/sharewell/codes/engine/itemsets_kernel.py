"""Compiled loops over combinations of items; see itemsets, and known_codes for `holders_of`."""

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
                for following in range(step + 1, size - 1):
                    chosen[following] = chosen[following - 1] + 1
    return keys


@jit
def runs(keys: NDArray[np.int64], k: int) -> tuple[int, int, int]:
    """How many sorted numbers differ, how many occur fewer than k times, and how often the rarest does (0: none)."""
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


@jit
def holders_of(
    starts: NDArray[np.int64],
    items: NDArray[np.int32],
    holder_starts: NDArray[np.int64],
    holders: NDArray[np.int32],
    wanted_starts: NDArray[np.int64],
    wanted: NDArray[np.int32],
    rarest: NDArray[np.int64],
    order: NDArray[np.int64],
) -> NDArray[np.int64]:
    """How many sets hold each wanted one. `order` brings wanted sets with the same rarest item together.

    For each such item, the sets that hold it are numbered, and every other item that is wanted with it gets one bit for
    each of them. Other items are at least as frequent, so all the bits are no more than there are items in all.
    """
    counts = np.zeros(len(wanted_starts) - 1, dtype=np.int64)
    slot = np.full(len(holder_starts), -1, dtype=np.int64)
    bit = np.uint64(1)
    begin = 0
    while begin < len(order):
        item = rarest[order[begin]]
        end = begin
        while end < len(order) and rarest[order[end]] == item:
            end += 1
        used = 0
        for place in range(begin, end):
            for i in range(wanted_starts[order[place]], wanted_starts[order[place] + 1]):
                if wanted[i] != item and slot[wanted[i]] < 0:
                    slot[wanted[i]] = used
                    used += 1
        low, count = holder_starts[item], holder_starts[item + 1] - holder_starts[item]
        words = (count + 63) >> 6
        bits = np.zeros((max(1, used), words), dtype=np.uint64)
        if used:
            for number in range(count):
                row = holders[low + number]
                for i in range(starts[row], starts[row + 1]):
                    if slot[items[i]] >= 0:
                        bits[slot[items[i]], number >> 6] |= bit << np.uint64(number & 63)
        for place in range(begin, end):
            first, last = wanted_starts[order[place]], wanted_starts[order[place] + 1]
            if last - first == 1:
                counts[order[place]] = count
                continue
            for word in range(words):
                common = ~np.uint64(0)
                for i in range(first, last):
                    if wanted[i] != item:
                        common &= bits[slot[wanted[i]], word]
                while common:
                    common &= common - bit
                    counts[order[place]] += 1
        for place in range(begin, end):
            for i in range(wanted_starts[order[place]], wanted_starts[order[place] + 1]):
                slot[wanted[i]] = -1
        begin = end
    return counts
