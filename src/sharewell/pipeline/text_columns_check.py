"""Columns of text in a published table, judged as the notes of the people whose rows they stand in."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pyarrow as pa

from sharewell import registry
from sharewell.errors import DataError
from sharewell.findings import Finding, Tier
from sharewell.io.plain_files import sha256
from sharewell.io.sources import Source
from sharewell.parameters import values_of
from sharewell.pipeline.certificate import Layout, public_finding
from sharewell.pipeline.claims import attested, criterion
from sharewell.pipeline.evidence import EvidenceStore
from sharewell.plain_data import Json
from sharewell.protocols import AnyCriterion
from sharewell.roles import Role
from sharewell.spelling import fold
from sharewell.wing import Claim, TextData

PERSON = "person"
_NO_CELLS = ("low-high", "mean")
NO_EVIDENCE = "the persons of the rows are in the internal folder: only the certificate says so"


def nobody(text: str | None) -> str:
    """The name under which a text without a person is judged; by its content, whatever the order of rows."""
    return "nobody " + hashlib.sha256((text or "").encode()).hexdigest()


def judge_texts(
    layout: Layout, name: str, claim: Claim, asked: Mapping[str, Json], evidence: EvidenceStore
) -> tuple[Finding, ...]:
    """What the policy asks of every column of text, from the published file."""
    claimed = claim.text_columns or {}
    columns = {column: facts for column, facts in asked["columns"].items() if facts.get("role") == Role.TEXT}
    if claim.kind == registry.TEXT_KIND or not columns:
        return ()
    if list(claimed.get("columns", {})) != list(columns):
        raise DataError("the columns of text claimed are not those of the embedded policy")
    persons = _evidence(layout, name, claimed)
    results = []
    for column, facts in columns.items():
        mechanism, using = claimed["columns"][column]["mechanism"], facts.get("using", {})
        in_force = using.get("parameters", {})
        same = all(in_force.get(name) == value for name, value in mechanism["parameters"].items())
        if mechanism["name"] != using.get("name") or not same:
            raise DataError(f"column {column} — the mechanism claimed is not the one that the embedded policy names")
        for i, item in enumerate(facts.get("require", [])):
            built, _, lacking = criterion(registry.TEXT_KIND, item, evidence)
            if built.beside_text is not None:
                judged = built.check(_beside_row(layout, claim, column, name, built.beside_text)).at(Tier.RECIPIENT)
            elif lacking or persons is None:
                claims = claimed["columns"][column].get("findings", [])[i : i + 1]
                judged = attested(built, claims, evidence.lacking_note if lacking else NO_EVIDENCE)
            else:
                _refuse_strangers(built, persons)
                judged = built.check(_published(layout, claim, column, name, persons)).at(Tier.STEWARD)
            results.append(replace(judged, column=column))
    return tuple(results)


def _beside_row(layout: Layout, claim: Claim, column: str, name: str, beside: Sequence[str]) -> TextData:
    """The texts with cells of their rows, as the published file has them.

    A column that shows no cell that is true of each row (ends of ranges, means, noise) tells nothing.
    """
    source = replace(Source.of(layout.public / claim.file), newlines=True)
    shown = [one for one in beside if claim.columns.get(one, {}).get("style") not in _NO_CELLS]
    shown = [one for one in shown if one in claim.columns and not claim.falsified]
    table = source.read([column, *shown])
    texts: list[str | None] = table[column].cast(pa.string()).to_pylist()
    there = [i for i, text in enumerate(texts) if text is not None]
    cells = {one: table[one].cast(pa.string()).to_pylist() if one in shown else [None] * len(texts) for one in beside}
    rows = {one: [values[i] or "" for i in there] for one, values in cells.items()}
    reader = registry.wing(registry.TEXT_KIND).capabilities().text_reader
    assert reader is not None
    whose = [nobody(texts[i]) for i in there]
    data: TextData = reader.of_column([texts[i] or "" for i in there], whose, None, column, name, beside=rows)
    return data


def _published(layout: Layout, claim: Claim, column: str, name: str, persons: Sequence[str | None]) -> TextData:
    source = replace(Source.named(layout.public / claim.file), newlines=True)
    texts: list[str | None] = source.read([column])[column].cast(pa.string()).to_pylist()
    if len(texts) != len(persons):
        raise DataError("the evidence about persons does not belong to this file")
    there = [i for i, text in enumerate(texts) if text is not None]
    whose = [persons[i] or nobody(texts[i]) for i in there]
    reader = registry.wing(registry.TEXT_KIND).capabilities().text_reader
    assert reader is not None
    published: TextData = reader.of_column([texts[i] or "" for i in there], whose, None, column, name)
    return published


def _refuse_strangers(built: AnyCriterion, persons: Sequence[str | None]) -> None:
    """Refuse texts of people whom the table does not list: nothing of theirs is known, so any criterion would hold."""
    values = values_of(built)
    people, subject = Source.of(values["people"]), str(values["subject"])
    listed = {_look(name) for name in people.read([subject])[subject].cast(pa.string()).to_pylist()}
    if not listed.issuperset(map(_look, persons)):
        raise DataError("the evidence about persons names people whom the table of people does not list")


def _look(name: str | None) -> str | None:
    return None if name is None else fold(name)


def _evidence(layout: Layout, name: str, claim: Mapping[str, Json]) -> list[str | None] | None:
    path = None if layout.internal is None else layout.internal / "persons" / f"{name}.texts.parquet"
    if path is None or not path.is_file() or "persons_sha256" not in claim:
        return None
    if sha256(path) != claim["persons_sha256"]:
        raise DataError(f"internal/persons/{name}.texts.parquet — not the file that was certified")
    names: list[str | None] = Source(path, "parquet").read([PERSON])[PERSON].to_pylist()
    return names


def text_problems(claim: Claim, findings: Sequence[Finding]) -> list[str]:
    """What fails in a column of text, and what the certificate does not say of it."""
    problems = [str(finding) for finding in findings if finding.failed]
    claimed = {
        column: list(claims_of_column.get("findings", []))
        for column, claims_of_column in (claim.text_columns or {}).get("columns", {}).items()
    }
    for finding in findings:
        mine = claimed.get(str(finding.column), [])
        claims_of_column = mine.pop(0) if mine else {}
        if claims_of_column.get("ok") is not True or claims_of_column.get("name") != finding.name:
            problems.append(f"{finding.name} of {finding.column} — the certificate does not say that it holds")
        elif not _as_claimed(finding, claims_of_column):
            what = "the certificate claims something else than the files show"
            problems.append(f"{finding.name} of {finding.column} — {what}")
    return problems


def _as_claimed(finding: Finding, claimed: Mapping[str, Json]) -> bool:
    """Does the certificate say what was found, or, of what was not re-checked, what the policy asks for?"""
    claim = public_finding(finding)
    if finding.tier is not Tier.ATTESTED:
        return claim == claimed
    shared = all(claim.get(part) == claimed.get(part) for part in ("column", "bound", "sense"))
    return shared and claimed.get("tier") == Tier.STEWARD
