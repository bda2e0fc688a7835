"""List the combinations of codes that identify somebody, or the codes of a disease, as a policy reads them."""

from __future__ import annotations

import argparse
from pathlib import Path

from sharewell.cli.kind_words import KindWords
from sharewell.cli.output import add_json, print_json

WORDS = KindWords(
    risks={
        "km-anonymity": "rarest pair of codes ({unit})",
        "code-linkage": "re-identification risk by two codes",
    }
)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "what", choices=("privacy", "utility"), help="combinations to protect, or codes to keep together"
    )
    parser.add_argument("file", type=Path, help="a CSV, Parquet or Arrow file with one code per row")
    parser.add_argument("--subject", required=True, metavar="COLUMN", help="the column that identifies persons")
    parser.add_argument("--code", required=True, metavar="COLUMN", help="the column of the codes")
    parser.add_argument("--visit", metavar="COLUMN", help="the column that identifies the visits of a person")
    parser.add_argument("--k", type=int, default=5, help="privacy: list what fewer persons than this have (5)")
    parser.add_argument(
        "--knowing", choices=("all", "visit", "m"), default="all", help="privacy: what an attacker may know"
    )
    parser.add_argument("--m", type=int, default=2, help="privacy: how many codes, with --knowing m (2)")
    parser.add_argument("--hierarchy", metavar="NAME", help="utility: such as icd9cm, or a hierarchy file")
    parser.add_argument("--level", default="category", help="utility: category, block, chapter or a number of steps")
    parser.add_argument(
        "--out", type=Path, required=True, metavar="FILE", help="the list, one entry per line; never replaced"
    )
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    from sharewell.codes.engine.policy_extraction import extract_file

    columns = {"subject": args.subject, "code": args.code, "visit": args.visit}
    settings = {"k": args.k, "mode": args.knowing, "m": args.m}
    if args.what == "utility":
        settings = {"hierarchy": args.hierarchy, "level": int(args.level) if args.level.isdigit() else args.level}
    listed, origin = extract_file(args.what, args.file, columns, settings, args.out)
    if args.json:
        print_json({"written": str(args.out), "listed": listed, "origin": origin})
        return 0
    print(f"{args.out}: {listed} line(s), {origin}")
    if args.what == "privacy":
        print(
            "each line is somebody's: keep the file to yourself, and name it in the policy (privacy-policy: {file: …})"
        )
    return 0
