"""Print the JSON Schema of the policy file, for editors."""

from __future__ import annotations

import argparse

from sharewell.cli.output import add_json, print_json


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "Print the JSON Schema of the policy file, for editors that complete and check YAML."
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    from sharewell.policy.schema import json_schema

    print_json(json_schema())
    return 0
