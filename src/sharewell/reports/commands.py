"""Audit a proposed report of owners and measures, find or write the safe report of least loss, or gather its sums."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from sharewell.cli.kind_words import KindWords
from sharewell.cli.output import add_json, print_json, print_table
from sharewell.reports.gathering import commands as gathering

if TYPE_CHECKING:
    from sharewell.reports.figures.engine.audit import Audit
    from sharewell.reports.figures.engine.plan import Plan

READINGS = ("rounding", "seed-002")


def _outcome(size: Mapping[str, int], withheld: int) -> str:
    if "cells" in size:  # a table of counts or sums
        return f"{size['hidden']} of {size['cells']} cells hidden"
    if "owners" in size:
        return f"{size['rows']} figure(s) about {size['owners']} owners, {withheld} fewer than proposed"
    return ""


WORDS = KindWords(outcome=_outcome)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "Each task has its own --help, and takes --json."
    tasks = parser.add_subparsers(dest="task", metavar="TASK", required=True)
    audit = tasks.add_parser("audit", help="say what each snooper could infer; as confidential as the cells")
    aggregate = tasks.add_parser("aggregate", help="find the safe report of least loss; its output is confidential")
    release = tasks.add_parser("release", help="write the safe report of least loss, and separately its internal audit")
    for task in (audit, aggregate, release):
        task.add_argument("file", type=Path, metavar="FILE", help="the proposed report, in YAML")
    audit.add_argument("--exact", action="store_true", help="prove every bound with the global solver, to 0.0001")
    audit.add_argument("--reading", choices=READINGS, default="rounding", help="how figures are read (rounding)")
    audit.add_argument(
        "--snooper", metavar="NAME", help="outsider, an owner, or owners joined by +; default: as written"
    )
    for task in (aggregate, release):
        task.add_argument("--everything", action="store_true", help="audit every vector of levels, for the map")
    for task in (audit, aggregate, release):
        nodes = "steps of the global solver a bound (5000)"
        task.add_argument("--nodes", type=int, default=5_000, metavar="N", help=nodes)
    release.add_argument("--to", type=Path, default=Path("out"), metavar="DIR", help="where the release appears (out)")
    for task in (audit, aggregate, release):
        add_json(task)
    gathering.arguments(tasks)


def run(args: argparse.Namespace) -> int:
    if args.task == gathering.TASK:
        return gathering.run(args)
    return _audit(args) if args.task == "audit" else _aggregate(args)


def _audit(args: argparse.Namespace) -> int:
    from sharewell.reports.figures.engine.report_file import load

    proposal = load(args.file)
    result = proposal.audit(reading=args.reading, exact=args.exact, snooper=args.snooper, nodes=args.nodes)
    if args.json:
        print_json({"report": proposal.name, **result.to_json()})
    else:
        _show_audit(proposal.name, result)
    return 0 if result.safe else 1


def _show_audit(name: str, result: Audit) -> None:
    for snooper in dict.fromkeys(cell.snooper for cell in result.cells):
        rows = [
            (
                cell.row,
                cell.column,
                f"{cell.low:.2f} – {cell.high:.2f}",
                f"{cell.width:.2f}",
                "—" if cell.inner is None else f"{float(cell.inner[0]):.2f} – {float(cell.inner[1]):.2f}",
                cell.status + (f" ({', '.join(cell.failed)})" if cell.failed else ""),
            )
            for cell in result.cells
            if cell.snooper == snooper
        ]
        title = f"{name}: what {snooper} can infer, {'exactly' if result.exact else 'at most and at least'}"
        print_table(("row", "column", "proven", "width", "shown by witnesses", "status"), rows, title=title)
    if result.not_simulated:
        print(f"not simulated as snoopers: {', '.join(result.not_simulated)}")
    unsafe, undecided = len(result.violations), len(result.undecided)
    if result.safe:
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
    """What to publish, in words, and how sure it is that nothing better is safe."""
    from sharewell.reports.figures.engine.alternatives import PLACES

    nested, how = plan.menu.coarser, plan.publication.convention
    words = {
        ("center", 2): f"means of {{}} in bins of {float(how.bin):g}",
        ("center", 1): "no means of {}",
        ("dispersion", 2): f"deviations of {{}} in bins of {float(how.sigma_bin):g}" if nested else "spreads of {}",
        ("dispersion", 1): "no deviations of {}",
        ("order", 2): "a partial order of {}",
        ("order", 1): "no order of {}",
        ("median", 2): f"medians of {{}} in bins of {float(how.bin):g}",
        ("median", 1): "no medians of {}",
    }
    levels = {(axis, metric): plan.utility.level((axis, metric)) for axis, metric in PLACES}
    lowered = [place for place in PLACES if levels[place] < plan.menu.top.level(place)]
    changes = " and ".join(words[metric, levels[axis, metric]].format(axis) for axis, metric in lowered)
    best = "no report with less loss is safe" if plan.proven else "a report with less loss is undecided"
    others = ", ".join(str(one) for one in plan.optima if one != plan.utility)
    equal = f"; equally good: {others}" if others else ""
    vectors = f"vector {plan.utility} instead of {plan.menu.top}, loss {float(plan.loss):g}{equal}"
    return (
        f"answer: safe if the report publishes {changes}; {best} ({vectors})"
        if changes
        else f"answer: safe as proposed ({vectors})"
    )
