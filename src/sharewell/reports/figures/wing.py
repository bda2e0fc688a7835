"""How a release runs a report of owners and measures: proposed, lowered until every limit holds, written, judged again.

public/NAME.csv (or .parquet)   one figure a record
public/NAME.json, NAME.html     the same, for auditing it with one's own row, and for reading
internal/persons/NAME.parquet   true cells, limits and witnesses: the evidence
internal/NAME/audit.html, .json for the privacy officer
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from sharewell.algorithm import Criteria, Finding, Key, Protected, Role
from sharewell.errors import DataError, VerificationFailed
from sharewell.io.sources import Source
from sharewell.io.yaml_positions import Document
from sharewell.policy.model import Dataset
from sharewell.reports.counts.wing import lookalikes
from sharewell.reports.figures.attacks.snooper import Snooper
from sharewell.reports.figures.data import Publication
from sharewell.reports.figures.engine.alternatives import Lowered
from sharewell.reports.figures.engine.audit import audit
from sharewell.reports.figures.engine.checks.cell_limits import ByCell
from sharewell.reports.figures.engine.evidence import departures, evidence, read_evidence
from sharewell.reports.figures.engine.needs import Snoopers, common_snoopers
from sharewell.reports.figures.engine.public_report import HEADER, as_table, content, read_records, same_figures
from sharewell.reports.figures.engine.table_check import is_possible
from sharewell.reports.policy import proposed_figures
from sharewell.wing import Axes, Capabilities, Dictionary, Published, Trees, Wing

if TYPE_CHECKING:
    import pyarrow as pa

FIGURE = "figure"
_TABLE_FACTS = "value"
"""The column of the records whose entry in the dictionary also describes the table."""


class FiguresWing(Wing[Publication]):
    """One report a dataset."""

    usual_risk = Snooper.name

    def capabilities(self) -> Capabilities[Publication]:
        return Capabilities(pages=self, policy=self)

    def open(self, dataset: Dataset, base: Path, scratch: Path | None = None) -> Publication:
        """What is proposed, with the true cells behind it."""
        return proposed_figures(dataset).proposal(dataset.read).publication

    def describe(self, data: Publication) -> dict[str, dict[str, object]]:
        """Counts only."""
        absent = {column: sum(cell[1] == column for cell in data.frame.absent) for column in data.frame.columns}
        facts: dict[str, object] = {"role": str(Role.KEEP), "kind": "measure"}
        return {column: facts | {"missing": number} for column, number in absent.items()}

    def lookalikes(self, data: Publication) -> dict[str, int]:
        """How many owners or measures differ from another one only in case or blanks."""
        return lookalikes({"rows": data.frame.rows, "columns": data.frame.columns})

    def risks(self, data: Publication) -> list[Finding]:
        """How closely the best placed of a stranger and the single owners ties a cell down."""
        findings = [Snooper(knowledge.rows).mount(data) for knowledge in Snoopers().mounted(data)]
        return [min(findings, key=lambda finding: float(finding.value or 0))]

    def axes(self, dataset: Dataset, data: Publication) -> Axes[Publication]:
        """The snooper who comes closest to what is proposed, against how much less is published."""
        snoopers = [Snooper(knowledge.rows) for knowledge in Snoopers().mounted(data)]
        return Axes(min(snoopers, key=lambda one: float(one.mount(data).value or 0)), measure="report-loss")

    def size(self, data: Publication) -> dict[str, int]:
        return {"rows": data.rows, "owners": len(data.frame.rows), "measures": len(data.frame.columns)}

    def preferences(self, data: Publication, criteria: Criteria[Publication]) -> list[tuple[str, str]]:
        return [("aggregate", "it publishes as much as every limit allows")]

    def protect(self, data: Publication, dataset: Dataset, key: Key) -> Protected[Publication]:
        return dataset.protect(data, key.scoped(dataset.name, "report"))

    def publish(
        self,
        original: Publication,
        protected: Protected[Publication],
        dataset: Dataset,
        key: Key,
        scratch: Path | None = None,
    ) -> Published:
        """Figures alone in public. What was written is read back and audited anew; its witnesses are kept inside."""
        from sharewell.reports.dossier.audit_page import audit_page
        from sharewell.reports.dossier.public_page import public_page
        from sharewell.reports.figures.engine.report_release import internal_content

        released, name = protected.data, proposed_figures(dataset).name
        records, dictionary = as_table(released), _dictionary(name, released)
        written = replace(read_records(records, dictionary[_TABLE_FACTS]), truth=released.truth)
        if not same_figures(written, released):
            raise VerificationFailed(f"{dataset.name} — the records do not say what was audited; nothing was released")
        criteria = [one for one in dataset.criteria if isinstance(one, ByCell)]
        verdicts = audit(written, criteria, common_snoopers(criteria))
        if not verdicts.safe:
            unsafe = [cell for cell in verdicts.cells if cell.status != "safe"]
            failed = [f"{cell.snooper} about {cell.row}, {cell.column}: {cell.status}" for cell in unsafe]
            raise VerificationFailed("the written report does not keep its limits; nothing was released:", failed)
        salt = key.scoped(dataset.name, "evidence").digest("salt").hex()
        report, files = content(name, written), {}
        pages = {".json": _json(report), ".html": public_page(report)}
        if isinstance(protected, Lowered) and protected.plan is not None:
            internal = internal_content(protected.plan, verdicts)
            files = {"audit.json": _json(internal), "audit.html": audit_page(internal)}
        proofs = evidence(verdicts, criteria, salt)
        return Published(records, dictionary, proofs, unit="owners", pages=pages, internal_files=files)

    def departures(self, data: Publication, name: str, policy: Document) -> list[str]:
        """In what a release differs from the policy that lies beside it in the internal folder."""
        return [*departures(data, name, policy)]

    def pages(self, data: Publication, columns: Dictionary) -> dict[str, object]:
        """What the public pages must say."""
        from sharewell.reports.dossier.public_page import public_page

        report = content(str(columns[_TABLE_FACTS].get("report")), data)
        return {".json": report, ".html": public_page(report)}

    def reopen(
        self, source: Source, columns: Dictionary, evidence: pa.Table | None = None, trees: Trees = None
    ) -> Publication:
        """The figures as their file shows them; true cells and witnesses where the evidence is at hand."""
        if list(columns) != list(HEADER) or source.names() != list(columns):
            raise DataError(f"{source.label} — its columns are not those of the certificate")
        shown = read_records(source.read(), columns[_TABLE_FACTS], source.label)
        if dict(columns) != _dictionary(str(columns[_TABLE_FACTS].get("report")), shown):
            raise DataError(
                f"{source.label} — the certificate describes its columns differently, or describes more of them"
            )
        if evidence is None:
            return shown
        true, kept = read_evidence(evidence)
        complete = set(true) == set(shown.frame.cells)
        if not set(true) <= set(shown.frame.cells) or (complete and not is_possible(shown, {}, true)):
            raise DataError(f"{source.label} — its figures are not those of the true cells")
        return replace(shown, truth=true, proof=kept)


def _dictionary(name: str, released: Publication) -> dict[str, dict[str, object]]:
    """Every column of the records, and beside the numbers what their table is."""
    report = content(name, released)
    facts: dict[str, dict[str, object]] = {
        column: {"role": str(Role.KEEP), "kind": FIGURE, "of": []} for column in HEADER
    }
    facts[_TABLE_FACTS] |= {"report": name, "table": report["table"]}
    if "sigma" in report["published"]:
        facts[_TABLE_FACTS]["sigma"] = report["published"]["sigma"]
    return facts


def _json(content: object) -> str:
    return json.dumps(content, ensure_ascii=False, indent=1, allow_nan=False) + "\n"
