"""What both HIPAA mechanisms ask of the columns before they begin: every one known, and nothing direct left in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from sharewell.errors import PolicyError
from sharewell.roles import Role, did_you_mean
from sharewell.tables.data import Table
from sharewell.tables.engine.hipaa_categories import PUBLISHED, named_columns
from sharewell.tables.engine.protection.hipaa_recognition import by_name, categories

Given = TypeVar("Given")
_HOLDS = {"date": "dates", "identifier": "what looks like identifiers"}


def agreed(mechanism: str, parameter: str, own: Given, asked: Given) -> Given:
    """A parameter of the mechanism, or that of the criterion of the same name where it has none. They must agree."""
    if own and asked and own != asked:
        what = f"{parameter} is not the one of the criterion {mechanism}"
        raise PolicyError(f"{mechanism} — {what} — give it once, with the criterion")
    return own or asked


def known_categories(
    mechanism: str, table: Table, columns: Mapping[str, str], rest: str | None, *, content_counts: bool
) -> dict[str, str]:
    """The category of every published column; refused, with the list, if one is unknown or is a direct identifier.

    What a column holds does not count where that will change: whoever judges the release could not see it any more.
    """
    published = table.schema.having(*PUBLISHED)
    for name in columns:
        if name not in published:
            there = table.schema.roles.get(name)
            hint = f"it has the role {there}: take it out" if there else did_you_mean(name, published)
            raise PolicyError(f"{mechanism} — columns: '{name}' is not published — {hint or 'name published columns'}")
    found = categories(table, columns, rest)
    unknown = [name for name, category in found.items() if category is None]
    if not content_counts and rest is None:
        unknown = [name for name in found if name not in columns and by_name(name) is None]
    if unknown:
        what = f"{len(unknown)} column(s) that nobody named and that are not recognised: {named_columns(unknown)}"
        hints = [f"{name} holds {_HOLDS[category]}" for name in unknown if (category := found[name]) in _HOLDS]
        seen = f" ({'; '.join(hints[:6])})" if hints else ""
        hint = "say under `columns` what each is (`other` if none of the kinds)"
        raise PolicyError(f"{mechanism} — {what}{seen} — {hint}")
    direct = [name for name, category in found.items() if category in ("identifier", "text")]
    if direct:
        what = f"{len(direct)} column(s) of direct identifiers or free text: {named_columns(direct)}"
        raise PolicyError(f"{mechanism} — {what} — give them the role drop, or say under `columns` what else they are")
    return {name: category or "" for name, category in found.items()}


def refuse_shifted(mechanism: str, table: Table) -> None:
    """Moved by some days, a date is still more than its year."""
    shifted = table.schema.having(Role.SHIFT)
    if shifted:
        what = f"only the year of a date may stay, and shifting is not enough: {named_columns(shifted)}"
        raise PolicyError(f"{mechanism} — {what} — give them the role keep, sensitive or drop")
