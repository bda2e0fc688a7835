"""Outer bounds without a solver: how far a cell reaches by its own line alone, where a point shows that it does reach.

A line tells of a cell how far it can go if all others of the line stay together: the farther these are apart, the less
is left of the line's deviation. This bound holds whatever else is published, for a part of the figures leaves more
open than all of them. It is the bound of all figures too where some point of the whole convex set attains it. Such a
point is built from a centre of the set: the line moves to its extreme, and whatever a crossing line gains or loses by
that, its other cells give back, each by how much room it has. In large tables nearly all bounds are found so. Those for
which the point fails the check are left to the solver.

>>> from sharewell.reports.figures.data import Levels, Publication, Report
>>> from sharewell.reports.figures.engine.constraints import constraints
>>> report = Report.of({name: {"x": value} for name, value in zip("ABC", (60, 70, 65))}, domain=(0, 100))
>>> shown = Publication.of(report, columns=Levels(center=3, dispersion=3))
>>> [attained] = LineBounds(constraints(shown, shown.knowledge("A", "B"))).attained(np.array([65.0]))
>>> print(attained)
(None, None)
>>> for low, high in LineBounds(constraints(shown, shown.knowledge("A"))).attained(np.array([67.0, 68.0])):
...     print(f"{low:.4f} {high:.4f}")
64.7556 70.1000
64.7556 70.1000
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from sharewell.reports.figures.engine.constraints import Constraints, Deviation, Linear

Floats = NDArray[np.float64]
Attained = tuple[float | None, float | None]
"""The least and the greatest value of a cell; None where no point was found that attains the bound of its line."""
TOLERANCE = 1e-7
"""Points by which a point may miss a figure and still count as one of the set, as a solver's may."""


@dataclass(frozen=True)
class Line:
    """Unknown cells whose sum lies between two numbers, and which with the known ones deviate by so much at most."""

    cells: NDArray[np.intp]
    least: float
    most: float
    known: Floats
    deviation: float
    """The most that Σ (value − mean)² can be; infinite if nothing is published about it."""

    def nearest(self, cell: Floats) -> Floats:
        """For a value of one cell, the sum of all cells at which the line deviates least, if the others are equal."""
        known = len(self.known)
        every = known + len(self.cells)
        fixed = float(self.known.sum())
        total: Floats = np.clip(every * (fixed + cell) / (known + 1) - fixed, self.least, self.most)
        return total

    def spent(self, cell: Floats, total: Floats) -> Floats:
        """The deviation, if one cell has this value and the others are equal."""
        known, others = self.known, len(self.cells) - 1
        squares = float(known @ known) + cell**2 + (total - cell) ** 2 / others
        spent: Floats = squares - (total + float(known.sum())) ** 2 / (len(known) + len(self.cells))
        return spent

    def extreme(self, sign: int) -> float:
        """The least (sign 1) or the greatest value that the line leaves any one of its cells."""
        if not np.isfinite(self.deviation):
            return -sign * np.inf
        total = self.least if sign > 0 else self.most
        if len(self.known):
            apart = self.deviation - float(((self.known - self.known.mean()) ** 2).sum())
            reach = np.sqrt(max(apart, 0.0) * (1 + 1 / len(self.known)))
            total = float(self.nearest(np.array([self.known.mean() - sign * reach]))[0])
        count, fixed = len(self.cells), float(self.known.sum())
        room = self.deviation + (total + fixed) ** 2 / (count + len(self.known)) - float(self.known @ self.known)
        return total / count - sign * float(np.sqrt(max((count - 1) / count * (room - total**2 / count), 0.0)))


