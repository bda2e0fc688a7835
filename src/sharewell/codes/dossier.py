"""The dossier's words for sets of codes."""

from __future__ import annotations

from sharewell.dossier.views import Dataset
from sharewell.dossier.wing_dossier import Vocabulary, WingDossier
from sharewell.dossier.words import INFERENCE, SINGLING_OUT

WORDS = Vocabulary(
    titles={
        "km-anonymity": "k^m-anonymity: the rarest combination of codes",
        "complete-k-anonymity": "Complete k-anonymity: the rarest set of codes",
        "privacy-policy": "Privacy policy: the rarest combination listed",
        "utility-policy": "Utility policy: labels and suppressed codes beyond it",
        "code-linkage": "Linkage by known codes",
        "code-homogeneity": "Homogeneity: codes that go with known ones",
        "km-disassociation": "k^m-disassociation: the rarest combination that chunks may hold",
        "cover-free": "Cover-free: codes that all records of a cluster hold",
        "chunk-linking": "Chunk linking: codes that go with a cluster",
        "co-occurrence": "Pairs of codes still seen together",
        "ul": "Utility loss of labels (UL)",
        "retained-codes": "Codes shown as themselves",
        "lost-patterns": "Frequent patterns of codes that were lost",
        "case-counts": "Diseases that keep exact case counts",
    },
    labels={
        "unique": "share found in one record alone",
        "below_k": "share found in fewer than k records",
        "absent": "share found in no record",
        "sets": "sets of codes looked up",
        "left_out": "persons with too few codes",
    },
    shares=frozenset({"unique", "below_k", "absent"}),
    means=frozenset({"code-linkage"}),
    concerns={
        INFERENCE: ("cover-free", "chunk-linking", "uncertainty", "coherence", "hidden", "rule"),
        SINGLING_OUT: ("privacy-policy", "disassociation"),
    },
)


class CodesDossier(WingDossier):
    """Sets of codes, one a person or visit."""

    kind = "codes"
    title = "sets of codes"
    words = WORDS

    def unclaimed(self, dataset: Dataset) -> str | None:
        if dataset.kind != self.kind:
            return None
        return "Anything about combinations of codes other than those that the criteria name: "
