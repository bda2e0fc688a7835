"""The dossier's words for noisy tables."""

from __future__ import annotations

from sharewell.dossier.views import Dataset
from sharewell.dossier.wing_dossier import Vocabulary, WingDossier

WORDS = Vocabulary(
    titles={
        "differential-privacy": "Differential privacy: how much likelier one person makes any published table (ε)",
        "query-error": "Error of counting queries",
    },
    labels={
        "epsilon": "ε, computed anew from scale and sensitivity",
        "rho": "ρ of Gaussian noise",
        "draws": "draws of noise",
        "rows_per_person": "rows of one person that count",
        "half_width": "each count is off by at most this, with 95 % probability",
        "marginals": "marginals",
        "cells": "published cells",
    },
    in_percent=frozenset({"query-error"}),
)


class QueriesDossier(WingDossier):
    """Data that answers questions, and noisy tables of it."""

    kind = "queries"
    title = "data that answers questions, and noisy tables of it"
    words = WORDS

    def remarks(self, dataset: Dataset) -> list[str]:
        if dataset.kind != self.kind:
            return []
        return [
            "Every published count has noise of its own and may be negative; the dictionary says how large it is.",
            "The loss of this table was charged to the ledger of the dataset, from which answers are paid too:"
            " `sharewell budget` shows what is left.",
            "Nobody can see afterwards that noise was drawn: mechanism and arithmetic can be checked, the draw cannot.",
        ]