class LineBounds:
    """The bounds that lines alone give to one snooper's unknown cells, and points that attain them."""

    def __init__(self, constraints: Constraints) -> None:
        self.constraints = constraints
        self.count = len(constraints.unknown)
        self.low, self.high = (np.array([float(pair[end]) for pair in constraints.box]) for end in (0, 1))
        linear = [one for one in constraints.linear if one.cells]
        self.weights = np.zeros((len(linear), self.count))
        for number, one in enumerate(linear):
            self.weights[number, list(one.cells)] = [float(weight) for weight in one.weights]
        self.limits = np.array([(_or(one.low, -np.inf), _or(one.high, np.inf)) for one in linear]).reshape(-1, 2)
        self.lines = list(self._lines(linear))

    def attained(self, centre: Floats) -> list[Attained]:
        """The bounds of all cells, given a point well inside the convex set."""
        result = np.full((self.count, 2), np.nan)
        if not self.constraints.medians:
            box = self._box()
            room = self._room(centre)
            for line in self.lines:
                for end, sign in ((0, 1), (1, -1)):
                    bound = np.maximum(sign * box[line.cells, end], sign * line.extreme(sign)) * sign
                    points = self._points(line, bound, centre, room)
                    result[line.cells, end] = np.where(self._holds(points), bound, np.nan)
        return [(_number(low), _number(high)) for low, high in result.tolist()]

    def _lines(self, linear: list[Linear]) -> Iterator[Line]:
        """One line for each cell: that of a standard deviation, if there is one, and otherwise of a mean."""
        sums = {frozenset(one.cells): one for one in linear if set(one.weights) == {Fraction(1)}}
        covered: set[int] = set()
        measured: list[Deviation | Linear] = [one for one in self.constraints.deviations if one.high]
        for one in [*measured, *sums.values()]:
            if len(one.cells) < 2 or covered & set(one.cells):
                continue
            covered |= set(one.cells)
            cells, total = np.array(one.cells), sums.get(frozenset(one.cells))
            known = np.array([float(value) for value in one.known] if isinstance(one, Deviation) else [])
            least, most = float(self.low[cells].sum()), float(self.high[cells].sum())
            if total is not None:
                least, most = max(least, _or(total.low, least)), min(most, _or(total.high, most))
            yield Line(cells, least, most, known, float(one.high or 0) if isinstance(one, Deviation) else np.inf)

    def _box(self) -> Floats:
        """What the domain leaves each cell, and each sum, if all its other cells are as small or great as can be."""
        box = np.stack([self.low, self.high], axis=1)
        ends = np.sort(self.weights[:, :, None] * box[None], axis=2)
        for number, (least, most) in enumerate(self.limits):
            cells = np.flatnonzero(self.weights[number])
            weights = self.weights[number, cells]
            free = np.stack(
                [
                    least - (ends[number, cells, 1].sum() - ends[number, cells, 1]),
                    most - (ends[number, cells, 0].sum() - ends[number, cells, 0]),
                ],
                axis=1,
            )
            limits = np.sort(free / weights[:, None], axis=1)
            box[cells, 0] = np.maximum(box[cells, 0], limits[:, 0])
            box[cells, 1] = np.minimum(box[cells, 1], limits[:, 1])
        return box

    def _room(self, centre: Floats) -> Floats:
        """How far each cell of the centre is from the ends of its domain, and its line from its deviation."""
        room = np.minimum(centre - self.low, self.high - centre)
        for line in self.lines:
            values = np.concatenate([centre[line.cells], line.known])
            left = np.sqrt(line.deviation) - float(np.linalg.norm(values - values.mean()))
            room[line.cells] = np.minimum(room[line.cells], left)
        left_over: Floats = np.maximum(room, 0.0)
        return left_over

    def _points(self, line: Line, bound: Floats, centre: Floats, room: Floats) -> Floats:
        """For each cell of a line the centre, moved so that the cell is at its bound: one column a cell."""
        usual = np.full(len(bound), np.clip(centre[line.cells].sum(), line.least, line.most))
        total = np.where(line.spent(bound, usual) <= line.deviation, usual, line.nearest(bound))
        moved = np.broadcast_to((total - bound) / (len(bound) - 1), (len(bound), len(bound))).copy()
        np.fill_diagonal(moved, bound)
        points = np.repeat(centre[:, None], len(bound), axis=1)
        points[line.cells] = moved
        shift = moved - centre[line.cells][:, None]
        own = set(line.cells.tolist())
        for row in self.weights:
            crossing = np.flatnonzero(row)
            inside = [cell for cell in crossing.tolist() if cell in own]
            if len(inside) == 1 and len(crossing) > 1:
                others = crossing[crossing != inside[0]]
                share = room[others] * np.abs(row[others]) + 1e-12
                back = row[inside[0]] * shift[np.flatnonzero(line.cells == inside[0])[0]]
                points[others] -= (share / share.sum() / row[others])[:, None] * back[None]
        return points

    def _holds(self, points: Floats) -> NDArray[np.bool_]:
        """Which of the points belong to the convex set?"""
        sums = self.weights @ points
        inside = (points >= self.low[:, None] - TOLERANCE) & (points <= self.high[:, None] + TOLERANCE)
        holds: NDArray[np.bool_] = np.asarray(inside.all(axis=0))
        holds &= (sums >= self.limits[:, :1] - TOLERANCE).all(axis=0)
        holds &= (sums <= self.limits[:, 1:] + TOLERANCE).all(axis=0)
        for one in (*self.constraints.deviations, *self.constraints.spreads):
            if one.cells and one.high is not None:
                known = np.array([float(value) for value in one.known])
                values = np.concatenate([points[list(one.cells)], np.repeat(known[:, None], points.shape[1], axis=1)])
                if isinstance(one, Deviation):
                    reached, most = np.linalg.norm(values - values.mean(axis=0), axis=0), float(one.high) ** 0.5
                else:
                    reached, most = np.ptp(values, axis=0), float(one.high)
                holds &= reached <= most + TOLERANCE
        return holds


def _or(number: Fraction | None, otherwise: float) -> float:
    return otherwise if number is None else float(number)


def _number(value: float) -> float | None:
    return None if np.isnan(value) else value
