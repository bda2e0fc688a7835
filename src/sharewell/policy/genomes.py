"""What only datasets of DNA may say: `persons`, `align`, `labels`, `multiallelic`, `haploid`.

A file of DNA (bed, vcf, fasta) names its persons itself and has no columns. A table has one row a person: the subject,
and either one quasi column for each SNP or one with a sequence, beside which a sensitive label may stand.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sharewell.io.sources import DNA, Source
from sharewell.policy.mistakes import Reading
from sharewell.policy.model import ColumnRule, GenomeFiles
from sharewell.policy.positions import Path as Place
from sharewell.policy.sources import GENOMES, source
from sharewell.roles import Role

OF_FORMAT = {"labels": ("fasta",), "multiallelic": ("vcf",), "haploid": ("vcf",), "persons": DNA}
"""Keys that go with some formats only."""
KEYS = (*OF_FORMAT, "align")
_ROLES = (Role.SUBJECT, Role.QUASI, Role.SENSITIVE, Role.DROP)


def genome_files(reading: Reading, kind: str | None, fields: Mapping[str, Any], path: Place) -> GenomeFiles:
    """The keys of DNA, where they are in place."""
    if kind != GENOMES:
        for key in KEYS:
            if key in fields:
                reading.mistake((*path, key), f"{key} is for datasets of kind {GENOMES}", "take it out")
        return GenomeFiles()
    persons, reference = (
        source(reading, fields[key], (*path, key)) if key in fields else None for key in ("persons", "align")
    )
    if reference is not None and reference.format != "fasta":
        reading.mistake((*path, "align"), "sequences are aligned to a FASTA file", "such as align: {fasta: ref.fa}")
    words = {key: fields[key] for key in ("labels", "multiallelic", "haploid") if key in fields}
    return GenomeFiles(persons, reference, **words)


def check_genomes(
    reading: Reading,
    kind: str | None,
    read: Source | None,
    fields: Mapping[str, Any],
    rules: Mapping[str, ColumnRule],
    path: Place,
) -> None:
    """Every other kind has columns; DNA has them only in a table."""
    of_dna = kind == GENOMES and read is not None and read.format in DNA
    if not of_dna and "table" not in fields and "columns" not in fields:
        written = reading.document.positions
        state = "is empty" if (*path, "columns") in written else "is missing"
        reading.mistake((*path, "columns"), f"the key 'columns' {state}", "it must be a mapping")
    if kind != GENOMES or read is None:
        return
    for key, formats in OF_FORMAT.items():
        if key in fields and read.format not in formats:
            reading.mistake((*path, key), f"{key} is for {', '.join(formats)}", "take it out")
    for key in ("publish", "map"):
        if fields.get(key) not in (None, False, "none"):
            reading.mistake(
                (*path, key), "DNA is published without a pseudonym, so there is none to keep", "take it out"
            )
    if of_dna and (rules or "rest" in fields):
        reading.mistake((*path, "columns"), f"{read.format} has no columns", "take `columns` and `rest` out")
    elif not of_dna:
        _check_roles(reading, fields, rules, path)


def _check_roles(reading: Reading, fields: Mapping[str, Any], rules: Mapping[str, ColumnRule], path: Place) -> None:
    quasi = [name for name, rule in rules.items() if rule.role is Role.QUASI]
    labels = [name for name, rule in rules.items() if rule.role is Role.SENSITIVE]
    rest = fields.get("rest")
    if rules and not quasi and rest != Role.QUASI:
        reading.mistake((*path, "columns"), "no column holds DNA", "give SNPs, or the sequence, the role quasi")
    if rest not in (None, Role.QUASI, Role.DROP):
        reading.mistake((*path, "rest"), f"the other columns of DNA cannot be {rest}", "say rest: quasi, or rest: drop")
    if labels and (len(quasi) > 1 or len(labels) > 1 or rest == Role.QUASI):
        what = "a label stands beside a sequence, one beside one"
        reading.mistake((*path, "columns", labels[-1]), what, "drop it; name a phenotype where it is asked for")
    for name, rule in rules.items():
        if rule.role not in _ROLES:
            reading.mistake((*path, "columns", name), f"a column beside DNA cannot be {rule.role}", "drop it")
        if rule.hierarchy is not None or rule.style is not None:
            reading.mistake((*path, "columns", name), "DNA has its own lattice and style", "give the role alone")
