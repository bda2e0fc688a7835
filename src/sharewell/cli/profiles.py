"""List the named sets of thresholds, with citations."""

from __future__ import annotations

import argparse

from sharewell.cli.output import add_json, print_json, print_table


def arguments(parser: argparse.ArgumentParser) -> None:
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    from sharewell.pipeline.mechanism_choice import as_written
    from sharewell.policy.profiles import profiles

    result = profiles()
    if args.json:
        print_json(
            [
                {
                    "name": p.name,
                    "title": p.title,
                    "citation": p.citation,
                    "criteria": [{"name": c.name, "parameters": dict(c.parameters)} for c in p.criteria],
                    "notes": list(p.notes),
                }
                for p in result
            ]
        )
        return 0
    rows = [
        (p.name, ", ".join(as_written(c.name, c.parameters) for c in p.criteria) or "—", p.citation) for p in result
    ]
    print_table(("profile", "adds", "source"), rows)
    return 0
