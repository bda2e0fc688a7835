"""Release a plan: the public report, and apart from it what only the officer and the owners may see.

    to/NAME/public/    report.json, report.csv, report.html: figures alone
    to/NAME/internal/  audit.json, audit.html, witnesses.json: intervals, verdicts, and the tables that prove them

What was written is read back and audited anew; unless that passes, nothing appears.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sharewell.dossier.report_audit import audit_page
from sharewell.dossier.report_public import public_page
from sharewell.errors import PolicyError, VerificationFailed
from sharewell.io.writing import (
    all_or_nothing,
    append_line,
    make_directories,
    read_bytes,
    refuse_existing,
    write_json,
    write_table,
    write_text,
)
from sharewell.reports.auditing import Audit, Inferred, audit
from sharewell.reports.checking import is_possible
from sharewell.reports.menu import PLACES, Utility
from sharewell.reports.model import Publication
from sharewell.reports.needs import Need
from sharewell.reports.published import HEADER, content, read_back, records
from sharewell.reports.verdicts import tightest

if TYPE_CHECKING:
    from sharewell.reports.plan import Plan

_NAME = re.compile(r"\w[\w .-]{0,99}")


def release(plan: Plan, to: Path) -> Path:
    """The directory of the release, in which `public/` and `internal/` are never mixed."""
    name = plan.proposal.name
    if not _NAME.fullmatch(name) or name.endswith((".", " ")):
        raise PolicyError("report — a name with letters, digits, spaces, dots, dashes only — it names a directory")
    target = to / name
    refuse_existing(target)
    append_line(to / "audit.jsonl", "begun", report=name)
    with all_or_nothing(target) as partial:
        public, internal = partial / "public", partial / "internal"
        make_directories(public)
        make_directories(internal, private=True)
        told = content(name, plan.publication)
        write_json(public / "report.json", told)
        write_table(public / "report.csv", _table(plan.publication), "csv")
        write_text(public / "report.html", public_page(told))
        found = _audited(plan, read_bytes(public / "report.json").decode())
        inside = internal_content(plan, found)
        write_text(internal / "audit.json", _json(inside), private=True)
        write_text(internal / "audit.html", audit_page(inside), private=True)
        write_text(internal / "witnesses.json", _json(witnesses(found)), private=True)
    append_line(to / "audit.jsonl", "finished", report=name, vector=str(plan.utility))
    return target


def _audited(plan: Plan, text: str) -> Audit:
    """The audit of what was written, from nothing but that and the true cells; refused unless safe."""
    written = read_back(text, plan.publication.truth, plan.publication.figures)
    written = replace(written, rows=plan.utility.rows, columns=plan.utility.columns)
    found = audit(written, plan.must, plan.proposal.snoopers)
    failed = [f"{one.snooper} about {one.row}, {one.column}: {one.status}" for one in found.cells]
    failed = [line for line, one in zip(failed, found.cells, strict=True) if one.status != "safe"]
    failed += [f"{one.row}, {one.column}: a witness is refused" for one in found.cells if not _witnessed(found, one)]
    if failed or not found.safe:
        raise VerificationFailed("the written report does not keep its limits — nothing was released", failed)
    return found


def _witnessed(found: Audit, cell: Inferred) -> bool:
    """Do both tables of a cell pass the independent check, and reach as far as is claimed?"""
    if cell.need == Need():
        return True
    tables = found.witness(cell.row, cell.column, cell.snooper)
    if tables is None or cell.inner is None:
        return False
    known = found.publication.knowledge(*_rows_of(found, cell.snooper)).cells
    ends = tuple(table[cell.row, cell.column] for table in tables)
    return ends == cell.inner and all(is_possible(found.publication, known, table) for table in tables)


def _rows_of(found: Audit, snooper: str) -> tuple[str, ...]:
    return next(rows for rows, one in found.publication.inferences.items() if one.knowledge.name == snooper)


def internal_content(plan: Plan, found: Audit) -> dict[str, Any]:
    """All that the officer's page shows, and more."""
    proposed = audit(plan.proposal.publication, plan.must, plan.proposal.snoopers, thorough=False)
    how, frame = plan.publication.convention, plan.publication.frame
    asked = plan.proposal.snoopers
    return {
        "report": plan.proposal.name,
        "confidential": "intervals tell about cells: never hand this on with the report",
        "plan": plan.to_json(),
        "measures": [_measure(plan, ".".join(place), place) for place in PLACES],
        "proposed": _cells(proposed),
        "released": _cells(found),
        "worst": {"proposed": _worst(proposed), "released": _worst(found)},
        "rows": [*frame.rows],
        "columns": [*frame.columns],
        "domain": {column: [float(end) for end in frame.bounds[i]] for i, column in enumerate(frame.columns)},
        "assumptions": {
            "snoopers": list(dict.fromkeys(cell.snooper for cell in found.cells)),
            "not_simulated": list(found.not_simulated),
            "coalitions": asked.coalitions,
            "outsider": asked.outsider,
            "sigma": how.sigma,
            "decimals": how.decimals,
            "bin": float(how.bin),
            "sigma_bin": float(how.sigma_bin),
            "nested": plan.menu.coarser,
            "true_cells": len(plan.publication.truth) == len(frame.cells),
        },
    }


