"""Compiled counting of the sets that hold other sets; see known_codes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sharewell.compiled import jit


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
    found = np.zeros(len(wanted_starts) - 1, dtype=np.int64)
    slot = np.full(len(holder_starts), -1, dtype=np.int64)
    one = np.uint64(1)
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
                        bits[slot[items[i]], number >> 6] |= one << np.uint64(number & 63)
        for place in range(begin, end):
            first, last = wanted_starts[order[place]], wanted_starts[order[place] + 1]
            if last - first == 1:
                found[order[place]] = count
                continue
            for word in range(words):
                common = ~np.uint64(0)
                for i in range(first, last):
                    if wanted[i] != item:
                        common &= bits[slot[wanted[i]], word]
                while common:
                    common &= common - one
                    found[order[place]] += 1
        for place in range(begin, end):
            for i in range(wanted_starts[order[place]], wanted_starts[order[place] + 1]):
                slot[wanted[i]] = -1
        begin = end
    return found
