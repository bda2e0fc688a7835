"""Gathering: owners hand sums to a mediator that never sees a row; or patients answer at random, within a bound."""

from typing import TYPE_CHECKING

from sharewell.lazy_exports import exporting

if TYPE_CHECKING:
    from sharewell.reports.gathering.engine.exchange import rehearsed
    from sharewell.reports.gathering.engine.gathered_sums import Gathered
    from sharewell.reports.gathering.engine.mediator import Mediator
    from sharewell.reports.gathering.engine.owner import taking_part
    from sharewell.reports.gathering.engine.plan import Plan
    from sharewell.reports.gathering.engine.plan_file import load_plan
    from sharewell.reports.gathering.engine.proposed_report import Proposed
    from sharewell.reports.gathering.mechanisms.randomised_response import RandomisedResponse

__all__ = ["Gathered", "Mediator", "Plan", "Proposed", "RandomisedResponse", "load_plan", "rehearsed", "taking_part"]

__getattr__ = exporting(
    __name__,
    {
        "Gathered": "sharewell.reports.gathering.engine.gathered_sums",
        "Mediator": "sharewell.reports.gathering.engine.mediator",
        "Plan": "sharewell.reports.gathering.engine.plan",
        "Proposed": "sharewell.reports.gathering.engine.proposed_report",
        "RandomisedResponse": "sharewell.reports.gathering.mechanisms.randomised_response",
        "load_plan": "sharewell.reports.gathering.engine.plan_file",
        "rehearsed": "sharewell.reports.gathering.engine.exchange",
        "taking_part": "sharewell.reports.gathering.engine.owner",
    },
)