def _measure(plan: Plan, name: str, place: Any) -> dict[str, Any]:
    top: Utility = plan.menu.top
    return {"measure": name, "proposed": top.level(place), "released": plan.utility.level(place)}


def _cells(found: Audit) -> list[dict[str, Any]]:
    """Every verdict, with the limits that it was judged by."""
    return [_told(found.publication, cell) for cell in found.cells]


def _worst(found: Audit) -> list[dict[str, Any]]:
    """For each cell the snooper to whom it is most exposed."""
    rank = {"unsafe": 0, "undecided": 1, "safe": 2}
    told = [_told(found.publication, cell) for cell in found.cells]
    worst: dict[tuple[str, str], dict[str, Any]] = {}
    for one in sorted(told, key=lambda one: (rank[one["status"]], -one["closeness"], one["snooper"])):
        worst.setdefault((one["row"], one["column"]), one)
    return [worst[cell] for cell in found.publication.frame.cells if cell in worst]


def _told(publication: Publication, cell: Inferred) -> dict[str, Any]:
    need = cell.need
    ends = {"low_at_most": need.low_at_most, "high_at_least": need.high_at_least}
    limits = {"width": float(need.width)} | {k: float(end) for k, end in ends.items() if end is not None}
    tight = tightest(need, cell.low, cell.high, publication.truth.get((cell.row, cell.column)))
    return cell.to_json() | {"limits": limits, "closeness": min(tight.closeness, 1e9)}


def witnesses(found: Audit) -> dict[str, Any]:
    """Two tables for every snooper and cell; each table once."""
    tables: dict[tuple[str, ...], int] = {}
    pairs = []
    for cell in found.cells:
        two = found.witness(cell.row, cell.column, cell.snooper)
        if two is not None:
            keys = [tuple(str(table[one]) for one in found.publication.frame.cells) for table in two]
            numbers = [tables.setdefault(key, len(tables)) for key in keys]
            pairs.append({"snooper": cell.snooper, "row": cell.row, "column": cell.column, "tables": numbers})
    return {
        "cells": [[*cell] for cell in found.publication.frame.cells],
        "tables": [[*key] for key in tables],
        "witnesses": pairs,
    }


def _table(publication: Publication) -> Any:
    import pyarrow as pa

    found = records(publication)
    return pa.table({key: pa.array([one[i] for one in found], pa.string()) for i, key in enumerate(HEADER)})


def _json(told: Any) -> str:
    return json.dumps(told, ensure_ascii=False, indent=1, allow_nan=False) + "\n"
