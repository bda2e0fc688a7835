"""Ambiguity: how many combinations of exact values the records of a release may stand for, added up.

A published record may be any of Π (values that its cell leaves open) combinations, a withheld one any of the domain's.
The definition is that of ARX 3.9, so that results can be compared.

Two floors are known. Of all higher nodes: a cell only ever leaves more open, and a withheld record everything. Of lower
nodes: what is withheld there for sure counts whole.
"""

from __future__ import annotations

import math

import numpy as np

from sharewell.tables.engine.array_types import Floats, Indices, Ints
from sharewell.tables.engine.protection.lattice.rollup import Grouping, Node, TableTuples

Score = tuple[float, ...]
_ROUNDED = 1 - 1e-9
"""Floors are lowered by more than products and sums may be rounded by."""
_EXACT = 2**53
"""Up to here decimals hold whole numbers."""


class AmbiguityLoss:
    """The sum over all records. Sums of decimals do not depend on the order of classes."""

    def __init__(self, space: TableTuples) -> None:
        self.space, self.rows = space, space.table.rows
        self._all = math.prod(float(ladder.domain) for ladder in space.ladders)
        self._known: dict[tuple[int, int], Floats] = {}
        self._last: tuple[Grouping, Floats] | None = None

    def lattice_floors(self) -> None:
        """None that is known before the first look is worth having: a search that looks both ways needs fewer looks."""

    def usual(self, share: float) -> None:
        """What a node loses that withholds a share of the records is not known before it is looked at."""

    def exceeds(self, worst: float, node: Node, withheld: int) -> bool:
        """Does the number of records withheld alone show that a node's loss is above `worst`?"""
        return (withheld * self._all + self.rows - withheld) * _ROUNDED > worst

    def score(self, grouping: Grouping, failing: Indices) -> Score:
        open_cells = self._open(grouping).copy()
        open_cells[failing] = self._all
        return (self._sum(open_cells, grouping.records),)

    def above(self, grouping: Grouping) -> float:
        """What no higher node's loss can be below: there cells leave more open."""
        return self._sum(self._open(grouping), grouping.records) * _ROUNDED

    def below(self, grouping: Grouping, withheld: Ints) -> float:
        """What no lower node's loss can be below, if so many records of each class are withheld there."""
        suppressed = int(withheld.sum())
        return (suppressed * self._all + self.rows - suppressed) * _ROUNDED

    def most_withheld(self, score: Score) -> int:
        """At most this many records are withheld at a node that loses no more than this."""
        if self._all <= 1:
            return self.rows
        return max(0, min(self.rows, int((score[0] / _ROUNDED - self.rows) // (self._all - 1))))

    def shown(self, score: Score) -> float:
        return score[0]

    def _sum(self, open_cells: Floats, records: Ints) -> float:
        """The same in whatever order classes come."""
        if self._all * self.rows < _EXACT:
            return float(open_cells @ records)
        return math.fsum((open_cells * records).tolist())

    def _leaves(self, j: int, level: int) -> Floats:
        """How many values a cell of column j leaves open, by distinct tuple."""
        if (j, level) not in self._known:
            self._known[j, level] = self.space.ladders[j].leaves[level].take(self.space.codes[j]).astype(np.float64)
        return self._known[j, level]

    def _open(self, grouping: Grouping) -> Floats:
        """The combinations that a record of each class may stand for; asked twice of a node."""
        if self._last is None or self._last[0] is not grouping:
            combinations = np.ones(grouping.count)
            for j, level in enumerate(grouping.node):
                combinations *= self._leaves(j, level).take(grouping.tuples)
            self._last = grouping, combinations
        return self._last[1]
