"""Two ways to choose the further cells: at least cost by cuts, for small tables, and step by step for large ones."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sharewell.reports.counts.engine.protection.secondary_suppression import Cut, Mask, Moves, Paths, Problem
from sharewell.reports.counts.engine.protection_check import UnprotectedCell, protection
from sharewell.reports.counts.engine.relations import NO_LIMIT, Floats, Ints
from sharewell.reports.counts.engine.solvers.highs import LinearProgram
from sharewell.reports.counts.engine.table_readers import ReaderKnowledge, snoopers

NODES = 1_000
"""Steps of the search for the cheapest choice that all cuts allow, of all its rounds together."""
ROUNDS = 60
"""How often such a choice is looked for."""


def least_cost(
    problem: Problem, start: Mask | None, known: list[Ints] | None = None, rounds: int = ROUNDS
) -> tuple[Mask | None, bool]:
    """Hidden cells of least weight in all; None if the steps did not suffice. `start` only bounds the cost.

    Second: was every cheaper choice proved unsafe? Not if the audit left one undecided, which is then not taken.
    """
    search = _Cutting(problem, start, [] if known is None else known)
    if search.relaxed() is None:
        return None, False
    for _ in range(rounds):
        hidden = search.best()
        if hidden is None:  # nothing cheaper can hold, or the steps are used up
            return (start, search.decided) if search.exhausted else (None, False)
        if not search.refine(hidden):
            return hidden, search.decided
    return None, False


class _Cutting:
    """A master problem over which cells to hide, and the cuts that unsafe cells ask for."""

    def __init__(self, problem: Problem, start: Mask | None, known: list[Ints]) -> None:
        self.problem, self.start = problem, start
        self.decided = True
        """Did the audit decide about every choice that was cut off whole?"""
        self.exhausted = False
        """Has every choice cheaper than the start been cut off?"""
        self.cuts: list[Cut] = []
        self.known = known
        self.moves: dict[bytes, Moves] = {}
        self.master: LinearProgram | None = None
        self.added = 0

    def relaxed(self, rounds: int = 60) -> Floats | None:
        """Cuts for cells that are hidden in part: they lead close to the optimum before any branching."""
        program = self._program(whole=False)
        hidden: Floats = self.problem.must.astype(np.float64)
        last = -1.0
        for _ in range(rounds):
            fresh = self._moves().cuts(hidden, self.problem.sides)
            if not fresh:
                break
            self._add(program, fresh)
            found = program.solve()
            if found.outcome != "solved":
                return None
            hidden = found.point
            if found.value <= last + 1e-6 * max(1.0, abs(last)) and len(self.cuts) > 400:
                break
            last = found.value
        return hidden

    def best(self) -> Mask | None:
        """The cheapest choice that all cuts allow."""
        if self.master is None:
            self.master = self._program(whole=True)
            self.added = 0
            if self.start is not None:
                most = float(self.problem.weights[self.start].sum()) - 0.5  # weights are whole numbers
                self.master.add(np.arange(self.problem.table.size), self.problem.weights, -float(NO_LIMIT), most)
        for cut in self.cuts[self.added :]:
            self.master.add(cut.cells, cut.weights, cut.right)
        self.added = len(self.cuts)
        if self.master.nodes > NODES:
            return None
        found = self.master.solve()
        self.exhausted = found.outcome == "empty"
        return found.point > 0.5 if found.outcome == "solved" else None

    def refine(self, hidden: Mask) -> bool:
        """Cuts against a choice that is not safe; False if it is."""
        fresh = self._moves().cuts(hidden.astype(np.float64), self.problem.sides)
        if not fresh:
            fresh = self._by_readers(hidden)
        self.cuts += fresh
        return bool(fresh)

    def _by_readers(self, hidden: Mask) -> list[Cut]:
        """The real judge. What it finds is cut off; what is not whole, by asking for another cell at all."""
        published = self.problem.published(hidden)
        failing = protection(published, self.problem.needs, known=self.known).failing
        fresh: list[Cut] = []
        number = {int(cell): i for i, cell in enumerate(self.problem.needs.cells)}
        for one in failing:
            moves = self._moves(one.knowledge)
            fresh += moves.cuts(hidden.astype(np.float64), [(number[one.cell], one.side)])
        if failing and not fresh:
            self.decided &= any(one.decided for one in failing)
            others = np.flatnonzero(~hidden & self.problem.may)
            fresh.append(Cut(others, np.ones(len(others)), 1.0))
        return fresh

    def _moves(self, knowledge: ReaderKnowledge | None = None) -> Moves:
        own = next(iter(snoopers(self.problem.table))) if knowledge is None else knowledge
        key = b"".join(part.tobytes() for part in (own.cells, own.low, own.alone))
        if key not in self.moves:
            self.moves[key] = Moves(self.problem, own)
        return self.moves[key]

    def _program(self, whole: bool) -> LinearProgram:
        size = self.problem.table.size
        nothing = (np.zeros(1, np.int64), np.zeros(0, np.int64), np.zeros(0))
        low, high = self.problem.must.astype(float), (self.problem.may | self.problem.must).astype(float)
        program = LinearProgram(nothing, ([], []), low, high, whole=whole, presolve=True, nodes=NODES)
        program.costs(np.arange(size), self.problem.weights)
        return program

    def _add(self, program: LinearProgram, cuts: Sequence[Cut]) -> None:
        for cut in cuts:
            program.add(cut.cells, cut.weights, cut.right)
        self.cuts += cuts


def step_by_step(problem: Problem, rounds: int = 40, known: list[Ints] | None = None) -> Mask | UnprotectedCell:
    """The cheapest way for one unsafe cell after the other, the audit in the loop; or the cell that nothing helps."""
    known = [] if known is None else known
    hidden = problem.must.copy()
    paths: dict[bytes, Paths] = {}
    number = {int(cell): i for i, cell in enumerate(problem.needs.cells)}
    own = next(iter(snoopers(problem.table)))
    _hide_along(problem, Paths(problem, own), hidden)
    extra: dict[tuple[int, int], int] = {}
    for _ in range(rounds):
        failing = protection(problem.published(hidden), problem.needs, known=known).failing
        if not failing:
            return hidden
        before = hidden.copy()
        for one in failing:
            key = b"".join(part.tobytes() for part in (one.knowledge.cells, one.knowledge.low, one.knowledge.alone))
            if key not in paths:
                paths[key] = Paths(problem, one.knowledge)
            place = (number[one.cell], one.side)
            more = paths[key].find(hidden, *place, extra.get(place, 0))
            if more is not None and not more.any() and (hidden != before).any():
                continue  # what was hidden for another may do: the next audit tells
            if more is not None and not more.any():  # a way there is, but not in whole numbers
                extra[place] = extra.get(place, 0) + 1
                more = _neighbour(problem, hidden, one.cell)
            if more is None or not more.any():
                return one
            hidden |= more
    return failing[0]


def _hide_along(problem: Problem, paths: Paths, hidden: Mask) -> None:
    order = sorted(problem.sides, key=lambda one: (-problem.wanted(*one), one))
    for number, side in order:
        more = paths.find(hidden, number, side)
        if more is not None:
            hidden |= more


def _neighbour(problem: Problem, hidden: Mask, cell: int) -> Mask | None:
    """The cheapest shown cell in a line with this one."""
    row, member, _ = problem.table.relations.entries
    lines = np.isin(row, row[member == cell])
    near = np.unique(member[lines])
    near = near[~hidden[near] & problem.may[near]]
    if not len(near):
        near = np.flatnonzero(~hidden & problem.may)
    if not len(near):
        return None
    found = np.zeros(len(hidden), dtype=bool)
    found[near[np.argmin(problem.weights[near])]] = True
    return found


def tidied(problem: Problem, hidden: Mask, known: list[Ints], steps: int = 200) -> Mask:
    """Show again what need not be hidden, the dearest first: only unsafe cells that lean on it are asked again."""
    each = problem.needs.insiders and not problem.table.is_count  # then every step takes an audit of every reader
    spare = np.flatnonzero(hidden & ~problem.must)
    spare = spare[np.argsort(-problem.weights[spare], kind="stable")][: steps // 4 if each else steps]
    if not len(spare):
        return hidden
    found, moves = hidden.copy(), Moves(problem)
    moves.set(found.astype(np.float64))
    sides = [one for one in problem.sides if problem.wanted(*one) > 0]
    ways = {one: moves.used for one in sides if moves.missing(*one) is None}
    for cell in spare:
        found[cell] = False
        moves.set(found.astype(np.float64))
        fresh = {one: moves.used for one, way in ways.items() if way[cell] and moves.missing(*one) is None}
        lost = any(way[cell] and one not in fresh for one, way in ways.items())
        if lost or (each and protection(problem.published(found), problem.needs, first=True, known=known).failing):
            found[cell] = True
        else:
            ways |= fresh
    last = protection(problem.published(found), problem.needs, first=True, known=known)
    return hidden if last.failing else found
