"""How k-member grows clusters: state of all blocks, and the step in numpy. `k_member_kernel` is its compiled twin.

Of every block one cluster grows at a time. `score[row]` is what the cluster would lose with the row in it, summed over
the columns. When a row joins, only the columns whose cell changed are looked at again: a set costs one more value or
nothing, a range follows from the places of its ends, and of a tree each row keeps what its value costs (`reach`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sharewell.tables.engine.array_types import Bools, Ints
from sharewell.tables.engine.protection.clustering.cluster_space import FULL, RANGE, SET, ClusterSpace

TAKEN = 1 << 61
"""The price of a row that is not free. Whatever is added to it, it stays above all others."""


class Growth(NamedTuple):
    """Arrays that both twins work on; `low`, `high`, `cell` are [column, block], the rest by slot, row or block."""

    starts: Ints
    slots: NDArray[np.int32]
    first: Ints
    gaps: Ints
    places: Ints
    kinds: Ints
    cost: Ints
    member: Bools
    low: Ints
    high: Ints
    cell: Ints
    score: Ints
    owner: Ints
    """The cluster of each position; −1 while it has none."""
    size: Ints
    """Rows of each block's growing cluster; 0 asks for a new one."""
    joined: Ints
    """Those rows, as they joined, from the block's first place on."""
    kept: Ints
    """Compiled: how many rows stand side by side from a block's first place on; the next three are by that place."""
    near: Ints
    """Which position of the space the row is."""
    value: NDArray[np.int32]
    """[column, place]: its slot."""
    reach: Ints
    """[column, place]: of a range, the place on the line of its value; of a tree, what its value costs the cell."""

    @classmethod
    def begin(cls, space: ClusterSpace) -> Growth:
        rows, blocks, columns = len(space.rows), space.blocks.count, len(space.kinds)
        low, high, cell = (np.zeros((columns, blocks), dtype=np.int64) for _ in range(3))
        return cls(
            space.starts.astype(np.int64),
            space.slots,
            space.first,
            space.gaps,
            space.places,
            space.kinds,
            cost=np.zeros(len(space.gaps), dtype=np.int64),
            member=np.zeros(len(space.gaps), dtype=bool),
            low=low,
            high=high,
            cell=cell,
            score=np.zeros(rows, dtype=np.int64),
            owner=np.full(rows, -1, dtype=np.int64),
            size=np.zeros(blocks, dtype=np.int64),
            joined=np.zeros(rows, dtype=np.int64),
            kept=np.diff(space.starts).astype(np.int64),
            near=np.arange(rows, dtype=np.int64),
            value=space.slots.copy(),
            reach=_on_the_line(space),
        )


def _on_the_line(space: ClusterSpace) -> Ints:
    places = np.empty(space.slots.shape, dtype=np.int64)
    for j in np.flatnonzero(space.kinds == RANGE).tolist():
        places[j] = space.places.take(space.slots[j])
    return places


def grow(blocks: Ints, numbers: Ints, targets: Ints, state: Growth) -> None:
    """Let the cluster `numbers[i]` of block `blocks[i]` grow to `targets[i]` rows, or until no free row is left.

    A new cluster begins with the row that is farthest from the last one. The row that joins is the one with which the
    cluster loses least; the first in content order, if several are equal.
    """
    for block, number, target in zip(blocks.tolist(), numbers.tolist(), targets.tolist(), strict=True):
        begin, end = state.starts[block], state.starts[block + 1]
        score, owner = state.score[begin:end], state.owner[begin:end]
        if state.size[block] == 0 and not _seed(state, block, number):
            continue
        size, total = int(state.size[block]), int(np.minimum(state.cell[:, block], FULL).sum())
        while size < target:
            at = int(score.argmin())
            least = int(score[at])
            if least >= TAKEN:
                break
            chosen = np.flatnonzero(score == least)[: target - size] if least == total else np.array([at])
            score[chosen], owner[chosen], total = TAKEN, number, least
            state.joined[begin + size : begin + size + len(chosen)] = begin + chosen
            size += len(chosen)
            _widen(state, block, int(begin) + at)
        state.size[block] = size


def _seed(state: Growth, block: int, number: int) -> bool:
    """Begin a cluster, if a row is free: what it would lose with each of the others."""
    begin, end = state.starts[block], state.starts[block + 1]
    score, owner = state.score[begin:end], state.owner[begin:end]
    free = owner < 0
    at = int(np.where(free, score, -1).argmax())
    if not free[at]:
        return False
    row = int(begin) + at
    owner[at], state.size[block], state.joined[begin] = number, 1, row
    score[:] = np.where(free, 0, TAKEN)
    score[at] = TAKEN
    for j, kind in enumerate(state.kinds.tolist()):
        slot = int(state.slots[j, row])
        state.low[j, block] = state.high[j, block] = slot
        state.cell[j, block] = 0
        first, last, reach = state.first[j, block], state.first[j, block + 1], state.reach[j, begin:end]
        if kind == SET:
            state.member[first:last] = False
            state.member[slot] = True
            np.add(score, state.gaps[slot], out=score, where=state.slots[j, begin:end] != slot)
        elif kind == RANGE:
            score += _stretched(reach, state.places[slot], state.places[slot])
        else:
            cost = state.cost
            cost[first:slot] = np.maximum.accumulate(state.gaps[first:slot][::-1])[::-1]
            cost[slot] = 0
            cost[slot + 1 : last] = np.maximum.accumulate(state.gaps[slot : last - 1])
            np.minimum(cost[first:last], FULL, out=cost[first:last])
            reach[:] = cost.take(state.slots[j, begin:end])
            score += reach
    return True


def _widen(state: Growth, block: int, row: int) -> None:
    """Widen the cells that the row changes, and price the other rows anew by the difference."""
    begin, end = state.starts[block], state.starts[block + 1]
    score, slots = state.score[begin:end], state.slots[:, row].tolist()
    lows, highs = state.low[:, block].tolist(), state.high[:, block].tolist()
    for j, (kind, slot, low, high) in enumerate(zip(state.kinds.tolist(), slots, lows, highs, strict=True)):
        reach = state.reach[j, begin:end]
        if kind == SET:
            if not state.member[slot]:
                state.member[slot] = True
                state.cell[j, block] += state.gaps[slot]
                np.add(score, state.gaps[slot], out=score, where=state.slots[j, begin:end] != slot)
        elif low <= slot <= high:
            continue
        elif kind == RANGE:
            left, right = min(low, slot), max(high, slot)
            score -= _stretched(reach, state.places[low], state.places[high])
            score += _stretched(reach, state.places[left], state.places[right])
            state.cell[j, block] = state.places[right] - state.places[left]
            state.low[j, block], state.high[j, block] = left, right
        else:
            state.cell[j, block] = max(state.cell[j, block], state.cost[slot])
            state.low[j, block], state.high[j, block] = min(low, slot), max(high, slot)
            score -= reach
            np.maximum(reach, state.cell[j, block], out=reach)
            score += reach


def _stretched(line: Ints, left: int, right: int) -> Ints:
    """What a range from left to right would lose with each of these places in it."""
    return np.asarray(np.minimum(np.maximum(line, right) - np.minimum(line, left), FULL))
