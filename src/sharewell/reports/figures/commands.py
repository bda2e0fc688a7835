"""Audit a proposed report of owners and measures, and find or write the safe report of least loss."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sharewell.cli.output import add_json, print_json, print_table

if TYPE_CHECKING:
    from sharewell.reports.figures.engine.audit import Audit
    from sharewell.reports.figures.engine.plan import Plan

READINGS = ("rounding", "seed-002")


def arguments(tasks: Any) -> None:
    """The tasks `audit`, `aggregate` and `release` of `sharewell reports`."""
    audit = tasks.add_parser("audit", help="what could each snooper infer? Confidential, as the cells are")
    audit.add_argument("file", type=Path, metavar="FILE", help="the proposed report, in YAML")
    audit.add_argument("--exact", action="store_true", help="prove every bound by the global solver, to 0.0001")
    audit.add_argument("--reading", choices=READINGS, default="rounding", help="how figures are read (rounding)")
    audit.add_argument(
        "--snooper", metavar="NAME", help="outsider, an owner, or owners joined by +; default: as written"
    )
    audit.add_argument(
        "--nodes", type=int, default=5_000, metavar="N", help="steps of the global solver a bound (5000)"
    )
    add_json(audit)
    _add_aggregate(tasks)


def _add_aggregate(tasks: Any) -> None:
    told = {
        "aggregate": "find the safe report of least loss. What it prints is confidential",
        "release": "write the safe report of least loss and, apart from it, the internal audit",
    }
    for task, words in told.items():
        parser = tasks.add_parser(task, help=words)
        parser.add_argument("file", type=Path, metavar="FILE", help="the proposed report, in YAML")
        parser.add_argument("--everything", action="store_true", help="audit every vector of levels, for the map")
        parser.add_argument(
            "--nodes", type=int, default=5_000, metavar="N", help="steps of the global solver a bound (5000)"
        )
        if task == "release":
            parser.add_argument(
                "--to", type=Path, default=Path("out"), metavar="DIR", help="where the release appears (out)"
            )
        add_json(parser)


def run(args: argparse.Namespace) -> int:
    return _audit(args) if args.task == "audit" else _aggregate(args)


def _audit(args: argparse.Namespace) -> int:
    from sharewell.reports.figures.engine.report_file import load

    proposal = load(args.file)
    found = proposal.audit(reading=args.reading, exact=args.exact, snooper=args.snooper, nodes=args.nodes)
    if args.json:
        print_json({"report": proposal.name, **found.to_json()})
    else:
        _show_audit(proposal.name, found)
    return 0 if found.safe else 1


def _show_audit(name: str, found: Audit) -> None:
    for snooper in dict.fromkeys(cell.snooper for cell in found.cells):
        rows = [
            (
                cell.row,
                cell.column,
                f"{cell.low:.2f} – {cell.high:.2f}",
                f"{cell.width:.2f}",
                "—" if cell.inner is None else f"{float(cell.inner[0]):.2f} – {float(cell.inner[1]):.2f}",
                cell.status + (f" ({', '.join(cell.failed)})" if cell.failed else ""),
            )
            for cell in found.cells
            if cell.snooper == snooper
        ]
        title = f"{name}: what {snooper} can infer, {'exactly' if found.exact else 'at most and at least'}"
        print_table(("row", "column", "proven", "width", "shown by witnesses", "status"), rows, title=title)
    if found.not_simulated:
        print(f"not simulated as snoopers: {', '.join(found.not_simulated)}")
    unsafe, undecided = len(found.violations), len(found.undecided)
    if found.safe:
        print("answer: safe — every limit holds, each by two witnesses")
    else:
        print(f"answer: no — {unsafe} interval(s) unsafe, {undecided} undecided, which counts as unsafe")


def _aggregate(args: argparse.Namespace) -> int:
    from sharewell.reports.figures.engine.report_file import load

    proposal = load(args.file)
    plan = proposal.aggregate(everything=args.everything, nodes=args.nodes)
    written = plan.release(args.to) if args.task == "release" else None
    if args.json:
        print_json({"report": proposal.name, "written": None if written is None else str(written), **plan.to_json()})
    elif written is None:
        _show_plan(proposal.name, plan)
    else:
        print(f"public report: {written / 'public'}")
        print(f"internal audit, confidential: {written / 'internal' / 'report' / 'audit.html'}")
        print(_answer(plan))
    return 0


def _show_plan(name: str, plan: Plan) -> None:
    rows = [
        (
            one.utility,
            f"{float(one.loss):g}",
            one.status,
            "" if one.risk is None else f"{one.risk:.3g}",
            one.reason or "",
            "" if one.blame is None else one.blame,
            "own audit" if one.audited else "follows",
        )
        for one in plan.trace
    ]
    heads = ("vector", "loss", "status", "risk", "because", "to blame", "found by")
    print_table(heads, rows, title=f"{name}: {len(plan.trace)} of {plan.vectors} vectors, by growing loss")
    print(_answer(plan))


def _answer(plan: Plan) -> str:
    best = "no vector with less loss is safe" if plan.proven else "a vector with less loss stayed undecided"
    others = ", ".join(str(one) for one in plan.optima if one != plan.utility)
    equal = f"; equally good: {others}" if others else ""
    return f"answer: {plan.utility} instead of {plan.menu.top}, loss {float(plan.loss):g}; {best}{equal}"
