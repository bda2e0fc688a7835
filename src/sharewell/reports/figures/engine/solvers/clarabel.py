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


@dataclass(frozen=True)
class ConeSolution:
    """The extreme point of a direction, and a bound that no point of the set passes."""

    outcome: Outcome
    point: Floats
    bound: float
    slack: float = 0.0


@dataclass(frozen=True)
class Ball:
    """|matrix · cells + offset| between two radii."""

    matrix: Floats
    offset: Floats
    inner: float
    outer: float

    @classmethod
    def of(cls, one: Deviation, cells: int) -> Ball:
        n = len(one.cells) + len(one.known)
        centred = np.eye(n) - 1 / n
        matrix = np.zeros((n, cells))
        matrix[:, list(one.cells)] = centred[:, : len(one.cells)]
        offset = centred[:, len(one.cells) :] @ np.array([float(v) for v in one.known])
        inner, outer = (0.0 if end is None else float(end) ** 0.5 for end in (one.low, one.high))
        return cls(matrix, offset, inner, np.inf if one.high is None else outer)


class Relaxation:
    """One snooper's convex set. Cells are shifted and scaled, so that tolerances mean the same in any domain."""

    def __init__(self, constraints: Constraints, equalities: Equalities) -> None:
        self.count = len(constraints.unknown)
        low, high = (np.array([float(pair[end]) for pair in constraints.box]) for end in (0, 1))
        self.low, self.high = low, high
        self.middle, self.scale = (low + high) / 2, float((high - low).max()) / 2
        self.balls = [Ball.of(one, self.count) for one in constraints.deviations if one.cells and one.high != 0]
        spreads = [one for one in constraints.spreads if one.cells and one.high is not None]
        medians = [count for one in constraints.medians for count in counts(one, constraints.box)]
        self.variables = self.count + len(spreads) + sum(len(one.cells) for one in medians)
        rows = _Rows()
        for pivot, weights, right in equalities.rows:
            rows.add({pivot: 1.0, **{cell: float(w) for cell, w in weights.items()}}, float(right), 0.0)
        self._equal = len(rows.right)
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
        self._rows = rows
        self._prepare()

    def _prepare(self) -> None:
        """The matrix, right sides and cones, in scaled cells."""
        clarabel = package("clarabel", "reports")
        rows, width = self._rows, self.variables
        shift = np.concatenate([self.middle, np.zeros(width - self.count)])
        matrix = np.zeros((len(rows.right), width))
        for number, weights in enumerate(rows.weights):
            for cell, weight in weights.items():
                matrix[number, cell] = weight
        blocks, rights = [matrix], [(np.array(rows.right) - matrix @ shift) / self.scale]
        margins = [np.abs(matrix).sum(axis=1) * np.array(rows.margin)]
        cones = [clarabel.ZeroConeT(self._equal), clarabel.NonnegativeConeT(len(rows.right) - self._equal)]
        for ball in self.balls:
            if np.isfinite(ball.outer):
                size = len(ball.offset)
                block = np.zeros((size + 1, width))
                block[1:, : self.count] = -ball.matrix
                blocks.append(block)
                centre = ball.matrix @ self.middle + ball.offset
                rights.append(np.concatenate([[ball.outer], centre]) / self.scale)
                margins.append(np.concatenate([[2.0], np.zeros(size)]))
                cones.append(clarabel.SecondOrderConeT(size + 1))
        self._matrix = np.concatenate(blocks)
        self._right, self._margin, self._cones = np.concatenate(rights), np.concatenate(margins), cones

    def least(
        self, direction: Floats, *, tangents: Sequence[Tangent] = (), margin: float = 0.0, slack: bool = False
    ) -> ConeSolution:
        """The point with the least product with the direction; every inequality tightened by the margin.

        With `slack`, tangents may be missed, at a price: the way back into the set.
        """
        clarabel = package("clarabel", "reports")
        height, extra = len(self._matrix), len(tangents) + slack
        matrix = np.zeros((height + extra, self.variables + slack))
        matrix[:height, : self.variables] = self._matrix
        for number, (towards, _) in enumerate(tangents, start=height):
            matrix[number, : self.count] = -towards
        matrix[height:, self.variables :] = -1.0  # slack stands last: it helps every tangent, and is 0 or more
        limits = [-(number + 2 * margin - float(towards @ self.middle)) / self.scale for towards, number in tangents]
        right = np.concatenate([self._right - margin / self.scale * self._margin, limits, [0.0] * slack])
        cost = np.concatenate([direction, np.zeros(self.variables - self.count), [_PENALTY] * slack])
        cones = [*self._cones, clarabel.NonnegativeConeT(extra)] if extra else self._cones
        settings = clarabel.DefaultSettings()
        settings.verbose, settings.max_threads = False, 1
        settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = 1e-9
        nothing = _sparse(np.zeros((len(cost), len(cost))))
        solution = clarabel.DefaultSolver(nothing, cost, _sparse(matrix), right, cones, settings).solve()
        return self._told(solution, direction, slack)

    def _told(self, solution: clarabel.DefaultSolution, direction: Floats, slack: bool) -> ConeSolution:
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
    """The convex hull of "at least so many of the cells lie beyond the limit", by a part of each cell.

    A cell's part is how far it has come from its far end towards the limit, and no more than the whole way. Those who
    are there have come the whole way: all parts, each as a share of its way, add up to so many at least.
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
    """Σ weight · cell ≤ right side; margin says how much rounding may shift the left."""

    def __init__(self) -> None:
        self.weights: list[dict[int, float]] = []
        self.right: list[float] = []
        self.margin: list[float] = []

    def add(self, weights: dict[int, float], right: float, margin: float) -> None:
        self.weights.append(weights)
        self.right.append(right)
        self.margin.append(margin)

    def between(self, weights: dict[int, float], low: Fraction | None, high: Fraction | None) -> None:
        if high is not None:
            self.add(weights, float(high), 1.0)
        if low is not None:
            self.add({cell: -w for cell, w in weights.items()}, -float(low), 1.0)


def _sparse(matrix: Floats) -> csc_matrix:
    """By columns, as the solver reads it."""
    columns, rows = np.nonzero(matrix.T)  # twice as fast as scipy's own way from a dense matrix
    starts = np.searchsorted(columns, np.arange(matrix.shape[1] + 1))
    sparse: csc_matrix = package("scipy.sparse", "reports").csc_matrix(
        (matrix[rows, columns], rows, starts), shape=matrix.shape
    )
    return sparse
