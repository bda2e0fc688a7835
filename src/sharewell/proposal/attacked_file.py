"""A file to be attacked as it stands, described as a policy would: by what was said of it, else as `init` guesses."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path

from sharewell.errors import DataError, PolicyError
from sharewell.io.sources import Source
from sharewell.io.yaml_positions import parse
from sharewell.plain_data import JsonObject
from sharewell.proposal.draft import Proposal
from sharewell.proposal.survey import safe_name
from sharewell.roles import Role

_RELEASED = ("require", "using", "utility", "compare")
"""What a draft says of a release, and is nothing to an attacker."""


def described(
    path: Path,
    options: Source | None = None,
    *,
    kind: str = "",
    roles: Mapping[str, Role],
    keys: JsonObject,
    names: Collection[str] = (),
) -> dict[str, JsonObject]:
    """Name → kind, columns and other keys of each dataset in the file, without `read`.

    roles: of columns that are named; the others are dropped then. keys: what only the kind of data says in a policy.
    names: the columns of the file, of which keys may name some.
    """
    if kind and (roles or keys):
        read = {one: Role.DROP for one in keys.values() if isinstance(one, str) and one in names}
        columns: JsonObject = {"columns": {n: str(role) for n, role in {**read, **roles}.items()}} if roles else {}
        rest: JsonObject = {"rest": str(Role.DROP)} if roles and "table" not in keys else {}
        return {safe_name(path.stem): {"kind": kind, **columns, **rest, **keys}}
    result = _recognised(path, options)
    fitting = {name: one for name, one in result.items() if kind in ("", one["kind"])}
    if not fitting:
        seen = ", ".join(sorted({str(one["kind"]) for one in result.values()}))
        what = f"looks like {seen}" if seen else "looks like a list of people, or like nothing known"
        raise PolicyError(
            f"{path.name} — {what}, not like {kind or 'data of patients'} — name columns, such as --quasi"
        )
    if roles:
        fitting = {name: _with_roles(one, roles) for name, one in fitting.items()}
    return {name: {**one, **keys} for name, one in fitting.items()}


def _recognised(path: Path, options: Source | None) -> dict[str, JsonObject]:
    text = Proposal.of([path], base=Path(), options=options).text
    plain = parse(text).plain
    datasets = plain.get("datasets") if isinstance(plain, dict) else None
    if not isinstance(datasets, dict):
        return {}
    undecided = [one for one in datasets.values() if one.get("table", {}).get("domain") == "undecided"]
    if undecided:
        what = "figures of owners, and the least and greatest that one can be are not known"
        raise DataError(f"{path.name} — {what} — say --kind reports and --keys 'table: {{rows: …, domain: [0, 100]}}'")
    return {
        name: {key: value for key, value in one.items() if key not in (*_RELEASED, "read")}
        for name, one in datasets.items()
    }


def _with_roles(one: JsonObject, roles: Mapping[str, Role]) -> JsonObject:
    """As somebody said of some columns: these are all that count."""
    return {**one, "columns": {name: str(role) for name, role in roles.items()}, "rest": str(Role.DROP)}
