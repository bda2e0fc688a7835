"""One linear program that is asked many questions, each from where the last one ended; and its whole-number form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from sharewell.extras import package
from sharewell.reports.counts.engine.relations import NO_LIMIT, Floats, Ints, OpenSystem

Outcome = Literal["solved", "empty", "unbounded", "unclear"]
Vector = Ints | Floats | Sequence[float]
_NOTHING: Floats = np.zeros(0)
_PROVING = {
    "mip_heuristic_effort": 0.0,
    "mip_heuristic_run_feasibility_jump": False,
    "mip_heuristic_run_rens": False,
    "mip_heuristic_run_rins": False,
    "mip_heuristic_run_root_reduced_cost": False,
    "mip_heuristic_run_shifting": False,
    "mip_heuristic_run_zi_round": False,
    "mip_pool_soft_limit": 50,
    "mip_pscost_minreliable": 0,
}
"""Where a good choice is known and a small program is to prove that none is better: no time for other good ones."""


@dataclass(frozen=True)
class LinearSolution:
    outcome: Outcome
    point: Floats
    value: float
    slopes: Floats
    """Reduced costs of the cells."""


class LinearProgram:
    """Equations and bounds as HiGHS keeps them. Answers depend on the questions asked and on nothing else."""

    def __init__(
        self,
        equations: tuple[Ints, Ints, Floats],
        right: tuple[Vector, Vector],
        low: Vector,
        high: Vector,
        *,
        whole: bool = False,
        presolve: bool = False,
        proving: bool = False,
        nodes: int = 10_000,
    ) -> None:
        highspy: ModuleType = package("highspy", "the linear solver")
        self.columns = self.asked_for = len(low)
        self.solver = highspy.Highs()
        for option, value in (("output_flag", False), ("threads", 1), ("mip_max_nodes", nodes), ("mip_rel_gap", 0.0)):
            self.solver.setOptionValue(option, value)
        for option, value in _PROVING.items() if proving else ():
            self.solver.setOptionValue(option, value)
        self.solver.setOptionValue("infinite_bound", float(NO_LIMIT))
        self.solver.setOptionValue("mip_allow_restart", False)  # what is searched is small: beginning anew costs more
        self.solver.setOptionValue("presolve", "on" if presolve or whole else "off")
        if not (presolve or whole):
            self.solver.setOptionValue("simplex_strategy", 4)  # primal: only costs change from question to question
        model = highspy.HighsLp()
        model.num_col_, model.num_row_ = self.columns, len(right[0])
        model.col_cost_ = np.zeros(self.columns)
        model.col_lower_, model.col_upper_ = self._limits(low), self._limits(high)
        model.row_lower_, model.row_upper_ = self._limits(right[0]), self._limits(right[1])
        starts, index, weights = equations
        model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        model.a_matrix_.start_, model.a_matrix_.index_ = starts.astype(np.int32), index.astype(np.int32)
        model.a_matrix_.value_ = weights
        if whole:
            model.integrality_ = [highspy.HighsVarType.kInteger] * self.columns
        self.solver.passModel(model)
        self._asked: Ints = np.zeros(0, np.int64)
        status = highspy.HighsModelStatus
        self._stuck = status.kUnknown
        self._outcomes: dict[object, Outcome] = {
            status.kOptimal: "solved",
            status.kInfeasible: "empty",
            status.kUnbounded: "unbounded",
            status.kUnboundedOrInfeasible: "unbounded",
        }
        self.whole = whole
        self.nodes = 0

    @classmethod
    def of(
        cls,
        system: OpenSystem,
        low: Ints,
        high: Ints,
        jumps: Ints | None = None,
        *,
        whole: bool = False,
        nodes: int = 10_000,
    ) -> LinearProgram:
        """jumps: of columns that are 0 or at least so much, how much; 0 of all others. Only the whole-number form knows
        them: one more column for each says which of both it is."""
        apart = np.zeros(0, np.int64) if jumps is None else np.flatnonzero(jumps)
        nothing, one = np.zeros(len(apart), np.int64), np.ones(len(apart), np.int64)
        bounds = np.concatenate([low, nothing]), np.concatenate([high, one])
        program = cls(system.matrix(), (system.right, system.right), *bounds, whole=whole, nodes=nodes)
        program.asked_for = system.count
        for number, column in enumerate(apart.tolist(), system.count):
            assert jumps is not None
            program.add([column, number], [1.0, -float(jumps[column])], 0.0)
            program.add([column, number], [1.0, -float(system.high[column])], -float(NO_LIMIT), 0.0)
        return program

    def _limits(self, bounds: ArrayLike) -> Floats:
        """What is no limit to us is none to the solver, which was told so."""
        return np.asarray(bounds, dtype=np.float64)

    def bounds(self, columns: ArrayLike, low: ArrayLike, high: ArrayLike) -> None:
        """Other bounds for some columns."""
        where = np.asarray(columns, dtype=np.int32)
        self.solver.changeColsBounds(len(where), where, self._limits(low), self._limits(high))

    def add(self, columns: ArrayLike, weights: ArrayLike, low: float, high: float = float(NO_LIMIT)) -> None:
        """One more row."""
        where = np.asarray(columns, dtype=np.int32)
        limits = self._limits([low, high])
        self.solver.addRow(limits[0], limits[1], len(where), where, np.asarray(weights, dtype=np.float64))

    def add_all(self, columns: Sequence[Ints], weights: Sequence[Floats], low: float) -> None:
        """Rows that are all this large at least, together: one by one takes several times as long."""
        if not len(columns):
            return
        lengths = [len(one) for one in columns]
        starts = np.concatenate([[0], np.cumsum(lengths)[:-1]]).astype(np.int32)
        least, most = np.full(len(columns), low), np.full(len(columns), float(NO_LIMIT))
        index, value = np.concatenate(columns).astype(np.int32), np.concatenate(weights).astype(np.float64)
        self.solver.addRows(len(columns), least, most, len(index), starts, index, value)

    def costs(self, columns: ArrayLike, weights: ArrayLike) -> None:
        where = np.asarray(columns, dtype=np.int32)
        self.solver.changeColsCost(len(where), where, np.asarray(weights, dtype=np.float64))

    def least(self, columns: ArrayLike, weights: ArrayLike) -> LinearSolution:
        """The smallest value of Σ weight · column; every other cost is 0."""
        index = np.asarray(columns, dtype=np.int64)
        if len(self._asked):
            self.costs(self._asked, np.zeros(len(self._asked)))
        self.costs(index, weights)
        self._asked = index
        return self.solve()

    def within(self, gap: float) -> None:
        """From now on the whole-number form may end this share above the least value; 0: at the least."""
        self.solver.setOptionValue("mip_rel_gap", gap)

    def solve(self) -> LinearSolution:
        self.solver.run()
        status = self.solver.getModelStatus()
        if status == self._stuck:  # numerically: once more from the beginning
            self.solver.clearSolver()
            self.solver.run()
            status = self.solver.getModelStatus()
        if self.whole:
            self.nodes += max(0, int(self.solver.getInfo().mip_node_count))
        outcome = self._outcomes.get(status, "unclear")
        if outcome != "solved":
            return LinearSolution(outcome, _NOTHING, 0.0, _NOTHING)
        solution = self.solver.getSolution()
        slopes = np.array(solution.col_dual)[: self.asked_for] if len(solution.col_dual) else _NOTHING
        point, value = np.array(solution.col_value)[: self.asked_for], float(self.solver.getObjectiveValue())
        return LinearSolution(outcome, point, value, slopes)
