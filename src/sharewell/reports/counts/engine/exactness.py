"""Which hidden cells have one value only in all tables of whole numbers that fit? Decided by tables, not by bounds.

A linear program forgets that counts are whole: its ends may lie apart although a single whole number is possible. So a
cell counts as open only if two tables of whole numbers differ in it, and as computed only if no other table is left.

>>> from sharewell.reports.counts.data import HIDDEN, CountTable
>>> table = CountTable.of_cells({("m", "flu"): 20, ("m", "gout"): 3, ("f", "flu"): 15, ("f", "gout"): 12}, ["s", "i"])
>>> four = table.showing(np.where(table.leaves, HIDDEN, table.shown))
>>> found = single_valued(View.of(four), np.flatnonzero(four.hidden))
>>> int(found.single.sum()), int(found.undecided.sum())
(0, 0)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sharewell.reports.counts.engine.published_view import View
from sharewell.reports.counts.engine.relations import NO_LIMIT, Floats, Ints, Open
from sharewell.reports.counts.engine.solvers.highs import Program

NODES = 1_000
"""Steps in the search for one table."""
PROGRAMS = 400
"""Searches in all."""
_SWEEPS = 8


@dataclass(frozen=True)
class SingleValued:
    """Masks over the cells asked for."""

    single: NDArray[np.bool_]
    """One whole number fits, and no other."""
    undecided: NDArray[np.bool_]
    tables: tuple[Ints, ...]
    """Tables of whole numbers that fit, as they were met."""


def single_valued(view: View, cells: Ints, programs: int = PROGRAMS) -> SingleValued:
    """Of each of these cells: is only one value left?"""
    search = _Search(view, programs)
    return search.run(cells)


class _Search:
    def __init__(self, view: View, programs: int) -> None:
        self.view, self.left = view, programs
        outer_low, outer_high = view.low.copy(), view.high.copy()
        system = Open.of(view.relations, outer_low, outer_high)
        bounds = system.consequences()
        if bounds is not None:
            outer_low[system.cells], outer_high[system.cells] = bounds
        self.base, self.system = outer_low, Open.of(view.relations, outer_low, outer_high)
        self.column = np.full(view.size, -1, np.int64)
        self.column[self.system.cells] = np.arange(self.system.count)
        self.low, self.high = self.system.low.copy(), self.system.high.copy()
        self.tables: list[Ints] = []
        self.draw = np.random.default_rng(0)  # only where to look first

    def run(self, cells: Ints) -> SingleValued:
        fixed = self.column[cells] < 0
        single, undecided = fixed.copy(), ~fixed
        if not undecided.any():
            return SingleValued(single, undecided, ())
        jumps = self.view.jumps[self.system.cells]
        self.program = Program.of(self.system, self.low, self.high, jumps, whole=True, nodes=NODES)
        first = self._table(np.zeros(0, np.int64), np.zeros(0))
        if first is None:
            return SingleValued(single, undecided, ())
        differs = np.zeros(len(cells), dtype=bool)
        for sweep in range(_SWEEPS):
            still = np.flatnonzero(undecided & ~differs)
            if not len(still) or self.left <= 0:
                break
            signs = self.draw.uniform(0.1, 1, len(still)) * (1 if sweep % 2 else -1)
            signs[self.high[self.column[cells[still]]] >= NO_LIMIT] = np.abs(signs).max()
            met = self._table(self.column[cells[still]], signs)
            if met is not None:
                differs |= met[cells] != first[cells]
        for number in np.flatnonzero(undecided & ~differs):
            verdict = self._only(int(cells[number]), int(first[cells[number]]))
            single[number], undecided[number] = verdict is True, verdict is None
        return SingleValued(single, undecided & ~differs, tuple(self.tables))

    def _only(self, cell: int, value: int) -> bool | None:
        """Is there no table with another value in this cell? None if that was not decided."""
        if any(int(one[cell]) != value for one in self.tables):
            return False
        column, decided = int(self.column[cell]), True
        for low, high in ((value + 1, self.high[column]), (self.low[column], value - 1)):
            if low > high:
                continue
            if self.left <= 0:
                return None
            self.left -= 1
            self.program.bounds([column], [low], [high])
            met = self.program.least(np.zeros(0, np.int64), np.zeros(0))
            self.program.bounds([column], [self.low[column]], [self.high[column]])
            if met.outcome == "solved" and self._whole(met.point) is not None:
                return False
            decided &= met.outcome == "empty"
        return True if decided else None

    def _table(self, columns: Ints, weights: Floats) -> Ints | None:
        self.left -= 1
        met = self.program.least(columns, weights)
        return self._whole(met.point) if met.outcome == "solved" else None

    def _whole(self, point: Floats) -> Ints | None:
        """The point as a table, if it fits exactly."""
        table = self.base.copy()
        table[self.system.cells] = np.round(point).astype(np.int64)
        if not self.view.fits(table):
            return None
        self.tables.append(table)
        return table
