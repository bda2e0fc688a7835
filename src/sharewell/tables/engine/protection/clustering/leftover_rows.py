"""Where rows go that are too few, or too alike, to form a group: to the group that loses least by it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sharewell.content_order import stable_order
from sharewell.tables.engine.array_types import Bools, Ints
from sharewell.tables.engine.checks.class_criterion import ClassCriterion
from sharewell.tables.engine.protection.clustering.cluster_space import Boxes, ClusterSpace, Rows

_TRIES = 3
"""How many groups are tried for a row, the nearest first."""
_NEVER = np.iinfo(np.int64).max


def join_leftovers(
    space: ClusterSpace, owner: Rows, groups: int, criteria: Sequence[ClassCriterion]
) -> tuple[Rows, Rows]:
    """Groups by `owner` (−1: left over), numbered block by block, some in each; rows left over join one of their block.

    Blocks are handled together, one row of each at a time. A row that no near group can take goes to the rest of its
    block, and the rest is merged with its neighbours until everything holds.
    """
    owner = owner.copy()
    order, starts = _grouped(owner, groups)
    boxes, sizes = space.boxes(order, starts), np.diff(starts)
    block_of = space.blocks.class_of[order[starts[:-1]]]
    loss = space.loss(boxes)
    first_group = np.searchsorted(block_of, np.arange(space.blocks.count + 1))
    left = np.flatnonzero(owner < 0)
    for rows in _one_of_each(space.blocks.class_of[left], left):
        pending, refused = rows, np.zeros((0, 2), dtype=np.intp)
        for _ in range(_TRIES):
            chosen, box, after = _nearest(space, pending, boxes, loss, sizes, first_group, refused)
            has_group = chosen >= 0
            pending, chosen = pending[has_group], chosen[has_group]
            if not len(pending):
                break
            owner[pending] = chosen
            holds = _all_hold(space, owner, chosen, criteria)
            owner[pending[~holds]] = -1
            boxes.put(chosen[holds], box.take(np.flatnonzero(has_group)[holds]))
            loss[chosen[holds]], sizes[chosen[holds]] = after[has_group][holds], sizes[chosen[holds]] + 1
            pending, refused = pending[~holds], np.concatenate([refused, np.stack([pending, chosen], axis=1)[~holds]])
    if (owner < 0).any():
        return _with_rest(space, owner, groups, criteria)
    return _grouped(owner, groups)


def merge_failing(
    space: ClusterSpace, order: Rows, starts: Rows, criteria: Sequence[ClassCriterion]
) -> tuple[Rows, Rows]:
    """Groups that fail are merged with the nearest of their block, until none fails that is not a whole block."""
    while True:
        holds = space.holds(order, starts, criteria)
        block_of = space.blocks.class_of[order[starts[:-1]]]
        alone = np.bincount(block_of, minlength=space.blocks.count)[block_of] == 1
        failing = np.flatnonzero(~holds & ~alone)
        if not len(failing):
            return order, starts
        into = _merged_pairs(space, space.boxes(order, starts), np.diff(starts), block_of, failing)
        numbers, owner = np.unique(into, return_inverse=True)
        place = np.empty(len(order), dtype=np.intp)
        place[order] = np.repeat(owner, np.diff(starts))
        order, starts = _grouped(place, len(numbers))


def _merged_pairs(space: ClusterSpace, boxes: Boxes, sizes: Rows, block_of: Rows, failing: Rows) -> Rows:
    """For every group the one it goes into; no group is part of two mergers."""
    loss, into, busy = space.loss(boxes), np.arange(len(sizes)), np.zeros(len(sizes), dtype=bool)
    for group in failing.tolist():
        others = np.flatnonzero(block_of == block_of[group])
        others = others[others != group]
        union = space.loss(boxes.take(others).union(boxes.take(np.full(len(others), group))))
        growth = union * (sizes[others] + sizes[group]) - loss[others] * sizes[others]
        nearest = others[growth.argmin()]
        if not busy[[group, nearest]].any():
            into[group] = nearest
            busy[[group, nearest]] = True
    return into


def _grouped(owner: Rows, groups: int) -> tuple[Rows, Rows]:
    """(order, starts) of the groups, positions rising within each; −1 is left out."""
    order = stable_order(owner + 1)
    sizes = np.bincount(owner[owner >= 0], minlength=groups)
    return order[len(owner) - int(sizes.sum()) :], np.concatenate([[0], np.cumsum(sizes)])


def _one_of_each(blocks: Rows, rows: Rows) -> list[Rows]:
    """The first row of every block, then the second, and so on."""
    place = np.arange(len(rows)) - np.searchsorted(blocks, blocks)
    return [rows[place == i] for i in range(int(place.max(initial=-1)) + 1)]


def _nearest(
    space: ClusterSpace, rows: Rows, boxes: Boxes, loss: Ints, sizes: Rows, first_group: Rows, refused: Rows
) -> tuple[Rows, Boxes, Ints]:
    """For each row the group of its block whose loss grows least (−1: none), their union, and its loss."""
    block = space.blocks.class_of[rows]
    count = first_group[block + 1] - first_group[block]
    ends = np.cumsum(count)
    which = np.repeat(np.arange(len(rows)), count)
    groups = np.arange(len(which)) - np.repeat(ends - count, count) + np.repeat(first_group[block], count)
    union = boxes.take(groups).union(space.each(rows).take(which))
    after = space.loss(union)
    growth = after * (sizes[groups] + 1) - loss[groups] * sizes[groups]
    for row, group in refused.tolist():
        growth[(rows[which] == row) & (groups == group)] = _NEVER
    least = np.minimum.reduceat(growth, ends - count) if len(rows) else growth
    places = np.flatnonzero(growth == np.repeat(least, count))
    best = places[np.unique(which[places], return_index=True)[1]]
    return np.where(least < _NEVER, groups[best], -1), union.take(best), after[best]


def _all_hold(space: ClusterSpace, owner: Rows, groups: Rows, criteria: Sequence[ClassCriterion]) -> Bools:
    """Do the criteria hold in these groups, of different blocks, as they are now?"""
    number = np.full(int(owner.max()) + 2, -1)
    number[groups] = np.arange(len(groups))
    rows = np.flatnonzero(number[owner] >= 0)
    order, starts = _grouped(number[owner[rows]], len(groups))
    return space.holds(rows[order], starts, criteria)


def _with_rest(space: ClusterSpace, owner: Rows, groups: int, criteria: Sequence[ClassCriterion]) -> tuple[Rows, Rows]:
    """The rest of each block as a group of its own, merged with others until all hold."""
    rest = np.flatnonzero(owner < 0)
    blocks, which = np.unique(space.blocks.class_of[rest], return_inverse=True)
    owner[rest] = groups + which
    return merge_failing(space, *_grouped(owner, groups + len(blocks)), criteria)
