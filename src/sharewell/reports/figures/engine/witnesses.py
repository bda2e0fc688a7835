"""Witnesses: possible tables in which a cell is as small, or as great, as can be found.

From a point the lower halves of sigma and spread are replaced by tangents, half spaces inside the true set; the extreme
point of what remains is a point of the set again, and a better one: so on until nothing improves. Many starts, from a
fixed seed, and a fixed number of steps. What is found is rounded, completed exactly, and kept only if the independent
check accepts it: nothing that goes wrong here can make a table a witness.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from sharewell.reports.figures.data import Cell
from sharewell.reports.figures.engine.constraints import Constraints, Equalities, Spread
from sharewell.reports.figures.engine.medians import Middle
from sharewell.reports.figures.engine.solvers.clarabel import Ball, Floats, Relaxation, Tangent

SEED = 20_040
STARTS = 12
"""Random directions in which starts are sought."""
ROUNDS = 30
"""Steps of one ascent."""
FRUITLESS = 6
"""Starts in a row that improve nothing before a search ends."""
NEAR = 2e-5
"""Points: a witness this near to the outer bound need not be improved."""
_MARGINS = (4e-6, 0.0)
"""How far inside the set rounding is safe; where the set is too thin for it, rounding may still succeed."""

Table = tuple[Fraction, ...]
"""Values of the unknown cells, in their order."""


@dataclass
class Reach:
    """The tables in which a cell is least and greatest, among those found."""

    least: Table | None = None
    most: Table | None = None


class Witnesses:
    """The tables known to be possible for one snooper."""

    def __init__(
        self,
        constraints: Constraints,
        equalities: Equalities,
        relaxation: Relaxation,
        accepts: Callable[[Mapping[Cell, Fraction]], bool],
    ) -> None:
        self.cells, self.box = constraints.unknown, constraints.box
        self.equalities, self.relaxation, self.accepts = equalities, relaxation, accepts
        self.shells = [ball for ball in relaxation.balls if ball.inner > 0]
        self.gaps = [_Gap.of(one) for one in constraints.spreads if one.low and one.cells]
        self.middles = [Middle.of(one) for one in constraints.medians if one.cells]
        self.reach = [Reach() for _ in self.cells]
        self.points: list[Floats] = []
        self._least, self._most = np.full(len(self.cells), np.inf), np.full(len(self.cells), -np.inf)
        self._random = np.random.default_rng(SEED)
        self._started = False

    def offer(self, point: Floats) -> bool:
        """Keep a point of a solver, if a possible table is there."""
        return self.keep(tuple(self.equalities.completed(point.tolist(), self.box)))

    def keep(self, table: Table, *, checked: bool = False, point: Floats | None = None) -> bool:
        """Keep a table, if it is possible; `checked` tells that it is, `point` is the same table in floats."""
        if not checked and not self.accepts(dict(zip(self.cells, table, strict=True))):
            return False
        point = np.array([float(value) for value in table]) if point is None else point
        self.points.append(point)
        for number in np.flatnonzero(point < self._least):
            self.reach[number].least = table
        for number in np.flatnonzero(point > self._most):
            self.reach[number].most = table
        self._least, self._most = np.minimum(self._least, point), np.maximum(self._most, point)
        return True

    def kept(self) -> list[Table]:
        """The tables in which some cell is least or greatest, in order."""
        tables = {id(t): t for reach in self.reach for t in (reach.least, reach.most) if t is not None}
        return sorted(tables.values())

    def push(self, cell: int, sign: int, outer: float, enough: float | None = None) -> None:
        """Search for tables in which a cell is small (sign 1) or great (sign −1).

        It ends where one is near the outer bound, or at `enough`, or where the starts are used up.
        """
        goal = sign * outer + NEAR
        goal = goal if enough is None else max(goal, sign * enough)
        direction = np.zeros(len(self.cells))
        direction[cell] = sign
        best, fruitless = self.extreme(cell, sign), 0
        for start in self._starts(direction) if best > goal else ():
            self.descend(direction, start)
            reached = self.extreme(cell, sign)
            fruitless = 0 if reached < best - NEAR or not self.points else fruitless + 1
            best = reached
            if best <= goal or fruitless == FRUITLESS:
                return

    def extreme(self, cell: int, sign: int) -> float:
        """The least of sign · cell that a witness shows."""
        return float(self._least[cell] if sign > 0 else -self._most[cell])

    def _starts(self, direction: Floats) -> Iterator[Floats]:
        """The extreme of the convex set, brought back if it lies outside; then good and varied possible points."""
        solution = self.relaxation.least(direction, margin=_MARGINS[0])
        if solution.outcome == "solved":
            if not self.shells and not self.gaps and not self.middles:  # the whole set is convex
                yield solution.point
                return
            back = self._feasible(direction, solution.point)
            if back is not None:
                yield back
        self._begin()
        ranked = sorted(self.points, key=lambda point: float(direction @ point))
        yield from _varied(ranked, STARTS)
        for tangents in self._switched(direction):
            point = self._feasible(direction, None, tangents)
            if point is not None:
                yield point

    def _begin(self) -> None:
        """Possible points in random directions, once."""
        if self._started:
            return
        self._started = True
        for _ in range(STARTS):
            direction = self._random.normal(size=len(self.cells))
            solution = self.relaxation.least(direction, margin=_MARGINS[0])
            if solution.outcome == "solved":
                point = self._feasible(direction, solution.point)
                if point is not None:
                    self.offer(point)

    def _feasible(self, direction: Floats, point: Floats | None, tangents: Sequence[Tangent] = ()) -> Floats | None:
        """A feasible point near an extreme one: it may violate tangents, and each round makes it do so less."""
        for _ in range(ROUNDS):
            around = tangents if point is None else self.tangents(point)
            solution = self.relaxation.least(0.01 * direction, tangents=around, margin=_MARGINS[0], slack=True)
            if solution.outcome != "solved":
                return None
            if solution.slack < 1e-6:
                return solution.point
            if point is not None and np.abs(solution.point - point).max() < 1e-6:
                return None
            point = solution.point
        return None

    def descend(self, direction: Floats, point: Floats) -> None:
        """From a possible point to a better one, until that changes nothing."""
        for margin in _MARGINS:
            current = point
            for _ in range(ROUNDS):
                solution = self.relaxation.least(direction, tangents=self.tangents(current), margin=margin)
                if solution.outcome != "solved":
                    break
                gained = float(direction @ (current - solution.point))
                current = solution.point
                if gained < 1e-6:
                    break
            if current is not point and self.offer(current):
                return

    def tangents(self, point: Floats) -> list[Tangent]:
        """Half spaces inside the lower halves of sigma and spread, and inside what medians say, around a point."""
        half_spaces = [_outward(ball, ball.apart(point), len(self.cells), self._random) for ball in self.shells]
        for gap in self.gaps:
            tangent = gap.tangent(*gap.ends(point), len(self.cells))
            if tangent is not None:
                half_spaces.append(tangent)
        return half_spaces + self._middles(point)

    def _middles(self, point: Floats, but: Middle | None = None) -> list[Tangent]:
        ranked = [(one, one.ranked(point)) for one in self.middles if one is not but]
        return [tangent for one, order in ranked for tangent in one.half_spaces(order, len(self.cells))]

    def _switched(self, direction: Floats) -> Iterator[list[Tangent]]:
        """Around the best point: another pair has the spread, a deviation points the other way, or ranks change."""
        if not self.points:
            return
        best = min(self.points, key=lambda point: float(direction @ point))
        usual = self.tangents(best)
        for number, ball in enumerate(self.shells):
            other = _outward(ball, -ball.apart(best), len(self.cells), self._random)
            yield [*usual[:number], other, *usual[number + 1 :]]
        for gap in self.gaps:
            rest = [t for g in self.gaps if g is not gap and (t := g.tangent(*g.ends(best), len(best))) is not None]
            for top in range(gap.size):
                for bottom in range(gap.size):
                    tangent = gap.tangent(top, bottom, len(best)) if top != bottom else None
                    if tangent is not None:
                        yield [*usual[: len(self.shells)], *rest, tangent, *self._middles(best)]
        for middle in self.middles:
            others = [*usual[: len(usual) - len(self._middles(best))], *self._middles(best, middle)]
            for order in middle.switched(middle.ranked(best)):
                yield [*others, *middle.half_spaces(order, len(best))]


def _outward(ball: Ball, towards: Floats, cells: int, random: np.random.Generator) -> Tangent:
    length = float(np.linalg.norm(towards))
    if length < 1e-9:
        drawn = np.concatenate([random.normal(size=cells)[ball.cells], np.zeros(len(ball.known))])
        towards = drawn - drawn.mean()
        length = float(np.linalg.norm(towards)) or 1.0
    return ball.beyond(towards / length, cells)


@dataclass(frozen=True)
class _Gap:
    """The lower half of a spread: some value exceeds another by that much. Cells come first, then known values."""

    cells: tuple[int, ...]
    known: tuple[float, ...]
    low: float

    @classmethod
    def of(cls, one: Spread) -> _Gap:
        return cls(one.cells, tuple(float(v) for v in one.known), float(one.low or 0))

    @property
    def size(self) -> int:
        return len(self.cells) + len(self.known)

    def ends(self, point: Floats) -> tuple[int, int]:
        values = np.concatenate([point[list(self.cells)], self.known])
        return int(values.argmax()), int(values.argmin())

    def tangent(self, top: int, bottom: int, cells: int) -> Tangent | None:
        """value(top) − value(bottom) ≥ low; None if both are known."""
        towards, needed = np.zeros(cells), self.low
        for place, sign in ((top, 1.0), (bottom, -1.0)):
            if place < len(self.cells):
                towards[self.cells[place]] += sign
            else:
                needed -= sign * self.known[place - len(self.cells)]
        return (towards, needed) if towards.any() else None


def _varied(ranked: list[Floats], most: int) -> list[Floats]:
    """Half of them the best, half evenly spread over the rest."""
    if len(ranked) <= most:
        return ranked
    rest = ranked[most // 2 :]
    steps = np.linspace(0, len(rest) - 1, most - most // 2).astype(int)
    return ranked[: most // 2] + [rest[i] for i in steps]
