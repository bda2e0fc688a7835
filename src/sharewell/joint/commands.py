"""How the verbs of the pipeline speak of joined datasets, which have no verb of their own."""

from sharewell.cli.kind_words import KindWords

WORDS = KindWords(
    risks={
        "joined-record": "rarest pair of codes with a SNP in a class ({unit})",
        "k-km-anonymity": "rarest pair of codes in a class ({unit})",
        "rt-linkage": "re-identification risk by class and two codes",
    }
)
