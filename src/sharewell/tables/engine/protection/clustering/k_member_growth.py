"""How k-member grows clusters: state of all blocks, and the step in numpy. `k_member_kernel` is its compiled twin.

Of every block one cluster grows at a time. `cost[slot]` is what the cluster's cell in that column would lose if a row
with that value joined, so that `score[row]`, the sum over the columns, is the loss of the cluster with the row in it.
When a row joins, only the columns whose cell changed are looked at again.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sharewell.tables.engine.array_types import Bools, Indices, Ints
from sharewell.tables.engine.protection.clustering.cluster_space import FULL, RANGE, SET, ClusterSpace


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
        free = begin + np.flatnonzero(state.owner[begin:end] < 0)
        if state.size[block] == 0 and len(free):
            free = _seed(state, block, number, free)
        total = np.minimum(state.cell[:, block], FULL).sum()
        while state.size[block] < target and len(free):
            score = state.score[free]
            at = int(score.argmin())
            if score[at] == total:  # rows that cost nothing more: all at once
                chosen = np.flatnonzero(score == total)[: target - state.size[block]]
            else:
                chosen, total = np.array([at]), score[at]
            state.owner[free[chosen]] = number
            place = begin + state.size[block]
            state.joined[place : place + len(chosen)] = free[chosen]
            state.size[block] += len(chosen)
            joined = int(free[chosen[0]])
            free = np.delete(free, chosen)
            _add(state, block, joined, free)


def _seed(state: Growth, block: int, number: int, free: Indices) -> Indices:
    at = int(state.score[free].argmax())
    row = int(free[at])
    free = np.delete(free, at)
    state.owner[row], state.size[block], state.joined[state.starts[block]] = number, 1, row
    state.score[free] = 0
    for j in range(len(state.kinds)):
        slot = int(state.slots[j, row])
        state.low[j, block] = state.high[j, block] = slot
        state.cell[j, block] = 0
        state.member[state.first[j, block] : state.first[j, block + 1]] = False
        state.member[slot] = True
        _price(state, j, block)
        state.score[free] += state.cost[state.slots[j, free]]
    return free


def _add(state: Growth, block: int, row: int, free: Indices) -> None:
    """Widen the cells that the row changes, and price the free rows anew by the difference."""
    for j, kind in enumerate(state.kinds.tolist()):
        slot = int(state.slots[j, row])
        low, high = int(state.low[j, block]), int(state.high[j, block])
        if (kind == SET and state.member[slot]) or (kind != SET and low <= slot <= high):
            continue
        if kind == SET:
            state.cell[j, block] += state.gaps[slot]
            state.member[slot] = True
        else:
            between = state.gaps[slot:low] if slot < low else state.gaps[high:slot]
            cell = state.cell[j, block]
            state.cell[j, block] = cell + between.sum() if kind == RANGE else max(cell, between.max())
            state.low[j, block], state.high[j, block] = min(low, slot), max(high, slot)
        state.score[free] -= state.cost[state.slots[j, free]]
        _price(state, j, block)
        state.score[free] += state.cost[state.slots[j, free]]


def _price(state: Growth, j: int, block: int) -> None:
    """What the cell would lose with each of the block's values in it."""
    begin, end = int(state.first[j, block]), int(state.first[j, block + 1])
    cell, cost, kind = state.cell[j, block], state.cost, state.kinds[j]
    if kind == SET:
        cost[begin:end] = np.where(state.member[begin:end], cell, cell + state.gaps[begin:end])
        return
    low, high = int(state.low[j, block]), int(state.high[j, block])
    reach = np.add if kind == RANGE else np.maximum
    cost[low : high + 1] = cell
    cost[begin:low] = reach.accumulate(np.concatenate([[cell], state.gaps[begin:low][::-1]]))[1:][::-1]
    cost[high + 1 : end] = reach.accumulate(np.concatenate([[cell], state.gaps[high : end - 1]]))[1:]
    np.minimum(cost[begin:end], FULL, out=cost[begin:end])
