"""Put criteria and mechanisms side by side: risk against loss, drawn as an R-U map."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from sharewell.cli.output import add_json, from_one, print_json, print_table, progress

if TYPE_CHECKING:
    from sharewell.pipeline.compare import Comparison


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "Try criteria and mechanisms in memory and compare the risk and the loss of each."
    parser.add_argument("policy", type=Path, help="the policy file; its `compare:` section names variants too")
    parser.add_argument("--k", type=_numbers, default=[], metavar="2,5,11", help="minimum class sizes")
    parser.add_argument("--using", type=_names, default=[], metavar="NAME,NAME", help="mechanisms")
    parser.add_argument(
        "--risk", default="", metavar="NAME", help="an attack, or NAME.average (default: one that suits the data)"
    )
    parser.add_argument(
        "--measure", default="", metavar="NAME", help="a measure of loss (default: one that suits the data)"
    )
    parser.add_argument("--rows", type=from_one, metavar="N", help="try on this many rows, evenly spread (all)")
    parser.add_argument("--out", type=Path, metavar="DIR", help="write compare.html, and SVG, CSV and JSON beside it")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    from sharewell.pipeline.compare import compare_policy
    from sharewell.policy import check

    with progress(args.policy) as step:
        results = compare_policy(
            check(args.policy),
            k=args.k,
            using=args.using,
            risk=args.risk,
            measure=args.measure,
            rows=args.rows,
            progress=step,
        )
    written = _write(results, args.out) if args.out is not None else []
    if args.json:
        print_json({name: one.to_json() for name, one in results.items()})
    else:
        for one in results.values():
            _show(one)
        for path in written:
            print(f"wrote    {path}")
        print("nothing was released")
    return 0 if any(one.drawn for one in results.values()) else 1


def _show(comparison: Comparison) -> None:
    from sharewell.number_format import show

    heads, rows = comparison.table
    facts = [
        (c, m, show(risk), show(loss), classes, f"{100 * gone:.1f} %" if gone else "", standing.replace("yes", "●"))
        for c, m, risk, loss, classes, gone, standing, why_not in rows
        if not why_not
    ]
    tried = (
        "" if comparison.rows == comparison.of_rows else f", tried on {comparison.rows} of {comparison.of_rows} rows"
    )
    print_table(
        heads[:-1], facts, title=f"{comparison.name}: risk before protection {show(comparison.risk_before)}{tried}"
    )
    for words in filter(None, (comparison.risk_words, comparison.measure_words)):
        print(f"         {words}")
    for point in comparison.infeasible:
        print(f"not so   {point.criteria} with {point.mechanism}: {point.why_not}")


def _write(results: dict[str, Comparison], directory: Path) -> list[Path]:
    """The page for all datasets; a drawing and a table for each."""
    from sharewell.io.writing import make_directories, write_json, write_text
    from sharewell.pipeline.compare import page

    make_directories(directory)
    write_text(directory / "compare.html", page(results))
    write_json(directory / "compare.json", {name: one.to_json() for name, one in results.items()})
    written = [directory / "compare.html", directory / "compare.json"]
    for name, one in results.items():
        write_text(directory / f"{name}.svg", one.svg())
        write_text(directory / f"{name}.csv", one.csv())
        written += [directory / f"{name}.svg", directory / f"{name}.csv"]
    return written


def _numbers(text: str) -> list[int]:
    try:
        results = [int(piece) for piece in _names(text)]
    except ValueError:
        raise argparse.ArgumentTypeError("whole numbers with commas between them, such as 2,5,11") from None
    if min(results, default=0) < 1:
        raise argparse.ArgumentTypeError("each k is 1 or more")
    return results


def _names(text: str) -> list[str]:
    return list(dict.fromkeys(piece.strip() for piece in text.split(",") if piece.strip()))
