"""Sign the hash of a policy as its second person."""

from __future__ import annotations

import argparse
from pathlib import Path

from sharewell.cli.showing import add_json, print_json


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("policy", type=Path, help="the policy file; POLICY.approval is written beside it")
    parser.add_argument("--sign", type=Path, required=True, metavar="FILE", help="the approver's .key file")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    from sharewell.io.signatures import write_approval
    from sharewell.io.writing import read_bytes
    from sharewell.policy import load

    policy = load(args.policy)
    path = write_approval(args.policy, policy.sha256, read_bytes(args.sign))
    if args.json:
        print_json({"approval": str(path), "policy_sha256": policy.sha256})
    else:
        print(f"{path}\napproves policy {policy.sha256}; any change to the policy makes it void")
    return 0
