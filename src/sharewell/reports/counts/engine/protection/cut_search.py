"""Hidden cells of least weight: a master problem over which cells to hide, and cuts that it must keep.

Cells are first taken to be hidden in part. That is one linear program, warm from cut to cut, and ends close to the
optimum: often with whole cells, and then nothing is cheaper. Otherwise the cell that is hidden most is hidden wholly,
again and again (`rounded`), and for small tables branch and bound finds the cheapest choice of all (`least_cost`).
"""

from __future__ import annotations

import numpy as np

from sharewell.reports.counts.engine.protection.moves import Moves
from sharewell.reports.counts.engine.protection.suppression_problem import Cut, Mask, Problem
from sharewell.reports.counts.engine.protection_check import protection
from sharewell.reports.counts.engine.relations import NO_LIMIT, Floats, Ints
from sharewell.reports.counts.engine.solvers.highs import LinearProgram
from sharewell.reports.counts.engine.table_readers import OUTSIDER, ReaderKnowledge

_PART = 1e-6
"""A cell hidden by less is shown, one hidden by all but less is hidden."""
ROUGH = 0.02
"""How far above the least the master problem may end while its choices are still cut off."""
NODES = 1_000
"""Steps of the search for the cheapest choice that all cuts allow, of all its rounds together."""
QUICK = 10
"""After so few of these steps the next cheapest choice is found in less time than every reader is simulated."""
FIRST_ROUNDS = 6
"""How often the master problem is solved before a good choice is looked for."""
ROUNDS = 60
"""How often the master problem is solved."""
NEAR = 1.1
"""A choice that costs at most so many times what cells hidden in part cost is near."""
MANY_CUTS, MOST_CUTS = 400, 1_000
"""With more cuts than the first the cheapest choice of cells hidden in part must rise, with more than the second it is
given up: cells hidden in part lead nowhere."""
DIVES = 100
"""How often it is solved on the way to a choice of whole cells."""
PATIENCE = 3
"""After so many rounds of cuts on that way several cells are decided at once."""


