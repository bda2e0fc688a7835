"""Make a signing key pair, or the secret key of a release."""

from __future__ import annotations

import argparse
from pathlib import Path

from sharewell.cli.output import add_json, print_json


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", type=Path, help="writes NAME.key and NAME.pub; with --secret, NAME itself")
    parser.add_argument("--secret", action="store_true", help="make the secret key for pseudonyms and shifts instead")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    from sharewell.io.signatures import new_pair, new_secret

    written = [new_secret(args.name)] if args.secret else list(new_pair(args.name))
    if args.json:
        print_json({"written": [str(path) for path in written]})
        return 0
    for path in written:
        print(path)
    print(
        "keep the secret file out of version control; without it nobody can reproduce a release"
        if args.secret
        else f"name it in the policy, secrets: {{sign: file:{written[0].name}}}; give the .pub file to whoever"
        " verifies, and keep the .key file to yourself"
    )
    return 0
