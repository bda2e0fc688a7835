"""The page's vocabulary: numbers as people read them, and a plain name for every term."""

from __future__ import annotations

from collections.abc import Mapping

from sharewell.dossier.views import Attack, Found, Number

NOTHING = "—"
FIXED = "\u00a0"
"""A space that does not break, between a number and its unit."""
THIN = "\u202f"
"""A narrow space that does not break, between thousands."""

TIERS = {
    "recipient": "The recipient can re-check it from the published files alone.",
    "steward": "The steward can re-check it with the internal files or a named source, recognised by its hash.",
    "attested": "Only the certificate says so; no file of this release lets anyone re-check it.",
}
ROLES = {
    "subject": "whom the row is about",
    "drop": "not published",
    "quasi": "an attacker may know it",
    "sensitive": "an attacker wants it",
    "keep": "published as it is",
    "shift": "date, moved by a secret number of days",
    "text": "free text, protected in place",
}
KINDS = {
    "tables": "table, one row a record",
    "codes": "sets of codes",
    "joint": "people with their codes, one row a person",
    "notes": "clinical notes",
    "genomes": "DNA",
    "reports": "aggregate report",
    "queries": "interactive questions",
}
CONTEXTS = {
    "public": "Public: anyone may hold the data, for any purpose, and no agreement binds them.",
    "non-public": "Non-public: the data goes to the named recipient, under whatever agreement stands beside this page.",
}
TITLES = {
    "prosecutor": "Prosecutor: someone known to be in the data",
    "linkage": "Linkage with a list of named people",
    "uniqueness": "Uniqueness: alone in the data, and in the population",
    "multi-record-linkage": "Linkage by the number of records",
    "accidental-identifiers": "Accidental identifiers: persons singled out by kept and sensitive columns",
    "definetti": "deFinetti: values inferred from associations across classes",
    "minimality": "Minimality: values inferred by re-running the mechanism",
    "class-homogeneity": "Class homogeneity: codes and values that most people of a class have",
    "homogeneity": "Homogeneity: the most frequent value of a class",
    "background-knowledge": "Background knowledge: values that a person cannot have",
    "composition": "Composition with another release",
    "composition-of-datasets": "Composition: a sensitive value inferred from two tables together",
    "date-shift": "Date shift: persons picked by their intervals, although dates were shifted",
    "noise-differencing": "Noise differencing: values that two perturbed files give away together",
    "release-linkage": "Release linkage: persons linked across datasets or releases by pseudonyms or shifts",
    "safe-harbor": "HIPAA Safe Harbor: cells, or pieces of text, that break a rule",
    "limited-data-set": "HIPAA Limited Data Set: cells of direct identifiers",
    "t-plausible": "t-plausible: texts that a note could stand for",
    "concepts-only": "Concepts only: words outside the vocabulary",
    "k-safe": "K-safe: diseases that fit what is said",
    "persistence": "Persistence: clusters of notes found again",
    "disclosure-risk": "Released fraction times persistence",
    "clinical-terms-kept": "Clinical terms that are still said",
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
    "k-km-anonymity": "(k, k^m)-anonymity: the rarest combination of codes in a class",
    "rt-linkage": "Linkage by demographics and known codes",
    "two-step": "Two steps: from a register by discharge summaries to records",
    "homer": "Homer: members recognised by their distance to published frequencies",
    "likelihood-ratio": "Likelihood ratio: members recognised from published frequencies",
    "wip": "Weighted inner product: members recognised from published frequencies",
    "selection-membership": "Selection: members recognised because of how SNPs were chosen",
    "beacon": "Beacon: members recognised by yes and no",
    "kinship": "Kinship: relatives among the people, before release",
    "genotype-phenotype": "From variants to diagnoses to names",
    "width": "Width: the narrowest interval that a snooper infers",
    "protection": "Protection: what stays open below and above a true value",
    "entropy": "Entropy: bits that stay open of a cell",
    "snooper": "Snooper: intervals inferred from published figures",
    "dna-and-codes": "Alone by diagnosis codes and DNA together",
    "dna-linkage": "From known codes to somebody's DNA",
    "membership": "Members recognised, by theory",
    "beacon-power": "Beacon power: share of members recognised",
    "membership-power": "Membership power: share of members recognised",
    "safe-number": "Safe number: SNPs fixed beforehand that would disclose as much as those published",
    "minor-frequency": "Minor frequency: the rarest allele published",
    "frequency-error": "Error of published allele frequencies",
    "gwas": "Associations with a disease that are still found",
    "ld-error": "Linkage between SNPs that is lost",
    "relational-ncp": "Detail of demographics lost (NCP)",
    "codes-ncp": "Detail of codes lost (NCP)",
    "ncp": "Detail lost (NCP)",
    "discernibility": "Discernibility (sum of squared class sizes)",
    "ul": "Utility loss of labels (UL)",
    "retained-codes": "Codes shown as themselves",
    "lost-patterns": "Frequent patterns of codes that were lost",
    "case-counts": "Diseases that keep exact case counts",
    "cell-protection": "Cell protection: unsafe cells that are bounded too tightly",
    "tables-together": "Tables together: unsafe cells that all tables of the same people bound too tightly",
    "frequencies-together": "Frequencies together: share of members recognised from all datasets of the same people",
    "local-privacy": "Local privacy: ε of every answer",
    "table-interval": "Table interval: hidden cells that totals give away",
    "small-cells": "Cells of 1 to 10 that are shown",
    "suppressed-share": "Share of the table that is hidden",
    "k-identical": "k-identical: persons who share a published sequence",
    "diverse-sequences": "Diverse sequences: labels beside a published sequence",
    "snp-bins": "SNP bins: sequences that show the same values",
    "lattice-distance": "Lattice distance: levels that symbols have climbed",
    "bases-kept": "Bases shown as they are",
    "report-loss": "Levels of a report that were lowered",
    "no-known-identifiers": "No known identifiers: persons of whom one survives in their notes",
    "extracted-values": "Extracted values: persons whose notes say more than their published row",
    "residual-risk": "Residual risk: people with a leak, at most, by a marked sample",
    "register-search": "Search of the notes for people of a register",
    "note-linkage": "Notes of one patient put together",
    "rare-words": "Persons singled out by some words of their notes",
    "condition-from-drugs": "Conditions guessed from the drugs that are left",
}
LABELS = {
    "average": "average over records",
    "at_risk": "share of records above the threshold",
    "failing": "classes that fail",
    "average_class": "average class size",
    "exact_cells": "exact cells kept",
    "people": "people on the list, or counted",
    "columns": "matched by",
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
    "unique": "share found in one record alone",
    "below_k": "share found in fewer than k records",
    "absent": "share found in no record",
    "sets": "sets of codes looked up",
    "left_out": "persons with too few codes",
    "one_name": "share of summaries that fit one name alone",
    "no_name": "share of summaries that fit no name",
    "one_record": "share of summaries whose codes fit one record alone",
    "no_record": "share of summaries whose codes fit no record",
    "both": "share of summaries with one name and one record",
    "candidates": "names times records left, on the average",
    "named": "records with exactly one name",
    "contested": "records that several names claim",
    "correct": "share of records whose one name is right",
    "fitting": "share of notes that somebody fits",
    "singled_out": "share of notes that one person fits best",
    "fitting_by_chance": "share that somebody fits by chance",
    "singled_out_by_chance": "share that one person fits best by chance",
    "by_chance": "share linked by chance",
    "linked_right": "share linked to a note of the same patient",
    "shares_nothing": "share of notes that no other resembles",
    "own_word": "share of persons with a word that nobody else has",
    "own_word_in_originals": "share of persons with such a word in the originals",
    "found_nowhere": "share of draws whose words no note holds together",
    "tells_drug": "share of notes that tell a drug",
    "tells_drug_in_originals": "share of originals that tell a drug",
    "right_if_told": "right guesses where a drug is told",
    "rightly_named": "share of notes whose best fit is the right person",
    "in_originals": "the same attack on the originals",
    "by_size": "largest share of persons singled out, by number of columns",
    "by_any": "share of persons singled out by any combination",
    "combinations": "combinations examined",
    "possible": "combinations, or classes, in all",
    "by_class": "the same from classes alone",
    "person_share": "largest share of a class's persons with one value",
    "right": "guesses",
    "raised": "persons about whom knowing the mechanism discloses more",
    "worlds": "tables on which the mechanism was re-run",
    "consistent": "of these, tables that reproduce the release",
}
_GUESSES = (
    *("certain", "baseline", "shrunk", "without_rules", "unmet", "by_itself", "one_value_left", "share", "error"),
    *("unique", "below_k", "absent", "one_name", "no_name", "one_record", "no_record", "both", "correct"),
    *("fitting", "singled_out", "fitting_by_chance", "singled_out_by_chance", "by_chance", "linked_right"),
    *("shares_nothing", "own_word", "own_word_in_originals", "found_nowhere", "tells_drug", "tells_drug_in_originals"),
    *("right_if_told", "rightly_named", "in_originals", "by_size", "by_any", "by_class", "person_share"),
)
SHARES = frozenset({"average", "at_risk", "threshold", "exact_cells", *_GUESSES})
"""Details that are shares or probabilities, told in percent."""
MEANS = frozenset(
    {"code-linkage", "rt-linkage", "two-step", "homer", "likelihood-ratio", "wip", "beacon", "dna-and-codes"}
    | {"selection-membership", "register-search", "note-linkage", "rare-words", "condition-from-drugs", "date-shift"}
)
"""Attacks whose value is a mean over the people attacked, not the largest probability."""
PERCENT_UNITS = frozenset({"probability", "share"})
COUNTED = frozenset({"persons", "records", "values"})
PERCENT_NAMES = frozenset({"ncp", "relational-ncp", "codes-ncp"})