class CutSearch:
    """The search for one problem."""

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
        self.outside = Moves(problem)
        self.moves: dict[bytes, Moves] = {OUTSIDER.key: self.outside}
        self.linear = self._program(whole=False)
        """The master problem with cells hidden in part."""
        self.part: Floats = problem.must.astype(np.float64)
        """How much of each cell it hides."""
        self.master: LinearProgram | None = None
        self.added = 0
        self.relaxed: Floats | None = None
        """The same, if no cut against it was found."""
        self.possible = self.relax()

    def at_once(self) -> Mask | None:
        """The cheapest choice of cells hidden in part, if it hides none in part and is safe: none of whole cells can
        be cheaper."""
        if self.relaxed is None or _in_part(self.relaxed).any():
            return None
        hidden: Mask = self.relaxed > 0.5
        fresh = self._by_readers(hidden)
        self.cuts += fresh
        return None if fresh else hidden

    def rounded(self) -> Mask:
        """A choice close to the cheapest, in which outsiders are mostly in doubt enough; the unsafe cells alone where
        cells hidden in part lead nowhere.

        The cell that is hidden most is hidden wholly, and the program asked again; after some rounds of new cuts, all
        that are hidden by more than half are.
        """
        held, rounds = self.problem.must.copy(), 0
        hidden: Floats = self.part
        if self.relaxed is None:
            return held
        for _ in range(DIVES):
            fresh = self._separated(hidden)
            if len(self.cuts) > MOST_CUTS:
                self._keep(self.problem.must)
                return self.problem.must.copy()
            part = np.flatnonzero(_in_part(hidden))
            if not fresh and not len(part):
                break
            rounds += bool(fresh)
            if not fresh:
                held[part[np.argmax(hidden[part])]] = True
            elif rounds % PATIENCE == 0:
                held |= hidden > 0.5
            self._keep(held)
            solution = self.linear.solve()
            if solution.outcome != "solved":
                break
            hidden = solution.point
        self._keep(self.problem.must)
        return held | (hidden > 0.5)

    def _keep(self, must: Mask) -> None:
        """Which cells the master problem must hide wholly."""
        allowed = self.problem.may | self.problem.must
        self.linear.bounds(np.arange(len(must)), must.astype(np.float64), allowed.astype(np.float64))

    def is_near(self, start: Mask) -> bool:
        """Is this choice so close to the cheapest with cells hidden in part that the rest is soon searched?"""
        weights = self.problem.weights
        return self.relaxed is not None and float(weights[start].sum()) <= NEAR * float(weights @ self.relaxed)

    def soon(self) -> tuple[Mask | None, bool]:
        """The cheapest choice, where a few steps suffice: that is less work than to look for a good one first."""
        result = self.least_cost(None, FIRST_ROUNDS, QUICK)
        self.master, self.added, self.exact, self.exhausted = None, 0, False, False
        return result

    def least_cost(self, start: Mask | None, rounds: int = 2 * ROUNDS, nodes: int = NODES) -> tuple[Mask | None, bool]:
        """None if the steps did not suffice. `start` only bounds the cost.

        Second: was every cheaper choice proved unsafe? Not if the audit left one undecided, which is then not taken.
        """
        self.start, exact_rounds = start, 0
        for _ in range(rounds if self.possible else 0):
            hidden = self.best(nodes)
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
        last = -1.0
        for _ in range(ROUNDS):
            if not self._separated(self.part):
                self.relaxed = self.part
                break
            solution = self.linear.solve()
            if solution.outcome != "solved":
                return False
            self.part = solution.point
            still = solution.value <= last + 1e-6 * max(1.0, abs(last))
            if (still and len(self.cuts) > MANY_CUTS) or len(self.cuts) > MOST_CUTS:
                break
            last = solution.value
        return True

    def _separated(self, hidden: Floats) -> list[Cut]:
        """Cuts against a choice of cells hidden in part, kept from now on."""
        fresh = self.outside.cuts(hidden, self.problem.sides)
        self.linear.add_all([cut.cells for cut in fresh], [cut.weights for cut in fresh], 1.0)
        self.cuts += fresh
        return fresh

    def best(self, nodes: int = NODES) -> Mask | None:
        """The cheapest choice that all cuts allow."""
        if self.master is None:
            self.master = self._program(whole=True)
            if self.start is not None:
                most = float(self.problem.weights[self.start].sum()) - 0.5  # weights are whole numbers
                self.master.add(np.arange(self.problem.table.size), self.problem.weights, -float(NO_LIMIT), most)
        fresh = self.cuts[self.added :]
        self.master.add_all([cut.cells for cut in fresh], [cut.weights for cut in fresh], 1.0)
        self.added = len(self.cuts)
        if self.master.nodes > nodes:
            return None
        self.master.within(0.0 if self.exact else ROUGH)
        solution = self.master.solve()
        self.exhausted = solution.outcome == "empty"
        return solution.point > 0.5 if solution.outcome == "solved" else None

    def refine(self, hidden: Mask) -> bool:
        """Cuts against a choice that is not safe; False if it is, or if the audit is not yet worth its time: a choice
        that is only nearly the cheapest is audited where the cheapest takes long to find."""
        fresh = self.outside.cuts(hidden.astype(np.float64), self.problem.sides)
        if not fresh and (self.exact or (self.master is not None and self.master.nodes > QUICK)):
            fresh = self._by_readers(hidden)
        self.cuts += fresh
        return bool(fresh)

    def _by_readers(self, hidden: Mask) -> list[Cut]:
        """Cuts from the criterion's own audit; where only whole numbers are missing, one more cell must be hidden."""
        published = self.problem.published(hidden)
        self.known += self.outside.tables()
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

    def _moves(self, knowledge: ReaderKnowledge) -> Moves:
        if knowledge.key not in self.moves:
            self.moves[knowledge.key] = Moves(self.problem, knowledge)
        return self.moves[knowledge.key]

    def _program(self, whole: bool) -> LinearProgram:
        size = self.problem.table.size
        nothing = (np.zeros(1, np.int64), np.zeros(0, np.int64), np.zeros(0))
        low, high = self.problem.must.astype(float), (self.problem.may | self.problem.must).astype(float)
        program = LinearProgram(nothing, ([], []), low, high, whole=whole, presolve=True, proving=whole, nodes=NODES)
        program.costs(np.arange(size), self.problem.weights)
        return program


def _in_part(hidden: Floats) -> Mask:
    return np.asarray((hidden > _PART) & (hidden < 1 - _PART))
