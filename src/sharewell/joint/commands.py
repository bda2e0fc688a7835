"""How the verbs of the pipeline speak of joined datasets, which have no verb of their own."""

from sharewell.cli.kind_words import KindWords

WORDS = KindWords(
    risks={
        "k-km-anonymity": "rarest pair of codes in a class ({unit})",
        "rt-linkage": "re-identification risk by class and two codes",
    }
)
