"""Gathering: owners hand sums to a mediator that never sees a row; or patients answer at random, within a bound."""

from sharewell import registry
from sharewell.lazy_exports import Exports

_OTHERS = {
    "Gathered": ".engine.proposed_report",
    "Mediator": ".engine.mediator",
    "Plan": ".engine.plan",
    "Proposed": ".engine.proposed_report",
    "load_plan": ".engine.plan",
    "rehearsed": ".engine.exchange",
    "taking_part": ".engine.owner",
}
"""What is exported besides the registered algorithms."""

_exports = Exports(__name__, registry.exported(__name__) | _OTHERS)
__all__ = _exports.names
__getattr__ = _exports.load
__dir__ = _exports.listed
