"""Look at hierarchies: which values lack an entry, and what covers a value.

`gaps FILE --hierarchy SPEC [--column NAME]` counts the values of a table that a hierarchy does not list: exit 0 if none
is missing, 1 otherwise. Without `--column` every column is looked at, and those that share no value with the hierarchy
are left out of the answer. `gaps FILE` alone checks a hierarchy file itself. `show SPEC VALUE…` prints chains.
SPEC is a name, a hierarchy file, or a mapping such as `{intervals: {width: 5}}`.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="gaps|show")
    gaps = actions.add_parser("gaps", help="count the values without an entry, or check a hierarchy file")
    gaps.add_argument("file", type=Path, metavar="FILE", help="a table with a header; alone: a hierarchy file")
    gaps.add_argument("--hierarchy", metavar="SPEC", help="a name, a hierarchy file or a mapping")
    gaps.add_argument("--column", metavar="NAME", help="the column to look at (default: every column)")
    gaps.add_argument("--show-values", action="store_true", help="list the values, which may be patient data")
    show = actions.add_parser("show", help="print what covers a value")
    show.add_argument("hierarchy", metavar="SPEC", help="a name, a hierarchy file or a mapping")
    show.add_argument("values", metavar="VALUE", nargs="+")
    for action in (gaps, show):
        action.add_argument("--json", action="store_true", help="as JSON")


def run(args: argparse.Namespace) -> int:
    """Count gaps, check a hierarchy file, or print chains."""
    from sharewell.hierarchy.gaps import gaps_by_column
    from sharewell.hierarchy.specs import from_text
    from sharewell.hierarchy.tree import Tree
    from sharewell.io.delimited import read_text_rows

    if args.action == "show":
        hierarchy = from_text(args.hierarchy, Path())
        chains = {value: hierarchy.chain(value) for value in args.values}
        if args.json:
            print(json.dumps(chains, ensure_ascii=False, indent=2))
        else:
            print("\n".join(" → ".join(chain) for chain in chains.values()))
        return 0
    if args.hierarchy is None:
        summary = Tree.from_csv(args.file).summary()
        if args.json:
            print(json.dumps(summary, indent=2))
        else:
            print("\n".join(f"{count:>9}  {what}" for what, count in summary.items()))
        return 0
    rows = read_text_rows(args.file, header=True)
    results = gaps_by_column(from_text(args.hierarchy, Path()), rows, args.column)
    # A column that shares no value with the hierarchy is not meant, unless it was named or none shares any.
    meant = {name: gap for name, gap in results.items() if args.column or gap[0].listed} or results
    if args.json:
        plain = {
            name: {"listed": gap.listed, "missing": gap.missing, "total": gap.total}
            | ({"values": values} if args.show_values else {})
            for name, (gap, values) in meant.items()
        }
        print(json.dumps(plain, ensure_ascii=False, indent=2))
    else:
        for name, (gap, values) in meant.items():
            print(f"column {name}: {gap.missing} of {gap.total} values lack an entry")
            if args.show_values:
                print("".join(f"  {value}\n" for value in values), end="")
    return int(any(gap.missing for gap, _ in meant.values()))
