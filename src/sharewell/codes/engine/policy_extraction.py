"""Policies from data, written to a file: one combination of codes a line."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

from sharewell.codes.criteria.privacy_policy import PrivacyPolicy
from sharewell.codes.criteria.utility_policy import UtilityPolicy
from sharewell.codes.data import CodeSets
from sharewell.errors import DataError, PolicyError
from sharewell.hierarchy.specs import from_text
from sharewell.io.sources import Source
from sharewell.io.writing import refuse_existing, write_text
from sharewell.plain_data import Json

_UNCLEAR = re.compile(r"""[\s;,"]|^#""")


def extract_file(
    policy: Literal["privacy", "utility"],
    path: Path,
    columns: Mapping[str, str | None],
    settings: Mapping[str, Json],
    out: Path,
) -> tuple[int, str]:
    """A policy's list from a file with one code a row, written with one combination a line. (lines, what they are)"""
    refuse_existing(out)
    named = {name: column for name, column in columns.items() if column is not None}
    table = Source.of(path).read(list(named.values()))
    data = CodeSets.from_long(table, subject=named["subject"], code=named["code"], visit=named.get("visit"))
    try:
        lines, origin = _extracted(policy, data, settings)
    except ValueError as error:  # of a parameter, by its name
        raise PolicyError(f"extract {policy} — {error}") from None
    unclear = sum(bool(_UNCLEAR.search(code)) for line in lines for code in line)
    if unclear:
        raise DataError(
            f"{path.name} — {unclear} code(s) hold blanks, commas, semicolons or quotes, or begin with #: "
            "a list of codes would be read as another — write these combinations into the policy itself"
        )
    write_text(out, "".join(f"{line}\n" for line in [f"# {origin}", *(" ".join(codes) for codes in lines)]))
    return len(lines), origin


def _extracted(kind: str, data: CodeSets, settings: Mapping[str, Json]) -> tuple[Sequence[Sequence[str]], str]:
    if kind == "privacy":
        policy = PrivacyPolicy.extract(data, **settings)
        return policy.itemsets, policy.origin
    tree, level = settings["hierarchy"], settings["level"]
    hierarchy = None if tree is None else from_text(tree, Path())
    origin = f"the {level} of {len(data.names)} codes" + ("" if tree is None else f" by {tree}")
    return UtilityPolicy.extract(data, level=level, hierarchy=hierarchy).sets, origin
