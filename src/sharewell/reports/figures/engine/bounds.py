"""What one snooper can infer: for every cell proven outer bounds, witnesses inside, and the global solver between.

Outer bounds are rejected upon, witnesses are accepted upon, and never the other way round: an outer bound overstates
how much is open, a witness shows that it is. A solver is asked only for bounds that no line alone gives, and only for
witnesses that no exchange of two rows is.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction

import numpy as np

from sharewell.errors import DataError, PolicyError
from sharewell.extras import is_installed
from sharewell.reports.figures.data import Cell, Figure, Knowledge, Publication
from sharewell.reports.figures.engine.constraints import Constraints, Equalities, constraints
from sharewell.reports.figures.engine.exchanges import Exchanges
from sharewell.reports.figures.engine.line_bounds import LineBounds
from sharewell.reports.figures.engine.needs import Need, Status
from sharewell.reports.figures.engine.solvers import scip
from sharewell.reports.figures.engine.solvers.clarabel import Relaxation
from sharewell.reports.figures.engine.table_check import broken, is_possible
from sharewell.reports.figures.engine.witnesses import Table, Witnesses

PAD = 1e-6
"""Points by which outer bounds are widened: more than a solver's tolerance."""
Interval = tuple[float, float]


class Inference:
    """All that one snooper can infer from a publication; DataError if its figures contradict each other."""

    def __init__(self, publication: Publication, knowledge: Knowledge) -> None:
        self.publication, self.knowledge = publication, knowledge
        self.constraints = constraints(publication, knowledge)
        self.cells = self.constraints.unknown
        true_table = {**publication.truth, **knowledge.cells}
        complete = len(true_table) == len(publication.frame.cells)
        self._possible = complete and is_possible(publication, knowledge.cells, true_table)
        self._refuse(lacks_convex_solution)
        equalities = Equalities.of(self.constraints)
        self.relaxation = Relaxation(self.constraints, equalities)
        self.witnesses = Witnesses(self.constraints, equalities, self.relaxation, self._accepts)
        self.outer: list[Interval] = list(self._outer_bounds())
        self.proven = list(self.outer)
        """Outer bounds, tightened where the global solver was asked."""
        self.stuck: set[tuple[int, int]] = set()
        """Questions for which the nodes were not enough."""
        self._open = {(cell, sign) for cell in range(len(self.cells)) for sign in (1, -1)}
        self._sought = False
        self._places = np.flatnonzero([cell not in knowledge.cells for cell in publication.frame.cells])
        self._taken = 0
        """Exchanges of rows that this snooper has already considered."""
        if self._possible:
            self.witnesses.keep(tuple(true_table[cell] for cell in self.cells))

    def inner(self, cell: int) -> tuple[Fraction, Fraction] | None:
        """The cell's values in its two witnesses."""
        reach = self.witnesses.reach[cell]
        return None if reach.least is None or reach.most is None else (reach.least[cell], reach.most[cell])

    def tables(self, cell: int) -> tuple[dict[Cell, Fraction], dict[Cell, Fraction]] | None:
        """The two witnesses: whole tables, with what is known."""
        least, most = self.witnesses.reach[cell].least, self.witnesses.reach[cell].most
        return None if least is None or most is None else (self._whole(least), self._whole(most))

    def inherit(self, other: Inference) -> None:
        """Take over the witnesses of a snooper who knows more: what that one considers possible, this one does too.

        Those of the same publication were checked against all that this snooper knows, and are not checked again.
        """
        checked = other.publication is self.publication and set(self.knowledge.rows) <= set(other.knowledge.rows)
        for table in other.witnesses.kept():
            full_table = other._whole(table)
            self.witnesses.keep(tuple(full_table[cell] for cell in self.cells), checked=checked)

    def explore(self, cell: int) -> None:
        """Bring the witnesses of a cell as near to its bounds as the search can."""
        for sign in (1, -1):
            self._push(cell, sign)
        self.exist()

    def exist(self) -> None:
        """If no witness was found at all: is there a possible table?"""
        if self.witnesses.points or self._sought or not is_installed("pyscipopt"):
            return
        self._sought = True
        proven = scip.GlobalProgram(self.constraints, self.proven).least(0, 1, None)
        if proven.empty:
            self._refuse(lacks_solution)
            raise DataError(self._contradiction(self.constraints.figures))
        if proven.point is not None:
            self.witnesses.descend(np.eye(len(self.cells))[0], proven.point)

    def decide(self, cell: int, need: Need, nodes: int = scip.NODES) -> Status:
        """Decide whether a need is met: by bounds, then witnesses, then, given nodes, the global solver."""
        if self._possible and self.status(cell, need) == "undecided":
            self._exchange(cell, need)
        for full in (False, True):
            for sign in (1, -1):
                if self.status(cell, need) == "undecided":
                    self._push(cell, sign, None if full else self._enough(cell, sign, need))
        if self.status(cell, need) == "undecided" and nodes and is_installed("pyscipopt"):
            self.exist()
            for sign in (1, -1):
                if self.status(cell, need) == "undecided":
                    self.settle(cell, sign, nodes)
        return self.status(cell, need)

    def status(self, cell: int, need: Need) -> Status:
        return need.status(self.inner(cell), self.bounds(cell))

    def failed(self, number: int, needs: Mapping[str, Mapping[Cell, Need]]) -> tuple[str, ...]:
        """The criteria that do not hold about a cell, or are undecided."""
        cell = self.cells[number]
        return tuple(name for name, by in needs.items() if cell in by and self.status(number, by[cell]) != "safe")

    def bounds(self, cell: int) -> Interval:
        """The proven bounds; where a witness lies beyond, by a solver's tolerance, the witness counts."""
        (low, high), shown = self.proven[cell], self.inner(cell)
        return (low, high) if shown is None else (min(low, float(shown[0])), max(high, float(shown[1])))

    def settle(self, cell: int, sign: int, nodes: int = scip.NODES) -> None:
        """Prove a bound to within GAP by the global solver, unless a witness shows it already."""
        low, high = self.proven[cell]
        best = self.witnesses.extreme(cell, sign)
        if best - (low if sign > 0 else -high) <= scip.GAP or (cell, sign) in self.stuck:
            return
        cutoff = best if best < np.inf else None
        proven = scip.GlobalProgram(self.constraints, self.proven).least(cell, sign, cutoff, nodes)
        if proven.point is not None:
            direction = np.zeros(len(self.cells))
            direction[cell] = sign
            self.witnesses.descend(direction, proven.point)
        if not proven.settled:
            self.stuck.add((cell, sign))
        if proven.empty:
            self._refuse(lacks_solution)
            return
        bound = proven.bound - PAD
        self.proven[cell] = (max(low, bound), high) if sign > 0 else (low, min(high, -bound))

    def _enough(self, cell: int, sign: int, need: Need) -> float | None:
        """How low or high the cell must reach, given how far the other side is open already."""
        shown = self.inner(cell)
        if shown is None:
            return None
        low, high = shown
        if sign > 0:
            return float(min(high - need.width, low if need.low_at_most is None else need.low_at_most))
        return float(max(low + need.width, high if need.high_at_least is None else need.high_at_least))

    def _exchange(self, cell: int, need: Need) -> None:
        """Witnesses by exchanges of rows: first those found for others, then new ones for this cell."""
        exchanges = shared_exchanges(self.publication)
        self._take(exchanges)
        hidden = [row for row in self.publication.frame.rows if row not in self.knowledge.rows]
        for sign in (1, -1):
            while self.status(cell, need) == "undecided" and exchanges.seek(self.cells[cell], hidden, sign):
                self._take(exchanges)

    def _take(self, exchanges: Exchanges) -> None:
        """Keep the exchanges that leave the rows of this snooper alone: all figures are checked already."""
        for table in exchanges.tables[self._taken :]:
            if all(table.cells[cell] == value for cell, value in self.knowledge.cells.items()):
                shown = tuple(table.cells[cell] for cell in self.cells)
                self.witnesses.keep(shown, checked=True, point=table.point[self._places])
        self._taken = len(exchanges.tables)

    def _push(self, cell: int, sign: int, enough: float | None = None) -> None:
        if (cell, sign) in self._open:
            low, high = self.proven[cell]
            self.witnesses.push(cell, sign, low if sign > 0 else high, enough)
            if enough is None:
                self._open.discard((cell, sign))

    def _outer_bounds(self) -> Iterator[Interval]:
        """Extremes of the convex set; where the solver is not sure, those of the domain."""
        centre = self.relaxation.least(np.zeros(len(self.cells)))
        solved = centre.outcome == "solved"
        by_lines = LineBounds(self.constraints).attained(centre.point) if solved else [(None, None)] * len(self.cells)
        for cell, attained in enumerate(by_lines):
            bounds = _around(*self.constraints.box[cell])
            for place, sign in ((0, 1), (1, -1)):
                bound = attained[place]
                if bound is None:
                    direction = np.zeros(len(self.cells))
                    direction[cell] = sign
                    solution = self.relaxation.least(direction)
                    bound = sign * solution.bound if solution.outcome == "solved" else None
                if bound is not None:
                    bounds[place] = sign * max(sign * bound - PAD, sign * bounds[place])
            yield bounds[0], bounds[1]

    def _whole(self, table: Table) -> dict[Cell, Fraction]:
        return {**self.knowledge.cells, **dict(zip(self.cells, table, strict=True))}

    def _accepts(self, cells: Mapping[Cell, Fraction]) -> bool:
        return is_possible(self.publication, self.knowledge.cells, {**self.knowledge.cells, **cells})

    def _refuse(self, empty: Callable[[Publication, Knowledge], bool]) -> None:
        """If the figures leave no table, say which of them contradict each other: none of those can be left out."""
        if self._possible or not empty(self.publication, self.knowledge):
            return
        kept = list(self.publication.figures)
        for figure in self.publication.figures:
            fewer = [one for one in kept if one is not figure]
            if empty(replace(self.publication, figures=tuple(fewer)), self.knowledge):
                kept = fewer
        raise DataError(self._contradiction(kept))

    def _contradiction(self, figures: Iterable[Figure]) -> str:
        rows = f" and the row of {', '.join(self.knowledge.rows)}" if self.knowledge.rows else ""
        named = ", ".join(map(str, figures))
        how = "" if self.publication.reading == "rounding" else f", read as {self.publication.reading},"
        return f"the figures{how} contradict each other{rows} — {named} — check them, and their decimals"


