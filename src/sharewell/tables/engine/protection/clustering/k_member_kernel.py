"""The compiled twin of `k_member_growth.grow`. Imported only when the work is large: see `sharewell.compiled`.

The free rows of a block are copied next to each other, with slots counted from the block's first: what is
looked at for every row that joins then lies in the processor's nearest cache. Rows that have joined stay there, at a
price that is never the least.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sharewell.compiled import jit
from sharewell.tables.engine.protection.clustering.cluster_space import FULL, RANGE, SET
from sharewell.tables.engine.protection.clustering.k_member_growth import Growth

Ints = NDArray[np.integer]
Bools = NDArray[np.bool_]
_TAKEN = 1 << 61
"""The price of a row that is not free. Whatever is added to it, it stays above all others."""


@jit
def grow(blocks: Ints, numbers: Ints, targets: Ints, state: Growth) -> None:
    starts, owner, kinds, size, gaps, cost = state.starts, state.owner, state.kinds, state.size, state.gaps, state.cost
    longest, widest = 0, 0
    for i in range(len(blocks)):
        longest = max(longest, starts[blocks[i] + 1] - starts[blocks[i]])
        for j in range(len(kinds)):
            widest = max(widest, state.first[j, blocks[i] + 1] - state.first[j, blocks[i]])
    rows, price = np.empty(longest, np.int64), np.empty(longest, np.int64)
    slots, change = np.empty((len(kinds), longest), np.int32), np.empty(widest, np.int64)
    for i in range(len(blocks)):
        block = blocks[i]
        count = _copy_free(starts[block], starts[block + 1], owner, state.score, rows, price)
        if not count:
            continue
        for j in range(len(kinds)):
            _copy_slots(state.slots[j], state.first[j, block], rows, count, slots[j])
        begin, free = starts[block], count
        if size[block] == 0:
            row = _begin(rows, count, price)
            owner[row], state.joined[begin], size[block] = numbers[i], row, 1
            free -= 1
            for j in range(len(kinds)):
                first, last, slot = state.first[j, block], state.first[j, block + 1], int(state.slots[j, row])
                state.low[j, block], state.high[j, block], state.cell[j, block] = slot, slot, 0
                state.member[first:last] = False
                state.member[slot] = True
                _price(kinds[j], first, last, slot, gaps, state.places, cost, change)
                _add(slots[j], change, price, count)
        total = 0
        for j in range(len(kinds)):
            total += min(state.cell[j, block], FULL)
        while size[block] < targets[i] and free:
            before = size[block]
            size[block] = _take(rows, price, count, total, numbers[i], before, targets[i], owner, state.joined, begin)
            free -= size[block] - before
            total += _widen_all(block, state.joined[begin + before], state, slots, change, price, count)
        for x in range(np.uint64(count)):
            state.score[np.uint64(rows[x])] = price[x]


@jit
def _copy_free(begin: int, end: int, owner: Ints, score: Ints, rows: Ints, price: Ints) -> int:
    count = 0
    for row in range(np.uint64(begin), np.uint64(end)):
        rows[count], price[count] = row, score[row]
        count += owner[row] < 0
    return count


@jit
def _copy_slots(slots: Ints, first: int, rows: Ints, count: int, copied: Ints) -> None:
    for x in range(np.uint64(count)):
        copied[x] = slots[np.uint64(rows[x])] - first


@jit
def _begin(rows: Ints, count: int, price: Ints) -> int:
    """The farthest row begins a cluster; the others cost nothing yet."""
    at = 0
    for x in range(count):
        if price[x] > price[at]:
            at = x
    for x in range(count):
        price[x] = 0
    price[at] = _TAKEN
    return int(rows[at])


@jit
def _take(
    rows: Ints,
    price: Ints,
    count: int,
    total: int,
    number: int,
    size: int,
    target: int,
    owner: Ints,
    joined: Ints,
    begin: int,
) -> int:
    """Let the nearest row join, and with it all that cost nothing more; how many rows the cluster has now."""
    least = price[0]
    for x in range(np.uint64(count)):
        least = min(least, price[x])
    for x in range(np.uint64(count)):
        if price[x] == least:
            owner[rows[x]], joined[begin + size] = number, rows[x]
            price[x] = _TAKEN
            size += 1
            if least != total or size == target:
                break
    return size


@jit
def _widen_all(block: int, row: int, state: Growth, slots: Ints, change: Ints, price: Ints, count: int) -> int:
    """Take a row's values into the cluster's cells, and price the other rows anew; what all cells lose more."""
    more, gaps, places, member = 0, state.gaps, state.places, state.member
    for j in range(len(state.kinds)):
        kind, slot, loss = state.kinds[j], int(state.slots[j, row]), state.cell[j, block]
        if member[slot] if kind == SET else state.low[j, block] <= slot <= state.high[j, block]:
            continue
        now = _widen(j, kind, block, slot, loss, gaps, places, member, state.low, state.high)
        if now == loss:
            continue
        state.cell[j, block] = now
        more += min(now, FULL) - min(loss, FULL)
        first, last = state.first[j, block], state.first[j, block + 1]
        low, high = places[state.low[j, block]], places[state.high[j, block]]
        _reprice(kind, first, last, low, high, now, gaps, places, member, state.cost, change)
        _add(slots[j], change, price, count)
    return int(more)


@jit
def _widen(
    j: int,
    kind: int,
    block: int,
    slot: int,
    loss: int,
    gaps: Ints,
    places: Ints,
    member: Bools,
    lows: Ints,
    highs: Ints,
) -> int:
    """Take another value into the cell; what it loses then."""
    low, high = lows[j, block], highs[j, block]
    if kind == SET:
        if not member[slot]:
            loss += gaps[slot]
            member[slot] = True
    elif slot < low or slot > high:
        lows[j, block], highs[j, block] = min(low, slot), max(high, slot)
        if kind == RANGE:
            return int(places[max(high, slot)] - places[min(low, slot)])
        for between in range(np.uint64(min(slot, high)), np.uint64(max(slot, low))):
            loss = max(loss, gaps[between])
    return int(loss)


@jit
def _price(kind: int, first: int, last: int, at: int, gaps: Ints, places: Ints, cost: Ints, change: Ints) -> None:
    """What a cell of one value would lose with each of the block's values in it, twice."""
    # Places are unsigned in all inner loops: numba looks at the sign of every other index.
    begin, end, place = np.uint64(first), np.uint64(last), np.uint64(at)
    if kind == SET:
        for slot in range(begin, end):
            cost[slot] = change[slot - begin] = gaps[slot]
        cost[place] = change[place - begin] = 0
    elif kind == RANGE:
        here = places[place]
        for slot in range(begin, end):
            off = places[slot] - here
            cost[slot] = change[slot - begin] = min(max(off, -off), FULL)
    else:
        widest = 0
        cost[place] = change[place - begin] = widest
        for back in range(np.uint64(1), place - begin + np.uint64(1)):
            before = place - back
            widest = max(widest, min(gaps[before], FULL))
            cost[before] = change[before - begin] = widest
        widest = 0
        for slot in range(place + np.uint64(1), end):
            widest = max(widest, min(gaps[slot - np.uint64(1)], FULL))
            cost[slot] = change[slot - begin] = widest


@jit
def _reprice(
    kind: int,
    first: int,
    last: int,
    low: int,
    high: int,
    loss: int,
    gaps: Ints,
    places: Ints,
    member: Bools,
    cost: Ints,
    change: Ints,
) -> None:
    """The same for a cell that was widened, and by how much more that is than before.

    In a tree, what lay between is in the cell's loss now, and what lies beyond costs what it did, or that loss.
    """
    begin, end = np.uint64(first), np.uint64(last)
    if kind == SET:
        for slot in range(begin, end):
            now = loss + gaps[slot] * (1 - member[slot])
            change[slot - begin] = now - cost[slot]
            cost[slot] = now
    elif kind == RANGE:
        for slot in range(begin, end):
            now = min(max(high, places[slot]) - min(low, places[slot]), FULL)
            change[slot - begin] = now - cost[slot]
            cost[slot] = now
    else:
        least = min(loss, FULL)
        for slot in range(begin, end):
            now = max(cost[slot], least)
            change[slot - begin] = now - cost[slot]
            cost[slot] = now


@jit
def _add(slots: Ints, change: Ints, price: Ints, count: int) -> None:
    for x in range(np.uint64(count)):
        price[x] += change[np.uint64(slots[x])]
