"""The dossier's words for people with their codes."""

from __future__ import annotations

from sharewell.dossier.views import Dataset
from sharewell.dossier.wing_dossier import Vocabulary, WingDossier
from sharewell.dossier.words import mean_reached


class JointDossier(WingDossier):
    """People with their codes, one row a person."""

    kind = "joint"
    title = "people with their codes, one row per person"
    words = Vocabulary.shipped("joint")

    def headline(self, dataset: Dataset) -> str | None:
        """How near demographics and codes that are known bring an attacker to the record of a person."""
        reached = mean_reached(dataset, "rt-linkage") if dataset.kind == self.kind else None
        known = "An attacker who knows a person's demographics and some of their codes"
        return None if reached is None else f"{known} picks their record with {reached}."
