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
from sharewell.tables.engine.protection.clustering.k_member_growth import Growth

Ints = NDArray[np.integer]
_TAKEN = 1 << 61
"""The price of a row that is not free. Whatever is added to it, it stays above all others."""
_ONE, _CHUNK = np.uint64(1), np.uint64(32)
"""Rows, or slots, that are looked at together: compiled code compares several of them at a time."""

# Places are unsigned in all inner loops: numba looks at the sign of every other index.


@jit
def grow(blocks: Ints, numbers: Ints, targets: Ints, state: Growth) -> None:
    for i in range(len(blocks)):
        block = blocks[i]
        begin, count = state.starts[block], state.kept[block]
        if state.size[block] == 0:
            at = _farthest(state.score[begin : begin + count])
            if at < 0:
                continue
            row = _join(block, begin, at, numbers[i], state)
            count = state.kept[block] = _pack(begin, count, state)
            _begin(block, row, begin, state.score[begin : begin + count], state)
        _grow(block, begin, numbers[i], targets[i], state.score[begin : begin + count], state)


@jit
def _farthest(price: Ints) -> int:
    """The first of the dearest rows; −1 if none is free."""
    far = -1
    for x in range(np.uint64(len(price))):
        far = max(far, price[x] if price[x] < _TAKEN else -1)
    return _next(price, 0, far) if far >= 0 else -1


@jit
def _next(price: Ints, start: int, wanted: int) -> int:
    """The first row from `start` on that has this price; behind the last if there is none."""
    x, end = np.uint64(start), np.uint64(len(price))
    while x + _CHUNK <= end:
        equal = 0
        for y in range(_CHUNK):
            equal += price[x + y] == wanted
        if equal:
            break
        x += _CHUNK
    while x < end and price[x] != wanted:
        x += _ONE
    return int(np.int64(x))


@jit
def _join(block: int, begin: int, at: int, number: int, state: Growth) -> int:
    """Let a row into the growing cluster; which position of the space it is."""
    row, size = state.near[begin + at], state.size[block]
    state.owner[row], state.joined[begin + size], state.size[block] = number, row, size + 1
    state.score[begin + at] = _TAKEN
    return int(row)


@jit
def _pack(begin: int, count: int, state: Growth) -> int:
    """Move free rows together if enough others stand between them; how many rows stand there then."""
    first, end, taken = np.uint64(begin), np.uint64(begin + count), 0
    for x in range(first, end):
        taken += state.score[x] >= _TAKEN
    if 8 * taken < count:
        return count
    for j in range(len(state.kinds)):
        kept = first
        for x in range(first, end):
            state.value[j, kept], state.reach[j, kept] = state.value[j, x], state.reach[j, x]
            kept += np.uint64(state.score[x] < _TAKEN)
    kept = first
    for x in range(first, end):
        state.near[kept] = state.near[x]
        kept += np.uint64(state.score[x] < _TAKEN)
    for x in range(first, kept):
        state.score[x] = 0
    return count - taken


@jit
def _begin(block: int, row: int, begin: int, price: Ints, state: Growth) -> None:
    """A cluster of one row: what it would lose with each of the others."""
    gaps, places, begins = state.gaps, state.places, np.uint64(begin)
    for x in range(np.uint64(len(price))):
        price[x] = _TAKEN if price[x] >= _TAKEN else 0
    for j in range(len(state.kinds)):
        first, last, slot = state.first[j, block], state.first[j, block + 1], int(state.slots[j, row])
        state.low[j, block], state.high[j, block], state.cell[j, block] = slot, slot, 0
        value, reach = state.value[j, begins:], state.reach[j, begins:]
        if last - first < 2:
            continue
        if state.kinds[j] == SET:
            state.member[first:last] = False
            state.member[slot] = True
            _add_value(value, slot, gaps[slot], price)
        elif state.kinds[j] == RANGE:
            here = places[slot]
            for x in range(np.uint64(len(price))):
                price[x] += min(abs(reach[x] - here), FULL)
        else:
            _climb(first, last, slot, gaps, state.cost)
            for x in range(np.uint64(len(price))):
                reach[x] = state.cost[np.uint64(value[x])]
                price[x] += reach[x]


@jit
def _add_value(value: Ints, slot: int, gap: int, price: Ints) -> None:
    """A set with one more value costs all that do not have that value as much more."""
    for x in range(np.uint64(len(price))):
        price[x] += gap if value[x] != slot else 0


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


@jit
def _grow(block: int, begin: int, number: int, target: int, price: Ints, state: Growth) -> None:
    """Let the nearest row join, and with it all that cost nothing more, until there are enough."""
    total = 0
    for j in range(len(state.kinds)):
        total += min(state.cell[j, block], FULL)
    while state.size[block] < target:
        least = _TAKEN
        for x in range(np.uint64(len(price))):
            least = min(least, price[x])
        if least == _TAKEN:
            return
        at = _next(price, 0, least)
        row = _join(block, begin, at, number, state)
        if least == total:
            while state.size[block] < target and at < len(price):
                at = _next(price, at + 1, least)
                if at < len(price):
                    _join(block, begin, at, number, state)
        total += _widen(block, row, np.uint64(begin), price, state)


@jit
def _widen(block: int, row: int, begin: np.uint64, price: Ints, state: Growth) -> int:
    """Take a row's values into the cluster's cells, and price the other rows anew; what all cells lose more."""
    more, places = 0, state.places
    for j in range(len(state.kinds)):
        kind, slot, loss = state.kinds[j], int(state.slots[j, row]), state.cell[j, block]
        if kind == SET:
            if state.first[j, block + 1] - state.first[j, block] < 2 or state.member[slot]:
                continue
            state.member[slot] = True
            now = loss + state.gaps[slot]
            _add_value(state.value[j, begin:], slot, state.gaps[slot], price)
        else:
            low, high = state.low[j, block], state.high[j, block]
            if low <= slot <= high:
                continue
            state.low[j, block], state.high[j, block] = min(low, slot), max(high, slot)
            reach = state.reach[j, begin:]
            if kind == TREE:
                now = max(loss, state.cost[slot])
                for x in range(np.uint64(len(price))):
                    here = max(reach[x], now)
                    price[x] += here - reach[x]
                    reach[x] = here
            else:
                left, right = places[low], places[high]
                new_left, new_right = min(left, places[slot]), max(right, places[slot])
                now = new_right - new_left
                for x in range(np.uint64(len(price))):
                    here = reach[x]
                    before = min(max(right, here) - min(left, here), FULL)
                    price[x] += min(max(new_right, here) - min(new_left, here), FULL) - before
        state.cell[j, block] = now
        more += min(now, FULL) - min(loss, FULL)
    return int(more)
