"""Choosing which further cells to hide: at least cost by cuts, for small tables, and step by step for large ones.

In every line a hidden cell needs others to move with it. Hidden cells may move between bounds, shown ones (unless they
are rounded) may not; so for each unsafe cell and side there must be a way to move all cells together, keeping every
sum, by which this cell comes far enough. By linear programming such a way exists, or a set of cells is found of which
more must be hidden (a cut).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sharewell.reports.counts.data import CountTable, Rounding
from sharewell.reports.counts.engine.primary_cells import UnsafeCells
from sharewell.reports.counts.engine.protection_check import UnprotectedCell, protection
from sharewell.reports.counts.engine.relations import NO_LIMIT, Floats, Ints, by_row
from sharewell.reports.counts.engine.solvers.highs import LinearProgram
from sharewell.reports.counts.engine.table_readers import OUTSIDER, ReaderKnowledge, View

Mask = NDArray[np.bool_]
_TINY = 1e-7


@dataclass(frozen=True, eq=False)
class Problem:
    """A true table, its unsafe cells, and how hidden and shown cells will be published."""

    table: CountTable
    needs: UnsafeCells
    weights: Floats = field(repr=False)
    marks: Ints = field(repr=False)
    """What is published for a hidden cell: HIDDEN, or −k."""
    rounding: Rounding | None = None
    _last: list[tuple[ReaderKnowledge, Ints, Ints]] = field(default_factory=list, repr=False)

    @property
    def values(self) -> Ints:
        assert self.table.truth is not None
        return self.table.truth.values

    @cached_property
    def must(self) -> Mask:
        mask = np.zeros(self.table.size, dtype=bool)
        mask[self.needs.cells] = True
        return mask

    @cached_property
    def may(self) -> Mask:
        """Cells that can be hidden at all: a 0 is shown wherever zeros are no secret."""
        if self.table.is_count and not self.table.zeros_shown:
            return np.ones(self.table.size, dtype=bool)
        return self.values > 0

    def published(self, hidden: Mask) -> CountTable:
        shown = self.values if self.rounding is None else self.rounding.of(self.values)
        return self.table.showing(np.where(hidden, self.marks, shown), self.rounding)

    @cached_property
    def shown_room(self) -> tuple[Ints, Ints]:
        """How far down and up a shown cell may move."""
        low, high = self.published(np.zeros(self.table.size, dtype=bool)).bounds()
        return self.values - low, high - self.values

    def hidden_room(self, knowledge: ReaderKnowledge = OUTSIDER) -> tuple[Ints, Ints]:
        """How far down and up a reader may take a hidden cell to lie; without a limit, a number that is as good."""
        low, high = self.published(np.ones(self.table.size, dtype=bool)).bounds()
        low, high = knowledge.applied(low, high, self.values)
        most = self.room
        down, up = np.minimum(self.values - low, most), np.minimum(high - self.values, most)
        shown = self.shown_room
        known = np.zeros(self.table.size, dtype=bool)
        known[knowledge.alone] = True
        return tuple(np.where(known, 0, np.maximum(r, s)) for r, s in zip((down, up), shown, strict=True))  # type: ignore[return-value]

    @cached_property
    def room(self) -> int:
        """No cell need ever move further than this."""
        values = self.values[self.needs.cells]
        reach = np.maximum(self.needs.high - values, values - self.needs.low)
        return min(NO_LIMIT - 1, 8 * int(reach.max(initial=1)))

    def wanted(self, number: int, side: int, knowledge: ReaderKnowledge = OUTSIDER) -> int:
        """How far the unsafe cell of this number must move, for a reader."""
        low, high = self._asked(knowledge)
        value = int(self.values[self.needs.cells[number]])
        return value - int(low[number]) if side < 0 else int(high[number]) - value

    def _asked(self, knowledge: ReaderKnowledge) -> tuple[Ints, Ints]:
        """How low and high a reader must be left in doubt; cached for the next question."""
        if not self._last or self._last[0][0] is not knowledge:
            self._last[:] = [(knowledge, *knowledge.asked(View.of(self.published(self.must)), self.needs))]
        _, low, high = self._last[0]
        return low, high

    @cached_property
    def number(self) -> dict[int, int]:
        """The number of every unsafe cell, by its place in the table."""
        return {int(cell): i for i, cell in enumerate(self.needs.cells)}

    @property
    def sides(self) -> list[tuple[int, int]]:
        return [(number, side) for number in range(self.needs.count) for side in (-1, 1)]


@dataclass(frozen=True)
class Cut:
    """More of these cells must be hidden: Σ weight · hidden ≥ 1."""

    cells: Ints
    weights: Floats


class Moves:
    """How far unsafe cells can move while some cells, perhaps only in part, are hidden."""

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
        self.used: Mask = np.zeros(size, dtype=bool)
        """Cells that the last sufficient move moves further than shown cells may."""
        self.last: Floats = np.zeros(size)
        """The move that the last program found."""

    def set(self, hidden: Floats) -> None:
        """Which cells are hidden, from 0 (shown) to 1."""
        self.low = -(self.least[0] + hidden * (self.down - self.least[0]))
        self.high = self.least[1] + hidden * (self.up - self.least[1])
        self.program.bounds(self.all, self.low, self.high)

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
        if reached >= wanted * (1 - 1e-9) - 1e-6:
            self.used = (solution.point > self.least[1] + 1e-6) | (-solution.point > self.least[0] + 1e-6)
            return None
        slopes = -solution.slopes if solution.outcome == "solved" else np.zeros(len(self.all))
        slopes[np.abs(slopes) < _TINY] = 0.0
        full = np.maximum(slopes, 0) * self.up + np.maximum(-slopes, 0) * self.down
        base = np.maximum(slopes, 0) * self.least[1] + np.maximum(-slopes, 0) * self.least[0]
        right = wanted - float(base.sum())
        gain = np.minimum(full - base, right)
        cells = np.flatnonzero(gain > _TINY * wanted)
        return Cut(cells, gain[cells] / right)

    def cuts(self, hidden: Floats, sides: Sequence[tuple[int, int]]) -> list[Cut]:
        """For every side of an unsafe cell that no move found so far serves."""
        self.set(hidden)
        served, result = Served(self.problem, self.low, self.high, self.knowledge), list[Cut]()
        for number, side in sides:
            if not served.is_served(number, side):
                cut = self.cut(number, side)
                served.learn(self.last)
                if cut is not None:
                    result.append(cut)
        return result


class Served:
    """Which sides of unsafe cells some move serves: of all cells together, or the same move backwards."""

    def __init__(self, problem: Problem, low: Floats, high: Floats, knowledge: ReaderKnowledge) -> None:
        self.cells, self.low, self.high = problem.needs.cells, low, high
        asked = (problem.wanted(number, 1, knowledge) for number in range(problem.needs.count))
        self.up = np.array(list(asked), dtype=np.float64)
        asked = (problem.wanted(number, -1, knowledge) for number in range(problem.needs.count))
        self.down = np.array(list(asked), dtype=np.float64)

    def is_served(self, number: int, side: int) -> bool:
        return bool((self.up if side > 0 else self.down)[number] <= 0)

    def learn(self, move: Floats) -> None:
        """A move between the bounds; what it serves is asked for no more."""
        reached = move[self.cells]
        self.up[reached >= self.up * (1 - 1e-9) - 1e-6] = 0
        self.down[-reached >= self.down * (1 - 1e-9) - 1e-6] = 0
        if (-move <= self.high).all() and (-move >= self.low).all():
            self.down[reached >= self.down * (1 - 1e-9) - 1e-6] = 0
            self.up[-reached >= self.up * (1 - 1e-9) - 1e-6] = 0


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


ROUGH = 0.02
"""How far above the least the master problem may end while its choices are still cut off."""
NODES = 1_000
"""Steps of the search for the cheapest choice that all cuts allow, of all its rounds together."""
QUICK = 10
"""After so few of these steps the next cheapest choice is found in less time than every reader is simulated."""
ROUNDS = 60
"""How often the master problem is solved."""


class CutSearch:
    """Hidden cells of least weight in all: a master problem over which cells to hide, and cuts that it must keep."""

    def __init__(self, problem: Problem, known: list[Ints]) -> None:
        self.problem, self.known = problem, known
        self.start: Mask | None = None
        self.decided = True
        """Did the audit decide about every choice that was cut off?"""
        self.exhausted = False
        """Has every choice cheaper than the start been cut off?"""
        self.exact = False
        """Is the master problem solved to its end? While its choices are cut off anyway, nearly is enough."""
        self.cuts: list[Cut] = []
        self.moves: dict[bytes, Moves] = {}
        self.master: LinearProgram | None = None
        self.added = 0
        self.relaxed: Floats | None = None
        """The cheapest choice of cells hidden in part, if no cut against it was found."""
        self.possible = self.relax()

    def at_once(self) -> Mask | None:
        """The cheapest choice of cells hidden in part, if it hides none in part and is safe: none of whole cells can
        be cheaper."""
        if self.relaxed is None or np.abs(self.relaxed - self.relaxed.round()).max(initial=0) > 1e-6:
            return None
        hidden: Mask = self.relaxed > 0.5
        fresh = self._by_readers(hidden)
        self.cuts += fresh
        return None if fresh else hidden

    def least_cost(self, start: Mask | None) -> tuple[Mask | None, bool]:
        """None if the steps did not suffice. `start` only bounds the cost.

        Second: was every cheaper choice proved unsafe? Not if the audit left one undecided, which is then not taken.
        """
        self.start, exact_rounds = start, 0
        for _ in range(2 * ROUNDS if self.possible else 0):
            hidden = self.best()
            if hidden is None:  # nothing cheaper can hold, or the steps are used up
                return (start, self.decided) if self.exhausted else (None, False)
            if not self.refine(hidden):
                if self.exact:
                    return hidden, self.decided
                self.exact = True
            exact_rounds += self.exact
            if exact_rounds > ROUNDS:
                break
        return None, False

    def relax(self) -> bool:
        """Cuts for cells that are hidden in part: they lead close to the optimum before any branching.

        False if some cut cannot be kept.
        """
        program = self._program(whole=False)
        hidden: Floats = self.problem.must.astype(np.float64)
        last = -1.0
        for _ in range(ROUNDS):
            fresh = self._moves().cuts(hidden, self.problem.sides)
            if not fresh:
                self.relaxed = hidden
                break
            for cut in fresh:
                program.add(cut.cells, cut.weights, 1.0)
            self.cuts += fresh
            solution = program.solve()
            if solution.outcome != "solved":
                return False
            hidden = solution.point
            if solution.value <= last + 1e-6 * max(1.0, abs(last)) and len(self.cuts) > 400:
                break
            last = solution.value
        return True

    def best(self) -> Mask | None:
        """The cheapest choice that all cuts allow."""
        if self.master is None:
            self.master = self._program(whole=True)
            if self.start is not None:
                most = float(self.problem.weights[self.start].sum()) - 0.5  # weights are whole numbers
                self.master.add(np.arange(self.problem.table.size), self.problem.weights, -float(NO_LIMIT), most)
        for cut in self.cuts[self.added :]:
            self.master.add(cut.cells, cut.weights, 1.0)
        self.added = len(self.cuts)
        if self.master.nodes > NODES:
            return None
        self.master.within(0.0 if self.exact else ROUGH)
        solution = self.master.solve()
        self.exhausted = solution.outcome == "empty"
        return solution.point > 0.5 if solution.outcome == "solved" else None

    def refine(self, hidden: Mask) -> bool:
        """Cuts against a choice that is not safe; False if it is, or if the audit is not yet worth its time: a choice
        that is only nearly the cheapest is audited where the cheapest takes long to find."""
        fresh = self._moves().cuts(hidden.astype(np.float64), self.problem.sides)
        if not fresh and (self.exact or (self.master is not None and self.master.nodes > QUICK)):
            fresh = self._by_readers(hidden)
        self.cuts += fresh
        return bool(fresh)

    def _by_readers(self, hidden: Mask) -> list[Cut]:
        """Cuts from the criterion's own audit; where only whole numbers are missing, one more cell must be hidden."""
        published = self.problem.published(hidden)
        failing = protection(published, self.problem.needs, known=self.known).failing
        fresh: list[Cut] = []
        for one in failing:
            moves = self._moves(one.knowledge)
            fresh += moves.cuts(hidden.astype(np.float64), [(self.problem.number[one.cell], one.side)])
        if failing and not fresh:
            self.decided &= any(one.decided for one in failing)
            others = np.flatnonzero(~hidden & self.problem.may)
            fresh.append(Cut(others, np.ones(len(others))))
        return fresh

    def _moves(self, knowledge: ReaderKnowledge = OUTSIDER) -> Moves:
        if knowledge.key not in self.moves:
            self.moves[knowledge.key] = Moves(self.problem, knowledge)
        return self.moves[knowledge.key]

    def _program(self, whole: bool) -> LinearProgram:
        size = self.problem.table.size
        nothing = (np.zeros(1, np.int64), np.zeros(0, np.int64), np.zeros(0))
        low, high = self.problem.must.astype(float), (self.problem.may | self.problem.must).astype(float)
        program = LinearProgram(nothing, ([], []), low, high, whole=whole, presolve=True, nodes=NODES)
        program.costs(np.arange(size), self.problem.weights)
        return program


