"""The lattice of levels, and the search that finds its best node and proves that no other is better.

A node is one level for every column. A node is *open* until it has been looked at, or something is known that rules it
out. The search takes the open node with the least floor, climbs from it to the top, and halves that path. Once this
finds nothing better for a while it turns to proving that there is nothing better, and takes nodes with many open ones
below that are likely to be ruled out together, by what a forecast says of them (`withheld_forecast`): because too much
must be withheld there, or, where much may be, because so much must be that they lose more. Where floors are not known
before looks, it takes from the first good node on those that are likely to rule out most, below or above:

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
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from heapq import heappop, heappush

import numpy as np

from sharewell.progress import counter
from sharewell.tables.engine.array_types import Floats
from sharewell.tables.engine.protection.lattice.open_nodes import (
    DECIMALS,
    SHARES,
    Lattice,
    NodeAssessment,
    Rank,
    Score,
)
from sharewell.tables.engine.protection.lattice.rollup import Node
from sharewell.tables.engine.protection.lattice.withheld_forecast import WithheldForecast

_PATIENCE = 3
"""Paths without a better node before the search turns from finding to proving."""
_DIVIDED = 0.7
"""The share of the interesting nodes that is left when it is time to see anew which ones divide them best."""
_ROUND = 8
"""At least this many looks between two forecasts of what nodes withhold,"""
_ROUND_BOTH = 16
"""or this many where each look closes few,"""
_NODES_A_LOOK = 2_000
"""and one more for this many nodes of the lattice, over all of which a forecast goes."""
_BARREN = 4
"""The more of them came to nothing in a row, up to this number, the later the next forecast."""
_CHOICE = 8
"""This many times as many nodes are considered for them."""
_SHIFTS = -np.log(SHARES)
_SMALL = 500_000
"""In lattices of more nodes it would take too long to see which ones divide them."""
Look = Callable[[Node, float | None, bool], NodeAssessment]


@dataclass(frozen=True)
class SearchResult:
    node: Node | None
    score: Score
    checked: int
    proven: bool


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
        self._barren = 0
        """Forecasts in a row by which no node closes several others."""

    @property
    def _most_fit(self) -> bool:
        """Do most nodes looked at fit? Then few will close all that is below them."""
        return self.telling <= 0 and 2 * sum(self.fits.values()) > len(self.fits)

    @property
    def exhausted(self) -> bool:
        return len(self.fits) == self.steps

    def look(self, number: int, alone: bool = False) -> bool:
        """Look at a node, unless that was done; does it fit? Alone: of lower ones nothing is asked if none is open."""
        if number in self.fits:
            return self.fits[number]
        node = self.lattice.node(number)
        wants_bounds = not alone or self.lattice.interesting_below(number) > 1
        worst = math.inf if self.best is None else self.best[0][0]
        assessment = self._look(node, worst if self.lattice.place[number] < self.lattice.end else None, wants_bounds)
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
            worth = round(lattice.interesting_below(number) * float(chances[number]), DECIMALS)
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
        """The same where most nodes fit, and looks close those below them by the floors they raise.

        Which ones depends on how much a look finds to be withheld below for sure, and that is forecast. A node that
        closes no other is judged alone, and nothing is learnt from it.
        """
        lattice, groups = self.lattice, self.lattice.closing_shares()
        below = lattice.counts_below_by_group(groups)
        chances = self._forecast.shifted_chances(lattice.looked, _SHIFTS)
        most = max(_ROUND_BOTH, lattice.count // _NODES_A_LOOK)
        queue, looks, as_expected = lattice.closers((below * chances).sum(axis=1), _CHOICE * most), 0, True
        while queue and looks < most and as_expected and not self.exhausted:
            number = heappop(queue)[1]
            before = lattice.interesting_by_group(groups, number)
            worth = round(float(before @ chances[number]), DECIMALS)
            if worth <= 1:
                continue
            if queue and worth < -queue[0][0]:
                heappush(queue, (-worth, number))
                continue
            self.look(number)
            closed = int(before.sum()) - lattice.interesting_below(number)
            looks, as_expected = looks + 1, closed >= worth / 2
        self._barren = 0 if looks else min(self._barren + 1, _BARREN)
        if not looks:
            self._look_at_least(most << self._barren, alone=True)

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
            worth = round(worth + lattice.interesting_above(number) * float(above[number]), DECIMALS)
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
            informed = self.lattice.floors_known and self._forecast.informed
            start = self.lattice.next_open(least=finding)
            if start is None or self.exhausted:
                break
            if not small or (finding and self.lattice.floors_known):
                self.follow(start)
            elif informed and self._most_fit and self.lattice.usual_losses:
                self.close_by_floors()
            elif informed and self.telling > 0:
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

    `look` is given a node, up to which loss it is of interest (None: whatever it is, it is not), and whether anything
    is that holds for all lower nodes;
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
        ranks = [(score, sum(node), node) for node in level if (score := look(node, math.inf, False).score) is not None]
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
