"""What the page tells of DNA: sizes in SNPs, and figures of attacks that look for members."""

from __future__ import annotations

from collections.abc import Sequence

from sharewell.dossier.markup import Html
from sharewell.dossier.sizes import out_of, persons
from sharewell.dossier.views import Attack, Dataset, number
from sharewell.dossier.wing_dossier import Vocabulary, WingDossier
from sharewell.dossier.words import INFERENCE, LINKABILITY, SINGLING_OUT, count
from sharewell.genomes.dossier.membership import power, roc

WORDS = Vocabulary(
    titles={
        "homer": "Homer: members recognised by their distance to published frequencies",
        "likelihood-ratio": "Likelihood ratio: members recognised from published frequencies",
        "wip": "Weighted inner product: members recognised from published frequencies",
        "selection-membership": "Selection: members recognised because of how SNPs were chosen",
        "beacon": "Beacon: members recognised by yes and no",
        "kinship": "Kinship: relatives among the people, before release",
        "genotype-phenotype": "From variants to diagnoses to names",
        "dna-and-codes": "Alone by diagnosis codes and DNA together",
        "dna-linkage": "From known codes to somebody's DNA",
        "membership": "Members recognised, by theory",
        "beacon-power": "Beacon power: share of members recognised",
        "frequencies-together": "Frequencies together: share of members recognised from all datasets of these people",
        "membership-power": "Membership power: share of members recognised",
        "safe-number": "Safe number: SNPs fixed beforehand that would disclose as much as those published",
        "minor-frequency": "Minor frequency: the rarest allele published",
        "frequency-error": "Error of published allele frequencies",
        "gwas": "Associations with a disease that are still found",
        "ld-error": "Linkage between SNPs that is lost",
        "k-identical": "k-identical: persons who share a published sequence",
        "diverse-sequences": "Diverse sequences: labels beside a published sequence",
        "snp-bins": "SNP bins: sequences that show the same values",
        "lattice-distance": "Lattice distance: levels that symbols have climbed",
        "bases-kept": "Bases shown as they are",
    },
    means=frozenset({"homer", "likelihood-ratio", "wip", "beacon", "dna-and-codes", "selection-membership"}),
    concerns={
        INFERENCE: (
            *("beacon", "homer", "likelihood-ratio", "wip", "safe-number", "kinship", "minor-frequency"),
            *("diverse-sequences",),
            "frequencies-together",
        ),
        LINKABILITY: ("genotype-phenotype",),
        SINGLING_OUT: ("k-identical", "snp-bins", "dna-and-codes"),
    },
)


class GenomesDossier(WingDossier):
    """DNA."""

    kind = "genomes"
    title = "DNA"
    words = WORDS

    def size(self, dataset: Dataset) -> list[tuple[str, str]] | None:
        """Of DNA told in SNPs, a published row is no record of a person."""
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

    def knowledge(self, dataset: Dataset) -> str | None:
        if dataset.kind != self.kind or "genotypes" not in dataset.columns or "sequence" in dataset.columns:
            return None
        return "An attacker is taken to have the DNA of a person, and to want to know whether the person was counted."

    def drawings(self, dataset: Dataset, attacks: Sequence[Attack], key: str) -> list[Html]:
        """Who is recognised, by false alarms and by the number of SNPs."""
        drawn = [
            draw(dataset, attack, f"{key}-{draw.__name__}{i}")
            for draw in (roc, power)
            for i, attack in enumerate(attacks)
        ]
        return [one for one in drawn if one is not None]


def _in_snps(dataset: Dataset) -> bool:
    return "snps" in dataset.before and "snps" in dataset.after
