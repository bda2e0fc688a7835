"""The compiled twin of `k_member_growth.grow`. Imported only when the work is large: see `sharewell.compiled`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sharewell.compiled import jit
from sharewell.tables.engine.protection.clustering.cluster_space import FULL, RANGE, SET
from sharewell.tables.engine.protection.clustering.k_member_growth import Growth

Ints = NDArray[np.integer]


@jit
def grow(blocks: Ints, numbers: Ints, targets: Ints, state: Growth) -> None:
    longest = 0
    for i in range(len(blocks)):
        longest = max(longest, state.starts[blocks[i] + 1] - state.starts[blocks[i]])
    rows, delta = np.empty(longest, np.int64), np.empty(longest, np.int64)
    for i in range(len(blocks)):
        block, number = blocks[i], numbers[i]
        count = _free_rows(rows, state.starts[block], state.starts[block + 1], state.owner)
        free = rows[:count]
        if state.size[block] == 0 and count:
            count = _seed(free, block, number, state)
            state.size[block] = 1
        total = 0
        for j in range(len(state.kinds)):
            total += min(state.cell[j, block], FULL)
        while state.size[block] < targets[i] and count:
            at, total, count = _take_nearest(free, count, total, number, targets[i], block, state)
            for j in range(len(state.kinds)):
                if not _widened(j, block, state.slots[j, at], state):
                    continue
                begin, end = state.first[j, block], state.first[j, block + 1]
                delta[: end - begin] = -state.cost[begin:end]
                _price(j, block, state)
                delta[: end - begin] += state.cost[begin:end]
                for x in range(count):
                    state.score[free[x]] += delta[state.slots[j, free[x]] - begin]


@jit
def _free_rows(rows: Ints, begin: int, end: int, owner: Ints) -> int:
    count = 0
    for row in range(begin, end):
        if owner[row] < 0:
            rows[count] = row
            count += 1
    return count


@jit
def _seed(free: Ints, block: int, number: int, state: Growth) -> int:
    """Begin a cluster with the farthest row; how many free rows are left."""
    score = state.score
    at = 0
    for x in range(len(free)):
        if score[free[x]] > score[free[at]]:
            at = x
    row = free[at]
    free[at:-1] = free[at + 1 :].copy()
    state.owner[row] = number
    left = len(free) - 1
    for x in range(left):
        score[free[x]] = 0
    for j in range(len(state.kinds)):
        slot = state.slots[j, row]
        state.low[j, block] = state.high[j, block] = slot
        state.cell[j, block] = 0
        state.member[state.first[j, block] : state.first[j, block + 1]] = False
        state.member[slot] = True
        _price(j, block, state)
        for x in range(left):
            score[free[x]] += state.cost[state.slots[j, free[x]]]
    return left


@jit
def _take_nearest(
    free: Ints, count: int, total: int, number: int, target: int, block: int, state: Growth
) -> tuple[int, int, int]:
    """Let the nearest row join, and with it all that cost nothing more: (row, loss, rows still free)."""
    size, score, owner = state.size, state.score, state.owner
    at = 0
    for x in range(1, count):
        if score[free[x]] < score[free[at]]:
            at = x
    row = free[at]
    if score[row] != total:
        owner[row] = number
        size[block] += 1
        for x in range(at, count - 1):
            free[x] = free[x + 1]
        return row, score[row], count - 1
    kept = at
    for x in range(at, count):
        other = free[x]
        if score[other] == total and size[block] < target:
            owner[other] = number
            size[block] += 1
        else:
            free[kept] = other
            kept += 1
    return row, total, kept


@jit
def _widened(j: int, block: int, slot: int, state: Growth) -> bool:
    """Widen the cell by a value; False if it was in it already."""
    if state.kinds[j] == SET:
        if state.member[slot]:
            return False
        state.member[slot] = True
        state.cell[j, block] += state.gaps[slot]
        return True
    begin, end = state.low[j, block], state.high[j, block]
    if begin <= slot <= end:
        return False
    for between in range(min(slot, end), max(slot, begin)):
        if state.kinds[j] == RANGE:
            state.cell[j, block] += state.gaps[between]
        else:
            state.cell[j, block] = max(state.cell[j, block], state.gaps[between])
    state.low[j, block], state.high[j, block] = min(begin, slot), max(end, slot)
    return True


@jit
def _price(j: int, block: int, state: Growth) -> None:
    begin, end, loss = state.first[j, block], state.first[j, block + 1], state.cell[j, block]
    gaps, cost = state.gaps, state.cost
    if state.kinds[j] == SET:
        for slot in range(begin, end):
            cost[slot] = loss if state.member[slot] else loss + gaps[slot]
        return
    for slot in range(state.low[j, block], state.high[j, block] + 1):
        cost[slot] = min(loss, FULL)
    running = loss
    for slot in range(state.low[j, block] - 1, begin - 1, -1):
        running = running + gaps[slot] if state.kinds[j] == RANGE else max(running, gaps[slot])
        cost[slot] = min(running, FULL)
    running = loss
    for slot in range(state.high[j, block] + 1, end):
        running = running + gaps[slot - 1] if state.kinds[j] == RANGE else max(running, gaps[slot - 1])
        cost[slot] = min(running, FULL)
