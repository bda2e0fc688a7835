"""The dossier's words for people with their codes."""

from __future__ import annotations

from sharewell.dossier.wing_dossier import Vocabulary, WingDossier

WORDS = Vocabulary(
    titles={
        "k-km-anonymity": "(k, k^m)-anonymity: the rarest combination of codes in a class",
        "rt-linkage": "Linkage by demographics and known codes",
        "class-homogeneity": "Class homogeneity: codes and values that most people of a class have",
        "two-step": "Two steps: from a register by discharge summaries to records",
        "relational-ncp": "Detail of demographics lost (NCP)",
        "codes-ncp": "Detail of codes lost (NCP)",
    },
    labels={
        "one_name": "share of summaries that fit one name alone",
        "no_name": "share of summaries that fit no name",
        "one_record": "share of summaries whose codes fit one record alone",
        "no_record": "share of summaries whose codes fit no record",
        "both": "share of summaries with one name and one record",
        "candidates": "names times records left, on the average",
        "named": "records with exactly one name",
        "contested": "records that several names claim",
        "correct": "share of records whose one name is right",
    },
    shares=frozenset({"one_name", "no_name", "one_record", "no_record", "both", "correct"}),
    means=frozenset({"rt-linkage", "two-step"}),
    in_percent=frozenset({"relational-ncp", "codes-ncp"}),
)


class JointDossier(WingDossier):
    """People with their codes, one row a person."""

    kind = "joint"
    title = "people with their codes, one row a person"
    words = WORDS
