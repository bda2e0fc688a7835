"""People, or frequencies, from whatever names them: the data itself, a file of genotypes, or a table."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeVar

from sharewell.errors import DataError
from sharewell.genomes.data.frequencies import Frequencies
from sharewell.genomes.data.genotypes import Genotypes
from sharewell.genomes.engine.sample_persons import PersonKey
from sharewell.io.sources import Source
from sharewell.parameters import As
from sharewell.protocols import Frame

Given = TypeVar("Given")
VARIANTS = (".vcf", ".vcf.gz", ".vcf.bgz", ".bcf")


def opened(
    given: Genotypes | Frequencies | Source | Path | str | Frame,
    subject: str | None = None,
    persons: PersonKey | None = None,
) -> Genotypes | Frequencies:
    """A .bed or .vcf file by its name; a table with a column `frequency` as frequencies, any other as genotypes.

    subject: the column of such a table that names the person; its first, unless given.
    persons: a key from the samples of a file of DNA to persons, as `people.named` takes it.
    """
    if isinstance(given, Genotypes | Frequencies):
        return given
    source = Source.of(given)
    if source.path is not None:
        name = source.path.name.lower()
        if name.endswith(".bed"):
            return Genotypes.from_bed(source.path, persons=persons)
        if name.endswith(VARIANTS):
            return Genotypes.from_vcf(
                source.path, multiallelic=source.multiallelic, haploid=source.haploid, persons=persons
            )
    table = source.read()
    if "frequency" in table.column_names:
        return Frequencies.from_arrow(table, published=False)
    if not table.column_names:
        raise DataError(f"{source.label} — no columns — give one row per person and one column per SNP")
    return Genotypes.from_frame(table, subject=subject or table.column_names[0])


def opened_people(
    given: Genotypes | Frequencies | Source | Path | str | Frame,
    what: str,
    subject: str | None = None,
    persons: PersonKey | None = None,
) -> Genotypes:
    """The same where frequencies will not do: somebody has to be scored."""
    result = opened(given, subject, persons)
    if not isinstance(result, Genotypes):
        raise DataError(f"{what} — frequencies, where genotypes of persons are needed")
    return result


def as_evidence(given: Given) -> Given | Source:
    """What a criterion keeps: data as it is; a path as a source, which a verifier knows again by its hash."""
    return Source.of(given) if isinstance(given, str | Path) else given


PeopleEvidence = Annotated[Genotypes | Source | Frame, As(as_evidence)]
TableEvidence = Annotated[Source | Frame, As(as_evidence)]
"""Parameters that name people, or a table about them."""
