"""A proposed report, and the plan found for it: the safe report of least loss that may be published instead.

Utility vectors are tried by growing loss, until the safe ones of least loss are found. A vector that tells all that an
unsafe one tells is rejected without any work.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Unpack

import numpy as np

from sharewell.errors import Infeasible
from sharewell.reports.figures.data import AXES, METRICS, Knowledge, Publication, Reading, Report
from sharewell.reports.figures.engine.alternatives import (
    Aggregated,
    Effort,
    Lowered,
    Menu,
    SearchSettings,
    Utility,
)
from sharewell.reports.figures.engine.audit import Audit, audit
from sharewell.reports.figures.engine.needs import CellCriterion, Snoopers, named
from sharewell.reports.figures.engine.solvers.scip import NODES
from sharewell.reports.figures.engine.verdicts import Judge, Verdict
from sharewell.reports.figures.utility.report_loss import ReportLoss


@dataclass(frozen=True, eq=False)
class Proposal:
    """What a report file says: what would be published, what must stay open, and who may snoop."""

    name: str
    publication: Publication
    criteria: tuple[CellCriterion, ...]
    snoopers: Snoopers = field(default_factory=Snoopers)
    report: Report | None = None
    """The true cells, where they are given."""
    search: Mapping[str, object] = field(default_factory=dict)
    """How a safe report is sought."""
    text: str = field(default="", repr=False)
    """The file itself, which a release keeps in its internal folder."""

    def audit(
        self, *, reading: Reading | None = None, exact: bool = False, snooper: str | None = None, nodes: int = NODES
    ) -> Audit:
        """Simulate the snoopers, or the named one alone, and judge every cell."""
        shown = self.publication if reading is None else self.publication.read_as(reading)
        snoopers: Snoopers | Sequence[Knowledge] = self.snoopers if snooper is None else [named(shown, snooper)]
        return audit(shown, self.criteria, snoopers, exact=exact, nodes=nodes)

    def aggregate(self, **more: Unpack[Effort]) -> Plan:
        """The safe report of least loss, as `search` says; see the mechanism `aggregate` for more settings."""
        return best_plan(self, self.criteria, SearchSettings.of(self.search, **more))


@dataclass(frozen=True, eq=False)
class Plan:
    """What `aggregate` found. The trace is confidential: it tells how closely cells could be inferred."""

    proposal: Proposal
    criteria: Sequence[CellCriterion]
    menu: Menu = field(repr=False)
    publication: Publication
    chosen: Verdict
    proven: bool
    """Is every vector of the menu with less loss proven to be unsafe for the snoopers simulated?"""
    optima: tuple[Utility, ...]
    """All safe vectors with the same loss; the one chosen leaves most open."""
    trace: tuple[Verdict, ...] = field(repr=False)
    """Every vector that was judged, by growing loss."""
    vectors: int
    """How many there are in all."""

    @property
    def utility(self) -> Utility:
        return self.chosen.utility

    @property
    def loss(self) -> Fraction:
        return self.chosen.loss

    @property
    def audited(self) -> int:
        """How many vectors were audited, not rejected because of another one."""
        return sum(verdict.audited for verdict in self.trace)

    def audit(self, *, exact: bool = False) -> Audit:
        """Every snooper and cell of the report that would be published."""
        return audit(self.publication, self.criteria, self.proposal.snoopers, exact=exact)

    def as_protected(self) -> Lowered:
        """The plan as mechanisms return their results."""
        optima = tuple(map(str, self.optima))
        details = Aggregated(str(self.utility), float(self.loss), self.proven, optima, self.vectors, self.audited)
        return Lowered(self.publication, details, np.arange(len(self.publication.frame.rows)), plan=self)

    def release(self, to: Path | str) -> Path:
        """Write the public report and, apart from it, the internal audit; refused unless what was written passes."""
        from sharewell.reports.figures.engine.report_release import release

        return release(self, Path(to))

    def to_json(self) -> dict[str, object]:
        return {
            "safe": True,
            "vector": str(self.utility),
            "utility": self.utility.to_json(),
            "proposed": str(self.menu.top),
            "loss": float(self.loss),
            "proven": self.proven,
            "optima": [str(utility) for utility in self.optima],
            "levels": "nested" if self.menu.coarser else "classic",
            "vectors": self.vectors,
            "audited": self.audited,
            "figures": [str(figure) for figure in self.publication.figures],
            "trace": [verdict.to_json() for verdict in self.trace],
        }


def best_plan(proposal: Proposal, criteria: Sequence[CellCriterion], settings: SearchSettings) -> Plan:
    """The safe report of least loss; Infeasible if none is safe."""
    menu = Menu.of(proposal.publication.read_as("rounding"), proposal.report)
    judge = Judge(menu, criteria, proposal.snoopers, settings.nodes)
    measure = ReportLoss(settings.weights)
    utilities = menu.utilities(settings.kept(menu.coarser))
    ordered = sorted((measure.lost(menu.top, utility), _tidy(utility), utility) for utility in utilities)
    verdicts: list[Verdict] = []
    best: Fraction | None = None
    further = 0
    for loss, _, utility in ordered:
        if best is not None and loss > best and not settings.everything:
            if further == settings.beyond:
                break
            further += 1
        verdict = _verdict(judge, utility, loss, () if settings.everything else verdicts)
        verdicts.append(verdict)
        if verdict.status == "safe" and best is None:
            best = loss
    if best is None:
        raise _infeasible(verdicts, settings.keep)
    optima = [verdict for verdict in verdicts if verdict.status == "safe" and verdict.loss == best]
    chosen = min(optima, key=lambda verdict: (verdict.risk or 0.0, _tidy(verdict.utility)))
    proven = all(verdict.status == "unsafe" for verdict in verdicts if verdict.loss < best)
    published = menu.publish(chosen.utility)
    safe = tuple(verdict.utility for verdict in optima)
    return Plan(proposal, tuple(criteria), menu, published, chosen, proven, safe, tuple(verdicts), len(ordered))


def _verdict(judge: Judge, utility: Utility, loss: Fraction, earlier: Sequence[Verdict]) -> Verdict:
    for other in earlier:
        if other.audited and other.blame is not None and judge.menu.tells(utility, other.blame):
            return Verdict(utility, loss, "unsafe", other.blamed, other.blame, other.blamed, audited=False)
    return judge.verdict(utility, loss)


def _tidy(utility: Utility) -> tuple[int, ...]:
    """Among equals: centres rather than deviations rather than orders, rows before columns."""
    return tuple(-utility.level((axis, metric)) for metric in METRICS for axis in AXES)


def _infeasible(verdicts: Sequence[Verdict], keep: Mapping[str, object]) -> Infeasible:
    """Which few figures block, and what would help."""
    undecided = sum(verdict.status == "undecided" for verdict in verdicts)
    blamed = [(verdict.blame, verdict.blamed) for verdict in verdicts if verdict.blamed is not None]
    blocking = [f"{b}: {r.snooper} about {r.row}, {r.column} ({', '.join(r.limits)})" for b, r in blamed]
    helps = [f"let go of search.keep ({', '.join(keep)})"] if keep else []
    with_risk = (verdict for verdict in verdicts if verdict.risk is not None)
    nearest = min(with_risk, key=lambda verdict: verdict.risk or 0.0, default=None)
    if nearest is not None and nearest.reason is not None:
        cell = f"{nearest.reason.row}, {nearest.reason.column}"
        helps.append(f"lower the limits of {cell}: {nearest.utility} comes nearest")
    helps += ["more nodes for the global solver"] if undecided else []
    what = f"aggregate — none of {len(verdicts)} ways to publish something is safe ({undecided} undecided)"
    return Infeasible(what, blocking=list(dict.fromkeys(blocking))[:5], relaxations=helps)
