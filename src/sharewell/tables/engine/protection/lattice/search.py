"""The lattice of levels, and the search that finds its best node and proves that no other is better.

A node is one level for every column. A node is *open* until it has been looked at, or something is known that rules it
out. The search takes the open node with the least floor, climbs from it to the top, and halves that path. Once this
finds nothing better for a while it turns to proving that there is nothing better, and takes nodes with many open ones
below that are likely to be ruled out together, by what a forecast says of them (`withheld_forecast`). Where floors are
not known before looks, it takes from the first good node on those that are likely to rule out most, below or above:

- a node where too much must be withheld *whatever lies below* closes every node below it (predictive tagging), even if
  its own loss is of no interest any more;
- a node that allows everything above is as high as climbing makes sense;
- a node's floor that is no better than the best loss found closes the node;
- what the classes of a node say about all higher nodes raises their floors.

When no node is open, the best one found is the best there is. Ties go to fewer steps of generalisation, then to lower
levels in the first columns.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sharewell.compiled import numba_or_numpy
from sharewell.progress import counter
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
from sharewell.tables.engine.protection.lattice.withheld_forecast import WithheldForecast

Score = tuple[float, ...]
Rank = tuple[Score, int, Node]
"""Loss, steps of generalisation, levels: what decides between two nodes."""
_KERNEL = "sharewell.tables.engine.protection.lattice.node_boxes_kernel"
_PATIENCE = 3
"""Paths without a better node before the search turns from finding to proving."""
_DIVIDED = 0.7
"""The share of the interesting nodes that is left when it is time to see anew which ones divide them best."""
_AT_ONCE = 256
"""At most this many of them are looked at before that."""
_ROUND = 8
"""At least this many looks between two forecasts of what nodes withhold,"""
_ROUND_BOTH = 16
"""or this many where each look closes few,"""
_NODES_A_LOOK = 2_000
"""and one more for this many nodes of the lattice, over all of which a forecast goes."""
_CHOICE = 8
"""This many times as many nodes are considered for them."""
SHARES = (1 / 16, 1 / 8, 1 / 5, 1 / 3, 1 / 2, 3 / 4, 1.0)
"""Of what may be withheld."""
_SHIFTS = -np.log(SHARES)
_DECIMALS = 6
"""Of expected numbers, so that decimals beyond decide nothing."""
_SMALL = 500_000
"""In lattices of more nodes it would take too long to see which ones divide them."""
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


Look = Callable[[Node, bool, bool], NodeAssessment]


@dataclass(frozen=True)
class SearchResult:
    node: Node | None
    score: Score
    checked: int
    proven: bool


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
        self._usual_losses, self._usual = usual_losses, list[Floats]()
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

    @property
    def by_floors(self) -> bool:
        """Is it known what nodes would lose by what they withhold?"""
        return self._usual_losses is not None and self._usual_losses(1.0) is not None

    def how_closed(self) -> Codes:
        """By how much withheld, of SHARES, each node is closed: then it would likely lose more than the best node."""
        groups = np.full(self.count, len(SHARES) - 1, dtype=np.int32)
        if self.best and self._usual_losses is not None:
            if not self._usual:
                losses = [self._usual_losses(share) for share in SHARES[:-1]]
                self._usual = [np.ascontiguousarray(loss).ravel() for loss in losses if loss is not None]
            for group in reversed(range(len(self._usual))):
                groups[self._usual[group] > self.best[0]] = group
        return groups

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
        worth = -np.round(expected[some], _DECIMALS)
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


class Search:
    """The state of one search."""

    def __init__(self, lattice: Lattice, look: Look, steps: int | None) -> None:
        self.lattice, self._look, self.steps = lattice, look, steps
        self.best: Rank | None = None
        self.fits: dict[int, bool] = {}
        """Of every node looked at."""
        self.idle = 0
        """Paths since the best node was found."""
        self.telling = 0
        """Nodes that do not fit: those that ruled out all lower nodes, minus those that did not."""
        self.telling_less = np.zeros(lattice.count, dtype=bool)
        """Nodes above one that did not close what is below it."""
        self._forecast = WithheldForecast(lattice.shape, lattice.compiled)
        self._floors_above = WithheldForecast(lattice.shape, lattice.compiled)
        """The same of the logarithms of floors that nodes give to all higher ones."""
        self._room = 0.0

    @property
    def _most_fit(self) -> bool:
        """Do most nodes looked at fit? Then few will close all that is below them."""
        return self.telling <= 0 and 2 * sum(self.fits.values()) > len(self.fits)

    @property
    def exhausted(self) -> bool:
        return len(self.fits) == self.steps

    def look(self, number: int, alone: bool = False) -> bool:
        """Look at a node, unless that was done, or only at it, for the sake of no other; does it fit?"""
        if number in self.fits:
            return self.fits[number]
        node = self.lattice.node(number)
        wants_bounds = not alone or self.lattice.interesting_below(number) > 1
        assessment = self._look(node, bool(self.lattice.place[number] < self.lattice.end), wants_bounds)
        self.fits[number] = assessment.fits
        self.lattice.learn(number, assessment)
        if assessment.excess is not None:
            self._forecast.observe(node, assessment.excess)
            if assessment.floor_above is not None and assessment.floor_above > 0:
                self._floors_above.observe(node, math.log(assessment.floor_above))
        if not assessment.fits and wants_bounds:
            self.telling += 1 if assessment.none_below else -1
        if assessment.score is not None and (self.best is None or (assessment.score, sum(node), node) < self.best):
            self.best, self.idle, self._room = (assessment.score, sum(node), node), 0, assessment.room
            self.lattice.limit(self.best)
        return assessment.fits

    def follow(self, start: int) -> None:
        """Halve the path above a node as long as that teaches something; at last look at the node itself."""
        self.idle += 1
        if self.best is None or self.telling >= 0:
            path = self.lattice.path(start)
            low, high = 0, len(path) - 1
            while low <= high and not self.exhausted:
                middle = (low + high) // 2
                low, high = (low, middle - 1) if self.look(path[middle]) else (middle + 1, high)
        if self.lattice.open[start] and self.lattice.place[start] < self.lattice.end and not self.exhausted:
            self.look(start)

    def close(self) -> None:
        """Look at nodes that are expected to close most of the interesting ones, until one does otherwise."""
        lattice, below = self.lattice, self.lattice.counts_below()
        chances = self._forecast.chances(lattice.looked | lattice.allowed | self.telling_less | (below <= 1))
        most = max(_ROUND, lattice.count // _NODES_A_LOOK)
        queue, looks, as_expected = lattice.closers(below * chances, _CHOICE * most), 0, True
        while queue and looks < most and as_expected and not self.exhausted:
            number = heappop(queue)[1]
            worth = round(lattice.interesting_below(number) * float(chances[number]), _DECIMALS)
            if worth <= 1:
                continue
            if queue and worth < -queue[0][0]:  # earlier looks closed some of what it would have
                heappush(queue, (-worth, number))
                continue
            closes = self._look_at_closer(number)
            looks, as_expected = looks + 1, closes == (chances[number] > 0.5)
        if not looks:
            self._look_at_least(most)

    def close_by_floors(self) -> None:
        """The same where nodes close most of those below them by the floors they raise.

        Which nodes a look closes depends on how much it finds to be withheld below for sure, and that is forecast.
        """
        lattice, groups = self.lattice, self.lattice.how_closed()
        below = lattice.counts_below_by_group(groups)
        chances = self._forecast.shifted_chances(lattice.looked, _SHIFTS)
        most = max(_ROUND_BOTH, lattice.count // _NODES_A_LOOK)
        queue, looks, as_expected = lattice.closers((below * chances).sum(axis=1), _CHOICE * most), 0, True
        while queue and looks < most and as_expected and not self.exhausted:
            number = heappop(queue)[1]
            before = lattice.interesting_by_group(groups, number)
            worth = round(float(before @ chances[number]), _DECIMALS)
            if worth <= 1:
                continue
            if queue and worth < -queue[0][0]:
                heappush(queue, (-worth, number))
                continue
            self.look(number)
            closed = int(before.sum()) - lattice.interesting_below(number)
            looks, as_expected = looks + 1, closed >= worth / 2
        if not looks:
            self._look_at_least(most, alone=True)

    def close_both_ways(self) -> None:
        """The same where looks alone tell floors: a node closes what is below it or, by its floor, what is above.

        One look goes to the node that is likely to fit and to lose least: the better the best node, the more is closed.
        """
        lattice, best = self.lattice, self.best[0][0] if self.best is not None else math.inf
        below = self._forecast.chances(lattice.looked, -self._room)
        above = self._floors_above.chances(lattice.looked, -math.log(best) if 0 < best < math.inf else 0.0)
        self._look_at_promising(below, above)
        most, looks = max(_ROUND_BOTH, lattice.count // _NODES_A_LOOK), 0
        queue = lattice.closers(lattice.counts_below() * below + lattice.counts_above() * above, _CHOICE * most)
        while queue and looks < most and not self.exhausted:
            number = heappop(queue)[1]
            worth = lattice.interesting_below(number) * float(below[number])
            worth = round(worth + lattice.interesting_above(number) * float(above[number]), _DECIMALS)
            if worth <= 1:
                continue
            if queue and worth < -queue[0][0]:
                heappush(queue, (-worth, number))
                continue
            self.look(number)
            looks += 1
        if not looks:
            self._look_at_least(most)

    def _look_at_promising(self, below: Floats, above: Floats) -> None:
        """Look at the interesting node with the least floor expected, among those that are likely to fit."""
        likely = np.flatnonzero(self.lattice.interesting & (below < 0.5))
        if len(likely) and not self.exhausted:
            self.look(int(likely[above[likely].argmin()]))

    def _look_at_least(self, most: int, alone: bool = False) -> None:
        """Look at the interesting nodes themselves, where no other is expected to close several: the least floors
        first, for there better nodes may be, which make others uninteresting."""
        for _ in range(most):
            number = self.lattice.next_open(least=True)
            if number is None or self.exhausted:
                return
            self.look(number, alone)

    def divide(self, start: int) -> None:
        """Look at nodes that divide the interesting ones, until a good part of these is closed."""
        lattice, interesting = self.lattice, self.lattice.interesting
        closers = interesting
        if lattice.floors_known:
            closers = interesting | ~(lattice.looked | lattice.allowed | self.telling_less)
            if np.array_equal(closers, interesting):  # then those with the highest floors come first
                self.look(start)
                return
        before = np.count_nonzero(interesting)
        for number in lattice.dividing(interesting, closers):
            if number in self.fits or not lattice.interesting_below(number):
                continue
            if self.exhausted:
                break
            self._look_at_closer(number)
            if np.count_nonzero(lattice.interesting) < _DIVIDED * before:
                break

    def _look_at_closer(self, number: int) -> bool:
        """Does it close all that is below?"""
        self.look(number)
        closes = not self.lattice.interesting_below(number)
        if not closes:
            self.lattice.mark_above(self.telling_less, number)
        return closes

    def run(self) -> SearchResult:
        small, decided, count = self.lattice.count <= _SMALL, 0, counter("nodes", self.lattice.count)
        while True:
            before, decided = decided, self.lattice.count - (self.lattice.end - self.lattice.begin)
            count(decided - before)
            finding = self.best is None or self.idle < _PATIENCE
            start = self.lattice.next_open(least=finding)
            if start is None or self.exhausted:
                break
            if not small or (finding and self.lattice.floors_known):
                self.follow(start)
            elif self.lattice.floors_known and self._forecast.informed and self._most_fit and self.lattice.by_floors:
                self.close_by_floors()
            elif self.lattice.floors_known and self._forecast.informed and self.telling > 0:
                self.close()
            elif not self.lattice.floors_known and self._forecast.informed and self.best is not None:
                self.close_both_ways()
            else:
                self.divide(start)
        node, score = (None, ()) if self.best is None else (self.best[2], self.best[0])
        return SearchResult(node, score, len(self.fits), start is None)


def search(
    lattice: Lattice,
    look: Look,
    steps: int | None = None,
    start: SearchResult | None = None,
) -> SearchResult:
    """The best node, and whether that is proven; at most `steps` nodes are looked at.

    `look` is given a node, whether its loss is of interest, and whether anything is that holds for all lower nodes;
    `start` is a good node that is known already.
    """
    state = Search(lattice, look, steps)
    if start is not None and start.node is not None:
        state.best, state.idle = (start.score, sum(start.node), start.node), _PATIENCE
        lattice.limit(state.best)
    result = state.run()
    return result if start is None else replace(result, checked=result.checked + start.checked)


def descend(top: Node, look: Look, steps: int | None = None, width: int = 32) -> SearchResult:
    """From the top, a level at a time; of each level's nodes the best few that fit are followed. Proves nothing."""
    best: Rank | None = None
    level, seen = [top], {top}
    while level:
        ranks = [(score, sum(node), node) for node in level if (score := look(node, True, False).score) is not None]
        followed = sorted(ranks)[:width]
        best = min(filter(None, [best, *followed[:1]]), default=None)
        level = []
        for _, _, node in followed:
            for one in lower(node):
                if one not in seen and len(seen) != steps:
                    seen.add(one)
                    level.append(one)
    return SearchResult(best[2] if best else None, best[0] if best else (), len(seen), False)


def lower(node: Node) -> Iterator[Node]:
    """The nodes with one column a level lower."""
    for j, level in enumerate(node):
        if level:
            yield (*node[:j], level - 1, *node[j + 1 :])
