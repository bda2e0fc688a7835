"""Attack a file of any kind of data as it stands, without a policy. Nothing is written, and no value is shown."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from sharewell.cli.output import add_json, print_json, print_table, progress
from sharewell.cli.reader_options import add_reader_options, detected, options, recognised

if TYPE_CHECKING:
    from sharewell.io.sources import Source
    from sharewell.pipeline.attack import Attacked
    from sharewell.plain_data import Json, JsonObject
    from sharewell.roles import Role

_LISTS = ("population", "reference")
"""Parameters of attacks that are options here, for they name a file."""


def arguments(parser: argparse.ArgumentParser) -> None:
    from sharewell.registry import WINGS

    parser.description = "Say what attackers would learn from a file if it were published unchanged."
    parser.add_argument("file", type=Path, metavar="FILE", help="of any kind, or a file of a release; - for stdin")
    parser.add_argument(
        "attacks", nargs="*", metavar="ATTACK", help="as in a policy, such as 'code-linkage: {m: 3}' (default: usual)"
    )
    parser.add_argument("--kind", choices=sorted(WINGS), metavar="KIND", default="", help=f"{', '.join(sorted(WINGS))}")
    parser.add_argument("--subject", metavar="ID", help="the column that identifies persons")
    parser.add_argument("--quasi", type=_names, metavar="A,B", default=(), help="columns that others may know; codes")
    parser.add_argument("--sensitive", type=_names, metavar="C,D", default=(), help="columns that others want to know")
    parser.add_argument("--text", metavar="COLUMN", help="the column of the notes")
    parser.add_argument(
        "--keys", action="append", default=[], metavar="YAML", help="of the kind of data, such as 'visit: visit_id'"
    )
    parser.add_argument("--population", type=Path, metavar="FILE", help="a list of people that an attacker may have")
    parser.add_argument("--reference", type=Path, metavar="FILE", help="of DNA: other people of the same ancestry")
    parser.add_argument(
        "--published", action="store_true", help="FILE is a release: cells may be ranges, counts may be hidden"
    )
    add_reader_options(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    from sharewell.io.standard_input import spooled

    with spooled(args.file) as path:
        result = _attacked(args, path)
    if args.json:
        print_json({name: one.to_json() for name, one in result.items()})
        return 0
    for one in result.values():
        _show(one)
    return 0


def _attacked(args: argparse.Namespace, path: Path) -> dict[str, Attacked]:
    from sharewell.io.sources import DNA
    from sharewell.pipeline.attack import attack_file, attack_released
    from sharewell.proposal.attacked_file import described

    attacks = [_yaml(text) for text in args.attacks]
    against = {name: recognised(file) for name in _LISTS if (file := getattr(args, name)) is not None}
    roles, keys = _roles(args), _keys(args)
    with progress(path) as step:
        if not (args.kind or roles or keys) and (results := attack_released(path, attacks, against, step)) is not None:
            return results
        source = _source(args, path)
        names = () if source.format in DNA else source.names()
        datasets = described(path, options(args), kind=args.kind, roles=roles, keys=keys, names=names)
        return attack_file(source, datasets, attacks, against=against, published=args.published, progress=step)


def _source(args: argparse.Namespace, path: Path) -> Source:
    from sharewell.io.stated_forms import with_stated_forms

    return with_stated_forms(detected(args, path, documents=True))[0]


def _roles(args: argparse.Namespace) -> dict[str, Role]:
    from sharewell.roles import Role

    given = {
        Role.SUBJECT: [args.subject],
        Role.QUASI: args.quasi,
        Role.SENSITIVE: args.sensitive,
        Role.TEXT: [args.text],
    }
    return {name: role for role, names in given.items() for name in names if name}


def _keys(args: argparse.Namespace) -> JsonObject:
    from sharewell.errors import Mistake, PolicyError

    results: JsonObject = {}
    for text in args.keys:
        given = _yaml(text)
        if not isinstance(given, dict):
            mistake = Mistake(0, 0, "", "must be keys of a dataset with their values", "such as 'visit: visit_id'")
            raise PolicyError([mistake], "--keys")
        results |= given
    return results


def _yaml(text: str) -> Json:
    from sharewell.errors import PolicyError
    from sharewell.io.yaml_positions import parse

    document = parse(text)
    if document.mistakes:
        raise PolicyError(document.mistakes, "attack")
    return document.plain


def _show(attacked: Attacked) -> None:
    from sharewell.number_format import show

    what = "as published" if attacked.released else "unprotected"
    rows = [(one.name, show(one.value), one.unit, one.note) for one in attacked.findings]
    print_table(
        ("attack", "reached", "unit", ""),
        rows,
        title=f"{attacked.name}: kind {attacked.kind}, {attacked.rows} records, {what}",
    )
    for other in attacked.others:
        needs = f" (needs {', '.join(other.needs)})" if other.needs else ""
        print(f"also     {other.name}{needs} — {other.summary.partition(': ')[2] or other.summary}")


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())
