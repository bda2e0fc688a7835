"""What the page tells of tables: the words of their algorithms, and what attacks on everything published found."""

from __future__ import annotations

from sharewell.dossier.views import Dataset, number, sequence, text
from sharewell.dossier.wing_dossier import Vocabulary, WingDossier
from sharewell.dossier.words import compared_with, several, share

MOST = 0.5
"""From this share of the persons on, it is said first that a few published values single them out."""


class TablesDossier(WingDossier):
    """Tables, one row a record."""

    kind = "tables"
    title = "table, one row per record"
    words = Vocabulary.shipped("tables")

    def headline(self, dataset: Dataset) -> str | None:
        """The risk that is asked about in every meeting."""
        was, now = dataset.risks_before.get("prosecutor"), dataset.risks_after.get("prosecutor")
        mounted = next((one for one in dataset.attacks if one.name == "prosecutor"), None)
        if mounted is not None:
            was, now = mounted.before or was, mounted.after or now
        if now is None or now.value is None:
            return None
        before = compared_with(now.value, was.value) if was is not None and was.value is not None else ""
        most = f"a chance of at most {share(now.value)}{before}"
        return f"An attacker who knows a person's values in the quasi columns picks their record with {most}."

    def remarks(self, dataset: Dataset) -> list[str]:
        """What attacks on everything that is published found, where no criterion bounds it."""
        remarks = []
        for attack in dataset.attacks:
            finding = attack.after
            if finding is None or finding.value is None:
                continue
            if attack.name == "minimality" and (number(finding.details.get("raised")) or 0) > 0:
                persons = several(number(finding.details.get("raised")), "person")
                remarks.append(
                    f"somebody who knows how the data was protected learns more about {persons} than their class shows,"
                    f" and knows a sensitive value with a probability of up to {share(finding.value)}."
                )
            if attack.name == "accidental-identifiers" and finding.value >= MOST:
                columns = ", ".join(text(one) for one in sequence(finding.details.get("columns")))
                remarks.append(f"{share(finding.value)} of the persons have values of {columns} that nobody else has.")
        return remarks
