"""What the page tells of DNA: sizes in SNPs, and figures of attacks that look for members."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sharewell.dossier.markup import Html
from sharewell.dossier.sizes import out_of, persons
from sharewell.dossier.views import Attack, Dataset, FindingView, number, text, value_of
from sharewell.dossier.wing_dossier import Vocabulary, WingDossier
from sharewell.dossier.words import count, several, share
from sharewell.genomes.dossier.membership import power, roc
from sharewell.plain_data import Json

RECOGNISING = frozenset({"homer", "likelihood-ratio", "wip", "beacon", "selection-membership"})
"""Attacks that tell whether somebody was counted."""
COLUMNS = {
    "site": "which SNP: its identifier, its place or its alleles",
    "frequency": "how frequent the effect allele is among the people counted",
    "answer": "whether anybody among the people counted has the allele",
    "people": "how many people were counted",
    "sequence": "a DNA sequence; letters other than A, C, G and T stand for several bases",
}
"""Kind of a published column → what it holds."""
SHARED = ("k-identical", "snp-bins")
"""Criteria that say among how many people a sequence hides."""


class GenomesDossier(WingDossier):
    """DNA."""

    kind = "genomes"
    title = "DNA"
    words = Vocabulary.shipped("genomes")

    def size(self, dataset: Dataset) -> list[tuple[str, str]] | None:
        """Sizes in SNPs: where these are published, a row is no record of a person."""
        if not _in_snps(dataset):
            return None
        before, after = (count(number(side.get("snps"))) for side in (dataset.before, dataset.after))
        return [("SNPs, before → after", f"{before} → {after}"), persons(dataset)]

    def key_figures(self, dataset: Dataset) -> list[tuple[str, str]] | None:
        """Rows are SNPs, and all people are told of together."""
        if not _in_snps(dataset):
            return None
        published = out_of(dataset.rows, number(dataset.before.get("snps")))
        return [("SNPs published", published), ("people counted", count(number(dataset.after.get("persons"))))]

    def headline(self, dataset: Dataset) -> str | None:
        """One figure and what it means: who is recognised, or among how many people a sequence hides."""
        if dataset.kind != self.kind:
            return None
        worst = max(_recognising(dataset), key=lambda one: value_of(one.after), default=None)
        if worst is not None and worst.after is not None and worst.after.value is not None:
            return _recognised(worst.after, worst.before)
        shared = next((one for one in dataset.criteria if one.name in SHARED and one.value is not None), None)
        if shared is None:
            return None
        return f"At least {several(shared.value, 'person')} share every published sequence."

    def fates(self, dataset: Dataset) -> list[tuple[str, str]] | None:
        """What became of the SNPs: where these are published, no column of a source is."""
        if not _in_snps(dataset):
            return None
        before, after = (number(side.get("snps")) for side in (dataset.before, dataset.after))
        facts = [("SNPs published", out_of(after, before))]
        if dataset.mechanism.get("falsifies") is True:
            facts.append(("Figures", "deliberately changed"))
        return facts

    def column_meaning(self, facts: Mapping[str, Json]) -> str | None:
        return COLUMNS.get(text(facts.get("kind")))

    def assumptions(self, dataset: Dataset) -> list[str]:
        if dataset.kind != self.kind:
            return []
        return ["That DNA concerns only the people counted: what it says about them holds in part for their relatives."]

    def knowledge(self, dataset: Dataset) -> str | None:
        if dataset.kind != self.kind or "genotypes" not in dataset.columns or "sequence" in dataset.columns:
            return None
        return "An attacker is assumed to have the DNA of a person, and to want to know whether the person was counted."

    def drawings(self, dataset: Dataset, attacks: Sequence[Attack], key: str) -> list[Html]:
        """Who is recognised, by false alarms and by the number of SNPs."""
        drawn = [
            draw(dataset, attack, f"{key}-{draw.__name__}{i}")
            for draw in (roc, power)
            for i, attack in enumerate(attacks)
        ]
        return [one for one in drawn if one is not None]


def _recognising(dataset: Dataset) -> list[Attack]:
    return [one for one in dataset.attacks if one.name in RECOGNISING and value_of(one.after) >= 0]


def _recognised(after: FindingView, before: FindingView | None) -> str:
    """The share of members who are recognised, beside what guessing alone would reach."""
    rate = number(after.details.get("fpr"))
    was = f", before protection {share(before.value)}" if before is not None and before.value is not None else ""
    guess = f"; blind guessing: {share(rate)}" if rate is not None else ""
    return f"Somebody who has a person's DNA recognises {share(after.value)} of the people as counted{was}{guess}."


def _in_snps(dataset: Dataset) -> bool:
    return "snps" in dataset.before and "snps" in dataset.after
