"""List every criterion, mechanism, attack and measure."""

from __future__ import annotations

import argparse

from sharewell.cli.showing import add_json, print_json, print_table


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", help="show the page of one of them")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    from sharewell import registry
    from sharewell.errors import PolicyError
    from sharewell.roles import did_you_mean

    found = list(registry.entries())
    if args.name:
        import importlib

        pages = [entry for entry in found if entry.name == args.name]
        if not pages:
            hint = did_you_mean(args.name, [entry.name for entry in found])
            raise PolicyError(f"nothing is named '{args.name}' — {hint or 'see `sharewell catalogue`'}", "catalogue")
        texts = [importlib.import_module(entry.target.partition(":")[0]).__doc__ or "" for entry in pages]
        if args.json:
            print_json(
                [{"kind": e.kind, "room": e.room, "name": e.name, "page": t} for e, t in zip(pages, texts, strict=True)]
            )
        else:
            print("\n".join(texts))
        return 0
    matrix = {
        kind: {
            mechanism.name: [
                c.name for c in registry.entries(kind, "criteria") if registry.compatible(mechanism.load(), c.load())
            ]
            for mechanism in registry.entries(kind, "mechanisms")
        }
        for kind in registry.kinds()
    }
    if args.json:
        listed = [{"kind": e.kind, "room": e.room, "name": e.name, "summary": e.summary} for e in found]
        print_json({"entries": listed, "mechanisms": matrix})
        return 0
    print_table(("kind", "room", "name", "in a sentence"), [(e.kind, e.room, e.name, e.summary) for e in found])
    rows = [(kind, name, ", ".join(can)) for kind, by_name in matrix.items() for name, can in by_name.items()]
    print_table(("kind", "mechanism", "can make these hold"), rows)
    return 0
