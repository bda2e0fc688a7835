"""Columns of text in a table: protected in place by the wing for notes, which is reached through the registry.

A cell is a note of the person whose row it is. What is known of the person are the columns of the same rows that the
policy names, dropped ones too; dates in it move like the table's own. A cell that may not be published (another
language, say) becomes missing, and is counted; so does one whose row names nobody where others do, for what is known of
that person could not be searched for. One that is missing stays so. Where the row is generalised, so is what its text
says of the same: a criterion that holds the text against the row (`beside_text`) brings the columns that count.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from sharewell import registry
from sharewell.findings import Finding, json_details
from sharewell.io.plain_files import sha256
from sharewell.io.writing import make_directories, write_salted
from sharewell.keys import Key
from sharewell.pipeline.certificate import public_finding
from sharewell.pipeline.text_columns_check import nobody
from sharewell.plain_data import JsonObject
from sharewell.policy.model import ColumnRule, Dataset, mechanism_of
from sharewell.policy.redact import shown_parameters
from sharewell.protocols import AnyCriterion, Protected
from sharewell.roles import Role
from sharewell.spelling import as_one
from sharewell.wing import Claim, Data, Wing

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from sharewell.io.external_sort import SortedRows

NO_CELLS = ("low-high", "mean")
"""Styles in which a column shows no cell that covers a record's value."""
NOBODY = "nobody named"
"""Why the text of a row without a person is withheld."""


@dataclass(frozen=True)
class RewrittenColumns:
    """What was done to the columns of text of a table."""

    claim: JsonObject = field(default_factory=dict)
    findings: JsonObject = field(default_factory=dict)


def text_columns(dataset: Dataset) -> dict[str, ColumnRule]:
    return {name: rule for name, rule in dataset.columns.items() if rule.role is Role.TEXT and rule.using is not None}


def protect_text_columns(
    wing: Wing[Data], protected: Protected[Data], dataset: Dataset, key: Key, processes: int = 1
) -> tuple[Protected[Data], RewrittenColumns]:
    """The protected table with its columns of text rewritten; nothing is done where there are none."""
    columns, carrier = text_columns(dataset), wing.capabilities().text_columns
    if not columns or carrier is None:
        return protected, RewrittenColumns()
    persons = _persons(dataset, protected.rows)
    scopes = _classes_of_persons(wing, protected, dataset, persons)
    made, claim, findings = {}, {}, {}
    for name, rule in columns.items():
        assert rule.using is not None
        beside = _Beside.of(wing, protected, dataset, rule)
        made[name], details = _rewritten(
            carrier.column(protected.data, name), persons, dataset, name, key, processes, beside, scopes
        )
        mechanism = {"name": rule.using.name, "parameters": shown_parameters(rule.using)}
        claim[name] = {"mechanism": mechanism}
        findings[name] = {"mechanism": mechanism, "details": details}
    return carrier.with_columns(protected, made), RewrittenColumns(claim, findings)


def _persons(dataset: Dataset, rows: NDArray[np.intp]) -> list[str | None]:
    """Whose each published row is, as the source has it; of spellings that look alike the one that stands for all."""
    subject = next((name for name, rule in dataset.columns.items() if rule.role is Role.SUBJECT), None)
    if subject is None:
        return [None] * len(rows)
    names = as_one(dataset.read.read([subject])[subject].cast(pa.string()))
    results: list[str | None] = names.take(pa.array(rows)).to_pylist()
    return results


def _classes_of_persons(
    wing: Wing[Data], protected: Protected[Data], dataset: Dataset, persons: Sequence[str | None]
) -> list[str]:
    """A name of the class of each row whose person has rows in several; empty where the policy lets these be linked.

    A surrogate in a text would be a pseudonym of the person: if it were the same in all rows, it would lead from class
    to class, and few persons or none share the same classes.
    """
    people = wing.capabilities().people
    if people is None or dataset.publish == "dataset" or dataset.link or not any(persons):
        return []
    cells = [column.cast(pa.string()).to_pylist() for column in people.quasi_cells(protected.data).values()]
    classes = [repr(row) for row in zip(*cells, strict=True)] if cells else [""] * len(persons)
    several: dict[str | None, set[str]] = {}
    for person, one in zip(persons, classes, strict=True):
        several.setdefault(person, set()).add(one)
    return [one if len(several[person]) > 1 else "" for person, one in zip(persons, classes, strict=True)]


def rewrite_some(
    wing: Wing[Data], protected: Protected[Data], dataset: Dataset, name: str, rows: Sequence[int], key: Key
) -> tuple[list[str | None], dict[str, int]]:
    """The texts of some rows as they would be published, and how many are withheld, by reason."""
    carrier = wing.capabilities().text_columns
    assert carrier is not None
    persons = _persons(dataset, protected.rows)
    beside = _Beside.of(wing, protected, dataset, dataset.columns[name])
    if beside is not None:
        beside = beside.of_rows(rows)
    column = carrier.column(protected.data, name).take(pa.array(list(rows), pa.int64()))
    scopes = _classes_of_persons(wing, protected, dataset, persons)
    some = [scopes[i] for i in rows] if scopes else []
    made, details = _rewritten(column, [persons[i] for i in rows], dataset, name, key, 1, beside, some)
    texts: list[str | None] = made.to_pylist()
    return texts, dict(details.get("withheld", {}))


