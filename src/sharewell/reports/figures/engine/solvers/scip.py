"""The global solver: how small or great a cell can be at all, for what convex bounds and witnesses leave open.

SCIP branches over the cells until no better table is left, within a number of nodes, never of seconds: the same
question has the same answer on any machine. Its bound only ever rejects; what it finds is a witness only after a check.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import ModuleType
from typing import TYPE_CHECKING

import numpy as np

from sharewell.extras import package
from sharewell.reports.figures.engine.constraints import Constraints, Deviation, Median, Spread
from sharewell.reports.figures.engine.solvers.clarabel import Floats

if TYPE_CHECKING:
    import pyscipopt

GAP = 1e-4
"""Points between the bound and the best table at which a question is settled."""
NODES = 5_000
"""Nodes of one question, after which it stays open."""


@dataclass(frozen=True)
class Proven:
    """No table goes beyond `bound`; `point` is the best one found, `settled` whether the nodes were enough."""

    bound: float
    point: Floats | None
    settled: bool
    empty: bool = False


class GlobalProgram:
    """One question to SCIP. `ranges` are proven bounds of the cells, which make branching short."""

    def __init__(self, constraints: Constraints, ranges: Sequence[tuple[float, float]]) -> None:
        scip: ModuleType = package("pyscipopt", "exact bounds")
        self.model = scip.Model("cells")
        self.model.hideOutput()
        self.model.setParam("misc/catchctrlc", False)  # an interruption is for whoever runs the command
        self.quicksum = scip.quicksum
        self.cells = [self.model.addVar(f"x{i}", lb=low, ub=high) for i, (low, high) in enumerate(ranges)]
        self.ranges = ranges
        for one in constraints.linear:
            if one.cells:
                total = self.quicksum(float(w) * self.cells[c] for c, w in zip(one.cells, one.weights, strict=True))
                self._between(total, one.low, one.high)
        for deviation in constraints.deviations:
            self._deviation(deviation)
        for spread in constraints.spreads:
            self._spread(spread)
        for median in constraints.medians:
            self._median(median)

    def least(self, cell: int, sign: int, cutoff: float | None, nodes: int = NODES) -> Proven:
        """The least of sign · cell, among tables better than the cutoff."""
        model = self.model
        model.setObjective(sign * self.cells[cell], "minimize")
        model.setParam("limits/absgap", GAP / 4)
        model.setParam("limits/gap", 0.0)
        model.setLongintParam("limits/nodes", nodes)
        if cutoff is not None:
            model.setObjlimit(cutoff - GAP / 4)
        model.optimizeNogil()
        status, point = model.getStatus(), None
        if model.getNSols():
            best = model.getBestSol()
            point = np.array([model.getSolVal(best, x) for x in self.cells])
        if status == "infeasible":
            return Proven(np.inf if cutoff is None else cutoff - GAP / 4, None, True, cutoff is None)
        floor = min(sign * end for end in self.ranges[cell])
        bound = max(float(model.getDualbound()), floor)
        return Proven(bound, point, status in ("optimal", "gaplimit"))

    def _between(self, expression: pyscipopt.Expr, low: Fraction | None, high: Fraction | None) -> None:
        if low is not None and low == high:
            self.model.addCons(expression == float(low))
            return
        if low is not None:
            self.model.addCons(expression >= float(low))
        if high is not None:
            self.model.addCons(expression <= float(high))

    def _values(self, one: Deviation | Spread | Median) -> list[pyscipopt.Expr | float]:
        return [*(self.cells[c] for c in one.cells), *(float(v) for v in one.known)]

    def _deviation(self, one: Deviation) -> None:
        if not one.cells:
            return
        values = self._values(one)
        mean = self.model.addVar(lb=None)
        self.model.addCons(len(values) * mean == self.quicksum(values))
        apart = []
        for value in values:
            difference = self.model.addVar(lb=None)
            self.model.addCons(difference == value - mean)
            apart.append(difference)
        squares = self.quicksum(difference * difference for difference in apart)
        self._between(squares, one.low, one.high)

    def _spread(self, one: Spread) -> None:
        """Binaries say which value is the greatest and which the least."""
        if not one.cells:
            return
        values, model = self._values(one), self.model
        ranges = [*self.ranges, *((v, v) for v in map(float, one.known))]
        wide = max(high for _, high in ranges) - min(low for low, _ in ranges)
        top, bottom = model.addVar(lb=None), model.addVar(lb=None)
        self._between(top - bottom, one.low, one.high)
        for end, sign in ((top, 1), (bottom, -1)):
            chosen = [model.addVar(vtype="B") for _ in values]
            model.addCons(self.quicksum(chosen) == 1)
            for value, picked in zip(values, chosen, strict=True):
                model.addCons(sign * end >= sign * value)
                model.addCons(sign * end <= sign * value + wide * (1 - picked))

    def _median(self, one: Median) -> None:
        """Binaries say which values lie beyond the lower and which beyond the upper of the middle values.

        The lower middle value is at least so much if that many values are, and so is the upper one; of an odd number
        both are the same. What is asked of them stands between two variables and the values.
        """
        if not one.cells:
            return
        n, model = len(one.cells) + len(one.known), self.model
        beyond = (n // 2 + 1, n // 2 + 1) if n % 2 else (n // 2, n // 2 + 1)
        for end, side in ((one.low, 1), (one.high, -1)):
            if end is not None:
                near, far = (self._beyond(one, needed, side) for needed in beyond)
                model.addCons(side * (near + far) >= 2 * side * float(end))

    def _beyond(self, one: Median, needed: int, side: int) -> pyscipopt.Variable:
        """A number such that this many of the values are not below it (side 1), or not above it (side −1)."""
        values, model = self._values(one), self.model
        ranges = [*(self.ranges[cell] for cell in one.cells), *((v, v) for v in map(float, one.known))]
        least, most = min(low for low, _ in ranges), max(high for _, high in ranges)
        number: pyscipopt.Variable = model.addVar(lb=least, ub=most)
        chosen = [model.addVar(vtype="B") for _ in values]
        model.addCons(self.quicksum(chosen) >= needed)
        for value, picked in zip(values, chosen, strict=True):
            model.addCons(side * value >= side * number - (most - least) * (1 - picked))
        return number
