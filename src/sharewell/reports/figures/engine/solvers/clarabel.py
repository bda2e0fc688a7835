"""The convex part of what a snooper knows, solved to the end: outer bounds, and steps of the search for witnesses.

Means, orders and the upper halves of sigma and spread make a convex set (a second-order cone program); Clarabel finds
its extremes. A median enters by the convex hull of what it says about single cells. The lower halves of sigma and
spread are not convex. They enter as *tangents*: half spaces inside the true set, valid around a point, so that whatever
satisfies them satisfies the figure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from sharewell.extras import package
from sharewell.reports.figures.engine.constraints import Constraints, Deviation, Equalities
from sharewell.reports.figures.engine.medians import Count, counts

if TYPE_CHECKING:
    import clarabel
    from scipy.sparse import csc_matrix

Floats = NDArray[np.float64]
Tangent = tuple[Floats, float]
"""direction · cells ≥ number."""
Outcome = Literal["solved", "empty", "unclear"]
_PENALTY = 1e3
_DOUBT = 1e-3
"""By how much of the domain a bound is widened that the solver is not quite sure of."""
_SOLVERS = 8
"""Solvers kept of one set, one for each pattern of tangents."""


@dataclass(frozen=True)
class ConeSolution:
    """The extreme point of a direction, and a bound that no point of the set passes."""

    outcome: Outcome
    point: Floats
    bound: float
    slack: float = 0.0


@dataclass(frozen=True)
class Ball:
    """The values of a line lie between two distances from their mean: cells first, then those that are known."""

    cells: NDArray[np.intp]
    known: Floats
    inner: float
    outer: float

    @classmethod
    def of(cls, one: Deviation) -> Ball:
        inner, outer = (0.0 if end is None else float(end) ** 0.5 for end in (one.low, one.high))
        known = np.array([float(value) for value in one.known])
        return cls(np.array(one.cells), known, inner, np.inf if one.high is None else outer)

    @property
    def size(self) -> int:
        return len(self.cells) + len(self.known)

    def apart(self, point: Floats) -> Floats:
        """How far each value is from their mean."""
        values = np.concatenate([point[self.cells], self.known])
        apart: Floats = values - values.mean()
        return apart

    def beyond(self, unit: Floats, count: int) -> Tangent:
        """The half space in which the values go at least as far as the inner distance in a centred direction."""
        towards = np.zeros(count)
        towards[self.cells] = unit[: len(self.cells)]
        return towards, self.inner - float(unit[len(self.cells) :] @ self.known)


class Relaxation:
    """One snooper's convex set. Cells are shifted and scaled, so that tolerances mean the same in any domain.

    A ball has a variable for the mean of its line, so that its rows hold two numbers each instead of one for every cell
    of the line. The solver and the pattern of its factorisation are kept from one question to the next.
    """

    def __init__(self, constraints: Constraints, equalities: Equalities) -> None:
        self.count = len(constraints.unknown)
        low, high = (np.array([float(pair[end]) for pair in constraints.box]) for end in (0, 1))
        self.low, self.high = low, high
        self.middle, self.scale = (low + high) / 2, float((high - low).max()) / 2
        self.balls = [Ball.of(one) for one in constraints.deviations if one.cells and one.high != 0]
        closed = [ball for ball in self.balls if np.isfinite(ball.outer)]
        spreads = [one for one in constraints.spreads if one.cells and one.high is not None]
        medians = [count for one in constraints.medians for count in counts(one, constraints.box)]
        means = self.count + len(spreads) + sum(len(one.cells) for one in medians)
        self.variables = means + len(closed)
        rows = _Rows()
        for pivot, weights, right in equalities.rows:
            rows.add({pivot: 1.0, **{cell: float(w) for cell, w in weights.items()}}, float(right), 0.0)
        for mean, ball in enumerate(closed, start=means):
            rows.add(
                {**dict.fromkeys(ball.cells.tolist(), 1.0), mean: -float(ball.size)}, -float(ball.known.sum()), 0.0
            )
        equal = len(rows.right)
        follows = {pivot for pivot, _, _ in equalities.rows}
        for cell in range(self.count):  # rounding keeps free cells in their box; cells that follow need room
            rows.add({cell: 1.0}, high[cell], float(cell in follows))
            rows.add({cell: -1.0}, -low[cell], float(cell in follows))
        for one in constraints.linear:
            if one.cells and one.low != one.high:
                sum_of = {cell: float(w) for cell, w in zip(one.cells, one.weights, strict=True)}
                rows.between(sum_of, one.low, one.high)
        for least, spread in enumerate(spreads, start=self.count):  # all lie between a least value and that plus high
            for cell in spread.cells:
                rows.between({cell: 1.0, least: -1.0}, Fraction(0), spread.high)
            for value in spread.known:
                rows.between({least: -1.0}, -value, (spread.high or 0) - value)
        part = self.count + len(spreads)
        for count in medians:
            part = _hull(rows, count, constraints.box, part)
        self._cones = [("zero", equal), ("nonnegative", len(rows.right) - equal)]
        for mean, ball in enumerate(closed, start=means):
            rows.ball(ball, mean)
            self._cones.append(("second order", ball.size + 1))
        self._prepare(rows)

    def _prepare(self, rows: _Rows) -> None:
        """The matrix and the right sides, in scaled cells."""
        places = [(number, cell) for number, weights in enumerate(rows.weights) for cell in weights]
        values = np.array([weight for weights in rows.weights for weight in weights.values()])
        shape = (len(rows.right), self.variables)
        self._matrix = _sparse(np.array(places).reshape(-1, 2), values, shape)
        shift = np.concatenate([self.middle, np.zeros(self.variables - self.count)])
        self._right = (np.array(rows.right) - self._matrix @ shift) / self.scale
        self._margin = np.array(rows.margin)
        self._solvers: dict[tuple[object, ...], clarabel.DefaultSolver] = {}

    def least(
        self, direction: Floats, *, tangents: Sequence[Tangent] = (), margin: float = 0.0, slack: bool = False
    ) -> ConeSolution:
        """The point with the least product with the direction; every inequality tightened by the margin.

        With `slack`, tangents may be missed, at a price: the way back into the set.
        """
        limits = [-(number + 2 * margin - float(towards @ self.middle)) / self.scale for towards, number in tangents]
        right = np.concatenate([self._right - margin / self.scale * self._margin, limits, [0.0] * slack])
        cost = np.concatenate([direction, np.zeros(self.variables - self.count), [_PENALTY] * slack])
        kept = (slack, *(np.flatnonzero(towards).tobytes() for towards, _ in tangents))
        matrix = self._with_tangents(tangents, slack) if tangents or slack else self._matrix
        solver = self._solvers.get(kept)
        if solver is not None:
            solver.update(q=cost, b=right, **({"A": matrix} if tangents else {}))
            solution = self._read(solver.solve(), direction, slack)
            if solution.outcome != "unclear":
                return solution
        elif len(self._solvers) == _SOLVERS:
            del self._solvers[next(iter(self._solvers))]
        solver = self._solvers[kept] = self._solver(cost, matrix, right)
        return self._read(solver.solve(), direction, slack)

    def _with_tangents(self, tangents: Sequence[Tangent], slack: bool) -> csc_matrix:
        """Slack stands last: it helps every tangent, and is 0 or more."""
        rows = np.zeros((len(tangents) + slack, self.variables + slack))
        for number, (towards, _) in enumerate(tangents):
            rows[number, : self.count] = -towards
        rows[:, self.variables :] = -1.0
        places = np.argwhere(rows)
        added = _sparse(places, rows[places[:, 0], places[:, 1]], rows.shape)
        sparse = package("scipy.sparse", "reports")
        matrix: csc_matrix = self._matrix
        if slack:
            matrix = sparse.hstack([matrix, sparse.csc_matrix((matrix.shape[0], 1))], format="csc")
        return sparse.vstack([matrix, added], format="csc")

    def _solver(self, cost: Floats, matrix: csc_matrix, right: Floats) -> clarabel.DefaultSolver:
        clarabel = package("clarabel", "reports")
        kinds = {
            "zero": clarabel.ZeroConeT,
            "nonnegative": clarabel.NonnegativeConeT,
            "second order": clarabel.SecondOrderConeT,
        }
        cones = [kinds[kind](size) for kind, size in self._cones]
        if len(right) > len(self._right):
            cones.append(clarabel.NonnegativeConeT(len(right) - len(self._right)))
        settings = clarabel.DefaultSettings()
        settings.verbose, settings.max_threads, settings.presolve_enable = False, 1, False
        settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = 1e-9
        nothing = package("scipy.sparse", "reports").csc_matrix((len(cost), len(cost)))
        return clarabel.DefaultSolver(nothing, cost, matrix, right, cones, settings)

    def _read(self, solution: clarabel.DefaultSolution, direction: Floats, slack: bool) -> ConeSolution:
        status = str(solution.status)
        scaled = np.array(solution.x)
        point = self.middle + self.scale * scaled[: self.count]
        if status == "PrimalInfeasible":
            return ConeSolution("empty", point, np.inf)
        bound = float(direction @ self.middle) + self.scale * min(solution.obj_val, solution.obj_val_dual)
        bound -= self.scale * _DOUBT * (status == "AlmostSolved")
        outcome: Outcome = "solved" if status in ("Solved", "AlmostSolved") and np.isfinite(bound) else "unclear"
        return ConeSolution(
            outcome, np.clip(point, self.low, self.high), bound, self.scale * float(scaled[-1]) if slack else 0.0
        )


def _hull(rows: _Rows, count: Count, box: Sequence[tuple[Fraction, Fraction]], part: int) -> int:
    """The convex hull of "at least this many of the cells lie beyond the limit", by a part of each cell.

    A cell's part is how far it has come from its far end towards the limit, and no more than the whole way. Those who
    are there have come the whole way: all parts, each as a share of its way, add up to this many at least.
    """
    side, total, shares = count.side, float(count.least), dict[int, float]()
    for cell in count.cells:
        far = box[cell][side < 0]
        way = float(side * (count.limit - far))
        if way <= 0:  # wherever the cell is, it is there
            total -= 1.0
            continue
        rows.add({part: 1.0}, way, 0.0)
        rows.add({part: 1.0, cell: -float(side)}, -float(side * far), 0.0)
        shares[part] = -1.0 / way
        part += 1
    widest = max((-1.0 / share for share in shares.values()), default=1.0)
    rows.add({one: share * widest for one, share in shares.items()}, -total * widest, 0.0)
    return part


class _Rows:
    """Σ weight · cell ≤ right side; margin says how far the right side moves in for each unit of the caller's."""

    def __init__(self) -> None:
        self.weights: list[dict[int, float]] = []
        self.right: list[float] = []
        self.margin: list[float] = []

    def add(self, weights: dict[int, float], right: float, margin: float) -> None:
        """With a margin, as much as rounding may shift the left side."""
        self.weights.append(weights)
        self.right.append(right)
        self.margin.append(margin * sum(map(abs, weights.values())))

    def between(self, weights: dict[int, float], low: Fraction | None, high: Fraction | None) -> None:
        if high is not None:
            self.add(weights, float(high), 1.0)
        if low is not None:
            self.add({cell: -w for cell, w in weights.items()}, -float(low), 1.0)

    def ball(self, ball: Ball, mean: int) -> None:
        """The radius first, then each value less the variable of their mean."""
        self.weights += [{}, *({cell: -1.0, mean: 1.0} for cell in ball.cells.tolist())]
        self.weights += [{mean: 1.0} for _ in ball.known]
        self.right += [ball.outer, *(0.0 for _ in ball.cells), *ball.known.tolist()]
        self.margin += [2.0, *(0.0 for _ in range(ball.size))]


def _sparse(places: NDArray[np.intp], values: Floats, shape: tuple[int, int]) -> csc_matrix:
    """By columns, as the solver reads it."""
    order = np.lexsort(places.T)
    rows, columns = places[order].T
    starts = np.searchsorted(columns, np.arange(shape[1] + 1))
    sparse: csc_matrix = package("scipy.sparse", "reports").csc_matrix((values[order], rows, starts), shape=shape)
    return sparse
