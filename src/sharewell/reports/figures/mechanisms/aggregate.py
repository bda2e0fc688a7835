"""Aggregate: publishes less than proposed, with the least loss that keeps every limit.

## Guarantee
What is returned passes every required criterion, by witnesses, for every snooper simulated. `proven` says that each
vector of levels with less loss, by these weights and among these levels, lets some simulated snooper in below a limit,
by bounds of solvers widened by a millionth; it is False if the solver's nodes left one of those undecided. It says
nothing of levels chosen for single rows or columns, of other bins, or of figures other than mean, sigma, spread and
order: a report outside this menu might lose less.

## Adversary
As for the criteria: all published figures, their conventions, the domain, and as an owner its own row, or the rows of
a coalition.

## What it does not protect
The choice itself is a signal: who sees that a deviation was withheld may guess that it would have told too much. What
the criteria do not model is not protected either. Levels are chosen for all rows and for all columns together.

## Parameters
weights: what one level of a measure is worth, such as {rows.center: 2}; 1 where nothing is said.
keep: levels below which a measure must not be lowered, such as {columns.center: mean}.
beyond: how many vectors to audit after the best, for the map of risk and utility.
everything: audit all vectors, none rejected or accepted by what was found of another.
nodes: steps of the global solver for a bound; what is undecided then counts as unsafe.

## Worked example
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

## Why it is safe
Vectors are tried by growing loss, so that the first safe one is the best. A vector is accepted only on witnesses, as in
the criteria. It is rejected on proven bounds, its own or those of a vector whose figures all follow from its own: then
every table that agrees with it agrees with the other too, and its intervals lie inside. Levels are no such order:
publishing the spread instead of the deviation can tell more, as a test shows, and so can a bin whose edge cuts the
interval of the mean. Inclusion is therefore read off the figures. From each rejected vector measures are taken away as
long as the same cell stays tied down; what is left is poor, and rejects many others at once.

## Cost
At most 3^6 vectors of levels. For each that is not rejected by another: bounds of all cells for every snooper whom no
larger coalition covers, and witnesses until a verdict.

## Source
Boyens, Krishnan and Padman, 2004 (audit and aggregate, with utility levels); Duncan, Keller-McNulty and Stokes, 2001
(the map of risk and utility). That the levels are not monotone is not said there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from sharewell.algorithm import Criteria, Key, Mechanism, PolicyError
from sharewell.reports.figures.data import Publication, Report
from sharewell.reports.figures.engine.alternatives import Lowered, SearchSettings
from sharewell.reports.figures.engine.needs import CellCriterion, cell_criteria, common_snoopers
from sharewell.reports.figures.engine.plan import Plan, Proposal, best_plan


@dataclass(frozen=True)
class Aggregate(SearchSettings, Mechanism[Publication]):
    """Best-first search over utility vectors."""

    packages: ClassVar[tuple[str, ...]] = ("clarabel", "scipy")
    engine: ClassVar[str] = "needs"
    measured_by: ClassVar[str] = "report-loss"

    def protect(self, data: Proposal | Publication, must: Criteria[Publication], key: Key | None = None) -> Lowered:
        """The publication of least loss that is safe; `plan` returns the same with all that was found on the way."""
        if not isinstance(data, (Proposal, Publication)):
            raise PolicyError("aggregate — is for reports of owners and measures — see `sharewell reports`")
        criteria = cell_criteria(self.name, must)
        proposal = data if isinstance(data, Proposal) else _proposal(data, criteria)
        return self.plan(proposal, criteria).as_protected()

    def plan(self, proposal: Proposal, criteria: Sequence[CellCriterion]) -> Plan:
        return best_plan(proposal, criteria, self)


def _proposal(shown: Publication, criteria: Sequence[CellCriterion]) -> Proposal:
    """A publication as a proposal, for the snoopers of its criteria; with its true cells, if all are known."""
    complete = set(shown.truth) == set(shown.frame.cells)
    report = Report(shown.frame, shown.truth) if complete else None
    return Proposal("report", shown, tuple(criteria), common_snoopers(criteria), report)
