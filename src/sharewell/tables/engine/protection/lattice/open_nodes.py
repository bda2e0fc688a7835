"""The nodes of one lattice, by their numbers: which are open, and what is known of their losses.

A node is *open* until it has been looked at, or something is known that rules it out. What a look says of other nodes
closes them, or raises their floors; a floor that is no better than the best loss found closes its node as well.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sharewell.compiled import numba_or_numpy
from sharewell.tables.engine.array_types import Bools, Codes, Floats, Ints
from sharewell.tables.engine.protection.lattice.node_boxes import (
    box_products,
    count_both,
    counts_below,
    group_counts,
    group_counts_below,
    mark,
    raise_floors,
)
from sharewell.tables.engine.protection.lattice.rollup import Node

Score = tuple[float, ...]
Rank = tuple[Score, int, Node]
"""Loss, steps of generalisation, levels: what decides between two nodes."""
_KERNEL = "sharewell.tables.engine.protection.lattice.node_boxes_kernel"
_AT_ONCE = 256
"""At most this many nodes that divide the others are named at a time."""
SHARES = (1 / 16, 1 / 8, 1 / 5, 1 / 3, 1 / 2, 3 / 4, 1.0)
"""Of what may be withheld."""
DECIMALS = 6
"""Of expected numbers, so that decimals beyond decide nothing."""
_WORTHWHILE = 4
"""The fewest open nodes below for which their floors are raised."""


class NodeAssessment(NamedTuple):
    """The result of evaluating one node, and what follows for its neighbours."""

    fits: bool
    """Is no more withheld than may be, and something published?"""
    score: Score | None
    """Its loss, if it fits and was asked for."""
    none_below: bool
    """Is too much withheld at every lower node as well?"""
    all_above: bool
    """Does every higher node keep within what may be withheld?"""
    floor_above: float | None = None
    """What the loss of no higher node can be below."""
    floors_below: Callable[[], Floats | float | None] | None = None
    """What the losses of lower nodes cannot be below."""
    excess: float | None = None
    """The logarithm of what is withheld at this and every lower node over what may be, if that helps a forecast."""
    room: float = 0.0
    """The logarithm of what a node may withhold that loses no more than this one, over what may be at all."""


class Lattice:
    """Nodes of one lattice, by their numbers: which are open, and in which order they are worth a look."""

    def __init__(
        self,
        shape: Node,
        floors: Sequence[Floats] | None,
        compiled: bool = False,
        usual_losses: Callable[[float], Floats | None] | None = None,
    ) -> None:
        self.shape, self.count, self.compiled = shape, math.prod(shape), compiled
        self._usual_losses = usual_losses
        self._mark = numba_or_numpy(compiled, f"{_KERNEL}:mark", mark)
        self._count_both = numba_or_numpy(compiled, f"{_KERNEL}:count_both", count_both)
        self._raise_floors = numba_or_numpy(compiled, f"{_KERNEL}:raise_floors", raise_floors)
        self._counts_below = numba_or_numpy(compiled, f"{_KERNEL}:counts_below", counts_below)
        self._group_counts = numba_or_numpy(compiled, f"{_KERNEL}:group_counts", group_counts)
        self._group_counts_below = numba_or_numpy(compiled, f"{_KERNEL}:group_counts_below", group_counts_below)
        self._box_products = numba_or_numpy(compiled, f"{_KERNEL}:box_products", box_products)
        self.open = np.ones(self.count, dtype=bool)
        self.looked = np.zeros(self.count, dtype=bool)
        self.before_end = np.ones(self.count, dtype=bool)
        """Ranked by their floors before the best node found."""
        self.allowed = np.zeros(self.count, dtype=bool)
        """Known to keep within what may be withheld."""
        self.strides = [math.prod(shape[j + 1 :]) for j in range(len(shape))]
        self._levels = list(zip(self.strides, shape, strict=True))
        self._box = np.array(shape, dtype=np.int64), np.array(self.strides, dtype=np.int64)
        steps = np.zeros(shape, dtype=np.int32)
        for axis in np.ogrid[tuple(slice(size) for size in shape)]:
            steps = steps + axis
        self.steps = np.broadcast_to(steps, shape).ravel()
        self.floors_known = floors is not None
        """Else looks alone raise them."""
        flat = [np.ascontiguousarray(floor).ravel() for floor in floors or ()]
        self.floors = np.stack(flat, axis=-1) if flat else np.zeros((self.count, 1))
        keys: list[NDArray[np.number]] = [self.steps, *flat[::-1]]
        self.order = np.lexsort(keys)
        self.place = np.empty(self.count, dtype=np.int64)
        self.place[self.order] = np.arange(self.count)
        self.raised: Floats | None = None
        self.best: Score = ()
        self.end = self.count
        self.begin = 0

    def rank(self, number: int) -> Rank:
        """The best that a node can turn out to be."""
        return tuple(self.floors[number].tolist()), int(self.steps[number]), self.node(number)

    def node(self, number: int) -> Node:
        return tuple([number // stride % size for stride, size in self._levels])

    def mark_above(self, flags: Bools, number: int) -> None:
        """Flag a node and all higher ones."""
        self._mark(flags, number, True, True, *self._box)

    def learn(self, number: int, assessment: NodeAssessment) -> None:
        """Close nodes and raise floors by the assessment of one node."""
        self.open[number], self.looked[number] = False, True
        if assessment.none_below:
            self._mark(self.open, number, False, False, *self._box)
        if assessment.all_above:
            self.mark_above(self.allowed, number)
        if assessment.floor_above is not None:
            self._raise(number, True, np.array([assessment.floor_above]))
        if assessment.floors_below is not None and not assessment.none_below:
            worthwhile = _WORTHWHILE if self.floors_known else 1
            open_below = self._count_both(self.open, self.open, number, *self._box)
            if open_below >= worthwhile and (floors := assessment.floors_below()) is not None:
                self._raise(number, False, np.ravel(floors))

    def _raise(self, number: int, upwards: bool, floors: Floats) -> None:
        if self.raised is None:
            self.raised = np.full(self.count, -np.inf)
        best = self.best[0] if self.best else math.inf
        self._raise_floors(self.raised, self.open, number, upwards, floors, best, *self._box)

    def limit(self, best: Rank) -> None:
        """Nodes that cannot rank before the best one found are of no more interest."""
        self.best = best[0]
        self.end = bisect_left(range(len(self.order)), best, hi=self.end, key=lambda i: self.rank(int(self.order[i])))
        self.before_end = self.place < self.end
        if self.raised is not None:
            self.open[self.raised > self.best[0]] = False

    def next_open(self, least: bool) -> int | None:
        """The open node with the least floor, or else with the highest that is of interest."""
        while self.begin < self.end:
            part = self.open[
                self.order[self.begin : self.end][:512] if least else self.order[self.begin : self.end][:-513:-1]
            ]
            first = int(part.argmax())
            passed = first if part[first] else len(part)
            self.begin, self.end = (self.begin + passed, self.end) if least else (self.begin, self.end - passed)
            if part[first]:
                return int(self.order[self.begin if least else self.end - 1])
        return None

    def path(self, number: int) -> list[int]:
        """From a node upwards, each time to the node with the least floor, as long as too much may be withheld."""
        path, node = [number], list(self.node(number))
        allowed, place, strides = self.allowed, self.place, self.strides
        free = [j for j, size in enumerate(self.shape) if node[j] + 1 < size]
        while True:
            uppers = [(place[number + strides[j]], j) for j in free if not allowed[number + strides[j]]]
            if not uppers:
                return path
            column = min(uppers)[1]
            node[column] += 1
            number += strides[column]
            path.append(number)
            if node[column] + 1 == self.shape[column]:
                free.remove(column)

    @property
    def interesting(self) -> Bools:
        """The open nodes that may yet turn out to be the best."""
        return self.open & self.before_end

    def interesting_below(self, number: int) -> int:
        """How many of them are at or below a node."""
        return self._count_both(self.open, self.before_end, number, *self._box)

    def interesting_above(self, number: int) -> int:
        """How many of them are at or above a node."""
        flags, others = self.open[::-1], self.before_end[::-1]
        return self._count_both(flags, others, self.count - 1 - number, *self._box)

    def counts_below(self) -> Floats:
        """How many interesting nodes are at or below each."""
        return self._counts_below(self.interesting, *self._box)

    @cached_property
    def usual_losses(self) -> list[Floats]:
        """About what each node would lose if it withheld each of SHARES but the last; nothing where that is unknown."""
        losses = [None if self._usual_losses is None else self._usual_losses(share) for share in SHARES[:-1]]
        return [np.ascontiguousarray(loss).ravel() for loss in losses if loss is not None]

    def closing_shares(self) -> Codes:
        """The place in SHARES of what closes each node if it is withheld there: more than may be, or so much that the
        node would likely lose more than the best one."""
        places = np.full(self.count, len(SHARES) - 1, dtype=np.int32)
        for place in reversed(range(len(self.usual_losses) if self.best else 0)):
            places[self.usual_losses[place] > self.best[0]] = place
        return places

    def counts_below_by_group(self, groups: Codes) -> Floats:
        """How many interesting nodes of each group are at or below each node."""
        return self._group_counts_below(self.interesting, groups, len(SHARES), *self._box)

    def interesting_by_group(self, groups: Codes, number: int) -> Ints:
        """How many interesting nodes of each group are at or below a node."""
        return self._group_counts(self.open, self.before_end, groups, len(SHARES), number, *self._box)

    def counts_above(self) -> Floats:
        """How many interesting nodes are at or above each: nodes numbered from the last on are those upside down."""
        return self._counts_below(self.interesting[::-1].copy(), *self._box)[::-1]

    def closers(self, expected: Floats, most: int) -> list[tuple[float, int]]:
        """Nodes from which one may expect to close several interesting ones, with minus their expected number; the best
        first, as in a heap."""
        some = np.flatnonzero(expected > 1)
        worth = -np.round(expected[some], DECIMALS)
        if len(worth) > most:
            first = worth <= np.partition(worth, most - 1)[most - 1]  # all that tie with the last: none by chance
            some, worth = some[first], worth[first]
        top = np.lexsort((some, worth))[:most]
        return list(zip(worth[top].tolist(), some[top].tolist(), strict=True))

    def dividing(self, interesting: Bools, closers: Bools) -> list[int]:
        """The closers, first those with many interesting nodes below, and many closers above.

        A look closes what lies below, or tells that a look at what lies above would close no more.
        """
        worth = -self._box_products(interesting, closers, *self._box)
        result = np.argpartition(worth, min(_AT_ONCE, worth.size - 1))[:_AT_ONCE]
        numbers: list[int] = result[np.lexsort((result, worth[result]))].tolist()
        return numbers