def _around(low: Fraction, high: Fraction) -> list[float]:
    """Floats at or outside these numbers: a limit at the end of the domain must not fail by rounding."""
    bounds = [float(low), float(high)]
    bounds[0] = bounds[0] if Fraction(bounds[0]) <= low else math.nextafter(bounds[0], -math.inf)
    bounds[1] = bounds[1] if Fraction(bounds[1]) >= high else math.nextafter(bounds[1], math.inf)
    return bounds


def lacks_convex_solution(publication: Publication, knowledge: Knowledge) -> bool:
    """Is there no table even for the convex part of the figures?"""
    system = constraints(publication, knowledge)
    equalities = Equalities.of(system)
    if not equalities.consistent or _constant_contradiction(system, publication, knowledge):
        return True
    if not system.unknown:
        return False
    nowhere = np.zeros(len(system.unknown))
    return Relaxation(system, equalities).least(nowhere).outcome == "empty"


def lacks_solution(publication: Publication, knowledge: Knowledge) -> bool:
    """Is there no table at all, by the global solver?"""
    if lacks_convex_solution(publication, knowledge):
        return True
    system = constraints(publication, knowledge)
    ranges = [(float(low), float(high)) for low, high in system.box]
    return scip.GlobalProgram(system, ranges).least(0, 1, None).empty


def _constant_contradiction(system: Constraints, publication: Publication, knowledge: Knowledge) -> bool:
    """Figures about known cells alone are checked as they are."""
    fixed = tuple(one.figure for one in system.all if not one.cells and one.figure is not None)
    middle = {cell: publication.frame.domain(cell)[0] for cell in system.unknown}
    return any(broken(replace(publication, figures=fixed), {**middle, **knowledge.cells}))


def shared_exchanges(publication: Publication) -> Exchanges:
    """The exchanges of rows of a publication: all snoopers search in one place."""
    if publication.exchanges is None:
        object.__setattr__(publication, "exchanges", Exchanges(publication))
    assert publication.exchanges is not None
    return publication.exchanges


def inference(publication: Publication, knowledge: Knowledge) -> Inference:
    """What this snooper can infer; a second call returns the same object, with all that was found since."""
    if set(knowledge.rows) == set(publication.frame.rows):
        raise PolicyError(f"snooper {knowledge.name} — knows every row, and has nothing to learn — name fewer owners")
    if knowledge.rows not in publication.inferences:
        publication.inferences[knowledge.rows] = Inference(publication, knowledge)
    inferred: Inference = publication.inferences[knowledge.rows]
    return inferred
