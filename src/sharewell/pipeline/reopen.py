"""Open a published dataset again, as a stranger would: from its file, its part of the dictionary, and evidence."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from sharewell import registry
from sharewell.errors import DataError
from sharewell.findings import Tier
from sharewell.io.plain_files import sha256
from sharewell.io.sources import Source
from sharewell.pipeline.certificate import Layout
from sharewell.pipeline.evidence import EvidenceStore
from sharewell.roles import Role
from sharewell.wing import Claim, Records

if TYPE_CHECKING:
    import pyarrow as pa

FOR_EVERYBODY = ("published", "none", "linked")
"""Where persons can be: whoever has the release can count them, or nobody is to be counted."""
RECORDS_COUNTED = "records were counted; only the certificate says that they are this many persons"
PSEUDONYMS_COUNTED = "pseudonyms were counted; only the certificate says that they are this many persons"


def reopen(layout: Layout, name: str, claim: Claim, store: EvidenceStore) -> tuple[Records, Tier, str]:
    """A dataset as its published file shows it, with the evidence about persons where that is at hand."""
    path = layout.public / claim.file
    if path.parent != layout.public or path.is_symlink():
        raise DataError(f"{name} — its file is not in the public folder")
    evidence, tier, note = _persons(layout, name, claim)
    trees, _ = store.trees(claim.columns)
    _refuse_other_size(path, claim)
    source = replace(Source.named(path), newlines=True)  # quotes of our own, and cells of several lines may be kept
    if claim.link is not None:
        if source.names()[:1] != [claim.link] or claim.link in claim.columns:
            raise DataError(f"{claim.file} — its first column is not the one that links datasets")
        links = source.read([claim.link]).rename_columns(["person"])
        if links.column(0).null_count:
            raise DataError(f"{claim.file} — {links.column(0).null_count} record(s) without a pseudonym")
        evidence = links if evidence is None else _beside(links, evidence, claim.file)
        source = replace(source, hidden=(claim.link,))
    return registry.wing(claim.kind).reopen(source, claim.columns, evidence, trees), tier, note


def _persons(layout: Layout, name: str, claim: Claim) -> tuple[pa.Table | None, Tier, str]:
    """Evidence about persons, who can re-check with it, and what to say if it is not here."""
    where = claim.persons
    if (where == "linked") != (claim.link is not None):
        raise DataError(f"{name} — the certificate contradicts itself on whether the file links persons")
    if where in FOR_EVERYBODY:
        kept = _kept(layout, name, claim) if claim.link is not None and claim.persons_sha256 is not None else None
        return kept, Tier.RECIPIENT, ""
    if (kept := _kept(layout, name, claim)) is not None:
        return kept, Tier.STEWARD, ""
    named = any(facts.get("role") == Role.SUBJECT for facts in claim.columns.values())
    return None, Tier.ATTESTED, PSEUDONYMS_COUNTED if named else RECORDS_COUNTED


def _kept(layout: Layout, name: str, claim: Claim) -> pa.Table | None:
    """What internal/ says of the person of each record."""
    path = None if layout.internal is None else layout.internal / "persons" / f"{name}.parquet"
    if path is None or not path.is_file():
        return None
    if sha256(path) != claim.persons_sha256:
        raise DataError(f"internal/persons/{name}.parquet — not the file that was certified")
    return Source(path, "parquet").read()


def lacks_names(layout: Layout, name: str, claim: Claim) -> bool:
    """Do records show pseudonyms, and are the names that a table of people has for these persons not at hand?"""
    return claim.link is not None and claim.persons_sha256 is not None and _kept(layout, name, claim) is None


def _beside(links: pa.Table, evidence: pa.Table, file: str) -> pa.Table:
    """The pseudonym of each record, with what internal/ says of the same record."""
    if evidence.num_rows != links.num_rows or "person" in evidence.column_names:
        raise DataError(f"{file} — the evidence about persons does not belong to this file")
    for column in evidence.column_names:
        links = links.append_column(column, evidence[column])
    return links


def _refuse_other_size(path: Path, claim: Claim) -> None:
    """A Parquet file says how many rows it holds; one that holds others than the certificate says is not read."""
    rows = Source.named(path).rows_in_header()
    if rows is not None and rows != claim.rows:
        raise DataError(f"{claim.file} — {rows} rows where the certificate says {claim.rows}")
