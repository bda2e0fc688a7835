"""The dossier's words for sets of codes."""

from __future__ import annotations

from sharewell.dossier.views import Dataset
from sharewell.dossier.wing_dossier import Vocabulary, WingDossier


class CodesDossier(WingDossier):
    """Sets of codes, one a person or visit."""

    kind = "codes"
    title = "sets of codes"
    words = Vocabulary.shipped("codes")

    def unclaimed(self, dataset: Dataset) -> str | None:
        if dataset.kind != self.kind:
            return None
        return "Anything about combinations of codes other than those that the criteria name: "
