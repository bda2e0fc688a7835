"""Which variants go with which disease, by which codes and from which age: tables that ship, or a steward's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sharewell.errors import DataError
from sharewell.io.shipped import shipped_rows
from sharewell.io.sources import Source
from sharewell.protocols import Frame

LEAST = 3
"""Letters of a code that say a disease: its category."""
COPIES = {"AD": 1, "MT": 1, "AR": 2, "XL": 2}
"""Alleles that it takes. On the X chromosome one is enough for a man."""


@dataclass(frozen=True)
class Diagnosis:
    """What an allele implies: one of these codes, in somebody who has reached the age at which it begins."""

    codes: frozenset[str]
    """Without dots, in upper case."""
    copies: int
    linked_to_x: bool
    onset_low: int
    onset_high: int


@dataclass(frozen=True)
class Variant:
    """A place in the genome by its name (or, of a sequence, its number from 1), and the allele that tells."""

    name: str
    allele: str
    diagnosis: Diagnosis


def variants(listed: Source | Frame | None = None, genes: Source | Frame | None = None) -> tuple[Variant, ...]:
    """From a table with `variant`, `gene`, `allele` and perhaps `icd10cm`, and one of genes and diseases.

    Without an `icd10cm` code a variant stands for every disease of its gene. Left out, a table is the one that ships.

    >>> [one.name for one in variants()][:2], sorted(variants()[0].diagnosis.codes), variants()[0].diagnosis.copies
    (['rs334', 'rs1800562'], ['28261', 'D571'], 2)
    """
    listed_variants = _rows(listed, ("variant", "gene", "allele"), "genes/variants.csv", ("icd10cm",))
    known: dict[str, list[Mapping[str, str]]] = {}
    needed = ("gene", "icd9cm", "icd10cm", "inheritance")
    for row in _rows(genes, needed, "genes/gene_disease.csv", ("onset_age_low", "onset_age_high")):
        known.setdefault(row["gene"].upper(), []).append(row)
    results = []
    for row in listed_variants:
        meant = [
            one
            for one in known.get(row["gene"].upper(), ())
            if not row.get("icd10cm") or plain(one["icd10cm"]) == plain(row["icd10cm"])
        ]
        if not meant:
            what = "a variant names a gene, or a disease of it, that the table of genes lacks"
            raise DataError(f"genes — {what} — {len(listed_variants)} variant(s), {len(known)} gene(s)")
        results.append(Variant(row["variant"], row["allele"].upper(), _diagnosis(meant)))
    return tuple(results)


def plain(code: str) -> str:
    """As codes are compared.

    >>> plain("333.4"), plain(" g12.21")
    ('3334', 'G1221')
    """
    return code.strip().replace(".", "").upper()


def agree(one: str, other: str) -> bool:
    """Do two plain codes mean one disease, as far as they tell? The longer one is more exact.

    >>> agree("G122", "G1221"), agree("G1", "G1221"), agree("E8411", "E8400")
    (True, False, False)
    """
    short, long = sorted((one, other), key=len)
    return len(short) >= LEAST and long.startswith(short)


def _diagnosis(rows: Sequence[Mapping[str, str]]) -> Diagnosis:
    """One diagnosis from the rows of several diseases: the least that any of them takes."""
    codes = frozenset(plain(row[system]) for row in rows for system in ("icd9cm", "icd10cm") if row.get(system))
    modes = [row["inheritance"].strip().upper() for row in rows]
    if strange := sum(mode not in COPIES for mode in modes):
        raise DataError(f"genes — {strange} row(s) name an unknown mode of inheritance — use {', '.join(COPIES)}")
    try:
        low = min(int(row.get("onset_age_low") or 0) for row in rows)
        high = max(int(row.get("onset_age_high") or 120) for row in rows)
    except ValueError:
        raise DataError("genes — ages of onset are to be whole numbers") from None
    return Diagnosis(codes, min(COPIES[mode] for mode in modes), "XL" in modes, low, high)


def _rows(
    given: Source | Frame | None, needed: Sequence[str], shipped: str, also: Sequence[str]
) -> list[Mapping[str, str]]:
    if given is None:
        return list(shipped_rows(shipped))
    source = Source.of(given)
    columns = [*needed, *(name for name in also if name in source.names())]
    table = source.read(columns)
    rows = [
        {name: "" if cell is None else str(cell).strip() for name, cell in row.items()} for row in table.to_pylist()
    ]
    if lacking := sum(not row[needed[0]] or not row[needed[1]] for row in rows):
        raise DataError(f"{source.label} — {lacking} of {len(rows)} row(s) lack {needed[0]} or {needed[1]}")
    return list(rows)
