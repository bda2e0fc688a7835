"""Sign a policy or a finished release as a second person."""

from __future__ import annotations

import argparse
from pathlib import Path

from sharewell.cli.output import add_json, print_json


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "what", type=Path, metavar="POLICY|RELEASE", help="a policy file, or the directory of a finished release"
    )
    parser.add_argument("--sign", type=Path, required=True, metavar="FILE", help="the approver's .key file")
    parser.add_argument(
        "--key", type=Path, metavar="FILE", help="of a release: the public key that must have signed it"
    )
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    return _release(args) if args.what.is_dir() else _policy(args)


def _policy(args: argparse.Namespace) -> int:
    from sharewell.io.signatures import write_approval
    from sharewell.io.writing import read_bytes
    from sharewell.policy import load

    policy = load(args.what)
    path = write_approval(args.what, policy.sha256, read_bytes(args.sign))
    if args.json:
        print_json({"approval": str(path), "policy_sha256": policy.sha256})
    else:
        print(f"{path}\napproves policy {policy.sha256}; any change to the policy makes it void")
    return 0


def _release(args: argparse.Namespace) -> int:
    from sharewell.pipeline.approval import approve_release

    path, digest = approve_release(args.what, args.sign, args.key)
    if args.json:
        print_json({"approval": str(path), "certificate_sha256": digest})
    else:
        print(f"{path}\napproves the release with certificate {digest}; any change to the release voids the approval")
    return 0
