"""Audit a proposed report of owners and measures: what could each snooper infer, and is that within the limits?"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from sharewell.cli.aggregating import TASKS, add_aggregate, run_aggregate
from sharewell.cli.gathering import add_gather, run_gather
from sharewell.cli.showing import add_json, print_json, print_table

if TYPE_CHECKING:
    from sharewell.reports.figures.engine.audit import Audit

READINGS = ("rounding", "seed-002")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "Each task has its own --help, and takes --json."
    tasks = parser.add_subparsers(dest="task", metavar="TASK", required=True)
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
    add_aggregate(tasks)
    add_gather(tasks)


def run(args: argparse.Namespace) -> int:
    if args.task == "gather":
        return run_gather(args)
    if args.task in TASKS:
        return run_aggregate(args)
    from sharewell.reports.figures.engine.report_file import load

    proposal = load(args.file)
    found = proposal.audit(reading=args.reading, exact=args.exact, snooper=args.snooper, nodes=args.nodes)
    if args.json:
        print_json({"report": proposal.name, **found.to_json()})
    else:
        _show(proposal.name, found)
    return 0 if found.safe else 1


def _show(name: str, found: Audit) -> None:
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
