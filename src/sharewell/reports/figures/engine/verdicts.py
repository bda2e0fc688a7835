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
from sharewell.reports.figures.engine.needs import CellCriterion, Need, Snoopers, Status, needs_by_name
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
        """What was asked for, as a multiple of what stays open: more than 1 fails."""
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
        tight = self.tightest
        found = f"{self.snooper} about {self.row}, {self.column}"
        return f"{found}: {tight.side} {tight.left:.3g} or less stays open, {tight.asked:g} was asked for"

    def to_json(self) -> dict[str, object]:
        told: dict[str, object] = {"snooper": self.snooper, "row": self.row, "column": self.column}
        told |= {"limits": [*self.limits], "side": self.tightest.side, "open": round(self.tightest.left, 6)}
        return told | {"asked": self.tightest.asked}


@dataclass(frozen=True)
class Verdict:
    """What is known of one vector."""

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
    """Of the worst cell, how many times what stays open was asked for; at least, for it is by proven bounds."""

    def to_json(self) -> dict[str, object]:
        return {
            "vector": str(self.utility),
            "levels": self.utility.to_json(),
            "loss": float(self.loss),
            "status": self.status,
            "audited": self.audited,
            "risk": None if self.risk is None else _finite(self.risk),
            "reason": None if self.reason is None else self.reason.to_json(),
            "blame": None if self.blame is None else str(self.blame),
            "blamed": None if self.blamed is None else self.blamed.to_json(),
        }


@dataclass
class Judge:
    """One proposal's limits and snoopers. Witnesses found for one vector serve every vector that tells less."""

    menu: Menu
    must: Sequence[CellCriterion]
    snoopers: Snoopers
    nodes: int = NODES
    _heard: list[tuple[Utility, Publication]] = field(default_factory=list)
    _failed: list[tuple[str, ...]] = field(default_factory=list)

    def __post_init__(self) -> None:
        shown = self.menu.proposed
        self.by_criterion: Mapping[str, Mapping[Cell, Need]] = needs_by_name(self.must, shown)
        self.needs: dict[Cell, Need] = {}
        for by_cell in self.by_criterion.values():
            for cell, need in by_cell.items():
                self.needs[cell] = need.and_(self.needs[cell]) if cell in self.needs else need
        if not self.needs:
            raise PolicyError("nothing is to be protected — give limits, such as protect: {default: {width: 5}}")
        self.who = [(one, cells) for one in self.snoopers.mounted(shown) if (cells := self._asked(one))]
        if not self.who:
            raise PolicyError("the snoopers know every row — there is nothing to learn — name others")

    def verdict(self, utility: Utility, loss: Fraction) -> Verdict:
        """Bounds of all snoopers first, because one that is too narrow ends the matter; then witnesses."""
        shown = self.menu.publish(utility)
        self.who.sort(key=lambda one: (-_last(self._failed, one[0].rows), -len(one[0].rows), one[0].rows))
        worst = 0.0
        for knowledge, cells in self.who:
            here = self._inference(utility, shown, knowledge)
            found = [self._reason(here, cell) for cell in cells if self._status(here, cell) == "unsafe"]
            if found:
                return self._rejected(utility, loss, knowledge, max(found, key=lambda one: one.closeness))
            worst = max(worst, *(self._reason(here, cell).closeness for cell in cells))
        self._heard.append((utility, shown))
        undecided: Reason | None = None
        for knowledge, cells in self.who:
            here = inference(shown, knowledge)
            for cell in cells:
                status = here.decide(here.cells.index(cell), self.needs[cell], self.nodes)
                if status == "unsafe":
                    return self._rejected(utility, loss, knowledge, self._reason(here, cell))
                undecided = self._reason(here, cell) if status == "undecided" and undecided is None else undecided
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
                here = inference(self.menu.publish(poorer), knowledge)
                if self._status(here, cell) == "unsafe":
                    utility, reason = poorer, self._reason(here, cell)
                    break
        return utility, reason

    def _inference(self, utility: Utility, shown: Publication, knowledge: Knowledge) -> Inference:
        here = inference(shown, knowledge)
        for richer, earlier in self._heard:
            if self.menu.tells(richer, utility):
                here.inherit(earlier.inferences[knowledge.rows])
        for other, _ in self.who:
            if set(other.rows) > set(knowledge.rows) and other.rows in shown.inferences:
                here.inherit(shown.inferences[other.rows])
        return here

    def _asked(self, knowledge: Knowledge) -> list[Cell]:
        """Cells with limits that no larger coalition is asked about: whoever knows more infers no less."""
        mounted = self.snoopers.mounted(self.menu.proposed)
        larger = [set(one.rows) for one in mounted if set(one.rows) > set(knowledge.rows)]
        return [
            cell
            for cell in self.menu.proposed.frame.cells
            if cell in self.needs and cell[0] not in knowledge.rows and all(cell[0] in rows for rows in larger)
        ]

    def _status(self, here: Inference, cell: Cell) -> Status:
        return here.status(here.cells.index(cell), self.needs[cell])

    def _reason(self, here: Inference, cell: Cell) -> Reason:
        number = here.cells.index(cell)
        failed = [name for name, by in self.by_criterion.items() if cell in by]
        failed = [name for name in failed if here.status(number, self.by_criterion[name][cell]) != "safe"]
        low, high = here.proven[number]
        tight = tightest(self.needs[cell], low, high, self.menu.proposed.truth.get(cell))
        return Reason(here.knowledge.name, *cell, tuple(failed), tight)


def tightest(need: Need, low: float, high: float, true: Fraction | None) -> Tightest:
    """Which of width, below and above comes nearest to its limit.

    >>> tightest(Need(width=Fraction(5)), 60.0, 64.0, None).closeness
    1.25
    """
    found = [Tightest("width", float(need.width), high - low)]
    if need.low_at_most is not None and true is not None:
        found.append(Tightest("below", float(true - need.low_at_most), float(true) - low))
    if need.high_at_least is not None and true is not None:
        found.append(Tightest("above", float(need.high_at_least - true), high - float(true)))
    return max(found, key=lambda one: one.closeness)


def _last(failed: Sequence[tuple[str, ...]], rows: tuple[str, ...]) -> int:
    """When this snooper last had a vector rejected: who found something last is asked first."""
    return max((time for time, who in enumerate(failed, start=1) if who == rows), default=0)


def _finite(value: float) -> float | None:
    return round(value, 6) if math.isfinite(value) else None
