"""List criteria, mechanisms, attacks and measures; explain one.

Without a name the answer is short: names alone, or a sentence each where a kind, a room or a word narrows the list.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from sharewell.cli.output import add_json, print_json, print_table
from sharewell.plain_data import JsonObject

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sharewell.parameters import Parameter
    from sharewell.registry import Entry

_WIDTH = 80
_INDENT = 14
"""Where names begin in the short list."""


def arguments(parser: argparse.ArgumentParser) -> None:
    from sharewell import registry

    kinds = sorted({package.partition(".")[0] for package in registry.ALGORITHMS})
    parser.add_argument(
        "name", nargs="?", help="a name, to show its page; or a word, to list the algorithms that mention it"
    )
    parser.add_argument("--kind", metavar="KIND", help=f"of one kind of data: {', '.join(kinds)}")
    parser.add_argument("--room", choices=registry.ROOMS, metavar="ROOM", help=", ".join(registry.ROOMS))
    parser.add_argument("--can", action="store_true", help="which criteria each mechanism can make hold")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    from sharewell import registry

    results = list(registry.entries(_kind(args.kind), args.room))
    if args.name and (pages := [entry for entry in results if entry.name == args.name]):
        return _show_pages(pages, args.json)
    if args.name:
        results = _with_word(args.name, results)
    if args.json:
        listed = [{"kind": e.kind, "room": e.room, "name": e.name, "summary": e.summary} for e in results]
        print_json({"entries": listed, "mechanisms": _matrix(results)})
    elif args.can:
        rows = [
            (kind, name, ", ".join(can)) for kind, by_name in _matrix(results).items() for name, can in by_name.items()
        ]
        print_table(("kind", "mechanism", "can make these hold"), rows)
    elif args.name or args.kind or args.room:
        _show_sentences(results)
    else:
        _show_names(results)
    return 0


def _kind(given: str | None) -> str | None:
    from sharewell import registry
    from sharewell.errors import PolicyError
    from sharewell.roles import did_you_mean

    kinds = sorted({entry.kind for entry in registry.entries()})
    if given is None or given in kinds:
        return given
    raise PolicyError(
        f"no kind of data is named '{given}' — {did_you_mean(given, kinds) or ', '.join(kinds)}", "--kind"
    )


def _with_word(word: str, entries: Sequence[Entry]) -> list[Entry]:
    from sharewell.errors import PolicyError
    from sharewell.roles import did_you_mean

    results = [entry for entry in entries if word.lower() in f"{entry.name} {entry.summary}".lower()]
    if not results:
        hint = did_you_mean(word, [entry.name for entry in entries])
        raise PolicyError(f"nothing is named '{word}' — {hint or 'see `sharewell catalogue`'}", "catalogue")
    return results


def _matrix(entries: Sequence[Entry]) -> dict[str, dict[str, list[str]]]:
    """Kind → mechanism → the criteria that it can make hold."""
    from sharewell import registry

    results: dict[str, dict[str, list[str]]] = {
        kind: {} for kind in registry.kinds() if any(e.kind == kind for e in entries)
    }
    for one in entries:
        if one.room == "mechanisms":
            mechanism, criteria = one.load(), registry.entries(one.kind, "criteria")
            able = [criterion.name for criterion in criteria if registry.compatible(mechanism, criterion.load())]
            results.setdefault(one.kind, {})[one.name] = able
    return results


def _sentence(entry: Entry) -> str:
    """What its page says in the first line, without its name, which stands beside it."""
    name, colon, rest = entry.summary.partition(": ")
    return rest[0].upper() + rest[1:] if colon and rest else name


def _show_sentences(entries: Sequence[Entry]) -> None:
    """A line each; the kind or room that all have in common is not repeated."""
    kinds, rooms = {entry.kind for entry in entries}, {entry.room for entry in entries}
    shown = [name for name, several in (("kind", len(kinds) > 1), ("room", len(rooms) > 1)) if several]
    rows = [
        (*({"kind": one.kind, "room": one.room}[name] for name in shown), one.name, _sentence(one)) for one in entries
    ]
    title = ", ".join(word for result in (kinds, rooms) if len(result) == 1 for word in result)
    print_table((*shown, "name", "in a sentence"), rows, title)


def _show_names(entries: Sequence[Entry]) -> None:
    """Every name, by kind and room; no algorithm is imported for it."""
    import textwrap

    kinds: dict[str, dict[str, list[str]]] = {}
    for entry in entries:
        kinds.setdefault(entry.kind, {}).setdefault(entry.room, []).append(entry.name)
    for kind, rooms in kinds.items():
        print(kind)
        for room, names in rooms.items():
            start, rest = f"  {room}".ljust(_INDENT), " " * _INDENT
            text = ", ".join(names)
            print(textwrap.fill(text, _WIDTH, initial_indent=start, subsequent_indent=rest, break_on_hyphens=False))
    print(f"\n{len(entries)} in all. `sharewell catalogue NAME` explains one; --kind, --room or a word")
    print("narrows the list, and says what each is in a sentence.")


def _show_pages(pages: Sequence[Entry], as_json: bool) -> int:
    if as_json:
        print_json([_page(entry) for entry in pages])
        return 0
    for entry in pages:
        print(_page(entry)["page"])
        _print_parameters(entry)
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