@dataclass(frozen=True)
class _Beside:
    """The criterion that holds a text against its row, the cells of every row, and the values that they stand for."""

    judge: AnyCriterion
    cells: Mapping[str, Sequence[str]]
    values: Mapping[str, Sequence[str]]
    own: Mapping[str, Sequence[str | None]] = field(default_factory=dict)
    """What the original rows had in columns that tell an age."""

    @classmethod
    def of(cls, wing: Wing[Data], protected: Protected[Data], dataset: Dataset, rule: ColumnRule) -> _Beside | None:
        judge = next((one.built for one in rule.require if one.built.beside_text is not None), None)
        if judge is None:
            return None
        shown = shown_cells(wing, protected, dataset, judge.beside_text or ())
        return cls(judge, shown, values_shown(dataset, shown), _own_cells(dataset, protected.rows))

    def of_rows(self, rows: Sequence[int]) -> _Beside:
        cells = {column: [cells[i] for i in rows] for column, cells in self.cells.items()}
        return replace(self, cells=cells, own={column: [cells[i] for i in rows] for column, cells in self.own.items()})


def _own_cells(dataset: Dataset, rows: NDArray[np.intp]) -> dict[str, list[str | None]]:
    reader = registry.wing(registry.TEXT_KIND).capabilities().text_reader
    assert reader is not None
    columns = list(reader.own_columns(dataset))
    table = dataset.read.read(columns).take(pa.array(rows)) if columns else None
    return {} if table is None else {name: table[name].cast(pa.string()).to_pylist() for name in columns}


def values_shown(dataset: Dataset, shown: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Column → every value that the source or the release has in it."""
    original = dataset.read.read(list(shown)) if shown else None
    values = {}
    for name, cells in shown.items():
        assert original is not None
        values[name] = sorted({str(value) for value in original[name].unique().to_pylist() if value} | set(cells))
    return values


def shown_cells(
    wing: Wing[Data], protected: Protected[Data], dataset: Dataset, names: Sequence[str]
) -> dict[str, list[str]]:
    """The cells of these columns, row by row; empty where what is published is not a cell that is true."""
    carrier, people = wing.capabilities().text_columns, wing.capabilities().people
    assert carrier is not None
    quasi = {} if people is None else people.quasi_cells(protected.data)
    shown = {}
    for name in names:
        style = dataset.columns[name].style
        untrue = dataset.mechanism.falsifies or (style is not None and style.name in NO_CELLS)
        column = quasi[name] if name in quasi else carrier.column(protected.data, name)
        cells = [""] * protected.data.rows if untrue else [cell or "" for cell in column.cast(pa.string()).to_pylist()]
        shown[name] = cells
    return shown


def _rewritten(
    column: pa.ChunkedArray,
    persons: Sequence[str | None],
    dataset: Dataset,
    name: str,
    key: Key,
    processes: int,
    beside: _Beside | None,
    scopes: Sequence[str],
) -> tuple[pa.Array, JsonObject]:
    """A column as it is published, and counts of what was done."""
    rule = dataset.columns[name]
    assert rule.using is not None
    texts: list[str | None] = column.cast(pa.string()).to_pylist()
    named = any(person is not None for person in persons)
    there = [i for i, text in enumerate(texts) if text is not None and (persons[i] is not None or not named)]
    lost = sum(text is not None for text in texts) - len(there)
    whose = [persons[i] or nobody(texts[i]) for i in there]
    shifted = {n: (r.most_days, r.date_format) for n, r in dataset.columns.items() if r.role is Role.SHIFT}
    criteria = [one.built for one in rule.require if one.built.beside_text is None]
    people = next(iter(criteria), None)
    reader = registry.wing(registry.TEXT_KIND).capabilities().text_reader
    assert reader is not None
    some_scopes = [scopes[i] for i in there] if scopes else []
    notes = reader.of_column(
        [texts[i] or "" for i in there], whose, people, name, dataset.name, shifted, key, scopes=some_scopes
    )
    notes = reader.with_workers(notes, processes, lambda more: None)
    mechanism = mechanism_of(rule.using)
    if beside is not None:
        some = beside.of_rows(there)
        mechanism = reader.agreeing(mechanism, beside.judge, notes, some.cells, beside.values, (dataset, some.own))
    done = mechanism.protect(notes, criteria, key)
    cells: list[str | None] = [None] * len(texts)
    for text, row in zip(done.data.texts, done.rows, strict=True):
        cells[there[int(row)]] = text
    details = json_details(done.details)
    if lost:
        details["withheld"] = {**details.get("withheld", {}), NOBODY: lost}
    return pa.array(cells, pa.string()), details


def write_subjects(
    internal: Path, name: str, subjects: pa.Table | SortedRows | None, texts: RewrittenColumns, key: Key
) -> JsonObject | None:
    """What the certificate claims of text columns; whose each row is goes to internal/, where a judge looks it up."""
    if not texts.claim:
        return None
    claim: JsonObject = {"columns": texts.claim}
    if subjects is not None:
        path = internal / "persons" / f"{name}.texts.parquet"
        make_directories(path.parent)
        write_salted(path, subjects, key.digest("evidence of texts", name))
        claim["persons_sha256"] = sha256(path)
    return claim


def with_text_findings(claim: Claim, results: Sequence[Finding]) -> Claim:
    """The claim with what was found in its text columns, column by column."""
    if claim.text_columns is None:
        return claim
    columns = {name: dict(facts) for name, facts in claim.text_columns["columns"].items()}
    for finding in results:
        columns[str(finding.column)].setdefault("findings", []).append(public_finding(finding))
    return replace(claim, text_columns={**claim.text_columns, "columns": columns})
