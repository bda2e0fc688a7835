"""Find every mistake in a policy, each with its line and column."""

from __future__ import annotations

import argparse
import dataclasses
import sys
from pathlib import Path

from sharewell.cli.output import add_json, print_json


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("policy", type=Path, help="the policy file")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    from sharewell.errors import PolicyError
    from sharewell.policy import check

    try:
        policy = check(args.policy)
    except PolicyError as error:
        if args.json:
            print_json({"policy": error.file, "mistakes": [dataclasses.asdict(mistake) for mistake in error.mistakes]})
        else:
            print(error, file=sys.stderr)
        return error.exit_code
    if args.json:
        decided = {"decisions": list(policy.decisions), "deviations": list(policy.deviations)}
        print_json({"policy": policy.path.name, "mistakes": [], **decided})
        return 0
    print(f"{policy.path.name}: no mistakes")
    for text in policy.decisions:
        print(f"  decided: {text}")
    for text in policy.deviations:
        print(f"  deviates: {text}")
    return 0
