"""What the page tells of tables: the words of their algorithms, and what attacks on everything published found."""

from __future__ import annotations

from sharewell.dossier.views import Dataset, number, sequence, text
from sharewell.dossier.wing_dossier import Vocabulary, WingDossier
from sharewell.dossier.words import INFERENCE, LINKABILITY, SINGLING_OUT, several, share

MOST = 0.5
"""From this share of the persons on, it is said first that a few published values single them out."""


WORDS = Vocabulary(
    titles={
        "prosecutor": "Prosecutor: someone known to be in the data",
        "linkage": "Linkage with a list of named people",
        "uniqueness": "Uniqueness: alone in the data, and in the population",
        "multi-record-linkage": "Linkage by the number of records",
        "accidental-identifiers": "Accidental identifiers: persons singled out by kept and sensitive columns",
        "definetti": "deFinetti: values inferred from associations across classes",
        "classifier-inference": "Classifier: values predicted by what the release says about the population",
        "inferential-disclosure": "Inferential disclosure: values inferred from other published columns by rules",
        "minimality": "Minimality: values inferred by re-running the mechanism",
        "homogeneity": "Homogeneity: the most frequent value of a class",
        "background-knowledge": "Background knowledge: values that a person cannot have",
        "composition": "Composition with another release",
        "composition-of-datasets": "Composition: a sensitive value inferred from two tables together",
        "trail-linkage": "Trail linkage: the pseudonym of a person found by all of the person's rows",
        "date-shift": "Date shift: persons picked by their intervals, although dates were shifted",
        "noise-differencing": "Noise differencing: values that two perturbed files give away together",
        "release-linkage": "Release linkage: persons linked across datasets or releases by pseudonyms or shifts",
        "safe-harbor": "HIPAA Safe Harbor: cells, or pieces of text, that break a rule",
        "limited-data-set": "HIPAA Limited Data Set: cells of direct identifiers",
        "discernibility": "Discernibility (sum of squared class sizes)",
        "um": "Utility measure: detail lost, averaged over classes",
    },
    labels={
        "unmatched_records": "records that nobody on the list fits",
        "unique_records": "records that fit one person alone",
        "certain": "share of records whose value is certain",
        "baseline": "probability of a right guess without any class",
        "shrunk": "share of records in a class that a rule shrinks",
        "without_rules": "largest probability without rules",
        "unmet": "share of records that the other release does not meet",
        "by_itself": "largest probability from this release alone",
        "one_value_left": "share of records for which one value may be left",
        "in_sample": "alone in the data",
        "in_population": "of these, alone in the population",
        "known_by": "what is known of the population",
        "most_records": "most records of one person in a class",
        "alone": "persons in a class who are picked for certain",
        "by_size": "largest share of persons singled out, by number of columns",
        "by_any": "share of persons singled out by any combination",
        "combinations": "combinations examined",
        "possible": "combinations, or classes, in all",
        "by_class": "the same from classes alone",
        "person_share": "largest share of a class's persons with one value",
        "right": "guesses",
        "confident": "share of predictions made with confidence",
        "confident_right": "of these, right",
        "outsiders": "the same for people who are not in the data",
        "covered": "share of persons to whom a rule applies",
        "surer": "how much surer than the base rate, on average",
        "surest": "highest confidence of a rule",
        "raised": "persons about whom knowing the mechanism discloses more",
        "worlds": "tables on which the mechanism was re-run",
        "consistent": "of these, tables that reproduce the release",
    },
    shares=frozenset(
        (
            *("certain", "baseline", "shrunk", "without_rules", "unmet", "by_itself", "one_value_left", "by_size"),
            *("by_any", "by_class", "person_share", "confident", "confident_right", "outsiders"),
            *("covered", "surer", "surest"),
        )
    ),
    means=frozenset({"date-shift"}),
    concerns={
        INFERENCE: (
            *("diversity", "closeness", "homogeneity", "likeness", "disclosure", "personalised", "affiliation"),
            *("presence", "background", "definetti", "classifier", "inferential", "minimality", "differencing"),
        ),
        LINKABILITY: ("journalist", "k-map"),
        SINGLING_OUT: ("prosecutor", "marketer", "accidental", "balance", "record-share", "safe-harbor", "date-shift"),
    },
)


class TablesDossier(WingDossier):
    """Tables, one row a record."""

    kind = "tables"
    title = "table, one row a record"
    words = WORDS

    def headline(self, dataset: Dataset) -> str | None:
        """The risk that is asked about in every meeting."""
        was, now = dataset.risks_before.get("prosecutor"), dataset.risks_after.get("prosecutor")
        mounted = next((one for one in dataset.attacks if one.name == "prosecutor"), None)
        if mounted is not None:
            was, now = mounted.before or was, mounted.after or now
        if now is None or now.value is None:
            return None
        before = f", down from {share(was.value)}" if was is not None and was.value is not None else ""
        most = f"a chance of at most {share(now.value)}{before}"
        return f"Whoever knows a person's quasi columns picks their record with {most}."

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
                    f"whoever knows how the data was protected learns more about {persons} than their class shows, and "
                    f"knows a sensitive value with a probability of up to {share(finding.value)}."
                )
            if attack.name == "accidental-identifiers" and finding.value >= MOST:
                columns = ", ".join(text(one) for one in sequence(finding.details.get("columns")))
                remarks.append(f"{share(finding.value)} of the persons have values of {columns} that nobody else has.")
        return remarks
