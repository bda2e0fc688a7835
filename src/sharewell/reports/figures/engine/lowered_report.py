"""A report as `aggregate` returns it: what may be published, and the plan behind it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from sharewell.protocols import Protected
from sharewell.reports.figures.data import Publication

if TYPE_CHECKING:
    from sharewell.reports.figures.engine.plan import Plan


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


def lowered(plan: Plan) -> Lowered:
    """A plan as mechanisms return their results."""
    optima, audited = tuple(map(str, plan.optima)), sum(one.audited for one in plan.trace)
    details = Aggregated(str(plan.utility), float(plan.loss), plan.proven, optima, plan.vectors, audited)
    return Lowered(plan.publication, details, np.arange(len(plan.publication.frame.rows)), plan=plan)
