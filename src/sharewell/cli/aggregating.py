"""The safe report of least loss: find it, or write it."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sharewell.cli.showing import add_json, print_json, print_table

if TYPE_CHECKING:
    from sharewell.reports.figures.engine.plan import Plan

TASKS = ("aggregate", "release")


def add_aggregate(tasks: Any) -> None:
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


def run_aggregate(args: argparse.Namespace) -> int:
    from sharewell.reports.figures.engine.report_file import load

    proposal = load(args.file)
    plan = proposal.aggregate(everything=args.everything, nodes=args.nodes)
    written = plan.release(args.to) if args.task == "release" else None
    if args.json:
        print_json({"report": proposal.name, "written": None if written is None else str(written), **plan.to_json()})
    elif written is None:
        _show(proposal.name, plan)
    else:
        print(f"public report: {written / 'public'}")
        print(f"internal audit, confidential: {written / 'internal' / 'report' / 'audit.html'}")
        print(_answer(plan))
    return 0


def _show(name: str, plan: Plan) -> None:
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