SINGLING_OUT, LINKABILITY, INFERENCE, OTHER = "Singling out", "Linkability", "Inference", "Other measurements"
_CONCERNS: Mapping[str, tuple[str, ...]] = {
    INFERENCE: (
        *("diversity", "closeness", "homogeneity", "likeness", "disclosure", "personalised", "affiliation", "presence"),
        *("background", "cover-free", "chunk-linking", "definetti", "minimality"),
        *("uncertainty", "coherence", "hidden", "rule", "inference", "attribute", "membership", "beacon", "sensitive"),
        *("homer", "likelihood-ratio", "wip", "safe-number", "kinship", "minor-frequency", "diverse-sequences"),
        *("plausible", "k-safe", "condition-from", "differencing"),
        *("snooper", "width", "entropy", "protection", "table-interval", "local-privacy", "tables-together"),
        "frequencies-together",
    ),
    LINKABILITY: (
        "link",
        "genotype-phenotype",
        "journalist",
        "k-map",
        "trail",
        "composition",
        "intersection",
        "identification",
    ),
    SINGLING_OUT: (
        *(
            "anonymity",
            "prosecutor",
            "marketer",
            "unique",
            "accidental",
            "balance",
            "record-share",
            "known-identifiers",
        ),
        *("register-search", "rare-words", "residual-risk", "safe-harbor", "concepts-only"),
        *("privacy-policy", "disassociation", "k-identical", "snp-bins", "dna-and-codes", "date-shift"),
    ),
}


