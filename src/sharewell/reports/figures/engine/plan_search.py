"""Search for a safe report: utility vectors by growing loss, until the safe ones of least loss are found.

Whatever tells all that an unsafe vector tells is rejected without any work.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from sharewell.errors import Infeasible
from sharewell.reports.figures.engine.alternatives import Menu, Utility
from sharewell.reports.figures.engine.needs import CellCriterion
from sharewell.reports.figures.engine.plan import Plan
from sharewell.reports.figures.engine.search_settings import SearchSettings
from sharewell.reports.figures.engine.verdicts import Judge, Verdict
from sharewell.reports.figures.utility.report_loss import ReportLoss

if TYPE_CHECKING:
    from sharewell.reports.figures.engine.proposal import Proposal


def best_plan(proposal: Proposal, must: Sequence[CellCriterion], settings: SearchSettings) -> Plan:
    """The safe report of least loss; Infeasible if none is safe."""
    menu = Menu.of(proposal.publication.read_as("rounding"), proposal.report)
    judge = Judge(menu, must, proposal.snoopers, settings.nodes)
    measure = ReportLoss(settings.weights)
    utilities = menu.utilities(settings.kept(menu.coarser))
    ordered = sorted((measure.lost(menu.top, one), _tidy(one), one) for one in utilities)
    found: list[Verdict] = []
    best: Fraction | None = None
    further = 0
    for loss, _, utility in ordered:
        if best is not None and loss > best and not settings.everything:
            if further == settings.beyond:
                break
            further += 1
        verdict = _verdict(judge, utility, loss, () if settings.everything else found)
        found.append(verdict)
        if verdict.status == "safe" and best is None:
            best = loss
    if best is None:
        raise _infeasible(found, settings.keep)
    optima = [one for one in found if one.status == "safe" and one.loss == best]
    chosen = min(optima, key=lambda one: (one.risk or 0.0, _tidy(one.utility)))
    proven = all(one.status == "unsafe" for one in found if one.loss < best)
    published = menu.publish(chosen.utility)
    safe = tuple(one.utility for one in optima)
    return Plan(proposal, tuple(must), menu, published, chosen, proven, safe, tuple(found), len(ordered))


def _verdict(judge: Judge, utility: Utility, loss: Fraction, earlier: Sequence[Verdict]) -> Verdict:
    for one in earlier:
        if one.audited and one.blame is not None and judge.menu.tells(utility, one.blame):
            return Verdict(utility, loss, "unsafe", one.blamed, one.blame, one.blamed, audited=False)
    return judge.verdict(utility, loss)


def _tidy(utility: Utility) -> tuple[int, ...]:
    """Among equals: centres rather than deviations rather than orders, rows before columns."""
    levels = utility.levels
    return tuple(-levels[i] for i in (0, 3, 1, 4, 2, 5))


def _infeasible(found: Sequence[Verdict], keep: Mapping[str, object]) -> Infeasible:
    """Which few figures block, and what would help."""
    undecided = sum(one.status == "undecided" for one in found)
    why = [(one.blame, one.blamed) for one in found if one.blamed is not None]
    told = [f"{b}: {r.snooper} about {r.row}, {r.column} ({', '.join(r.limits)})" for b, r in why]
    helps = [f"let go of search.keep ({', '.join(keep)})"] if keep else []
    nearest = min((one for one in found if one.risk is not None), key=lambda one: one.risk or 0.0, default=None)
    if nearest is not None and nearest.reason is not None:
        cell = f"{nearest.reason.row}, {nearest.reason.column}"
        helps.append(f"lower the limits of {cell}: {nearest.utility} comes nearest")
    helps += ["more nodes for the global solver"] if undecided else []
    what = f"aggregate — none of {len(found)} ways to publish something is safe ({undecided} undecided)"
    return Infeasible(what, blocking=list(dict.fromkeys(told))[:5], relaxations=helps)
