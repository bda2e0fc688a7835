"""Gathering: owners hand sums to a mediator that never sees a row; or patients answer at random, within a bound."""

from typing import TYPE_CHECKING

from sharewell.lazy import exporting

if TYPE_CHECKING:
    from sharewell.reports.gathering.gathered import Gathered
    from sharewell.reports.gathering.mediator import Mediator
    from sharewell.reports.gathering.owner import taking_part
    from sharewell.reports.gathering.plan import Plan
    from sharewell.reports.gathering.proposed import Proposed
    from sharewell.reports.gathering.running import rehearsed
    from sharewell.reports.gathering.written import load_plan
    from sharewell.reports.mechanisms.randomised_response import RandomisedResponse

__all__ = ["Gathered", "Mediator", "Plan", "Proposed", "RandomisedResponse", "load_plan", "rehearsed", "taking_part"]

__getattr__ = exporting(
    __name__,
    {
        "Gathered": "sharewell.reports.gathering.gathered",
        "Mediator": "sharewell.reports.gathering.mediator",
        "Plan": "sharewell.reports.gathering.plan",
        "Proposed": "sharewell.reports.gathering.proposed",
        "RandomisedResponse": "sharewell.reports.mechanisms.randomised_response",
        "load_plan": "sharewell.reports.gathering.written",
        "rehearsed": "sharewell.reports.gathering.running",
        "taking_part": "sharewell.reports.gathering.owner",
    },
)
