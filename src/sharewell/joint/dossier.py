"""The dossier's words for people with their codes."""

from __future__ import annotations

from sharewell.dossier.wing_dossier import Vocabulary, WingDossier


class JointDossier(WingDossier):
    """People with their codes, one row a person."""

    kind = "joint"
    title = "people with their codes, one row a person"
    words = Vocabulary.shipped("joint")
