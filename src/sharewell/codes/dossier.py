"""The dossier's words for sets of codes."""

from __future__ import annotations

from collections.abc import Mapping

from sharewell.dossier.views import Dataset, text
from sharewell.dossier.wing_dossier import Vocabulary, WingDossier
from sharewell.dossier.words import mean_reached
from sharewell.plain_data import Json


class CodesDossier(WingDossier):
    """Sets of codes, one a person or visit."""

    kind = "codes"
    title = "sets of codes"
    words = Vocabulary.shipped("codes")

    def column_meaning(self, facts: Mapping[str, Json]) -> str | None:
        """In data of other kinds codes may stand beside other columns."""
        kinds = {"codes": "codes of a person or visit", "chunks": "codes, in chunks that cannot be joined again"}
        return kinds.get(text(facts.get("kind")))

    def headline(self, dataset: Dataset) -> str | None:
        """How near codes that are known bring an attacker to the record of a person."""
        if dataset.kind != self.kind:
            return None
        reached = mean_reached(dataset, "code-linkage")
        return (
            None
            if reached is None
            else f"An attacker who knows some of a person's codes picks their record with {reached}."
        )

    def unclaimed(self, dataset: Dataset) -> str | None:
        if dataset.kind != self.kind:
            return None
        return "Anything about combinations of codes other than those that the criteria name: "
