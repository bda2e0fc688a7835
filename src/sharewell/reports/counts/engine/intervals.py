"""What a reader can conclude about every open cell: the least and the greatest value it has in any table that fits.

Sums are first followed one at a time, then all at once: what the equations alone determine is found by their rank, and
for the rest a linear program is asked. Every answer is a table that fits, so that it tells something about all cells:
a bound that some known table attains is not asked for again.

>>> from sharewell.reports.counts.engine.dimensions import Dimension
>>> from sharewell.reports.counts.engine.relations import Relations
>>> relations = Relations((Dimension.flat("a", "xy"), Dimension.flat("b", "uv")))
>>> shown = np.array([10, 4, 6, 5, -1, -1, 5, -1, -1])
>>> found = intervals(relations, np.where(shown < 0, 0, shown), np.where(shown < 0, NO_LIMIT, shown))
>>> found.low.tolist(), found.high.tolist()
([0, 1, 0, 1], [4, 5, 4, 5])
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sharewell.errors import DataError
from sharewell.reports.counts.engine.relations import NO_LIMIT, Floats, Ints, Open, Sums
from sharewell.reports.counts.engine.solvers.highs import Program

_CLOSE = 1e-6
_SWEEPS = 6
CONTRADICTION = "the table — no whole numbers add up to what is shown — damaged, or rounded in another way than told"


@dataclass(frozen=True)
class Intervals:
    """For every open cell the whole numbers between which it lies. They ignore that other cells are whole too, so
    that the true ends may lie closer, never further."""

    cells: Ints
    low: Ints
    high: Ints
    asked: int
    """Linear programs solved."""
    skipped: int
    """Bounds that needed none."""

    @property
    def exact(self) -> NDArray[np.bool_]:
        return np.asarray(self.low == self.high)


def intervals(relations: Sums, low: Ints, high: Ints) -> Intervals:
    """The bounds of all open cells, from bounds on every cell of the table."""
    whole = Open.of(relations, low, high)
    bounds = whole.consequences()
    if bounds is None:
        raise DataError(CONTRADICTION)
    outer_low, outer_high = bounds
    at = np.arange(whole.count)
    full_low, full_high = low.copy(), high.copy()
    full_low[whole.cells], full_high[whole.cells] = bounds
    left = Open.of(relations, full_low, full_high)
    asked = 0
    if left.count:
        search = _Search(left)
        found_low, found_high = search.run()
        at = np.searchsorted(whole.cells, left.cells)
        outer_low[at], outer_high[at] = found_low, found_high
        asked = search.asked
    return Intervals(whole.cells, outer_low, outer_high, asked, 2 * whole.count - asked)


class _Search:
    """Ends of all cells of one system: known tables from inside, bounds from outside, until they meet."""

    def __init__(self, system: Open) -> None:
        self.system = system
        self.asked = 0
        self.low, self.high = system.low.copy(), system.high.copy()
        self.least, self.most = np.full(system.count, np.inf), np.full(system.count, -np.inf)
        """What known tables attain."""

    def run(self) -> tuple[Ints, Ints]:
        program = Program.of(self.system, self.low, self.high)
        first = self._point(program, np.zeros(0, np.int64), np.zeros(0))
        fixed = _determined(self.system)
        self.low[fixed] = self.high[fixed] = np.round(first[fixed]).astype(np.int64)
        program.bounds(np.flatnonzero(fixed), self.low[fixed], self.high[fixed])
        self._sweep(program)
        for cell in self._order():
            for sign in (1.0, -1.0):
                if self._is_open(sign)[cell]:
                    self._end(program, int(cell), sign)
        return self.low, self.high

    def _order(self) -> Ints:
        """Cells of one line after the other: the next answer is then close to the last."""
        return np.arange(self.system.count)

    def _is_open(self, sign: float) -> NDArray[np.bool_]:
        if sign > 0:
            return self.least > self.low + _CLOSE
        return self.most < self.high - _CLOSE

    def _sweep(self, program: Program) -> None:
        """All open ends at once, while that closes many: one table often attains a great number of them."""
        for sign in (1.0, -1.0):
            for _ in range(_SWEEPS):
                still = np.flatnonzero(self._is_open(sign))
                if sign < 0:
                    still = still[self.high[still] < NO_LIMIT]
                if not len(still):
                    break
                self._point(program, still, np.full(len(still), sign))
                closed = len(still) - np.count_nonzero(self._is_open(sign)[still])
                if closed * 20 < len(still):
                    break

    def _end(self, program: Program, cell: int, sign: float) -> None:
        self.asked += 1
        found = program.least(np.array([cell]), np.array([sign]))
        if found.outcome == "unbounded" and sign < 0:
            self.high[cell], self.most[cell] = NO_LIMIT, NO_LIMIT
            return
        if found.outcome != "solved":
            raise DataError(CONTRADICTION)
        self._learn(found.point)
        if sign > 0:
            self.low[cell] = max(self.low[cell], int(np.ceil(found.value - _CLOSE * max(1, abs(found.value)))))
            self.least[cell] = self.low[cell]
        else:
            self.high[cell] = min(self.high[cell], int(np.floor(-found.value + _CLOSE * max(1, abs(found.value)))))
            self.most[cell] = self.high[cell]

    def _point(self, program: Program, cells: Ints, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        self.asked += 1
        found = program.least(cells, weights)
        if found.outcome == "empty":
            raise DataError(CONTRADICTION)
        if found.outcome == "solved":
            self._learn(found.point)
            return found.point
        raise DataError("the table — the linear solver did not come to an end")

    def _learn(self, point: NDArray[np.float64]) -> None:
        np.minimum(self.least, point, out=self.least)
        np.maximum(self.most, point, out=self.most)


def _determined(system: Open, iterations: int = 2_000) -> NDArray[np.bool_]:
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
