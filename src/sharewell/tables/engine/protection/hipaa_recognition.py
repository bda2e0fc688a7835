"""How the HIPAA mechanisms recognise a column that the steward did not name, and what they ask of all columns.

A column is recognised by its name and by what it holds. Every one must be known, and nothing direct may be left in.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TypeVar

import pyarrow as pa

from sharewell.date_shift import DATE_FORMATS, day_of
from sharewell.errors import PolicyError
from sharewell.roles import Role, did_you_mean
from sharewell.tables.data import Table
from sharewell.tables.engine.hipaa_categories import PUBLISHED, named_columns

_MOST_LOOKED_AT = 2_000
"""Distinct values that are looked at where a name says nothing."""
_STATES = frozenset({"state", "states", "usstate", "homestate", "statecode", "patientstate", "stateofresidence"})
_BARE = "%Y%m%d"
"""Eight digits may be anything: here all values must be dates."""
_SHAPED_LIKE_DATES = re.compile(r"\d{4}-\d{2}(-\d{2}([T ].+)?)?")


def categories(table: Table, columns: Mapping[str, str], rest: str | None) -> dict[str, str | None]:
    """The category of every published column; None where nobody knows."""
    return {name: _category(table, name, columns, rest) for name in table.schema.having(*PUBLISHED)}


def _category(table: Table, name: str, columns: Mapping[str, str], rest: str | None) -> str | None:
    role = table.schema.roles[name]
    if role is Role.TEXT:
        return "text"
    if name in columns:
        return columns[name]
    if role is Role.SHIFT:
        return "date"
    sample = _distinct_texts(table, name)[:_MOST_LOOKED_AT]
    dates = _are_dates(sample)
    return by_name(name, dates) or ("date" if dates else _by_shape(sample)) or rest


def by_name(name: str, holds_dates: bool = False) -> str | None:
    """What the name of a column says.

    >>> [by_name(name) for name in ("dateOfBirth", "PLZ", "home_phone", "county", "state", "sex", "visit_id")]
    ['birth-date', 'zip', 'identifier', 'geography', None, None, 'identifier']
    """
    from sharewell.proposal.names import by_name as meaning_of
    from sharewell.proposal.names import is_person_key, is_person_number, is_technical_key, tokens

    meaning = meaning_of(name)
    by_topic = {"birth": "birth-date", "age": "age", "postal": "zip", "free text": "text"}
    if meaning is not None and meaning.topic in by_topic:
        return by_topic[meaning.topic]
    if meaning is not None and meaning.what in ("a place", "a region"):
        return None if "".join(tokens(name)) in _STATES else "geography"
    if holds_dates:
        return "date"
    if meaning is not None and meaning.role is Role.DROP:
        return "identifier"
    return "identifier" if is_person_key(name) or is_person_number(name) or is_technical_key(name) else None


def _by_shape(sample: list[str]) -> str | None:
    """E-mail addresses, telephone numbers, numbers of nine digits and more, and the like."""
    from sharewell.proposal.content import long_numbers, shape

    texts = pa.array(sample, pa.string())
    result = shape(texts) if sample else None
    return "identifier" if (result is not None and result.enough) or long_numbers(texts) else None


def _are_dates(sample: list[str]) -> bool:
    """Does a fifth of the values, or more, name a day or month in one form? A few odd ones must not hide the others."""
    enough = max(1, len(sample) // 5)
    if sum(bool(_SHAPED_LIKE_DATES.fullmatch(text)) for text in sample) >= enough:
        return True
    return any(
        sum(day_of(text, form) is not None for text in sample) >= (len(sample) if form == _BARE else enough)
        for form in DATE_FORMATS
        if sample
    )


def _distinct_texts(table: Table, name: str) -> list[str]:
    """The distinct values that occur in a column; missing ones are left out."""
    column = table.columns.get(name)
    if column is None or (column.alike and name in table.carried.column_names):  # every spelling is looked at
        array = table.carried[name]
    else:
        array = column.arrow
    try:
        texts = array.cast(pa.string()).unique().to_pylist()
    except (pa.ArrowException, NotImplementedError):
        texts = [repr(value) for value in array.unique().to_pylist() if value is not None]
    return sorted({text.strip() for text in texts if text is not None} - {""})


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
    results = categories(table, columns, rest)
    unknown = [name for name, category in results.items() if category is None]
    if not content_counts and rest is None:
        unknown = [name for name in results if name not in columns and by_name(name) is None]
    if unknown:
        what = f"{len(unknown)} column(s) that nobody named and that are not recognised: {named_columns(unknown)}"
        hints = [f"{name} holds {_HOLDS[category]}" for name in unknown if (category := results[name]) in _HOLDS]
        seen = f" ({'; '.join(hints[:6])})" if hints else ""
        hint = "say under `columns` what each is (`other` if none of the kinds)"
        raise PolicyError(f"{mechanism} — {what}{seen} — {hint}")
    direct = [name for name, category in results.items() if category in ("identifier", "text")]
    if direct:
        what = f"{len(direct)} column(s) of direct identifiers or free text: {named_columns(direct)}"
        raise PolicyError(f"{mechanism} — {what} — give them the role drop, or say under `columns` what else they are")
    return {name: category or "" for name, category in results.items()}


def refuse_shifted(mechanism: str, table: Table) -> None:
    """Moved by some days, a date is still more than its year."""
    shifted = table.schema.having(Role.SHIFT)
    if shifted:
        what = f"only the year of a date may stay, and shifting is not enough: {named_columns(shifted)}"
        raise PolicyError(f"{mechanism} — {what} — give them the role keep, sensitive or drop")
