"""The evidence of a report: true cells as far as they are known, all limits, and two tables for every snooper and cell.

It goes to the internal folder as one table of JSON texts. Its hash is published; a secret salt in it keeps an attacker
from trying which of the tables that are still possible has this hash.

Limits of single owners stand in no certificate. A steward finds them twice in the internal folder: in the evidence, by
which a release is judged, and in the policy, whose hash is certified. `departures` compares the two, because evidence
that asks for less proves nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, fields
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from sharewell.errors import DataError, PolicyError
from sharewell.io.yaml_positions import Document
from sharewell.plain_data import Json
from sharewell.policy.mistakes import MistakeCollector
from sharewell.reports.figures.criteria.protection import Protection
from sharewell.reports.figures.data import Cell, Publication, bounds_of
from sharewell.reports.figures.engine.audit import Audit, Proof
from sharewell.reports.figures.engine.checks.cell_limits import ByCell
from sharewell.reports.figures.engine.limits import criteria
from sharewell.reports.figures.engine.needs import Snoopers
from sharewell.reports.figures.engine.numbers import exact, is_exact

if TYPE_CHECKING:
    import pyarrow as pa

COLUMNS = ["what", "content"]
_OTHER = "the evidence about a report does not belong to this file"


def evidence(verdicts: Audit, criteria: Sequence[ByCell], salt: str) -> pa.Table:
    """All that a steward needs to judge the written figures again, without any solver."""
    import pyarrow as pa

    shown = verdicts.publication
    tables: dict[tuple[str, ...], int] = {}
    pairs = []
    for cell in verdicts.cells:
        two = verdicts.witness(cell.row, cell.column, cell.snooper)
        if two is not None:
            keys = [tuple(str(table[one]) for one in shown.frame.cells) for table in two]
            pairs.append([cell.snooper, cell.row, cell.column, *(tables.setdefault(key, len(tables)) for key in keys)])
    parts = {
        "cells": [[*cell] for cell in shown.frame.cells],
        "true": [[*cell, str(value)] for cell, value in shown.truth.items()],
        "limits": [{"name": one.name, "parameters": _plain(asdict(one))} for one in criteria],
        "tables": [[*key] for key in tables],
        "witnesses": pairs,
        "salt": salt,
    }
    texts = [json.dumps(part, ensure_ascii=False) for part in parts.values()]
    return pa.table([pa.array(list(parts)), pa.array(texts)], names=COLUMNS)


def read_evidence(table: pa.Table) -> tuple[dict[Cell, Fraction], Proof]:
    """The true cells and the witnesses of an evidence file."""
    try:
        if table.column_names != COLUMNS:
            raise ValueError
        parts = dict(zip(table["what"].to_pylist(), map(json.loads, table["content"].to_pylist()), strict=True))
        cells = [(row, column) for row, column in parts["cells"]]
        true = {(row, column): Fraction(value) for row, column, value in parts["true"]}
        tables = [dict(zip(cells, map(Fraction, cells_of_table), strict=True)) for cells_of_table in parts["tables"]]
        pairs = {(snooper, row, column): (tables[a], tables[b]) for snooper, row, column, a, b in parts["witnesses"]}
        limits = tuple({"name": one["name"], "parameters": dict(one["parameters"])} for one in parts["limits"])
    except (KeyError, TypeError, ValueError, IndexError, ZeroDivisionError):
        raise DataError(_OTHER) from None
    return true, Proof(limits, pairs)


def _plain(value: object) -> object:
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, Mapping):
        return {key: _plain(one) for key, one in value.items()}
    return list(value) if isinstance(value, tuple) else value


_WHO = {"inside", *(one.name for one in fields(Snoopers))}


def departures(data: Publication, name: str, document: Document) -> Iterator[str]:
    """What the evidence and the description of a report say otherwise than its policy, or its own file."""
    keys = _inside(_inside(document.plain, "datasets"), name) or document.plain
    domain = _inside(_inside(keys, "table"), "domain")
    if domain is not None and bounds_of(domain, data.frame.columns) != data.frame.bounds:
        yield "the domain told is not that of the policy in the internal folder"
    known = _inside(keys, "known")
    if data.proof is not None and isinstance(known, Mapping):
        rows = {(row, column): exact(value) for row, cells in known.items() for column, value in cells.items()}
        if data.frame.with_units(rows) != data.truth:
            yield "the rows in the evidence are not those that the file in the internal folder calls known"
    if data.proof is not None:
        criteria_of_policy = list(_wanted(keys))
        kinds = {one.name: type(one) for one in criteria_of_policy}
        limits = [one for one in data.proof.limits if one["name"] in kinds]
        kept = [_plainly(kinds[one["name"]](**one["parameters"])) for one in limits]
        if any(_plainly(one) not in kept for one in criteria_of_policy):
            yield "the limits in the evidence are not those of the policy in the internal folder"


def _wanted(keys: object) -> Iterator[ByCell]:
    """Criteria with limits that no certificate shows."""
    if (limits := _inside(keys, "protect")) is not None:
        reading = MistakeCollector(Document(), Path())
        yield from criteria(reading, limits, (), Snoopers())
        if reading.mistakes:
            raise PolicyError(reading.mistakes)
    for item in _inside(keys, "require") or ():
        if isinstance(sides := _inside(item, Protection.name), Mapping):
            yield Protection(**sides)


def _inside(plain: object, key: str) -> Json:
    return plain.get(key) if isinstance(plain, Mapping) else None


def _plainly(value: object) -> object:
    """A criterion without its snoopers, so that equal limits compare equal, however they were written."""
    if isinstance(value, Mapping):
        return {str(key): _plainly(one) for key, one in value.items()}
    if isinstance(value, ByCell):
        parameters = {name: _plainly(one) for name, one in asdict(value).items() if name not in _WHO}
        return {"name": value.name, **parameters}
    return exact(value) if is_exact(value) else value
