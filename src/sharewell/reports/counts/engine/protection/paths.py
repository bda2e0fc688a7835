"""Step by step: the cheapest way for one unsafe cell after the other, with the criterion's own audit in the loop."""

from __future__ import annotations

import numpy as np

from sharewell.reports.counts.engine.protection.moves import Moves
from sharewell.reports.counts.engine.protection.suppression_problem import Mask, Problem
from sharewell.reports.counts.engine.protection_check import UnprotectedCell, protection
from sharewell.reports.counts.engine.relations import Floats, Ints, by_row
from sharewell.reports.counts.engine.solvers.highs import LinearProgram
from sharewell.reports.counts.engine.table_readers import OUTSIDER, ReaderKnowledge


class Paths:
    """The cheapest way to move one unsafe cell as far as it must: cells that move must be hidden."""

    def __init__(self, problem: Problem, knowledge: ReaderKnowledge = OUTSIDER) -> None:
        self.problem, self.knowledge = problem, knowledge
        down, up = problem.hidden_room(knowledge)
        allowed = problem.may | problem.must
        shown = problem.shown_room
        self.up = np.where(allowed, up, shown[1]).astype(np.float64)
        self.down = np.where(allowed, down, shown[0]).astype(np.float64)
        size = problem.table.size
        relations = problem.table.relations
        starts, index, value = by_row(relations.entries, relations.count)
        both = np.stack([index, index + size], axis=1).ravel()
        doubled = (2 * starts, both, np.repeat(value, 2) * np.tile([1.0, -1.0], len(value)))
        zero = np.zeros(relations.count)
        self.program = LinearProgram(doubled, (zero, zero), np.zeros(2 * size), np.concatenate([self.up, self.down]))
        self.size = size
        self.last: Floats = np.zeros(size)
        """The move that was found last."""

    def find(self, hidden: Mask, number: int, side: int, extra: int = 0) -> Mask | None:
        """Further cells to hide; None if nothing helps."""
        wanted = self.problem.wanted(number, side, self.knowledge)
        self.last = np.zeros(self.size)
        if wanted <= 0:
            return np.zeros(self.size, dtype=bool)
        wanted += extra
        cell = int(self.problem.needs.cells[number])
        price = np.where(hidden, 0.0, self.problem.weights / np.clip(np.maximum(self.up, self.down), 1, wanted))
        self.program.costs(np.arange(2 * self.size), np.concatenate([price, price]))
        way, back = (cell, cell + self.size) if side > 0 else (cell + self.size, cell)
        room = (self.up if side > 0 else self.down)[cell]
        if room < wanted:
            return None
        self.program.bounds([way, back], [wanted, 0], [wanted, 0])
        solution = self.program.solve()
        self.program.bounds([cell, cell + self.size], [0, 0], [self.up[cell], self.down[cell]])
        if solution.outcome != "solved":
            return None
        self.last = moved = (solution.point[: self.size] - solution.point[self.size :]).round(6)
        room_low, room_high = self.problem.shown_room
        beyond = (moved > room_high + 1e-6) | (-moved > room_low + 1e-6)
        return beyond & ~hidden


def step_by_step(
    problem: Problem, known: list[Ints], start: Mask, moves: Moves, rounds: int = 40
) -> Mask | UnprotectedCell:
    """Cells to hide, those of the start among them, or the unsafe cell that nothing helps. moves: of outsiders."""
    hidden = _for_outsiders(problem, start, moves)
    known += moves.tables()
    paths: dict[bytes, Paths] = {}
    extra: dict[tuple[int, int], int] = {}
    for _ in range(rounds):
        failing = protection(problem.published(hidden), problem.needs, known=known).failing
        if not failing:
            return hidden
        before = hidden.copy()
        for one in failing:
            if one.knowledge.key not in paths:
                paths[one.knowledge.key] = Paths(problem, one.knowledge)
            place = (problem.number[one.cell], one.side)
            more = paths[one.knowledge.key].find(hidden, *place, extra.get(place, 0))
            if more is not None and not more.any() and (hidden != before).any():
                continue  # what was hidden for another may do: the next audit tells
            if more is not None and not more.any():  # a way there is, but not in whole numbers
                extra[place] = extra.get(place, 0) + 1
                more = _neighbour(problem, hidden, one.cell)
            if more is None or not more.any():
                return one
            hidden |= more
    return failing[0]


def _for_outsiders(problem: Problem, start: Mask, moves: Moves) -> Mask:
    """These cells, and the cheapest way for each unsafe one that they do not serve yet, the widest doubt first."""
    hidden = start.copy()
    served = moves.served(hidden.astype(np.float64))
    if not served.open_sides:
        return hidden
    moves.set((problem.may | problem.must).astype(np.float64))
    paths = Paths(problem)
    for place in sorted(problem.sides, key=lambda side: (-problem.wanted(*side), side)):
        more = None if served.is_served(*place) else paths.find(hidden, *place)
        if more is not None:
            hidden |= more
            served.learn(paths.last)
    return hidden


def _neighbour(problem: Problem, hidden: Mask, cell: int) -> Mask | None:
    """The cheapest shown cell in a line with this one."""
    row, member, _ = problem.table.relations.entries
    lines = np.isin(row, row[member == cell])
    candidates = np.unique(member[lines])
    candidates = candidates[~hidden[candidates] & problem.may[candidates]]
    if not len(candidates):
        candidates = np.flatnonzero(~hidden & problem.may)
    if not len(candidates):
        return None
    mask = np.zeros(len(hidden), dtype=bool)
    mask[candidates[np.argmin(problem.weights[candidates])]] = True
    return mask
