"""The evidence of a report: true cells as far as they are known, all limits, and two tables for every snooper and cell.

It goes to the internal folder as one table of JSON texts. Its hash is published, so it holds a secret salt: without,
whoever has few tables left to choose from could try which of them has this hash.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from fractions import Fraction
from typing import TYPE_CHECKING

from sharewell.errors import DataError
from sharewell.reports.figures.data import Cell
from sharewell.reports.figures.engine.audit import Audit
from sharewell.reports.figures.engine.checks.cell_limits import ByCell
from sharewell.reports.figures.engine.written_witnesses import Proof

if TYPE_CHECKING:
    import pyarrow as pa

COLUMNS = ["what", "content"]
_OTHER = "the evidence about a report does not belong to this file"


def evidence(found: Audit, must: Sequence[ByCell], salt: str) -> pa.Table:
    """All that a steward needs to judge the written figures again, without any solver."""
    import pyarrow as pa

    shown = found.publication
    tables: dict[tuple[str, ...], int] = {}
    pairs = []
    for cell in found.cells:
        two = found.witness(cell.row, cell.column, cell.snooper)
        if two is not None:
            keys = [tuple(str(table[one]) for one in shown.frame.cells) for table in two]
            pairs.append([cell.snooper, cell.row, cell.column, *(tables.setdefault(key, len(tables)) for key in keys)])
    told = {
        "cells": [[*cell] for cell in shown.frame.cells],
        "true": [[*cell, str(value)] for cell, value in shown.truth.items()],
        "limits": [{"name": one.name, "parameters": _parameters(one)} for one in must],
        "tables": [[*key] for key in tables],
        "witnesses": pairs,
        "salt": salt,
    }
    texts = [json.dumps(part, ensure_ascii=False) for part in told.values()]
    return pa.table([pa.array(list(told)), pa.array(texts)], names=COLUMNS)


def proof(found: pa.Table) -> tuple[dict[Cell, Fraction], Proof]:
    """The true cells and the witnesses of an evidence file."""
    try:
        if found.column_names != COLUMNS:
            raise ValueError
        told = dict(zip(found["what"].to_pylist(), map(json.loads, found["content"].to_pylist()), strict=True))
        cells = [(row, column) for row, column in told["cells"]]
        true = {(row, column): Fraction(value) for row, column, value in told["true"]}
        tables = [dict(zip(cells, map(Fraction, table), strict=True)) for table in told["tables"]]
        pairs = {(who, row, column): (tables[a], tables[b]) for who, row, column, a, b in told["witnesses"]}
        limits = tuple({"name": one["name"], "parameters": dict(one["parameters"])} for one in told["limits"])
    except (KeyError, TypeError, ValueError, IndexError, ZeroDivisionError):
        raise DataError(_OTHER) from None
    return true, Proof(limits, pairs)


def _parameters(criterion: ByCell) -> dict[str, object]:
    return {name: _plain(value) for name, value in asdict(criterion).items()}


def _plain(value: object) -> object:
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, Mapping):
        return {key: _plain(one) for key, one in value.items()}
    return list(value) if isinstance(value, tuple) else value
