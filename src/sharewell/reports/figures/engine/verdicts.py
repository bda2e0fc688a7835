"""Verdicts on vectors: enough work to say whether one is safe, and if not, which few of its figures are to blame."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from sharewell.errors import PolicyError
from sharewell.reports.figures.data import Cell, Knowledge, Publication
from sharewell.reports.figures.engine.alternatives import PLACES, Menu, Utility
from sharewell.reports.figures.engine.bounds import Inference, inference
from sharewell.reports.figures.engine.needs import CellCriterion, Need, Snoopers, Status, needs_by_name, whole_need
from sharewell.reports.figures.engine.solvers.scip import NODES


@dataclass(frozen=True)
class Tightest:
    """The limit of a cell that is nearest to being broken, or is: its width, or its room below or above."""

    side: str
    asked: float
    left: float
    """Points that stay open, at most: by proven bounds."""

    @property
    def closeness(self) -> float:
        """What is required, as a multiple of what stays open: more than 1 fails."""
        return 0.0 if self.asked <= 0 else self.asked / self.left if self.left > 0 else math.inf


@dataclass(frozen=True)
class Reason:
    """One cell that a snooper ties down too closely, or for which nobody can tell. Confidential, as intervals are."""

    snooper: str
    row: str
    column: str
    limits: tuple[str, ...]
    """Criteria that fail."""
    tightest: Tightest

    @property
    def closeness(self) -> float:
        return self.tightest.closeness

    def __str__(self) -> str:
        tight, place = self.tightest, f"{self.snooper} about {self.row}, {self.column}"
        return f"{place}: {tight.side} of at most {tight.left:.3g} is left, {tight.asked:g} is required"

    def to_json(self) -> dict[str, object]:
        return {
            "snooper": self.snooper,
            "row": self.row,
            "column": self.column,
            "limits": [*self.limits],
            "side": self.tightest.side,
            "open": round(self.tightest.left, 6),
            "asked": self.tightest.asked,
        }


@dataclass(frozen=True)
class Verdict:
    """Is one vector of levels (one level of detail for each figure) safe to publish, and if not, why."""

    utility: Utility
    loss: Fraction
    status: Status
    reason: Reason | None = None
    blame: Utility | None = None
    """A poorest vector in which the same cell is tied down: its figures alone tell too much."""
    blamed: Reason | None = None
    """How closely it is, by those figures alone."""
    audited: bool = True
    """False: it tells all that `blame` tells, and so was rejected without any work."""
    risk: float | None = None
    """Of the worst cell: what is required as a multiple of what proven bounds leave open; a lower bound."""

    def to_json(self) -> dict[str, object]:
        return {
            "vector": str(self.utility),
            "levels": self.utility.to_json(),
            "loss": float(self.loss),
            "status": self.status,
            "audited": self.audited,
            "risk": None if self.risk is None or math.isinf(self.risk) else round(self.risk, 6),
            "reason": None if self.reason is None else self.reason.to_json(),
            "blame": None if self.blame is None else str(self.blame),
            "blamed": None if self.blamed is None else self.blamed.to_json(),
        }


@dataclass
class Judge:
    """One proposal's limits and snoopers. Witnesses found for one vector serve every vector that tells less."""

    menu: Menu
    criteria: Sequence[CellCriterion]
    snoopers: Snoopers
    nodes: int = NODES
    _earlier: list[tuple[Utility, Publication]] = field(default_factory=list)
    _failed: list[tuple[str, ...]] = field(default_factory=list)

    def __post_init__(self) -> None:
        shown = self.menu.proposed
        self.by_criterion: Mapping[str, Mapping[Cell, Need]] = needs_by_name(self.criteria, shown)
        self.needs = {cell: need for cell in shown.frame.cells if (need := whole_need(cell, self.by_criterion))}
        if not self.needs:
            raise PolicyError("no cell has a limit — give limits, such as protect: {default: {width: 5}}")
        simulated = self.snoopers.mounted(shown)
        self.simulated = [(one, cells) for one in simulated if (cells := self._cells(one, simulated))]
        """Snoopers, each with the cells that it is asked about."""
        if not self.simulated:
            raise PolicyError("the snoopers know every row — there is nothing to learn — name others")

    def verdict(self, utility: Utility, loss: Fraction) -> Verdict:
        """Bounds of all snoopers first, because one that is too narrow ends the matter; then witnesses."""
        shown = self.menu.publish(utility)
        self.simulated.sort(key=lambda one: (-self._last_failed(one[0].rows), -len(one[0].rows), one[0].rows))
        worst = 0.0
        for knowledge, cells in self.simulated:
            inferred = self._inference(utility, shown, knowledge)
            reasons = [self._reason(inferred, cell) for cell in cells if self._status(inferred, cell) == "unsafe"]
            if reasons:
                return self._rejected(utility, loss, knowledge, max(reasons, key=lambda reason: reason.closeness))
            worst = max(worst, *(self._reason(inferred, cell).closeness for cell in cells))
        self._earlier.append((utility, shown))
        undecided: Reason | None = None
        for knowledge, cells in self.simulated:
            inferred = inference(shown, knowledge)
            for cell in cells:
                status = inferred.decide(inferred.cells.index(cell), self.needs[cell], self.nodes)
                if status == "unsafe":
                    return self._rejected(utility, loss, knowledge, self._reason(inferred, cell))
                if status == "undecided" and undecided is None:
                    undecided = self._reason(inferred, cell)
        status = "safe" if undecided is None else "undecided"
        return Verdict(utility, loss, status, undecided, risk=worst)

    def _rejected(self, utility: Utility, loss: Fraction, knowledge: Knowledge, reason: Reason) -> Verdict:
        self._failed.append(knowledge.rows)
        blame, blamed = self._blame(utility, knowledge, reason)
        return Verdict(utility, loss, "unsafe", reason, blame, blamed, risk=reason.closeness)

    def _blame(self, utility: Utility, knowledge: Knowledge, reason: Reason) -> tuple[Utility, Reason]:
        """Lower one measure after the other, as long as the cell stays tied down: what is left is to blame."""
        cell = (reason.row, reason.column)
        for place in reversed(PLACES):
            for level in sorted(self.menu.rungs[place]):
                poorer = utility.at(place, level)
                if level >= utility.level(place) or not self.menu.tells(utility, poorer):
                    continue
                inferred = inference(self.menu.publish(poorer), knowledge)
                if self._status(inferred, cell) == "unsafe":
                    utility, reason = poorer, self._reason(inferred, cell)
                    break
        return utility, reason

    def _inference(self, utility: Utility, shown: Publication, knowledge: Knowledge) -> Inference:
        inferred = inference(shown, knowledge)
        for richer, earlier in self._earlier:
            if self.menu.tells(richer, utility):
                inferred.inherit(earlier.inferences[knowledge.rows])
        for other, _ in self.simulated:
            if set(other.rows) > set(knowledge.rows) and other.rows in shown.inferences:
                inferred.inherit(shown.inferences[other.rows])
        return inferred

    def _cells(self, knowledge: Knowledge, simulated: Sequence[Knowledge]) -> list[Cell]:
        """Cells with limits that no larger coalition covers: a coalition infers no less than its members."""
        larger = [set(one.rows) for one in simulated if set(one.rows) > set(knowledge.rows)]
        known = knowledge.rows
        return [cell for cell in self.needs if cell[0] not in known and all(cell[0] in rows for rows in larger)]

    def _last_failed(self, rows: tuple[str, ...]) -> int:
        """When this snooper last had a vector rejected: the latest is asked first."""
        return max((time for time, failed in enumerate(self._failed, start=1) if failed == rows), default=0)

    def _status(self, inferred: Inference, cell: Cell) -> Status:
        return inferred.status(inferred.cells.index(cell), self.needs[cell])

    def _reason(self, inferred: Inference, cell: Cell) -> Reason:
        number = inferred.cells.index(cell)
        failed = inferred.failed(number, self.by_criterion)
        tight = tightest(self.needs[cell], *inferred.proven[number], self.menu.proposed.truth.get(cell))
        return Reason(inferred.knowledge.name, *cell, failed, tight)


def tightest(need: Need, low: float, high: float, true: Fraction | None) -> Tightest:
    """Which of width, below and above comes nearest to its limit.

    >>> tightest(Need(width=Fraction(5)), 60.0, 64.0, None).closeness
    1.25
    """
    limits = [Tightest("width", float(need.width), high - low)]
    if need.low_at_most is not None and true is not None:
        limits.append(Tightest("below", float(true - need.low_at_most), float(true) - low))
    if need.high_at_least is not None and true is not None:
        limits.append(Tightest("above", float(need.high_at_least - true), high - float(true)))
    return max(limits, key=lambda limit: limit.closeness)
