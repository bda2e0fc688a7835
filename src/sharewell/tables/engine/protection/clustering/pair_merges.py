"""Merging the best pair of groups of every block, again and again: the engine of bottom-up clustering.

Groups live in *places*, `width` to a block. For all pairs of a block the price of their union is known, and for every
group its cheapest partner, so that a step looks anew only at what the last merger changed. All blocks take each step
together.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sharewell.tables.engine.array_types import Bools, Ints
from sharewell.tables.engine.checks.class_criterion import ClassCriterion
from sharewell.tables.engine.classes import Classes
from sharewell.tables.engine.protection.clustering.blocks import least_records
from sharewell.tables.engine.protection.clustering.cluster_space import ClusterSpace, Rows
from sharewell.tables.engine.protection.clustering.two_seeds import cut_in_two

_NEVER = np.iinfo(np.int64).max


class PairMerges:
    """The groups of some blocks of a space, at first one for each combination of values."""

    def __init__(self, space: ClusterSpace, blocks: Classes, criteria: Sequence[ClassCriterion]) -> None:
        self.space, self.criteria, self.least = space, criteria, least_records(criteria)
        order, starts, block = _equal_rows(space, blocks)
        self.blocks = blocks.count
        place = np.arange(len(block)) - np.searchsorted(block, block)
        self.width = int(place.max()) + 1
        at = block * self.width + place
        self.members: list[Rows] = [order[:0]] * (self.blocks * self.width)
        for number, rows in zip(at.tolist(), np.split(order, starts[1:-1]), strict=True):
            self.members[number] = rows
        shape = (self.blocks, self.width)
        self.size, self.alive = np.zeros(shape, np.int64), np.zeros(shape, bool)
        self.holding = np.zeros(shape, bool)
        self.size.flat[at], self.alive.flat[at] = np.diff(starts), True
        self.holding.flat[at] = self._holds(at)
        spread = np.zeros(self.blocks * self.width, dtype=np.intp)
        spread[at] = np.arange(len(at))
        self.boxes = space.boxes(order, starts).take(spread)
        self.price = np.full((self.blocks, self.width, self.width), _NEVER)
        for i in range(self.width):
            self.price[:, i] = self._prices(np.arange(self.blocks), np.full(self.blocks, i))
        self.partner = self.price.argmin(axis=2)
        self.best = self.price.min(axis=2)

    def groups(self) -> Classes:
        """Merge until everything holds in every group, or a block is one group."""
        while len(blocks := np.flatnonzero(self.best.min(axis=1) < _NEVER)):
            self._merge(blocks)
        groups = [self.members[number] for number in np.flatnonzero(self.alive.ravel()).tolist()]
        starts = np.concatenate([[0], np.cumsum([len(rows) for rows in groups])])
        return Classes(np.concatenate(groups), starts, {})

    def _merge(self, blocks: Rows) -> None:
        """The best pair of each of these blocks; the union is cut in two if it is large enough."""
        one = self.best[blocks].argmin(axis=1)
        two = self.partner[blocks, one]
        left, right = blocks * self.width + one, blocks * self.width + two
        for a, b in zip(left.tolist(), right.tolist(), strict=True):
            self.members[a] = np.sort(np.concatenate([self.members[a], self.members[b]]))
        self.boxes.put(left, self.boxes.take(left).union(self.boxes.take(right)))
        self.size[blocks, one] += self.size[blocks, two]
        self.alive[blocks, two] = False
        self.holding[blocks, one] = self._holds(left)
        self._cut(left, right)
        for place in (one, two):
            self._reprice(blocks, place)
        self._rechoose(blocks, one, two)

    def _cut(self, left: Rows, right: Rows) -> None:
        large = np.flatnonzero(self.holding.flat[left] & (self.size.flat[left] >= 2 * self.least))
        large = large[self.space.loss(self.boxes.take(left[large])) > 0]  # equal rows are published alike anyway
        if not len(large):
            return
        rows = [self.members[number] for number in left[large].tolist()]
        starts = np.concatenate([[0], np.cumsum([len(some) for some in rows])])
        done, order, starts = cut_in_two(self.space, np.concatenate(rows), starts, self.least, self.criteria)
        if not done.any():
            return
        where = np.stack([left[large[done]], right[large[done]]], axis=1).ravel()
        for number, some in zip(where.tolist(), np.split(order, starts[1:-1]), strict=True):
            self.members[number] = some
        self.boxes.put(where, self.space.boxes(order, starts))
        self.size.flat[where], self.alive.flat[where], self.holding.flat[where] = np.diff(starts), True, True

    def _holds(self, numbers: Rows) -> Bools:
        """Does everything hold in these groups?"""
        holds: Bools = self.size.flat[numbers] >= self.least
        if holds.any():
            rows = [self.members[number] for number in numbers[holds].tolist()]
            starts = np.concatenate([[0], np.cumsum([len(some) for some in rows])])
            holds[holds] = self.space.holds(np.concatenate(rows), starts, self.criteria)
        return holds

    def _prices(self, blocks: Rows, place: Rows) -> Ints:
        """The loss of the union of one group of each block with every other; _NEVER if both hold already.

        Sizes count up to 2k only, because a larger union is cut again.
        """
        number = blocks * self.width + place
        others = (blocks[:, None] * self.width + np.arange(self.width)).ravel()
        union = self.boxes.take(others).union(self.boxes.take(np.repeat(number, self.width)))
        loss = self.space.loss(union).reshape(len(blocks), self.width)
        size = np.minimum(self.size[blocks] + self.size[blocks, place][:, None], 2 * self.least)
        needless = self.holding[blocks] & self.holding[blocks, place][:, None]
        never = ~self.alive[blocks] | needless | ~self.alive[blocks, place][:, None]
        never[np.arange(len(blocks)), place] = True
        return np.where(never, _NEVER, loss * size)

    def _reprice(self, blocks: Rows, place: Rows) -> None:
        alive = self.alive[blocks, place]
        price = np.full((len(blocks), self.width), _NEVER)
        price[alive] = self._prices(blocks[alive], place[alive])
        self.price[blocks, place] = price
        self.price[blocks, :, place] = price

    def _rechoose(self, blocks: Rows, one: Rows, two: Rows) -> None:
        """The cheapest partner, for groups that had one of these two or have a better one now."""
        partner, best = self.partner[blocks], self.best[blocks]
        stale = (partner == one[:, None]) | (partner == two[:, None])
        stale[np.arange(len(blocks)), one] = stale[np.arange(len(blocks)), two] = True
        for place in (one, two):
            price = self.price[blocks, :, place]
            better = (price < best) | ((price == best) & (place[:, None] < partner))
            partner, best = np.where(better, place[:, None], partner), np.where(better, price, best)
        which, row = np.nonzero(stale)
        again = self.price[blocks[which], row]
        partner[which, row] = again.argmin(axis=1)
        best[which, row] = again.min(axis=1)
        self.partner[blocks], self.best[blocks] = partner, best


def _equal_rows(space: ClusterSpace, blocks: Classes) -> tuple[Rows, Rows, Rows]:
    """Positions with equal values together, in content order: (order, starts, block of each group)."""
    owner = blocks.class_of
    slots = space.slots[:, blocks.order]
    new = np.ones(len(owner), dtype=bool)
    new[1:] = (np.diff(owner) != 0) | (np.diff(slots, axis=1) != 0).any(axis=0)
    begins = np.flatnonzero(new)
    return blocks.order, np.append(begins, len(owner)), owner[begins]
