"""Write a synthetic hospital of any size."""

from __future__ import annotations

import argparse
from pathlib import Path

from sharewell.cli.output import add_json, print_json, print_table


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("directory", type=Path, help="a new directory for its tables")
    parser.add_argument("--patients", type=int, default=1_000, help="how many patients (default: 1000)")
    parser.add_argument("--seed", type=int, default=7, help="another seed, another hospital")
    parser.add_argument("--no-notes", action="store_true", help="leave out the clinical notes, which take longest")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    from sharewell.cli.output import counting
    from sharewell.hospital import Hospital
    from sharewell.io.atomic import all_or_nothing

    hospital = Hospital(patients=args.patients, seed=args.seed, notes=not args.no_notes)
    with counting("patients") as count, all_or_nothing(args.directory) as partial:
        rows = hospital.write(partial, count)
    if args.json:
        print_json({"directory": str(args.directory), "rows": rows})
    else:
        print_table(("table", "rows"), list(rows.items()), title=str(args.directory))
    return 0
