"""Aggregate: of all ways to publish less than proposed, the one that loses least and keeps every limit.

Guarantee
---------
What is returned passes every criterion asked for, by witnesses, for every snooper simulated. `proven` says that each
vector of levels with less loss, by these weights and among these levels, lets some simulated snooper in below a limit,
by bounds of solvers widened by a millionth; it is False if the solver's nodes left one of those undecided. It says
nothing of levels chosen for single rows or columns, of other bins, or of figures other than mean, sigma, spread and
order: a report outside this menu might lose less.

Adversary
---------
As for the criteria: all published figures, their conventions, the domain, and as an owner its own row, or the rows of
a coalition.

What it does not protect
------------------------
The choice itself is a signal: who sees that a deviation was withheld may guess that it would have told too much. What
the criteria do not model is not protected either. Levels are chosen for all rows and for all columns together.

Parameters
----------
weights: what one level of a measure is worth, such as {rows.center: 2}; 1 where nothing is said.
keep: levels below which a measure must not be lowered, such as {columns.center: mean}.
beyond: how many vectors to audit after the best, for the map of risk and utility.
everything: audit all vectors, none rejected or accepted by what was found of another.
nodes: steps of the global solver for a bound; what is undecided then counts as unsafe.

Worked example
--------------
Four health plans, three tests: means of plans, means and deviations of tests. Plan HMO1 must not tie any rate of the
others down to less than three points. It is enough to publish the means of plans in bins of five.

>>> from sharewell.reports import Levels, Proposal, Publication, Report, Snoopers, Width
>>> rates = {"HMO1": (75.0, 56.0, 43.0), "HMO2": (88.2, 59.8, 46.9),
...          "HMO3": (85.7, 49.8, 44.5), "HMO4": (83.0, 50.8, 47.1)}
>>> tests = ("HbA1c", "Lipid profile", "Eye exam")
>>> report = Report.of({plan: dict(zip(tests, row)) for plan, row in rates.items()}, domain=(0, 100))
>>> shown = Publication.of(report, Levels(center=3), Levels(center=3, dispersion=3))
>>> proposal = Proposal("rates", shown, (Width(3),), Snoopers(outsider=False, owners=("HMO1",)), report)
>>> plan = Aggregate().plan(proposal, [Width(3)])
>>> str(plan.utility), float(plan.loss), plan.proven
('(2,1,1|3,3,1)', 1.0, True)
>>> first = plan.trace[0]
>>> print(first.utility, first.status, first.reason.snooper, first.reason.row, first.reason.limits)
(3,1,1|3,3,1) unsafe HMO1 HMO2 ('width',)

Why it is safe
--------------
Vectors are tried by growing loss, so that the first safe one is the best. A vector is accepted only on witnesses, as in
the criteria. It is rejected on proven bounds, its own or those of a vector whose figures all follow from its own: then
every table that agrees with it agrees with the other too, and its intervals lie inside. Levels are no such order:
publishing the spread instead of the deviation can tell more, as a test shows, and so can a bin whose edge cuts the
interval of the mean. Inclusion is therefore read off the figures. From each rejected vector measures are taken away as
long as the same cell stays tied down; what is left is poor, and rejects many others at once.

Cost
----
At most 3^6 vectors of levels. For each that is not rejected by another: bounds of all cells for every snooper whom no
larger coalition covers, and witnesses until a verdict.

Source
------
Boyens, Krishnan and Padman, 2004 (audit and aggregate, with utility levels); Duncan, Keller-McNulty and Stokes, 2001
(the map of risk and utility). That the levels are not monotone is not said there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Annotated, Any, ClassVar

import numpy as np
from annotated_types import Ge

from sharewell.errors import Infeasible, PolicyError
from sharewell.keys import Key
from sharewell.parameters import Declared
from sharewell.protocols import Mechanism, Protected
from sharewell.reports.figures.data import Publication, Report
from sharewell.reports.figures.engine.alternatives import Menu, Place, Utility, place_named
from sharewell.reports.figures.engine.plan import Plan
from sharewell.reports.figures.engine.proposal import Proposal
from sharewell.reports.figures.engine.report_file import levels_of
from sharewell.reports.figures.engine.snoopers import common
from sharewell.reports.figures.engine.solvers.scip import NODES
from sharewell.reports.figures.engine.verdicts import Judge, Verdict
from sharewell.reports.figures.utility.report_loss import ReportLoss


@dataclass(frozen=True)
class Aggregated:
    """What was chosen, and how surely."""

    vector: str
    loss: float
    proven: bool
    optima: tuple[str, ...]
    vectors: int
    audited: int


@dataclass(frozen=True)
class Lowered(Protected[Publication]):
    """The report, and the plan behind it, which is as confidential as the cells."""

    plan: Plan | None = field(default=None, repr=False)


@dataclass(frozen=True)
class Aggregate(Declared, Mechanism[Any]):
    """Best-first search over utility vectors."""

    weights: Mapping[str, Any] = field(default_factory=dict)
    keep: Mapping[str, Any] = field(default_factory=dict)
    beyond: Annotated[int, Ge(0)] = 12
    everything: bool = False
    nodes: Annotated[int, Ge(0)] = NODES

    name: ClassVar[str] = "aggregate"
    packages: ClassVar[tuple[str, ...]] = ("clarabel", "scipy")
    engine: ClassVar[str] = "needs"
    measured_by: ClassVar[str] = "report-loss"
    refuses: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def of(cls, search: Mapping[str, Any], **more: Any) -> Aggregate:
        """As the key `search` of a report file says."""
        if search.get("undecided", "unsafe") != "unsafe":
            raise PolicyError("search.undecided — must be unsafe: what nobody could decide is never published")
        given = {key: search[key] for key in ("weights", "keep") if search.get(key) is not None}
        for key, value in given.items():
            if not isinstance(value, dict):
                raise PolicyError(f"search.{key} — must be a mapping of measures, such as {{rows.center: 2}}")
        try:
            return cls(**given, **more)
        except ValueError as error:
            raise PolicyError(f"aggregate — {error}") from None

    def protect(self, data: Proposal | Publication, must: Sequence[Any], key: Key | None = None) -> Lowered:
        """The publication of least loss that is safe; `plan` returns the same with all that was found on the way."""
        if not isinstance(data, (Proposal, Publication)):
            raise PolicyError("aggregate — is for reports of owners and measures — see `sharewell reports`")
        return lowered(self.plan(data if isinstance(data, Proposal) else _proposal(data, must), must))

    def plan(self, proposal: Proposal, must: Sequence[Any]) -> Plan:
        menu = Menu.of(proposal.publication.read_as("rounding"), proposal.report)
        judge = Judge(menu, must, proposal.snoopers, self.nodes)
        measure = ReportLoss(self.weights)
        ordered = sorted(
            (measure.lost(menu.top, one), _tidy(one), one) for one in menu.utilities(self._kept(menu.coarser))
        )
        found: list[Verdict] = []
        best: Fraction | None = None
        further = 0
        for loss, _, utility in ordered:
            if best is not None and loss > best and not self.everything:
                if further == self.beyond:
                    break
                further += 1
            verdict = self._verdict(judge, menu, utility, loss, found)
            found.append(verdict)
            if verdict.status == "safe" and best is None:
                best = loss
        if best is None:
            raise _infeasible(found, self.keep)
        optima = [one for one in found if one.status == "safe" and one.loss == best]
        chosen = min(optima, key=lambda one: (one.risk or 0.0, _tidy(one.utility)))
        proven = all(one.status == "unsafe" for one in found if one.loss < best)
        published = menu.publish(chosen.utility)
        utilities = tuple(one.utility for one in optima)
        return Plan(proposal, tuple(must), menu, published, chosen, proven, utilities, tuple(found), len(ordered))

    def _verdict(self, judge: Judge, menu: Menu, utility: Utility, loss: Fraction, found: Sequence[Verdict]) -> Verdict:
        for earlier in () if self.everything else found:
            if earlier.audited and earlier.blame is not None and menu.tells(utility, earlier.blame):
                blame, blamed = earlier.blame, earlier.blamed
                return Verdict(utility, loss, "unsafe", blamed, blame, blamed, audited=False)
        return judge.verdict(utility, loss)

    def _kept(self, nested: bool) -> dict[Place, int]:
        kept = {}
        for name, level in self.keep.items():
            place = place_named(name, "search.keep")
            known = levels_of(place[1], nested)
            number = known.get(level, level) if isinstance(level, (str, int)) else 0
            if isinstance(level, bool) or number not in (1, 2, 3):
                raise PolicyError(f"search.keep.{name} — no such level — known: {', '.join(known)}, or 3, 2, 1")
            kept[place] = number
        return kept


@dataclass(frozen=True)
class Ready(Aggregate):
    """A plan that was made already."""

    made: Plan | None = field(default=None, init=False, repr=False)

    @classmethod
    def by(cls, plan: Plan) -> Ready:
        ready = cls()
        object.__setattr__(ready, "made", plan)
        return ready

    def plan(self, proposal: Proposal, must: Sequence[Any]) -> Plan:
        assert self.made is not None
        return self.made


def lowered(plan: Plan) -> Lowered:
    """A plan as mechanisms return their results."""
    optima, audited = tuple(map(str, plan.optima)), sum(one.audited for one in plan.trace)
    details = Aggregated(str(plan.utility), float(plan.loss), plan.proven, optima, plan.vectors, audited)
    return Lowered(plan.publication, details, np.arange(len(plan.publication.frame.rows)), plan=plan)


def _proposal(shown: Publication, must: Sequence[Any]) -> Proposal:
    """A publication by itself, for the snoopers of its criteria; with its true cells, where all are at hand."""
    whole = set(shown.truth) == set(shown.frame.cells)
    report = Report(shown.frame, shown.truth) if whole else None
    return Proposal("report", shown, tuple(must), common(must), report)


def _tidy(utility: Utility) -> tuple[int, ...]:
    """Among equals: centres rather than deviations rather than orders, rows before columns."""
    levels = utility.levels
    return tuple(-levels[i] for i in (0, 3, 1, 4, 2, 5))


def _infeasible(found: Sequence[Verdict], keep: Mapping[str, Any]) -> Infeasible:
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
