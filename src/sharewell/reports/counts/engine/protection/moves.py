"""How far unsafe cells can move while some cells, perhaps only in part, are hidden: one warm linear program.

A move of all cells together serves every unsafe cell that it takes far enough, and so does the same move backwards. So
the program is first asked for moves that take many cells far enough at once, and only then for each cell that is left,
from where it last ended.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sharewell.reports.counts.engine.protection.suppression_problem import ENOUGH, Cut, Mask, Problem
from sharewell.reports.counts.engine.relations import Floats, Ints, by_row
from sharewell.reports.counts.engine.solvers.highs import LinearProgram
from sharewell.reports.counts.engine.table_readers import OUTSIDER, ReaderKnowledge

_TINY = 1e-7
_MANY = 4
"""Fewer cells than this are asked for one by one."""
_SWEEPS = 8
_REMEMBERED = 256
"""Moves that are tried again first when other cells are hidden."""


class Moves:
    """The program, and what it found out about the cells that were last said to be hidden."""

    def __init__(self, problem: Problem, knowledge: ReaderKnowledge = OUTSIDER) -> None:
        self.problem, self.knowledge = problem, knowledge
        self.down, self.up = (room.astype(np.float64) for room in problem.hidden_room(knowledge))
        self.least = tuple(room.astype(np.float64) for room in problem.shown_room)
        size = problem.table.size
        relations = problem.table.relations
        zero = np.zeros(relations.count)
        self.program = LinearProgram(
            by_row(relations.entries, relations.count), (zero, zero), np.zeros(size), np.zeros(size)
        )
        self.all = np.arange(size)
        self.last: Floats = np.zeros(size)
        """The move that the last program found."""
        self.useful: list[Floats] = []
        """Moves that served some cell since cells were last said to be hidden."""
        self.earlier: list[Floats] = []
        """Those that did before."""

    def set(self, hidden: Floats) -> None:
        """Which cells are hidden, from 0 (shown) to 1."""
        self.low = -(self.least[0] + hidden * (self.down - self.least[0]))
        self.high = self.least[1] + hidden * (self.up - self.least[1])
        self.program.bounds(self.all, self.low, self.high)
        self.earlier = [*self.useful, *self.earlier][:_REMEMBERED]
        self.useful = []

    def used(self, move: Floats) -> Mask:
        """Cells that a move takes further than shown cells may go."""
        return (move > self.least[1] + 1e-6) | (-move > self.least[0] + 1e-6)

    def cut(self, number: int, side: int) -> Cut | None:
        """A cut that demands what is missing of the required move; None if the cell moves far enough."""
        wanted = self.problem.wanted(number, side, self.knowledge)
        if wanted <= 0:
            return None
        cell = int(self.problem.needs.cells[number])
        bounds = (-wanted, self.high[cell]) if side < 0 else (self.low[cell], wanted)
        self.program.bounds([cell], [max(bounds[0], self.low[cell])], [min(bounds[1], self.high[cell])])
        solution = self.program.least([cell], [-float(side)])
        self.program.bounds([cell], [self.low[cell]], [self.high[cell]])
        self.last = solution.point if solution.outcome == "solved" else np.zeros(len(self.all))
        reached = -solution.value if solution.outcome == "solved" else 0.0
        if reached >= wanted * (1 - ENOUGH[0]) - ENOUGH[1]:
            return None
        slopes = -solution.slopes if solution.outcome == "solved" else np.zeros(len(self.all))
        slopes[np.abs(slopes) < _TINY] = 0.0
        rising, falling = np.maximum(slopes, 0), np.maximum(-slopes, 0)
        full, base = rising * self.up + falling * self.down, rising * self.least[1] + falling * self.least[0]
        right = wanted - float(base.sum())
        gain = np.minimum(full - base, right)
        cells = np.flatnonzero(gain > _TINY * wanted)
        return Cut(cells, gain[cells] / right)

    def cuts(self, hidden: Floats, sides: Sequence[tuple[int, int]]) -> list[Cut]:
        """For every side of an unsafe cell that no move found so far serves."""
        served, result = self.served(hidden, len(sides) > _MANY), dict[bytes, Cut]()
        for number, side in served.unserved(sides):
            if not served.is_served(number, side):
                cut = self.cut(number, side)
                served.learn(self.last)
                if cut is not None:
                    result[cut.cells.tobytes() + cut.weights.tobytes()] = cut
        return list(result.values())

    def served(self, hidden: Floats, many: bool = True) -> Served:
        """What earlier moves and, if there is much to serve, moves for many cells at once serve."""
        self.set(hidden)
        served = Served(self)
        self.remember(served)
        if many:
            self.serve_many(served)
        return served

    def remember(self, served: Served) -> None:
        """Serve what earlier moves serve that cells may still make."""
        if not self.earlier:
            return
        moves = np.stack(self.earlier)
        fits: Mask = np.all((moves <= self.high) & (moves >= self.low), axis=1)
        served.learn_all(moves[fits], [self.earlier[number] for number in np.flatnonzero(fits).tolist()])
        self.earlier = [move for number, move in enumerate(self.earlier) if not fits[number]]

    def serve_many(self, served: Served) -> None:
        """Moves that take as many unsafe cells as possible as far as they must: half of them up, half of them down,
        drawn anew each time, while that serves many more."""
        draw = np.random.default_rng(0)  # only where to look first
        cells = self.problem.needs.cells
        for _ in range(_SWEEPS):
            still = np.flatnonzero((served.up > 0) | (served.down > 0))
            if len(still) < _MANY:
                return
            asked = served.open_sides
            far = np.maximum(served.up, served.down)[still]
            sign = np.where(draw.random(len(still)) < 0.5, -1.0, 1.0)
            sign = np.where(served.down[still] <= 0, 1.0, np.where(served.up[still] <= 0, -1.0, sign))
            low, high = np.maximum(self.low[cells[still]], -far), np.minimum(self.high[cells[still]], far)
            self.program.bounds(cells[still], low, high)
            solution = self.program.least(cells[still], -sign / far)
            self.program.bounds(cells[still], self.low[cells[still]], self.high[cells[still]])
            if solution.outcome != "solved":
                return
            served.learn(solution.point)
            if 5 * (asked - served.open_sides) < asked:
                return

    def tables(self) -> list[Ints]:
        """Tables of whole numbers that the useful moves lead to, of those that add up."""
        values, found = self.problem.values, list[Ints]()
        for move in self.useful:
            whole = move.round().astype(np.int64)
            if not self.problem.table.relations.broken(whole):
                found += [values + whole, values - whole]
        return found


class Served:
    """Which sides of unsafe cells some move serves: of all cells together, or the same move backwards."""

    def __init__(self, moves: Moves) -> None:
        self.moves, self.cells = moves, moves.problem.needs.cells
        self.down, self.up = (part.copy() for part in moves.problem.doubts(moves.knowledge))
        """How far cells must still move; 0 or less where that is served."""
        self.limits = self.down * (1 - ENOUGH[0]) - ENOUGH[1], self.up * (1 - ENOUGH[0]) - ENOUGH[1]

    @property
    def open_sides(self) -> int:
        return int(np.count_nonzero(self.up > 0) + np.count_nonzero(self.down > 0))

    def unserved(self, sides: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
        """Those of some sides that nothing serves yet."""
        open_sides = np.stack([self.down > 0, self.up > 0]).tolist()
        return [(number, side) for number, side in sides if open_sides[side > 0][number]]

    def is_served(self, number: int, side: int) -> bool:
        return bool((self.up if side > 0 else self.down)[number] <= 0)

    def learn(self, move: Floats) -> None:
        """A move between the bounds; what it serves is asked for no more."""
        down, up = self.reached(move)
        if (self.down[down] > 0).any() or (self.up[up] > 0).any():
            self.moves.useful.append(move)
        self.down[down], self.up[up] = 0, 0

    def learn_all(self, together: Floats, moves: Sequence[Floats]) -> None:
        """Moves one after the other, as rows and each for itself: useful is who serves a side before all others."""
        if not len(moves):
            return
        by, (down, up) = together[:, self.cells], self.limits
        within = (-together <= self.moves.high) & (-together >= self.moves.low)
        back = np.atleast_2d(within.all(axis=1)).T
        falls, rises = (-by >= down) | (back & (by >= down)), (by >= up) | (back & (-by >= up))
        first = np.zeros(len(moves), dtype=bool)
        for reached, left in ((falls, self.down), (rises, self.up)):
            fresh = reached.any(axis=0) & (left > 0)
            first[reached[:, fresh].argmax(axis=0)] = True
            left[reached.any(axis=0)] = 0
        self.moves.useful += [moves[number] for number in np.flatnonzero(first).tolist()]

    def reached(self, move: Floats) -> tuple[Mask, Mask]:
        """Which unsafe cells this move, or the same backwards, takes far enough down and up."""
        by, (down, up) = move[self.cells], self.limits
        falls, rises = -by >= down, by >= up
        if (-move <= self.moves.high).all() and (-move >= self.moves.low).all():
            falls, rises = falls | (by >= down), rises | (-by >= up)
        return falls, rises
