"""What adds up to what in a table, and the part of it that is open: cells that are not shown, between their bounds.

>>> from sharewell.reports.counts.engine.dimensions import Dimension
>>> sums = Equations.of((Dimension.flat("a", "xy"), Dimension.flat("b", "uv")))
>>> sums.count, sums.cell[sums.row == 0].tolist(), sums.sign[sums.row == 0].tolist()
(6, [3, 6, 0], [1, 1, -1])
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sharewell.reports.counts.engine.dimensions import Dimension

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
NO_LIMIT = 1 << 52
"""A bound that is none. Numbers up to twice as large are exact as floats."""
MOST = 10**15
"""Of what a policy may ask for, in persons; less than no bound at all."""


@dataclass(frozen=True, eq=False)
class Equations:
    """Σ sign · cell = 0, over cells in a row: those of one table, or of several."""

    row: Ints = field(repr=False)
    cell: Ints = field(repr=False)
    sign: Ints = field(repr=False)
    count: int

    @classmethod
    def of(cls, dimensions: Sequence[Dimension]) -> Equations:
        """Every sum of a table of this shape, the parts before the whole. Cells are numbered row by row."""
        shape = tuple(len(one.codes) for one in dimensions)
        places = np.arange(int(np.prod(shape)), dtype=np.int64).reshape(shape)
        wholes, parts, sizes = [], [], []
        for axis, dimension in enumerate(dimensions):
            along = np.moveaxis(places, axis, 0)
            for parent, children in dimension.sums:
                wholes.append(along[parent].ravel())
                parts.append(along[list(children)].reshape(len(children), -1).T.ravel())
                sizes.append(np.full(along[parent].size, len(children), dtype=np.int64))
        whole, part = np.concatenate(wholes), np.concatenate(parts)
        rows = np.arange(len(whole), dtype=np.int64)
        row = np.concatenate([np.repeat(rows, np.concatenate(sizes)), rows])
        signs = np.concatenate([np.ones(len(part), np.int64), -np.ones(len(whole), np.int64)])
        return cls(row, np.concatenate([part, whole]), signs, len(whole))

    @property
    def entries(self) -> tuple[Ints, Ints, Ints]:
        return self.row, self.cell, self.sign

    def broken(self, table: Ints) -> int:
        """How many of them do not hold. Exact, in whole numbers."""
        signed = self.sign * table[self.cell]
        order, starts = self._by_row
        return int(np.count_nonzero(np.add.reduceat(signed[order], starts))) if len(starts) else 0

    @cached_property
    def _by_row(self) -> tuple[Ints, Ints]:
        """Entries in the order of rows, and where each row that has any begins."""
        order = np.argsort(self.row, kind="stable")
        return order, np.flatnonzero(np.diff(self.row[order], prepend=-1))


@dataclass(frozen=True)
class OpenSystem:
    """Equations over open cells alone: Σ sign · cell = right, each cell between low and high."""

    cells: Ints
    """Places among all cells of the table."""
    row: Ints
    column: Ints
    sign: Ints
    right: Ints
    low: Ints
    high: Ints

    @classmethod
    def of(cls, relations: Equations, low: Ints, high: Ints) -> OpenSystem:
        """All cells between bounds; those whose bounds meet are known and go to the right side."""
        is_open = low < high
        row, cell, sign = relations.entries
        known = ~is_open[cell]
        right = -np.bincount(row[known], weights=sign[known] * low[cell[known]], minlength=relations.count)
        number = np.cumsum(is_open) - 1
        kept = np.unique(row[~known])
        renumbered = np.full(relations.count, -1, np.int64)
        renumbered[kept] = np.arange(len(kept))
        cells = np.flatnonzero(is_open)
        exact = np.round(right[kept]).astype(np.int64)
        return cls(cells, renumbered[row[~known]], number[cell[~known]], sign[~known], exact, low[cells], high[cells])

    @property
    def count(self) -> int:
        return len(self.cells)

    def consequences(self, passes: int = 50) -> tuple[Ints, Ints] | None:
        """Bounds that follow from one sum at a time, again and again; None if no table fits them."""
        low, high = self.low.astype(np.float64), self.high.astype(np.float64)
        low[low <= -NO_LIMIT], high[high >= NO_LIMIT] = -np.inf, np.inf
        for _ in range(passes):
            new_low, new_high = self._tightened(low, high)
            if (new_low > new_high).any():
                return None
            if (new_low == low).all() and (new_high == high).all():
                break
            low, high = new_low, new_high
        low[np.isinf(low)], high[np.isinf(high)] = -NO_LIMIT, NO_LIMIT
        return low.astype(np.int64), high.astype(np.int64)

    def _tightened(self, low: Floats, high: Floats) -> tuple[Floats, Floats]:
        plus = self.sign > 0
        least = np.where(plus, low[self.column], -high[self.column])
        most = np.where(plus, high[self.column], -low[self.column])
        rest_least, rest_most = (self._without(bound) for bound in (least, most))
        upper, lower = self.right[self.row] - rest_least, self.right[self.row] - rest_most
        new_low, new_high = low.copy(), high.copy()
        np.maximum.at(new_low, self.column, np.where(plus, lower, -upper))
        np.minimum.at(new_high, self.column, np.where(plus, upper, -lower))
        return new_low, new_high

    def _without(self, term: Floats) -> Floats:
        """For each entry the sum of the other terms of its row; infinite if one of them is."""
        endless = np.isinf(term)
        finite = np.where(endless, 0.0, term)
        size = len(self.right)
        total = np.bincount(self.row, weights=finite, minlength=size)[self.row] - finite
        others = np.bincount(self.row, weights=endless, minlength=size)[self.row] - endless
        sign = np.sign(term[endless][0]) if endless.any() else 1.0
        return np.where(others > 0, sign * np.inf, total)

    def matrix(self) -> tuple[Ints, Ints, Floats]:
        return by_row((self.row, self.column, self.sign), len(self.right))


def by_row(entries: tuple[Ints, Ints, Ints], count: int) -> tuple[Ints, Ints, Floats]:
    """Entries (row, column, sign) of equations as solvers take them: starts of rows, columns and values."""
    row, column, sign = entries
    order = np.argsort(row, kind="stable")
    starts = np.searchsorted(row[order], np.arange(count + 1))
    return starts, column[order], sign[order].astype(np.float64)


def implied(relations: Equations, low: Ints, high: Ints) -> tuple[Ints, Ints] | None:
    """Bounds of all cells that follow from these, one sum at a time; None if no table fits them."""
    system = OpenSystem.of(relations, low, high)
    bounds = system.consequences()
    if bounds is None:
        return None
    low, high = low.copy(), high.copy()
    low[system.cells], high[system.cells] = bounds
    return low, high
