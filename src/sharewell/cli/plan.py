"""Say what a release would do, and the risks before; changes nothing."""

from __future__ import annotations

import argparse
from pathlib import Path

from sharewell.cli.showing import add_json, print_json, print_table, progress


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("policy", type=Path, help="the policy file")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    from sharewell.findings import show
    from sharewell.policy import check
    from sharewell.release.plan import plan

    policy = check(args.policy)
    with progress() as step:
        found = plan(policy, step)
    if args.json:
        print_json({name: part.to_json() for name, part in found.items()})
        return 0
    for name, part in found.items():
        rows = [
            (
                column,
                facts["role"],
                facts.get("kind"),
                facts.get("style"),
                facts.get("hierarchy"),
                facts.get("distinct"),
                facts.get("missing"),
                facts.get("unknown") or None,
            )
            for column, facts in part.columns.items()
        ]
        header = ("column", "role", "read as", "published as", "hierarchy", "distinct", "missing", "unknown")
        print_table(header, rows, title=f"{name}: {part.size['rows']} rows, {part.size['persons']} persons")
        risks = [(f.name, f"{show(f.value)} {f.unit}") for f in part.risks]
        print_table(("risk as it stands", ""), risks)
        for criterion in part.require:
            print(f"require  {criterion}")
        print(f"using    {part.using}   (about {part.seconds:g} s)")
    for deviation in policy.deviations:
        print(f"deviates {deviation}")
    print(f"would write {policy.write.directory / policy.release.name} ({policy.write.format}); nothing was changed")
    return 0
