"""Is every unsafe cell left open as widely as it must be? Decided by tables of whole numbers that prove it.

A cell is protected if two tables fit all that is published, one with a number low enough in this cell and one with a
number high enough. Both are kept as witnesses, and checked by adding up (`table_check`). A bound of the linear program
that does not reach far enough rejects; it never accepts, since it forgets that counts are whole numbers, and that what
is rounded to 0 may be 0 or much, and nothing between.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from sharewell.reports.counts.data import CountTable
from sharewell.reports.counts.engine.primary_cells import UnsafeCells
from sharewell.reports.counts.engine.relations import Floats, Ints, OpenSystem, implied
from sharewell.reports.counts.engine.solvers.highs import LinearProgram
from sharewell.reports.counts.engine.table_readers import OUTSIDER, ReaderKnowledge, View, beyond_zeros, snoopers

_CLOSE = 1e-6
NODES = 2_000
"""Steps in the search for one table of whole numbers."""
MOST_KNOWN = 2_000
SWEEPS, MANY = 8, 4
"""How often tables for many cells at once are tried, and for no fewer cells than this."""
CORNERS = 6
"""Further vertices of the linear program that are tried before the search for whole numbers."""


@dataclass(frozen=True)
class UnprotectedCell:
    """A cell that some reader bounds too tightly, or may bound too tightly for all that could be decided."""

    cell: int
    side: int
    """−1: not low enough, +1: not high enough."""
    decided: bool
    knowledge: ReaderKnowledge = field(repr=False)


@dataclass(frozen=True)
class ProtectionResult:
    """The result. `witnesses` are tables that fit what is published, the true one first."""

    failing: tuple[UnprotectedCell, ...]
    readers: int
    """How many readers were simulated, the outsider included."""
    witnesses: tuple[Ints, ...] = field(default=(), repr=False)

    @property
    def cells(self) -> int:
        return len({one.cell for one in self.failing})

    @property
    def undecided(self) -> int:
        clear = {one.cell for one in self.failing if one.decided}
        return len({one.cell for one in self.failing} - clear)


def protection(
    published: CountTable,
    needs: UnsafeCells,
    *,
    first: bool = False,
    once: bool = False,
    known: list[Ints] | None = None,
) -> ProtectionResult:
    """Every unsafe cell against every reader; with `first`, only up to the first failing reader; with `once`, only
    until it fails: that is enough to count cells.

    known: tables found for other publications of the same truth. Those that fit this one are used again, and what is
    found is added.
    """
    view = View.of(published)
    old = [] if known is None else [one for one in known if view.allows(one)]
    readers = snoopers(published, needs.together) if needs.insiders else (OUTSIDER,)
    result = reached(view, beyond_zeros(view, needs), readers, [view.values, *old], first=first, once=once)
    if known is not None:
        known += result.witnesses[1 + len(old) :]
        del known[:-MOST_KNOWN]
    return result


@dataclass
class Searches:
    """How many searches for tables of whole numbers remain; a cell that needs more stays undecided."""

    left: int


def reached(
    view: View,
    needs: UnsafeCells,
    readers: Iterable[ReaderKnowledge],
    known: Sequence[Ints],
    *,
    first: bool = False,
    once: bool = False,
    searches: Searches | None = None,
) -> ProtectionResult:
    """The same for any cells and readers. known: tables of whole numbers that fit all that is published."""
    failing: list[UnprotectedCell] = []
    count, pool = 0, [*known]
    for knowledge in readers:
        count += 1
        failing += _Reader(view, needs, knowledge, pool, searches).run(once)
        if first and failing:
            break
        if once and failing:
            needs = needs.without([one.cell for one in failing if one.decided])
    return ProtectionResult(tuple(failing), count, tuple(pool))


class _Reader:
    """One reader's tables."""

    def __init__(
        self,
        view: View,
        needs: UnsafeCells,
        knowledge: ReaderKnowledge,
        pool: list[Ints],
        searches: Searches | None = None,
    ) -> None:
        self.view, self.knowledge, self.searches = view, knowledge, searches
        self.low, self.high = knowledge.applied(view.low, view.high, view.truth)
        self.cells, self.pool = needs.cells, pool
        self.asked = needs
        self.needs = {-1: needs.low, 1: needs.high}
        self._inherit()
        self.program: LinearProgram | None = None
        self.draw = np.random.default_rng(0)  # only where to look first: what is found is checked

    def _inherit(self) -> None:
        """Take over the tables found for other readers that agree with what this one knows."""
        known = np.stack(self.pool)
        fits = (known[:, self.knowledge.cells] >= self.low[self.knowledge.cells]).all(axis=1)
        fits &= (known[:, self.knowledge.alone] == self.low[self.knowledge.alone]).all(axis=1)
        fitting = known[fits][:, self.cells]
        self.least, self.most = fitting.min(axis=0), fitting.max(axis=0)

    def _content(self) -> bool:
        return bool((self.least <= self.needs[-1]).all() and (self.most >= self.needs[1]).all())

    def run(self, once: bool = False) -> list[UnprotectedCell]:
        if self._content():
            return []
        self.needs[-1], self.needs[1] = self.knowledge.asked(self.view, self.asked)
        if self._content():
            return []
        failing: list[UnprotectedCell] = []
        low, high = implied(self.view.relations, self.low, self.high) or (self.low, self.high)
        self.system, self.outer = OpenSystem.of(self.view.relations, low, high), {-1: low, 1: high}
        self.column = np.full(self.view.size, -1, np.int64)
        self.column[self.system.cells] = np.arange(self.system.count)
        self._reach_many()
        for number, cell in enumerate(self.cells.tolist()):
            for side in (-1, 1):
                verdict = self._reaches(number, cell, side)
                if verdict is not True:
                    failing.append(UnprotectedCell(cell, side, verdict is False, self.knowledge))
                if once and verdict is False:
                    break
        return failing

    def _reaches(self, number: int, cell: int, side: int) -> bool | None:
        """True with a witness; False if no table reaches; None if none was found."""
        wanted = int(self.needs[side][number])
        if side * (self.most if side > 0 else self.least)[number] >= side * wanted:
            return True
        if side * self.outer[side][cell] < side * wanted:
            return False
        program, column = self._linear(), int(self.column[cell])
        # No further than needed: a table that differs little from the true one is whole more often.
        bounds = (wanted, self.system.high[column]) if side < 0 else (self.system.low[column], wanted)
        program.bounds([column], [bounds[0]], [bounds[1]])
        solution = program.least(np.array([column]), np.array([-float(side)]))
        program.bounds([column], [self.system.low[column]], [self.system.high[column]])
        if solution.outcome == "solved":
            if side * solution.point[column] < side * wanted - _CLOSE * max(1, abs(wanted)):
                return False
            if self._is_witness(np.round(solution.point), cell, side, wanted):
                return True
            if self._at_a_corner(column, cell, side, wanted):
                return True
        return self._whole(column, cell, side, wanted)

    def _linear(self) -> LinearProgram:
        if self.program is None:
            self.program = LinearProgram.of(self.system, self.system.low, self.system.high)
        return self.program

    def _reach_many(self) -> None:
        """Tables that reach far enough in many cells at once, up or down as drawn, while that serves many more. The
        table that was known first lies between each of them and another one that may fit too."""
        draw = np.random.default_rng(1)
        for _ in range(SWEEPS):
            down, up = self.least > self.needs[-1], self.most < self.needs[1]
            still = np.flatnonzero((down | up) & (self.column[self.cells] >= 0))
            if len(still) < MANY:
                return
            sign = np.where(draw.random(len(still)) < 0.5, -1.0, 1.0)
            sign = np.where(~down[still], 1.0, np.where(~up[still], -1.0, sign))
            columns, program = self.column[self.cells[still]], self._linear()
            low, high = self.system.low[columns], self.system.high[columns]
            least, most = np.maximum(low, self.needs[-1][still]), np.minimum(high, self.needs[1][still])
            if (least > most).any():
                return
            program.bounds(columns, least, most)
            solution = program.least(columns, -sign / np.maximum(most - least, 1))
            program.bounds(columns, low, high)
            if solution.outcome != "solved":
                return
            point, known = np.round(solution.point), self.pool[0][self.system.cells]
            self._keep(point)
            self._keep(2 * known - point)
            closed = np.count_nonzero(down & (self.least <= self.needs[-1]))
            closed += np.count_nonzero(up & (self.most >= self.needs[1]))
            if 5 * closed < np.count_nonzero(down) + np.count_nonzero(up):
                return

    def _at_a_corner(self, column: int, cell: int, side: int, wanted: int) -> bool:
        """Look at some further corners of all tables with just enough in this cell: is one of them whole?"""
        assert self.program is not None
        self.program.bounds([column], [wanted], [wanted])
        is_whole = False
        for _ in range(CORNERS):
            solution = self.program.least(np.arange(self.system.count), self.draw.uniform(0.1, 1, self.system.count))
            is_whole = solution.outcome == "solved" and self._is_witness(np.round(solution.point), cell, side, wanted)
            if is_whole:
                break
        self.program.bounds([column], [self.system.low[column]], [self.system.high[column]])
        return is_whole

    def _is_witness(self, point: Floats, cell: int, side: int, wanted: int) -> bool:
        """Does a table of whole numbers fit exactly, with enough in this cell?"""
        return bool(side * point[self.column[cell]] >= side * wanted) and self._keep(point)

    def _keep(self, point: Floats) -> bool:
        """Keep a table of whole numbers if it fits exactly."""
        table = self.outer[-1].copy()
        table[self.system.cells] = point.astype(np.int64)
        within_bounds = (table >= self.low).all() and (table <= self.high).all() and self.view.allows(table)
        if not within_bounds or self.view.relations.broken(table):
            return False
        self.pool.append(table)
        self.least = np.minimum(self.least, table[self.cells])
        self.most = np.maximum(self.most, table[self.cells])
        return True

    def _whole(self, column: int, cell: int, side: int, wanted: int) -> bool | None:
        """A table of whole numbers by branch and bound; there may be none although the linear program has one."""
        if self.searches is not None:
            self.searches.left -= 1
            if self.searches.left < 0:
                return None
        low, high = self.system.low.copy(), self.system.high.copy()
        (high if side < 0 else low)[column] = wanted
        jumps = self.view.jumps[self.system.cells]
        program = LinearProgram.of(self.system, low, high, jumps, whole=True, nodes=NODES)
        solution = program.solve()
        if solution.outcome == "solved" and self._is_witness(np.round(solution.point), cell, side, wanted):
            return True
        return False if solution.outcome == "empty" else None
