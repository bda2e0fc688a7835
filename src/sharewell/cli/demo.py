"""Make a synthetic hospital and release it."""

from __future__ import annotations

import argparse
from pathlib import Path

from sharewell.cli.output import add_json, print_json, progress


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("directory", nargs="?", type=Path, default=Path("demo"), help="where (default: demo)")
    parser.add_argument("--patients", type=int, default=1_000, help="how many patients (default: 1000)")
    parser.add_argument("--seed", type=int, default=7, help="another seed, another hospital")
    parser.add_argument("--replace", action="store_true", help="replace an earlier DIRECTORY/release, and nothing else")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    from sharewell.cli.release import show
    from sharewell.pipeline.demo import demo

    with progress(args.directory) as step:
        done = demo(args.directory, patients=args.patients, seed=args.seed, replace=args.replace, progress=step)
    if args.json:
        print_json({"directory": str(done.directory), "dossier": str(done.dossier), **done.findings})
        return 0
    show(done)
    print(f"\nnow try  sharewell verify {done.directory} --key {args.directory / 'steward.pub'}")
    return 0
