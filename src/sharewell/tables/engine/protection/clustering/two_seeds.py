"""Groups cut in two by two far seeds: every row goes where it widens less, and a half that is too small borrows.

All groups are cut together, one row of each at a time, so that the number of Python steps is that of the largest.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sharewell.tables.engine.array_types import Bools, Indices, Ints
from sharewell.tables.engine.checks.class_criterion import ClassCriterion
from sharewell.tables.engine.protection.clustering.cluster_space import ClusterSpace, Rows

_FAR = 3
"""How often the search for seeds jumps to the row farthest from the last seed."""


def cut_in_two(
    space: ClusterSpace, order: Rows, starts: Rows, least: int, criteria: Sequence[ClassCriterion]
) -> tuple[Bools, Rows, Rows]:
    """Which groups can be cut so that every criterion holds in both halves; those halves, as (order, starts).

    Positions rise within groups, and do so within the halves.
    """
    if len(starts) == 1:
        return np.zeros(0, dtype=bool), order, starts
    cut = _Cut(space, order, starts)
    cut.assign(*cut.seeds())
    done = cut.repair(least, criteria)
    keep = done[cut.owner]
    place = (2 * cut.owner + cut.right)[keep]
    sizes = np.bincount(place, minlength=2 * len(done)).reshape(-1, 2)[done].ravel()
    return done, order[keep][np.argsort(place, kind="stable")], np.concatenate([[0], np.cumsum(sizes)])


class _Cut:
    """Two growing halves of every group: `right[i]` tells on which side the i-th row of `order` is."""

    def __init__(self, space: ClusterSpace, order: Rows, starts: Rows) -> None:
        self.space, self.order, self.starts = space, order, starts
        self.owner = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
        self.rows = space.each(order)
        self.right = np.zeros(len(order), dtype=bool)

    def distance(self, seeds: Rows) -> Ints:
        """From each row to the seed of its group."""
        return self.space.loss(self.rows.union(self.rows.take(seeds[self.owner])))

    def seeds(self) -> tuple[Rows, Rows]:
        """Two rows of each group far from each other; the first of its group begins the search."""
        last = seed = self.starts[:-1]
        for _ in range(_FAR):
            last, seed = seed, self._first(self.distance(seed), np.maximum)
        # Of a group of equal rows every row is its own farthest.
        alike = last == seed
        return last, np.where(alike, last + np.where(last + 1 < self.starts[1:], 1, 0), seed)

    def assign(self, left: Rows, right: Rows) -> None:
        """Assign each row to the nearer seed, beginning with the rows whose two distances differ most."""
        decided = -np.abs(self.distance(left) - self.distance(right))
        decided[left] = decided[right] = np.iinfo(np.int64).min
        turn = np.lexsort((np.arange(len(decided)), decided, self.owner))
        self.right[right] = True
        boxes = self.rows.take(left), self.rows.take(right)
        sizes = np.diff(self.starts)
        count = np.ones((2, len(sizes)), dtype=np.int64)
        loss = np.zeros((2, len(sizes)), dtype=np.int64)
        for t in range(2, int(sizes.max())):
            groups = np.flatnonzero(sizes > t)
            at = turn[self.starts[groups] + t]
            row = self.rows.take(at)
            wider = [box.take(groups).union(row) for box in boxes]
            after = np.stack([self.space.loss(box) for box in wider])
            growth = after * (count[:, groups] + 1) - loss[:, groups] * count[:, groups]
            goes = growth[1] < growth[0]
            self.right[at] = goes
            for side, chosen in enumerate((~goes, goes)):
                boxes[side].put(groups[chosen], wider[side].take(np.flatnonzero(chosen)))
                loss[side, groups[chosen]] = after[side, chosen]
                count[side, groups[chosen]] += 1

    def repair(self, least: int, criteria: Sequence[ClassCriterion]) -> Bools:
        """A half in which something fails borrows the rows that widen it least, one by one; True where both hold."""
        done = np.zeros(len(self.starts) - 1, dtype=bool)
        pending = np.flatnonzero(np.diff(self.starts) >= 2 * least)
        for _ in range(2 * least + 1):
            places = np.flatnonzero(np.isin(self.owner, pending))
            holds, sizes = self._judged(places, pending, least, criteria)
            done[pending[holds.all(axis=1)]] = True
            lender = np.where(holds[:, 0], 0, 1)
            can = (holds.sum(axis=1) == 1) & (sizes[np.arange(len(pending)), lender] > least)
            pending, lender = pending[can], lender[can]
            if not len(pending):
                break
            self._borrow(pending, lender)
        return done

    def _judged(
        self, places: Rows, groups: Rows, least: int, criteria: Sequence[ClassCriterion]
    ) -> tuple[Bools, Indices]:
        """Does everything hold, and how many rows are there: [group, side]."""
        place = 2 * np.searchsorted(groups, self.owner[places]) + self.right[places]
        sizes = np.bincount(place, minlength=2 * len(groups))
        holds = sizes >= max(1, least)
        if holds.any():
            kept = holds[place]
            order = self.order[places[kept]][np.argsort(place[kept], kind="stable")]
            starts = np.concatenate([[0], np.cumsum(sizes[holds])])
            holds[holds] = self.space.holds(order, starts, criteria)
        return holds.reshape(-1, 2), sizes.reshape(-1, 2)

    def _borrow(self, groups: Rows, lender: Indices) -> None:
        """The nearest row of the lending half changes sides."""
        lends = np.full(len(self.starts) - 1, -1)
        lends[groups] = lender
        involved = np.flatnonzero(lends[self.owner] >= 0)
        owner = self.owner[involved]
        lent = self.right[involved] == lends[owner]
        poor, number = involved[~lent], np.searchsorted(groups, owner[~lent])
        box = self.space.boxes(self.order[poor], np.searchsorted(number, np.arange(len(groups) + 1)))
        rich, number = involved[lent], np.searchsorted(groups, owner[lent])
        wider = self.space.loss(self.rows.take(rich).union(box.take(number)))
        begins = np.searchsorted(number, np.arange(len(groups)))
        least = np.minimum.reduceat(wider, begins)
        nearest = np.flatnonzero(wider == least[number])
        nearest = rich[nearest[np.unique(number[nearest], return_index=True)[1]]]
        self.right[nearest] = ~self.right[nearest]

    def _first(self, values: Ints, extreme: np.ufunc) -> Rows:
        """The first row of each group that has its extreme value."""
        best = extreme.reduceat(values, self.starts[:-1])
        places = np.flatnonzero(values == best[self.owner])
        return places[np.unique(self.owner[places], return_index=True)[1]]