def step_by_step(problem: Problem, known: list[Ints], rounds: int = 40) -> Mask | UnprotectedCell:
    """The cheapest way for one unsafe cell after the other, the audit in the loop; or the cell that nothing helps."""
    hidden = problem.must.copy()
    paths: dict[bytes, Paths] = {}
    outside = Paths(problem)
    served = Served(problem, -outside.down, outside.up, OUTSIDER)
    for place in sorted(problem.sides, key=lambda side: (-problem.wanted(*side), side)):
        more = None if served.is_served(*place) else outside.find(hidden, *place)
        if more is not None:
            hidden |= more
            served.learn(outside.last)
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


def show_needless(problem: Problem, hidden: Mask, known: list[Ints], steps: int = 200) -> Mask:
    """Show again what need not be hidden, the dearest first; only unsafe cells that rely on it are tested again."""
    each = problem.needs.insiders and not problem.table.is_count  # then every step takes an audit of every reader
    spare = np.flatnonzero(hidden & ~problem.must)
    spare = spare[np.argsort(-problem.weights[spare], kind="stable")][: steps // 4 if each else steps]
    if not len(spare):
        return hidden
    kept, moves = hidden.copy(), Moves(problem)
    moves.set(kept.astype(np.float64))
    sides = [one for one in problem.sides if problem.wanted(*one) > 0]
    ways = {one: moves.used for one in sides if moves.cut(*one) is None}
    for cell in spare:
        kept[cell] = False
        moves.set(kept.astype(np.float64))
        fresh = {one: moves.used for one, way in ways.items() if way[cell] and moves.cut(*one) is None}
        lost = any(way[cell] and one not in fresh for one, way in ways.items())
        if lost or (each and protection(problem.published(kept), problem.needs, first=True, known=known).failing):
            kept[cell] = True
        else:
            ways |= fresh
    last = protection(problem.published(kept), problem.needs, first=True, known=known)
    return hidden if last.failing else kept