def concern(algorithm: str) -> str:
    """Which of the three questions of WP216 an algorithm speaks to, by the words of its name.

    >>> concern("l-diversity"), concern("linkage"), concern("km-anonymity"), concern("something new")
    ('Inference', 'Linkability', 'Singling out', 'Other measurements')
    """
    plain = algorithm.lower().replace("_", "-").replace(" ", "-")
    return next((which for which, hints in _CONCERNS.items() if any(hint in plain for hint in hints)), OTHER)


def count(value: Number | None) -> str:
    """A number.

    >>> count(1234567).replace(THIN, " "), count(0.123456), count(None)
    ('1 234 567', '0.1235', '—')
    """
    if value is None:
        return NOTHING
    if isinstance(value, int) or (value.is_integer() and abs(value) < 1e15):
        return f"{int(value):,}".replace(",", THIN).replace("-", "−")
    return f"{value:.4g}".replace("-", "−")


def share(value: Number | None) -> str:
    """A share or probability in percent; what is not all is never rounded to all, nor what is something to nothing.

    >>> [share(x).replace(THIN, " ") for x in (0, 0.0909, 1, 0.99999, 0.000001)]
    ['0 %', '9.09 %', '100 %', '> 99.9 %', '< 0.01 %']
    """
    if value is None:
        return NOTHING
    if 0 < value < 0.0001:
        return f"< 0.01{THIN}%"
    if 0.9995 <= value < 1:
        return f"> 99.9{THIN}%"
    return f"{100 * value:.3g}{THIN}%" if abs(value) < 10 else f"{count(100 * value)}{THIN}%"


def in_percent(found: Found) -> bool:
    return found.unit in PERCENT_UNITS or (found.name in PERCENT_NAMES and not found.unit)


def amount(found: Found | None) -> str:
    """What a finding reached, with its unit."""
    if found is None or found.value is None:
        return NOTHING
    if in_percent(found):
        return share(found.value)
    unit = found.unit.removesuffix("s") if found.value == 1 and found.unit in COUNTED else found.unit
    return f"{count(found.value)}{FIXED}{unit}" if unit else count(found.value)


def required(found: Found) -> str:
    """What was asked for; a fraction in its exact form first."""
    if found.bound is None and not found.bound_exact:
        return NOTHING
    told = share(found.bound) if in_percent(found) else count(found.bound)
    bound = f"{found.bound_exact} = {told}" if found.bound_exact else told
    return f"{found.sense}{FIXED}{bound}" if found.sense else bound


def title(algorithm: str) -> str:
    return TITLES.get(algorithm, algorithm)


def attack_title(attack: Attack) -> str:
    """With its settings, so that the same attack under others is told apart."""
    return f"{title(attack.name)} ({attack.knowing})" if attack.knowing else title(attack.name)


def label(path: str) -> str:
    """A detail's path in words.

    >>> label("risk · at_risk"), label("new_thing")
    ('share of records above the threshold', 'new thing')
    """
    steps = path.split(" · ")
    steps = steps[1:] if steps[0] == "risk" and len(steps) > 1 else steps
    return " · ".join(LABELS.get(step, step.replace("_", " ") if i == 0 else step) for i, step in enumerate(steps))


def detail(path: str, value: str | Number | None) -> str:
    """A detail's value, in percent where it is a share."""
    if value is None or isinstance(value, str):
        return value or NOTHING
    return share(value) if SHARES & set(path.split(" · ")) else count(value)


def several(number: Number | None, one: str, many: str | None = None) -> str:
    """A counted noun.

    >>> several(1, "person"), several(3, "class", "classes"), several(None, "row")
    ('1 person', '3 classes', '— rows')
    """
    return f"{count(number)} {one if number == 1 else many or one + 's'}"
