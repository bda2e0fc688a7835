"""The step of `k_member_growth` in compiled code: the same clusters, for large work.

The rows of a block that have no cluster stay side by side, in their order: a row that joins is priced out of reach, and
once an eighth of the rows are, the others move together (`_pack`). A set costs one more value or nothing, and a range
follows from the places of its ends, so neither needs a table; of a tree, each row keeps what its value costs (`reach`).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sharewell.compiled import jit
from sharewell.tables.engine.protection.clustering.cluster_space import FULL, RANGE, SET, TREE
from sharewell.tables.engine.protection.clustering.k_member_growth import TAKEN, Growth

Ints = NDArray[np.integer]
_ONE, _CHUNK = np.uint64(1), np.uint64(32)
"""Rows that are looked at together: compiled code compares several of them at a time."""

# Places are unsigned in all inner loops: numba looks at the sign of every other index.


@jit
def grow(blocks: Ints, numbers: Ints, targets: Ints, state: Growth) -> None:
    starts, first, kept, price, size, cell = state.starts, state.first, state.kept, state.score, state.size, state.cell
    kinds, slots, value, reach = state.kinds, state.slots, state.value, state.reach
    gaps, places, cost, member, low, high = state.gaps, state.places, state.cost, state.member, state.low, state.high
    near, owner, joined = state.near, state.owner, state.joined
    for i in range(len(blocks)):
        block, number, target = blocks[i], numbers[i], targets[i]
        begin = np.uint64(starts[block])
        if size[block] == 0:
            end = begin + np.uint64(kept[block])
            at = _farthest(price, begin, end)
            if at == end:
                continue
            row = near[at]
            owner[row], joined[begin], size[block], price[at] = number, row, 1, TAKEN
            kept[block] = _pack(kinds, value, reach, near, price, begin, kept[block])
            end = begin + np.uint64(kept[block])
            _begin(block, row, begin, end, state)
        end, count, total = begin + np.uint64(kept[block]), size[block], 0
        for j in range(len(kinds)):
            total += min(cell[j, block], FULL)
        while count < target:
            least = _least(price, begin, end)
            if least >= TAKEN:
                break
            at, widened = begin, count
            while count < target:
                at = _next(price, at, end, least)
                if at == end:
                    break
                row = near[at]
                owner[row], joined[begin + np.uint64(count)], price[at] = number, row, TAKEN
                count += 1
                if least != total:
                    break
            row = joined[begin + np.uint64(widened)]
            for j in range(len(kinds)):
                slot, loss, kind = int(slots[j, row]), cell[j, block], kinds[j]
                if kind == SET:
                    if member[slot] or first[j, block + 1] - first[j, block] == 1:
                        continue
                    member[slot] = True
                    now = loss + gaps[slot]
                    _add_value(value, j, slot, gaps[slot], price, begin, end)
                elif low[j, block] <= slot <= high[j, block]:
                    continue
                elif kind == TREE:
                    now = max(loss, cost[slot])
                    _rise(reach, j, now, price, begin, end)
                else:
                    left, right = places[low[j, block]], places[high[j, block]]
                    new_left, new_right = min(left, places[slot]), max(right, places[slot])
                    now = new_right - new_left
                    _stretch(reach, j, left, right, new_left, new_right, price, begin, end)
                if kind != SET:
                    low[j, block], high[j, block] = min(low[j, block], slot), max(high[j, block], slot)
                cell[j, block] = now
                total += min(now, FULL) - min(loss, FULL)
        size[block] = count


@jit
def _farthest(price: Ints, begin: np.uint64, end: np.uint64) -> np.uint64:
    """The first of the dearest free rows; `end` if none is free."""
    far = -1
    for x in range(begin, end):
        far = max(far, price[x] if price[x] < TAKEN else -1)
    return _next(price, begin, end, far) if far >= 0 else end


@jit
def _least(price: Ints, begin: np.uint64, end: np.uint64) -> int:
    least = TAKEN
    for x in range(begin, end):
        least = min(least, price[x])
    return least


@jit
def _next(price: Ints, start: np.uint64, end: np.uint64, wanted: int) -> np.uint64:
    """The first row from `start` on that has this price; `end` if there is none."""
    x = start
    while x + _CHUNK <= end:
        equal = 0
        for y in range(_CHUNK):
            equal += price[x + y] == wanted
        if equal:
            break
        x += _CHUNK
    while x < end and price[x] != wanted:
        x += _ONE
    return x


@jit
def _pack(kinds: Ints, value: Ints, reach: Ints, near: Ints, price: Ints, first: np.uint64, count: int) -> int:
    """Move free rows together if enough others stand between them, and let them cost nothing; how many stand there."""
    end, taken, kept = first + np.uint64(count), 0, first
    for x in range(first, end):
        taken += price[x] >= TAKEN
    if 8 * taken < count:
        for x in range(first, end):
            price[x] = TAKEN if price[x] >= TAKEN else 0
        return count
    for x in range(first, end):  # instead of its price, the place from which a row moves
        free = np.uint64(price[x] < TAKEN)
        price[kept] = np.int64(x)
        kept += free
    for j in range(len(kinds)):
        if kinds[j] == RANGE:
            for x in range(first, kept):
                reach[j, x] = reach[j, np.uint64(price[x])]
        else:
            for x in range(first, kept):
                value[j, x] = value[j, np.uint64(price[x])]
    for x in range(first, kept):
        near[x] = near[np.uint64(price[x])]
    for x in range(first, kept):
        price[x] = 0
    return count - taken


@jit
def _begin(block: int, row: int, begin: np.uint64, end: np.uint64, state: Growth) -> None:
    """A cluster of one row: what it would lose with each of the others."""
    kinds, slots, first, value, reach = state.kinds, state.slots, state.first, state.value, state.reach
    gaps, places, cost, member, price = state.gaps, state.places, state.cost, state.member, state.score
    for j in range(len(kinds)):
        start, stop, slot = first[j, block], first[j, block + 1], int(slots[j, row])
        state.low[j, block], state.high[j, block], state.cell[j, block] = slot, slot, 0
        if stop - start < 2:
            continue
        if kinds[j] == SET:
            member[start:stop] = False
            member[slot] = True
            _add_value(value, j, slot, gaps[slot], price, begin, end)
        elif kinds[j] == RANGE:
            here = places[slot]
            for x in range(begin, end):
                price[x] += min(abs(reach[j, x] - here), FULL)
        else:
            _climb(start, stop, slot, gaps, cost)
            for x in range(begin, end):
                reach[j, x] = cost[np.uint64(value[j, x])]
                price[x] += reach[j, x]


@jit
def _add_value(value: Ints, j: int, slot: int, gap: int, price: Ints, begin: np.uint64, end: np.uint64) -> None:
    """A set with one more value costs all that do not have that value as much more."""
    for x in range(begin, end):
        price[x] += gap if value[j, x] != slot else 0


@jit
def _rise(reach: Ints, j: int, loss: int, price: Ints, begin: np.uint64, end: np.uint64) -> None:
    """No value costs a cell less than what it loses already."""
    for x in range(begin, end):
        now = max(reach[j, x], loss)
        price[x] += now - reach[j, x]
        reach[j, x] = now


@jit
def _stretch(
    reach: Ints,
    j: int,
    left: int,
    right: int,
    new_left: int,
    new_right: int,
    price: Ints,
    begin: np.uint64,
    end: np.uint64,
) -> None:
    """A range from left to right now reaches farther."""
    for x in range(begin, end):
        here = reach[j, x]
        before = min(max(right, here) - min(left, here), FULL)
        price[x] += min(max(new_right, here) - min(new_left, here), FULL) - before


@jit
def _climb(first: int, last: int, at: int, gaps: Ints, cost: Ints) -> None:
    """The widest gap between a slot and each other one of the block, at most FULL."""
    begin, end, here = np.uint64(first), np.uint64(last), np.uint64(at)
    cost[here] = 0
    widest = 0
    for back in range(_ONE, here - begin + _ONE):
        widest = max(widest, gaps[here - back])
        cost[here - back] = min(widest, FULL)
    widest = 0
    for slot in range(here + _ONE, end):
        widest = max(widest, gaps[slot - _ONE])
        cost[slot] = min(widest, FULL)
