"""How a release runs reports: tables of counts and sums of patients, or figures about owners and their measures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from sharewell.algorithm import Attack, Criteria, Finding, Key, Protected
from sharewell.io.sources import Source
from sharewell.io.yaml_positions import Document
from sharewell.plain_data import Json, JsonObject
from sharewell.policy.model import Dataset
from sharewell.reports.counts.data import CountTable
from sharewell.reports.counts.wing import CountsWing
from sharewell.reports.figures.data import Publication
from sharewell.reports.figures.wing import FIGURE, FiguresWing
from sharewell.reports.policy import report_sources
from sharewell.wing import Axes, Capabilities, Claim, Dictionary, Published, Trees, Wing

ReportData = CountTable | Publication


class ReportsWing(Wing[ReportData]):
    """Delegates to the wing of counts or to that of figures, by the type of the data."""

    usual_risk = CountsWing.usual_risk
    made_columns = frozenset({"count", "estimate", FIGURE, "sum"})
    persons_by_subject = False

    def __init__(self) -> None:
        self.figures, self.counts = FiguresWing(), CountsWing()

    def of(self, data: ReportData) -> Wing[Any]:
        """The wing for this data: that it takes no other, types cannot say."""
        return self.figures if isinstance(data, Publication) else self.counts

    def capabilities(self) -> Capabilities[ReportData]:
        return Capabilities(columns=self, pages=self, policy=self)

    def open(self, dataset: Dataset, base: Path, scratch: Path | None = None) -> ReportData:
        figures = report_sources(dataset).figures is not None
        return self.figures.open(dataset, base, scratch) if figures else self.counts.open(dataset, base, scratch)

    def open_published(self, dataset: Dataset) -> ReportData | None:
        return None if report_sources(dataset).figures is not None else self.counts.open_published(dataset)

    def describe(self, data: ReportData) -> dict[str, JsonObject]:
        return self.of(data).describe(data)

    def size(self, data: ReportData) -> dict[str, int]:
        return self.of(data).size(data)

    def lookalikes(self, data: ReportData) -> dict[str, int]:
        return self.of(data).lookalikes(data)

    def risks(self, data: ReportData) -> list[Finding]:
        return self.of(data).risks(data)

    def preferences(self, data: ReportData, criteria: Criteria[ReportData]) -> list[tuple[str, str]]:
        return self.of(data).preferences(data, criteria)

    def axes(self, dataset: Dataset, data: ReportData) -> Axes[ReportData] | None:
        return self.of(data).axes(dataset, data)

    def default_attacks(self, dataset: Dataset, released: ReportData) -> Sequence[Attack[ReportData]]:
        return self.of(released).default_attacks(dataset, released)

    def protect(self, data: ReportData, dataset: Dataset, key: Key) -> Protected[ReportData]:
        return self.of(data).protect(data, dataset, key)

    def publish(
        self,
        original: ReportData,
        protected: Protected[ReportData],
        dataset: Dataset,
        key: Key,
        scratch: Path | None = None,
    ) -> Published:
        return self.of(original).publish(original, protected, dataset, key, scratch)

    def reopen(
        self, source: Source, columns: Dictionary, evidence: pa.Table | None = None, trees: Trees = None
    ) -> ReportData:
        if any(facts.get("kind") == FIGURE for facts in columns.values()):
            return self.figures.reopen(source, columns, evidence, trees)
        return self.counts.reopen(source, columns, evidence, trees)

    def certified_unit(self, claim: Claim, asked: Mapping[str, Json]) -> str:
        """Figures of owners protect owners, tables the persons whom they count."""
        if any(facts.get("kind") == FIGURE for facts in claim.columns.values()):
            return "owners"
        return "persons" if asked["subjects"] else "records"

    def contradictions(self, data: ReportData, claim: Claim, asked: Mapping[str, Json]) -> list[str]:
        """What is not shown is never in public alone."""
        if claim.persons != "internal":
            return ["a report can be judged by its evidence only, and the certificate names none"]
        return self.of(data).contradictions(data, claim, asked)

    def trial_data(self, data: ReportData) -> ReportData:
        return data

    def droppable_columns(self, data: ReportData) -> tuple[str, ...]:
        """Dimensions of a table of counts; a report of owners and measures has none to drop."""
        return () if isinstance(data, Publication) else self.counts.droppable_columns(data)

    def without_column(self, data: ReportData, column: str) -> ReportData:
        return data if isinstance(data, Publication) else self.counts.without_column(data, column)

    def with_column_blank(self, released: ReportData, original: ReportData, column: str) -> ReportData:
        if isinstance(released, Publication) or isinstance(original, Publication):
            return released
        return self.counts.with_column_blank(released, original, column)

    def pages(self, data: ReportData, columns: Dictionary) -> JsonObject:
        """Public pages that must say what the figures say, by what follows the dataset's name: text, or JSON."""
        return self.figures.pages(data, columns) if isinstance(data, Publication) else {}

    def departures(self, data: ReportData, name: str, policy: Document) -> list[str]:
        """In what a release differs from the policy that lies beside it in the internal folder."""
        return self.figures.departures(data, name, policy) if isinstance(data, Publication) else []
