"""Say in what two releases differ. Exit 0 if in nothing, 1 otherwise. No value of the data is shown."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from sharewell.cli.output import add_json, print_json, print_table
from sharewell.plain_data import Json

if TYPE_CHECKING:
    from sharewell.pipeline.difference import Change, Difference

_HEADINGS = {
    "release": "release",
    "datasets": "datasets",
    "policy": "policy, as the certificate shows it",
    "rows": "published rows",
    "columns": "published columns",
    "criteria": "criteria",
    "claims": "other claims",
    "files": "files",
    "certificate": "certificate",
    "measured": "measured (internal/)",
}


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("first", type=Path, metavar="RELEASE_A", help="a release directory, or its public folder")
    parser.add_argument("second", type=Path, metavar="RELEASE_B", help="another one")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    from sharewell.pipeline.difference import difference

    result = difference(args.first, args.second)
    if args.json:
        print_json(result.to_json())
    else:
        _show(result)
    return 0 if result.same else 1


def _show(result: Difference) -> None:
    for section, heading in _HEADINGS.items():
        changes = [change for change in result.changes if change.section == section]
        rows = [(" › ".join(one.place), *_sides(one)) for one in changes]
        if rows:
            print_table(("", "A", "B"), rows, title=heading)
    if result.same:
        print("no difference")
    else:
        print(f"{len(result.changes)} difference(s); — is not there, … is there and not shown")
    if not result.measured:
        print("note     what was measured is compared only where both have internal/")
    print("note     nothing was verified: sharewell verify says whether a release is what it claims")


def _sides(change: Change) -> tuple[str, str]:
    first, second = _side(change.first), _side(change.second)
    return ("differs", "") if first == second else (first, second)


def _side(value: Json) -> str:
    from sharewell.number_format import show

    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, str) else show(value)
