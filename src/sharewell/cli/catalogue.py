"""List every criterion, mechanism, attack and measure."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from sharewell.cli.output import add_json, print_json, print_table
from sharewell.plain_data import JsonObject

if TYPE_CHECKING:
    from sharewell.parameters import Parameter
    from sharewell.registry import Entry


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", help="show the page of one of them")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    from sharewell import registry
    from sharewell.errors import PolicyError
    from sharewell.roles import did_you_mean

    found = list(registry.entries())
    if args.name:
        pages = [entry for entry in found if entry.name == args.name]
        if not pages:
            hint = did_you_mean(args.name, [entry.name for entry in found])
            raise PolicyError(f"nothing is named '{args.name}' — {hint or 'see `sharewell catalogue`'}", "catalogue")
        if args.json:
            print_json([_page(entry) for entry in pages])
            return 0
        for entry in pages:
            print(_page(entry)["page"])
            _print_parameters(entry)
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


def _page(entry: Entry) -> JsonObject:
    import importlib

    page = importlib.import_module(entry.target.partition(":")[0]).__doc__ or ""
    parameters = [
        {"name": one.name, "is": one.words, "unit": one.unit, "required": one.required}
        | ({} if one.required else {"default": _default(one)})
        | {"help": one.help}
        for one in _parameters(entry)
    ]
    return {"kind": entry.kind, "room": entry.room, "name": entry.name, "page": page, "parameters": parameters}


def _print_parameters(entry: Entry) -> None:
    rows = [(one.name, one.words, one.unit, "needed" if one.required else _default(one)) for one in _parameters(entry)]
    if rows:
        print_table(("parameter", "is", "unit", "if left out"), rows, f"{entry.name} ({entry.kind}, {entry.room})")


def _parameters(entry: Entry) -> list[Parameter]:
    from sharewell.parameters import parameters_of

    return parameters_of(entry.load())


def _default(one: Parameter) -> object:
    """As a policy writes it; empty things and what only Python can give count as left out."""
    if isinstance(one.default, bool):
        return str(one.default).lower()
    plain = isinstance(one.default, str | int | float)
    return one.default if plain else str(one.default) if one.default else None
