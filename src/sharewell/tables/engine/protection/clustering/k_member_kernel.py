"""The compiled twin of `k_member_growth.grow`. Imported only when the work is large: see `sharewell.compiled`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sharewell.compiled import jit
from sharewell.tables.engine.array_types import Bools
from sharewell.tables.engine.protection.clustering.cluster_space import FULL, RANGE, SET

Ints = NDArray[np.integer]


@jit
def grow(
    blocks: Ints,
    numbers: Ints,
    targets: Ints,
    starts: Ints,
    slots: Ints,
    first: Ints,
    gaps: Ints,
    kinds: Ints,
    cost: Ints,
    member: Bools,
    low: Ints,
    high: Ints,
    cell: Ints,
    score: Ints,
    owner: Ints,
    size: Ints,
) -> None:
    longest = 0
    for i in range(len(blocks)):
        longest = max(longest, starts[blocks[i] + 1] - starts[blocks[i]])
    rows, delta = np.empty(longest, np.int64), np.empty(longest, np.int64)
    for i in range(len(blocks)):
        block, number = blocks[i], numbers[i]
        count = _free_rows(rows, starts[block], starts[block + 1], owner)
        free = rows[:count]
        if size[block] == 0 and count:
            count = _seed(free, block, number, slots, first, gaps, kinds, cost, member, low, high, cell, score, owner)
            size[block] = 1
        total = 0
        for j in range(len(kinds)):
            total += min(cell[j, block], FULL)
        while size[block] < targets[i] and count:
            at, total, count = _take_nearest(free, count, total, number, targets[i], block, size, score, owner)
            for j in range(len(kinds)):
                slot = slots[j, at]
                if not _widened(j, block, slot, gaps, kinds, member, low, high, cell):
                    continue
                begin, end = first[j, block], first[j, block + 1]
                delta[: end - begin] = -cost[begin:end]
                _price(j, block, first, gaps, kinds, cost, member, low, high, cell)
                delta[: end - begin] += cost[begin:end]
                for x in range(count):
                    score[free[x]] += delta[slots[j, free[x]] - begin]


@jit
def _free_rows(rows: Ints, begin: int, end: int, owner: Ints) -> int:
    count = 0
    for row in range(begin, end):
        if owner[row] < 0:
            rows[count] = row
            count += 1
    return count


@jit
def _seed(
    free: Ints,
    block: int,
    number: int,
    slots: Ints,
    first: Ints,
    gaps: Ints,
    kinds: Ints,
    cost: Ints,
    member: Bools,
    low: Ints,
    high: Ints,
    cell: Ints,
    score: Ints,
    owner: Ints,
) -> int:
    """Begin a cluster with the farthest row; how many free rows are left."""
    at = 0
    for x in range(len(free)):
        if score[free[x]] > score[free[at]]:
            at = x
    row = free[at]
    free[at:-1] = free[at + 1 :].copy()
    owner[row] = number
    left = len(free) - 1
    for x in range(left):
        score[free[x]] = 0
    for j in range(len(kinds)):
        slot = slots[j, row]
        low[j, block] = high[j, block] = slot
        cell[j, block] = 0
        member[first[j, block] : first[j, block + 1]] = False
        member[slot] = True
        _price(j, block, first, gaps, kinds, cost, member, low, high, cell)
        for x in range(left):
            score[free[x]] += cost[slots[j, free[x]]]
    return left


@jit
def _take_nearest(
    free: Ints, count: int, total: int, number: int, target: int, block: int, size: Ints, score: Ints, owner: Ints
) -> tuple[int, int, int]:
    """Let the nearest row join, and with it all that cost nothing more: (row, loss, rows still free)."""
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
def _widened(
    j: int, block: int, slot: int, gaps: Ints, kinds: Ints, member: Bools, low: Ints, high: Ints, cell: Ints
) -> bool:
    """Widen the cell by a value; False if it was in it already."""
    if kinds[j] == SET:
        if member[slot]:
            return False
        member[slot] = True
        cell[j, block] += gaps[slot]
        return True
    begin, end = low[j, block], high[j, block]
    if begin <= slot <= end:
        return False
    for between in range(min(slot, end), max(slot, begin)):
        if kinds[j] == RANGE:
            cell[j, block] += gaps[between]
        else:
            cell[j, block] = max(cell[j, block], gaps[between])
    low[j, block], high[j, block] = min(begin, slot), max(end, slot)
    return True


@jit
def _price(
    j: int,
    block: int,
    first: Ints,
    gaps: Ints,
    kinds: Ints,
    cost: Ints,
    member: Bools,
    low: Ints,
    high: Ints,
    cell: Ints,
) -> None:
    begin, end, loss = first[j, block], first[j, block + 1], cell[j, block]
    if kinds[j] == SET:
        for slot in range(begin, end):
            cost[slot] = loss if member[slot] else loss + gaps[slot]
        return
    for slot in range(low[j, block], high[j, block] + 1):
        cost[slot] = min(loss, FULL)
    running = loss
    for slot in range(low[j, block] - 1, begin - 1, -1):
        running = running + gaps[slot] if kinds[j] == RANGE else max(running, gaps[slot])
        cost[slot] = min(running, FULL)
    running = loss
    for slot in range(high[j, block] + 1, end):
        running = running + gaps[slot - 1] if kinds[j] == RANGE else max(running, gaps[slot - 1])
        cost[slot] = min(running, FULL)
