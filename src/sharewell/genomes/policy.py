"""What only datasets of DNA may say: `persons`, `align`, `labels`, `multiallelic`, `haploid`.

A file of DNA (bed, vcf, fasta) names its persons itself and has no columns. A table has one row a person: the subject,
and either one quasi column for each SNP or one with a sequence, beside which a sensitive label may stand.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from sharewell.io.sources import DNA, Source
from sharewell.io.yaml_positions import Path as Place
from sharewell.plain_data import JsonObject
from sharewell.policy.model import Dataset, OwnKeys
from sharewell.policy.sources import source
from sharewell.policy.wing_policy import Draft, Schema, WingPolicy
from sharewell.roles import Role

OF_FORMAT = {"labels": ("fasta",), "multiallelic": ("vcf",), "haploid": ("vcf",), "persons": DNA}
"""Keys that go with some formats only."""
_FILES = ("persons", "align")
_ROLES = (Role.SUBJECT, Role.QUASI, Role.SENSITIVE, Role.DROP)


@dataclass(frozen=True, kw_only=True)
class GenomesSpec:
    """The keys as they are written."""

    persons: Annotated[JsonObject | None, "Of DNA: a table with the columns sample and person."] = None
    align: Annotated[JsonObject | None, "Of DNA: a FASTA file with the reference to align sequences to."] = None
    labels: Annotated[
        Literal["description"] | None, "Of FASTA: what follows a name is its label, published beside the sequence."
    ] = None
    multiallelic: Annotated[
        Literal["refuse", "split"] | None, "Of VCF: sites of several alternatives are refused, or split."
    ] = None
    haploid: Annotated[
        Literal["refuse", "double", "missing"] | None, "Of VCF: calls of one allele are refused, doubled or missing."
    ] = None


@dataclass(frozen=True)
class GenomeFiles(OwnKeys):
    """Whose each sample is, a reference to align to, and how odd calls are read."""

    persons: Source | None = None
    align: Source | None = None
    labels: Literal["description"] | None = None
    multiallelic: Literal["refuse", "split"] = "refuse"
    haploid: Literal["refuse", "double", "missing"] = "refuse"

    def files(self) -> tuple[tuple[Place, Source], ...]:
        named = {"persons": self.persons, "align": self.align}
        return tuple(((key,), source) for key, source in named.items() if source is not None)


def genome_files(dataset: Dataset) -> GenomeFiles:
    """What a dataset of DNA says of its files."""
    return dataset.own if isinstance(dataset.own, GenomeFiles) else GenomeFiles()


class GenomesPolicy(WingPolicy):
    """DNA."""

    kind = "genomes"
    keys = GenomesSpec
    more_formats = DNA
    usual_measure = "frequency-error"

    def schema(self) -> dict[str, Schema]:
        return {key: {"$ref": "#/$defs/source"} for key in _FILES}

    def schema_without_columns(self) -> Schema:
        return {"properties": {"kind": {"const": self.kind}}, "required": ["kind"]}

    def without_columns(self, draft: Draft) -> bool:
        return draft.kind == self.kind and draft.read is not None and draft.read.format in DNA

    def read(self, draft: Draft) -> GenomeFiles:
        fields = draft.fields
        persons, reference = (
            source(draft.reading, fields[key], (*draft.path, key)) if key in fields else None for key in _FILES
        )
        if reference is not None and reference.format != "fasta":
            draft.mistake(("align",), "sequences are aligned to a FASTA file", "such as align: {fasta: ref.fa}")
        words = {key: fields[key] for key in ("labels", "multiallelic", "haploid") if key in fields}
        return GenomeFiles(persons, reference, **words)

    def check(self, draft: Draft, own: OwnKeys) -> None:
        """DNA has columns only in a table."""
        if draft.read is None:
            return
        for key, formats in OF_FORMAT.items():
            if key in draft.fields and draft.read.format not in formats:
                draft.mistake((key,), f"{key} is for {', '.join(formats)}", "take it out")
        draft.refuse_pseudonyms("DNA is published without a pseudonym, so there is none to keep")
        if draft.read.format not in DNA:
            _check_roles(draft)
        elif draft.rules or "rest" in draft.fields:
            draft.mistake(("columns",), f"{draft.read.format} has no columns", "take `columns` and `rest` out")


def _check_roles(draft: Draft) -> None:
    quasi, labels = draft.having(Role.QUASI), draft.having(Role.SENSITIVE)
    rest = draft.fields.get("rest")
    if draft.rules and not quasi and rest != Role.QUASI:
        draft.mistake(("columns",), "no column holds DNA", "give SNPs, or the sequence, the role quasi")
    if rest not in (None, Role.QUASI, Role.DROP):
        draft.mistake(("rest",), f"the other columns of DNA cannot be {rest}", "say rest: quasi, or rest: drop")
    if labels and (len(quasi) > 1 or len(labels) > 1 or rest == Role.QUASI):
        what = "a label stands beside a sequence, one beside one"
        draft.mistake(("columns", labels[-1]), what, "drop it; name a phenotype where it is asked for")
    for name, rule in draft.rules.items():
        if rule.role not in _ROLES:
            draft.mistake(("columns", name), f"a column beside DNA cannot be {rule.role}", "drop it")
        if rule.hierarchy is not None or rule.style is not None:
            draft.mistake(("columns", name), "DNA has its own lattice and style", "give the role alone")
