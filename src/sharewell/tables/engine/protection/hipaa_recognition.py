"""How the HIPAA mechanisms recognise a column that the steward did not name: by its name and by what it holds."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pyarrow as pa

from sharewell.date_shift import DATE_FORMATS, day_of
from sharewell.roles import Role
from sharewell.tables.data import Table
from sharewell.tables.engine.hipaa_categories import PUBLISHED

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
    found = shape(texts) if sample else None
    return "identifier" if (found is not None and found.enough) or long_numbers(texts) else None


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
