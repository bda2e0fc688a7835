"""The dossier's words for sets of codes."""

from __future__ import annotations

from collections.abc import Mapping

from sharewell.dossier.views import Dataset, text, value_of
from sharewell.dossier.wing_dossier import Vocabulary, WingDossier
from sharewell.dossier.words import compared_with, share
from sharewell.plain_data import Json


class CodesDossier(WingDossier):
    """Sets of codes, one a person or visit."""

    kind = "codes"
    title = "sets of codes"
    words = Vocabulary.shipped("codes")

    def column_meaning(self, facts: Mapping[str, Json]) -> str | None:
        """In data of other kinds codes may stand beside other columns."""
        kinds = {"codes": "codes of a person or visit", "chunks": "codes, in pieces that cannot be put together again"}
        return kinds.get(text(facts.get("kind")))

    def headline(self, dataset: Dataset) -> str | None:
        """How near codes that are known bring an attacker to the record of a person."""
        if dataset.kind != self.kind:
            return None
        known = [one for one in dataset.attacks if one.name == "code-linkage" and one.after is not None]
        worst = max(known, key=lambda one: value_of(one.after), default=None)
        if worst is None or worst.after is None or worst.after.value is None:
            return None
        was = worst.before.value if worst.before else None
        before = "" if was is None else compared_with(worst.after.value, was)
        mean = share(worst.after.value)
        return f"Whoever knows some of a person's codes picks their record with {mean} on average{before}."

    def unclaimed(self, dataset: Dataset) -> str | None:
        if dataset.kind != self.kind:
            return None
        return "Anything about combinations of codes other than those that the criteria name: "
