"""A plan: the report that may be published instead of the proposed one, and everything that was found on the way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from sharewell.reports.figures.data import Publication
from sharewell.reports.figures.engine.alternatives import Menu, Utility
from sharewell.reports.figures.engine.audit import Audit, audit
from sharewell.reports.figures.engine.needs import CellCriterion
from sharewell.reports.figures.engine.verdicts import Verdict

if TYPE_CHECKING:
    from sharewell.reports.figures.engine.proposal import Proposal


@dataclass(frozen=True, eq=False)
class Plan:
    """What `aggregate` found. The trace is confidential: it tells how closely cells could be inferred."""

    proposal: Proposal
    must: Sequence[CellCriterion]
    menu: Menu = field(repr=False)
    publication: Publication
    chosen: Verdict
    proven: bool
    """Is every vector of the menu with less loss proven to be unsafe for the snoopers simulated?"""
    optima: tuple[Utility, ...]
    """All safe vectors with the same loss; the one chosen leaves most open."""
    trace: tuple[Verdict, ...] = field(repr=False)
    """Every vector looked at, by growing loss."""
    vectors: int
    """How many there are in all."""

    @property
    def utility(self) -> Utility:
        return self.chosen.utility

    @property
    def loss(self) -> Fraction:
        return self.chosen.loss

    @property
    def rejected(self) -> tuple[Verdict, ...]:
        return tuple(one for one in self.trace if one.status != "safe")

    def audit(self, *, exact: bool = False) -> Audit:
        """Every snooper and cell of the report that would be published."""
        return audit(self.publication, self.must, self.proposal.snoopers, exact=exact)

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
            "optima": [str(one) for one in self.optima],
            "levels": "nested" if self.menu.coarser else "classic",
            "vectors": self.vectors,
            "audited": sum(one.audited for one in self.trace),
            "figures": [str(figure) for figure in self.publication.figures],
            "trace": [one.to_json() for one in self.trace],
        }
