"""A proposed report: what would be published, what must stay open, and who may snoop."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Unpack

from sharewell.reports.figures.data import Knowledge, Publication, Reading, Report
from sharewell.reports.figures.engine.audit import Audit, audit
from sharewell.reports.figures.engine.needs import CellCriterion
from sharewell.reports.figures.engine.plan import Plan
from sharewell.reports.figures.engine.plan_search import best_plan
from sharewell.reports.figures.engine.search_settings import Effort, SearchSettings
from sharewell.reports.figures.engine.snoopers import Snoopers, named
from sharewell.reports.figures.engine.solvers.scip import NODES


@dataclass(frozen=True, eq=False)
class Proposal:
    """What a file says. `report` is there where the true cells are; `search` is how a safe report is sought."""

    name: str
    publication: Publication
    must: tuple[CellCriterion, ...]
    snoopers: Snoopers = field(default_factory=Snoopers)
    report: Report | None = None
    search: Mapping[str, object] = field(default_factory=dict)
    text: str = field(default="", repr=False)
    """The file itself, which a release keeps in its internal folder."""

    def audit(
        self,
        *,
        reading: Reading | None = None,
        exact: bool = False,
        snooper: str | None = None,
        nodes: int = NODES,
    ) -> Audit:
        """Simulate the snoopers, or the named one alone, and judge every cell."""
        shown = self.publication if reading is None else self.publication.read_as(reading)
        who: Snoopers | Sequence[Knowledge] = self.snoopers if snooper is None else [named(shown, snooper)]
        return audit(shown, self.must, who, exact=exact, nodes=nodes)

    def aggregate(self, **more: Unpack[Effort]) -> Plan:
        """The safe report of least loss, as `search` says; see the mechanism `aggregate` for more settings."""
        return best_plan(self, self.must, SearchSettings.of(self.search, **more))
