"""What the page tells of reports; a report of owners also has pages of its own in this folder."""

from __future__ import annotations

from collections.abc import Mapping

from sharewell.dossier.markup import names
from sharewell.dossier.sizes import records
from sharewell.dossier.views import Dataset, mapping, number, text
from sharewell.dossier.wing_dossier import Vocabulary, WingDossier
from sharewell.dossier.words import count, share
from sharewell.plain_data import Json
from sharewell.reports.dossier.levels import levels_of, published, verdict

COLUMNS = {
    "figure": "a part of a figure of the report: about whom, which, and its value or its range",
    "dimension": "the category that is counted; * is the total",
    "count": "how many people or events were counted",
    "sum": "a sum over those counted",
    "estimate": "a number estimated from answers that each person changed at random",
}
"""Kind of a published column → what it holds."""


class ReportsDossier(WingDossier):
    """Tables of counts and sums of patients, or figures about owners, in which no person is counted."""

    kind = "reports"
    title = "aggregate report"
    words = Vocabulary.shipped("reports")

    def size(self, dataset: Dataset) -> list[tuple[str, str]] | None:
        if "owners" not in dataset.before:
            return None
        owners, measures = (count(number(dataset.before.get(what))) for what in ("owners", "measures"))
        return [records(dataset), ("Owners, measures", f"{owners}, {measures}")]

    def headline(self, dataset: Dataset) -> str | None:
        """What is safe to publish, or how many cells had to be hidden."""
        details = mapping(dataset.mechanism.get("details"))
        levels = levels_of(text(details.get("vector")))
        if levels is not None:
            return verdict(levels, details.get("proven") is True)
        return _hidden(dataset) if dataset.kind == self.kind else None

    def fates(self, dataset: Dataset) -> list[tuple[str, str]] | None:
        """Figures of the release, and not columns of a source, are what is published."""
        if dataset.kind != self.kind:
            return None
        levels = levels_of(text(mapping(dataset.mechanism.get("details")).get("vector")))
        if levels is not None:
            return [("Published", published(levels)), ("About", names(_of_source(dataset)))]
        facts: list[tuple[str, str]] = (
            [("Counted by", names(dataset.having("quasi")))] if dataset.having("quasi") else []
        )
        cells, hidden = (number(dataset.after.get(what)) for what in ("cells", "hidden"))
        if cells is not None and hidden is not None:
            facts.append(("Cells hidden", f"{count(hidden)} of {count(cells)}"))
        return facts

    def column_meaning(self, facts: Mapping[str, Json]) -> str | None:
        return COLUMNS.get(text(facts.get("kind")))

    def assumptions(self, dataset: Dataset) -> list[str]:
        if dataset.kind != self.kind or text(dataset.claimed.get("unit")) == "owners":
            return []
        return ["That a cell without a number is zero: it is hidden, or the dictionary says what it stands for."]

    def knowledge(self, dataset: Dataset) -> str | None:
        if "owners" not in dataset.before:
            return None
        return "A snooper is assumed to have all figures, and an owner also its own row, and to want those of others."


def _of_source(dataset: Dataset) -> list[str]:
    """The columns that were looked at, and not those of the report made of them."""
    held = mapping(dataset.found.get("columns"))
    return [column for column in dataset.columns if column in held]


def _hidden(dataset: Dataset) -> str | None:
    """How much of a table of counts or sums had to go."""
    cells, hidden = (number(dataset.after.get(what)) for what in ("cells", "hidden"))
    if cells is None or hidden is None:
        return None
    if not hidden:
        return f"All {count(cells)} cells are shown."
    attack = next((one.after for one in dataset.attacks if one.name == "table-interval"), None)
    sentence = f"{count(hidden)} of {count(cells)} cells are hidden"
    if attack is None or attack.value is None:
        return f"{sentence}."
    given = "none of the unsafe ones" if attack.value == 0 else f"{share(attack.value)} of the unsafe ones"
    return f"{sentence}; the totals give {given} away."
