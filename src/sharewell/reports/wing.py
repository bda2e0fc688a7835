"""How a release runs reports: tables of counts and sums of patients, or figures about owners and their measures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sharewell.hierarchy import Hierarchy
from sharewell.io.sources import Source
from sharewell.policy.model import Dataset
from sharewell.policy.positions import Document
from sharewell.reports.counts.wing import CountsWing
from sharewell.reports.figures.data import Publication
from sharewell.reports.figures.engine.policy_followed import departures
from sharewell.reports.figures.wing import FIGURE, FiguresWing

_OF_DATA = (
    *("describe", "lookalikes", "risks", "size", "sample", "preferences", "bare", "droppable", "without", "blanked"),
    *("protect", "publish"),
)
"""What the kind of the data decides, which is the first argument."""


class ReportsWing:
    """Passes everything on to the wing of counts or to that of figures."""

    usual_risk = "table-interval"

    def __init__(self) -> None:
        self.figures, self.counts = FiguresWing(), CountsWing()
        self.asked, self.against_data = self.figures.asked, self.figures.against_data

    def open(self, dataset: Dataset, base: Path, scratch: Path | None = None) -> Any:
        wing: Any = self.counts if dataset.reports.figures is None else self.figures
        return wing.open(dataset, base, scratch)

    def reopen(
        self,
        source: Source,
        columns: Mapping[str, Mapping[str, Any]],
        evidence: Any = None,
        trees: Mapping[str, Hierarchy] | None = None,
    ) -> Any:
        of_figures = any(facts.get("kind") == FIGURE for facts in columns.values())
        wing: Any = self.figures if of_figures else self.counts
        return wing.reopen(source, columns, evidence, trees)

    def default_attacks(self, dataset: Dataset, released: Any) -> Sequence[Any]:
        """Attacks mounted on every release, whether the policy names them or not."""
        wing = self.figures if isinstance(released, Publication) else self.counts
        return wing.default_attacks(dataset, released)

    def pages(self, data: Any, columns: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
        """Public pages that must say what the figures say, by what follows the dataset's name: text, or JSON."""
        return self.figures.pages(data, columns) if isinstance(data, Publication) else {}

    def departures(self, data: Any, name: str, policy: Document) -> list[str]:
        """In what a release differs from the policy that lies beside it in the internal folder."""
        return [*departures(data, name, policy)] if isinstance(data, Publication) else []

    def __getattr__(self, name: str) -> Any:
        if name not in _OF_DATA:
            raise AttributeError(name)
        return lambda data, *more, **named: getattr(
            self.figures if isinstance(data, Publication) else self.counts, name
        )(data, *more, **named)
