"""Columns of text in a table: protected in place by the wing for notes, which is reached through the registry.

A cell is a note of the person whose row it is. What is known of the person are the columns of the same rows that the
policy names, dropped ones too; dates in it move like the table's own. A cell that may not be published (another
language, say) becomes missing, and is counted; so does one whose row names nobody where others do, for what is known of
that person could not be searched for. One that is missing stays so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa

from sharewell import registry
from sharewell.findings import Finding, json_details
from sharewell.io.sources import sha256
from sharewell.io.writing import make_directories, write_salted
from sharewell.keys import Key
from sharewell.pipeline.certificate import public_finding
from sharewell.pipeline.text_columns_check import NOTES, nobody
from sharewell.policy.model import ColumnRule, Dataset
from sharewell.policy.redact import told_parameters
from sharewell.roles import Role

NOBODY = "nobody named"
"""Why the text of a row without a person is withheld."""


@dataclass(frozen=True)
class Texts:
    """What was done to the columns of text of a table."""

    claim: dict[str, Any] = field(default_factory=dict)
    findings: dict[str, Any] = field(default_factory=dict)


def text_columns(dataset: Dataset) -> dict[str, ColumnRule]:
    return {name: rule for name, rule in dataset.columns.items() if rule.role is Role.TEXT and rule.using is not None}


def protect_texts(wing: Any, protected: Any, dataset: Dataset, key: Key, processes: int = 1) -> tuple[Any, Texts]:
    """The protected table with its columns of text rewritten; nothing is done where there are none."""
    columns = text_columns(dataset)
    if not columns:
        return protected, Texts()
    persons = _persons(dataset, protected.rows)
    made, claim, findings = {}, {}, {}
    for name, rule in columns.items():
        assert rule.using is not None
        made[name], details = _rewritten(wing.column(protected.data, name), persons, dataset, name, key, processes)
        mechanism = {"name": rule.using.name, "parameters": told_parameters(rule.using)}
        claim[name] = {"mechanism": mechanism}
        findings[name] = {"mechanism": mechanism, "details": details}
    return wing.with_columns(protected, made), Texts(claim, findings)


def _persons(dataset: Dataset, rows: Any) -> list[str | None]:
    """Whose each published row is, as the source has it."""
    subject = next((name for name, rule in dataset.columns.items() if rule.role is Role.SUBJECT), None)
    if subject is None:
        return [None] * len(rows)
    names: list[str | None] = dataset.read.read([subject])[subject].cast(pa.string()).take(pa.array(rows)).to_pylist()
    return names


def _rewritten(
    column: Any, persons: Sequence[str | None], dataset: Dataset, name: str, key: Key, processes: int
) -> tuple[Any, dict[str, Any]]:
    """A column as it is published, and counts of what was done."""
    rule = dataset.columns[name]
    assert rule.using is not None
    texts: list[str | None] = column.cast(pa.string()).to_pylist()
    named = any(person is not None for person in persons)
    there = [i for i, text in enumerate(texts) if text is not None and (persons[i] is not None or not named)]
    lost = sum(text is not None for text in texts) - len(there)
    whose = [persons[i] or nobody(texts[i]) for i in there]
    shifted = {n: (r.most_days, r.date_format) for n, r in dataset.columns.items() if r.role is Role.SHIFT}
    people = next((one.built for one in rule.require), None)
    wing = registry.wing(NOTES)
    notes = wing.of_column([texts[i] for i in there], whose, people, name, dataset.name, shifted, key)
    done = rule.using.built.protect(wing.at_work(notes, processes, lambda more: None), _judged(rule), key)
    cells: list[str | None] = [None] * len(texts)
    for text, row in zip(done.data.texts, done.rows, strict=True):
        cells[there[int(row)]] = text
    details = json_details(done.details)
    if lost:
        details["withheld"] = {**details.get("withheld", {}), NOBODY: lost}
    return pa.array(cells, pa.string()), details


def _judged(rule: ColumnRule) -> list[Any]:
    return [one.built for one in rule.require]


def write_evidence(partial: Path, name: str, whose: Any, claim: dict[str, Any], texts: Texts, key: Key) -> None:
    """Whose each published row is, by the names that the table has for them: a judge of its texts looks these up."""
    if not texts.claim:
        return
    claim["texts"] = {"columns": texts.claim}
    if whose is not None:
        make_directories(partial / "internal" / "persons")
        path = partial / "internal" / "persons" / f"{name}.texts.parquet"
        write_salted(path, whose, key.digest("evidence of texts", name))
        claim["texts"]["persons_sha256"] = sha256(path)


def claim_texts(claim: dict[str, Any], found: Sequence[Finding]) -> None:
    """Write what was found into the claim, column by column."""
    for finding in found:
        claim["texts"]["columns"][finding.column].setdefault("findings", []).append(public_finding(finding))
