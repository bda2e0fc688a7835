"""What the page tells of reports; a report of owners also has pages of its own in this folder."""

from __future__ import annotations

from sharewell.dossier.sizes import records
from sharewell.dossier.views import Dataset, number
from sharewell.dossier.wing_dossier import Vocabulary, WingDossier
from sharewell.dossier.words import INFERENCE, count

WORDS = Vocabulary(
    titles={
        "width": "Width: the narrowest interval that a snooper infers",
        "protection": "Protection: what stays open below and above a true value",
        "entropy": "Entropy: bits that stay open of a cell",
        "snooper": "Snooper: intervals inferred from published figures",
        "cell-protection": "Cell protection: unsafe cells that are bounded too tightly",
        "tables-together": "Tables together: unsafe cells that all tables of the same people bound too tightly",
        "local-privacy": "Local privacy: ε of every answer",
        "table-interval": "Table interval: hidden cells that totals give away",
        "small-cells": "Cells of 1 to 10 that are shown",
        "suppressed-share": "Share of the table that is hidden",
        "report-loss": "Levels of a report that were lowered",
    },
    concerns={
        INFERENCE: ("snooper", "width", "entropy", "protection", "table-interval", "local-privacy", "tables-together"),
    },
)


class ReportsDossier(WingDossier):
    """Tables of counts and sums of patients, or figures about owners, in which no person is counted."""

    kind = "reports"
    title = "aggregate report"
    words = WORDS

    def size(self, dataset: Dataset) -> list[tuple[str, str]] | None:
        if "owners" not in dataset.before:
            return None
        owners, measures = (count(number(dataset.before.get(what))) for what in ("owners", "measures"))
        return [records(dataset), ("Owners, measures", f"{owners}, {measures}")]

    def knowledge(self, dataset: Dataset) -> str | None:
        if "owners" not in dataset.before:
            return None
        return "A snooper is taken to have all figures, as an owner its own row too, and to want others'."
