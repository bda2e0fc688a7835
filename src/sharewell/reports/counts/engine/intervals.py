"""What a reader can conclude about open cells: the least and the greatest value of each, and which have one value only.

`intervals` follows sums one at a time, then all at once: the rank of the equations shows what they alone determine, and
linear programs bound the rest. Every solution is a table that fits, so that it tells something about all cells: a bound
that some known table attains needs no program of its own.

>>> from sharewell.reports.counts.engine.dimensions import Dimension
>>> from sharewell.reports.counts.engine.relations import Equations
>>> relations = Equations.of((Dimension.flat("a", "xy"), Dimension.flat("b", "uv")))
>>> shown = np.array([10, 4, 6, 5, -1, -1, 5, -1, -1])
>>> bounds = intervals(relations, np.where(shown < 0, 0, shown), np.where(shown < 0, NO_LIMIT, shown))
>>> bounds.low.tolist(), bounds.high.tolist()
([0, 1, 0, 1], [4, 5, 4, 5])

A linear program forgets that counts are whole: its bounds may lie apart although a single whole number is possible. So
`WholeTables` calls a cell open only if two tables of whole numbers differ in it, and computed only if no other table
is left.

>>> from sharewell.reports.counts.data import HIDDEN, CountTable
>>> table = CountTable.of_cells({("m", "flu"): 20, ("m", "gout"): 3, ("f", "flu"): 15, ("f", "gout"): 12}, ["s", "i"])
>>> four = table.showing(np.where(table.leaves, HIDDEN, table.shown))
>>> single, undecided = WholeTables(View.of(four)).single_valued(np.flatnonzero(four.hidden))
>>> int(single.sum()), int(undecided.sum())
(0, 0)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sharewell.errors import DataError
from sharewell.progress import counter
from sharewell.reports.counts.engine.relations import NO_LIMIT, Equations, Floats, Ints, OpenSystem, implied
from sharewell.reports.counts.engine.solvers.highs import LinearProgram
from sharewell.reports.counts.engine.table_readers import View

_CLOSE = 1e-6
_SWEEPS = 6
_APART = 3
"""Fewer cells than this are not asked for together."""
CONTRADICTION = "the table — no whole numbers add up to what is shown — damaged, or not rounded as it says"
NODES = 1_000
"""Steps in the search for one table of whole numbers."""
SEARCHES = 400
"""Searches for such tables in all."""
_WHOLE_SWEEPS = 8
_NO_COLUMNS, _NO_WEIGHTS = np.zeros(0, np.int64), np.zeros(0)


@dataclass(frozen=True)
class Intervals:
    """For every open cell the whole numbers between which it lies. They ignore that other cells are whole too, so
    that the true bounds may lie closer, never further."""

    cells: Ints
    low: Ints
    high: Ints
    programs: int
    """Linear programs solved."""

    @property
    def exact(self) -> NDArray[np.bool_]:
        return np.asarray(self.low == self.high)


def intervals(relations: Equations, low: Ints, high: Ints) -> Intervals:
    """The bounds of all open cells, from bounds on every cell of the table."""
    cells = np.flatnonzero(low < high)
    bounds = implied(relations, low, high)
    if bounds is None:
        raise DataError(CONTRADICTION)
    low, high = bounds
    system, programs = OpenSystem.of(relations, low, high), 0
    if system.count:
        search = _BoundSearch(system)
        low[system.cells], high[system.cells] = search.run()
        programs = search.programs
    return Intervals(cells, low[cells], high[cells], programs)


class _BoundSearch:
    """Bounds of all cells of one system: known tables from inside, bounds from outside, until they meet."""

    def __init__(self, system: OpenSystem) -> None:
        self.system = system
        self.programs = 0
        self.low, self.high = system.low.copy(), system.high.copy()
        self.least, self.most = np.full(system.count, np.inf), np.full(system.count, -np.inf)
        """What known tables attain."""

    def run(self) -> tuple[Ints, Ints]:
        program = LinearProgram.of(self.system, self.low, self.high)
        first = self._table(program, _NO_COLUMNS, _NO_WEIGHTS)
        fixed = _determined(self.system)
        self.low[fixed] = self.high[fixed] = np.round(first[fixed]).astype(np.int64)
        program.bounds(np.flatnonzero(fixed), self.low[fixed], self.high[fixed])
        self._sweep(program)
        self._sweep_apart(program)
        count = counter("cells", self.system.count)
        for cell in range(self.system.count):  # cells of one line after the other: the next solution is close
            for sign in (1.0, -1.0):
                if self._is_open(sign)[cell]:
                    self._bound(program, cell, sign)
            count(1)
        return self.low, self.high

    def _is_open(self, sign: float) -> NDArray[np.bool_]:
        if sign > 0:
            return self.least > self.low + _CLOSE
        return self.most < self.high - _CLOSE

    def _sweep(self, program: LinearProgram) -> None:
        """All open bounds at once, while that closes many: one table often attains a great number of them."""
        for sign in (1.0, -1.0):
            for _ in range(_SWEEPS):
                still = np.flatnonzero(self._is_open(sign))
                if sign < 0:
                    still = still[self.high[still] < NO_LIMIT]
                if not len(still):
                    break
                self._table(program, still, np.full(len(still), sign))
                closed = len(still) - np.count_nonzero(self._is_open(sign)[still])
                if closed * 20 < len(still):
                    break

    def _sweep_apart(self, program: LinearProgram) -> None:
        """Open bounds of cells that share no sum, many at once: each of them can have all that its sums leave."""
        order = np.argsort(self.system.column, kind="stable")
        starts = np.searchsorted(self.system.column[order], np.arange(self.system.count + 1))
        sums = self.system.row[order].tolist()
        for sign in (1.0, -1.0):
            untried = self._is_open(sign) & ((sign > 0) | (self.high < NO_LIMIT))
            while True:
                untried &= self._is_open(sign)
                taken, apart = set[int](), list[int]()
                for cell in np.flatnonzero(untried).tolist():
                    own = sums[starts[cell] : starts[cell + 1]]
                    if taken.isdisjoint(own):
                        taken.update(own)
                        apart.append(cell)
                if len(apart) < _APART:
                    break
                untried[apart] = False
                self._table(program, np.array(apart), np.full(len(apart), sign))

    def _bound(self, program: LinearProgram, cell: int, sign: float) -> None:
        self.programs += 1
        solution = program.least(np.array([cell]), np.array([sign]))
        if solution.outcome == "unbounded" and sign < 0:
            self.high[cell], self.most[cell] = NO_LIMIT, NO_LIMIT
            return
        if solution.outcome != "solved":
            raise DataError(CONTRADICTION)
        self._learn(solution.point)
        slack = _CLOSE * max(1, abs(solution.value))
        if sign > 0:
            self.low[cell] = max(self.low[cell], int(np.ceil(solution.value - slack)))
            self.least[cell] = self.low[cell]
        else:
            self.high[cell] = min(self.high[cell], int(np.floor(-solution.value + slack)))
            self.most[cell] = self.high[cell]

    def _table(self, program: LinearProgram, cells: Ints, weights: Floats) -> Floats:
        self.programs += 1
        solution = program.least(cells, weights)
        if solution.outcome == "empty":
            raise DataError(CONTRADICTION)
        if solution.outcome != "solved":
            raise DataError("the table — the linear solver did not come to an end")
        self._learn(solution.point)
        return solution.point

    def _learn(self, table: Floats) -> None:
        np.minimum(self.least, table, out=self.least)
        np.maximum(self.most, table, out=self.most)


def _determined(system: OpenSystem, iterations: int = 2_000) -> NDArray[np.bool_]:
    """Cells that the equations alone leave no choice: no solution of the homogeneous equations moves them.

    Two such solutions, drawn at random (with a fixed seed), move every other cell but by a coincidence of probability
    0; each is what conjugate gradients leave of a random direction when they have taken all else out of it.
    """
    draw = np.random.default_rng(0)
    still = np.ones(system.count, dtype=bool)
    rows = len(system.right)
    for _ in range(2):
        direction = draw.uniform(-1, 1, system.count)
        rest: Floats = _added(system.row, system.sign * direction[system.column], rows)
        step, size = rest.copy(), float(rest @ rest)
        for _ in range(iterations):
            if size < 1e-24:
                break
            back = _added(system.column, system.sign * step[system.row], system.count)
            length = size / float(back @ back)
            direction -= length * back
            rest = rest - length * _added(system.row, system.sign * back[system.column], rows)
            step, size = rest + (float(rest @ rest) / size) * step, float(rest @ rest)
        if size >= 1e-18:
            return np.zeros(system.count, dtype=bool)
        still &= np.abs(direction) < 1e-7
    return still


def _added(places: Ints, numbers: Floats, size: int) -> Floats:
    return np.bincount(places, weights=numbers, minlength=size).astype(np.float64)


class WholeTables:
    """Search for tables of whole numbers that differ in given cells."""

    def __init__(self, view: View, searches: int = SEARCHES) -> None:
        self.view, self.searches_left = view, searches
        self.base, high = implied(view.relations, view.low, view.high) or (view.low, view.high)
        self.system = OpenSystem.of(view.relations, self.base, high)
        self.column = np.full(view.size, -1, np.int64)
        self.column[self.system.cells] = np.arange(self.system.count)
        self.low, self.high = self.system.low, self.system.high
        self.tables: list[Ints] = []
        self.draw = np.random.default_rng(0)  # only where to look first

    def single_valued(self, cells: Ints) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Which of these cells fit one whole number and no other, and which stay undecided."""
        fixed = self.column[cells] < 0
        single, undecided = fixed.copy(), ~fixed
        if not undecided.any():
            return single, undecided
        jumps = self.view.jumps[self.system.cells]
        self.program = LinearProgram.of(self.system, self.low, self.high, jumps, whole=True, nodes=NODES)
        first = self._search(_NO_COLUMNS, _NO_WEIGHTS)
        if first is None:
            return single, undecided
        differs = np.zeros(len(cells), dtype=bool)
        for sweep in range(_WHOLE_SWEEPS):
            still = np.flatnonzero(undecided & ~differs)
            if not len(still) or self.searches_left <= 0:
                break
            signs = self.draw.uniform(0.1, 1, len(still)) * (1 if sweep % 2 else -1)
            signs[self.high[self.column[cells[still]]] >= NO_LIMIT] = np.abs(signs).max()
            table = self._search(self.column[cells[still]], signs)
            if table is not None:
                differs |= table[cells] != first[cells]
        for number in np.flatnonzero(undecided & ~differs):
            verdict = self._is_only(int(cells[number]), int(first[cells[number]]))
            single[number], undecided[number] = verdict is True, verdict is None
        return single, undecided & ~differs

    def _is_only(self, cell: int, value: int) -> bool | None:
        """Is there no table with another value in this cell? None if that was not decided."""
        if any(int(table[cell]) != value for table in self.tables):
            return False
        column, decided = int(self.column[cell]), True
        for low, high in ((value + 1, self.high[column]), (self.low[column], value - 1)):
            if low > high:
                continue
            if self.searches_left <= 0:
                return None
            self.searches_left -= 1
            self.program.bounds([column], [low], [high])
            solution = self.program.least(_NO_COLUMNS, _NO_WEIGHTS)
            self.program.bounds([column], [self.low[column]], [self.high[column]])
            if solution.outcome == "solved" and self._fitting(solution.point) is not None:
                return False
            decided &= solution.outcome == "empty"
        return True if decided else None

    def _search(self, columns: Ints, weights: Floats) -> Ints | None:
        self.searches_left -= 1
        solution = self.program.least(columns, weights)
        return self._fitting(solution.point) if solution.outcome == "solved" else None

    def _fitting(self, point: Floats) -> Ints | None:
        """The point as a table, if it fits exactly."""
        table = self.base.copy()
        table[self.system.cells] = np.round(point).astype(np.int64)
        if not self.view.fits(table):
            return None
        self.tables.append(table)
        return table
