"""What the HIPAA rules call a column: named by the steward, or recognised by its name and by what it holds.

| category | what it is | Safe Harbor | Limited Data Set |
|---|---|---|---|
| `date` | a date related to the individual (admission, discharge, death) | the year | stays |
| `birth-date` | a date or year of birth | the year, unless it tells an age above 89 | stays |
| `age` | an age in years | `90+` above 89 | stays |
| `zip` | a US ZIP code | three digits where more than 20,000 people live, else `000` | stays |
| `geography` | a place smaller than a state (city, county, precinct) | removed | stays |
| `identifier` | a name, number, address, device, picture or other unique code of the person | removed | removed |
| `text` | free text, in which anything may stand | removed | removed |
| `other` | none of these | stays | stays |

That a column is `other` is never guessed: the steward says it, for the column or (`rest`) for all that are left.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Literal, get_args

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from sharewell.roles import Role
from sharewell.shifting import DATE_FORMATS, day_of
from sharewell.tables.dataset import Table

Category = Literal["date", "birth-date", "age", "zip", "geography", "identifier", "text", "other"]
CATEGORIES: tuple[str, ...] = get_args(Category)
PUBLISHED = (Role.QUASI, Role.SENSITIVE, Role.KEEP, Role.SHIFT, Role.TEXT)
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
    sample = distinct_texts(table, name)[:_MOST_LOOKED_AT]
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


def distinct_texts(table: Table, name: str) -> list[str]:
    """The distinct values or cells that occur in a column, as text; missing ones are left out."""
    return [text for text, _ in counted_texts(table, name) if text]


def counted_texts(table: Table, name: str) -> list[tuple[str, int]]:
    """(text, rows) of every value or cell of a published column; a missing one is empty."""
    column = table.columns.get(name)
    if column is not None:
        counts = np.bincount(column.codes, minlength=column.size)
        return [(column.texts[code], int(counts[code])) for code in np.flatnonzero(counts).tolist()]
    found = pc.value_counts(_as_texts(table.carried[name]))
    pairs = zip(found.field("values").to_pylist(), found.field("counts").to_pylist(), strict=True)
    return sorted(((text or "").strip(), count) for text, count in pairs)


def _as_texts(array: Any) -> Any:
    try:
        array = array.cast(pa.string())
    except (pa.ArrowException, NotImplementedError):
        array = pa.array([None if value is None else repr(value) for value in array.to_pylist()], pa.string())
    return array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array


def persons_of_texts(table: Table, name: str) -> dict[str, NDArray[np.int32]]:
    """The persons, as codes, of the records that show each text; empty where the table does not know persons.

    Records without a person count as one. O(n log n)
    """
    if table.subject is None:
        return {}
    column = table.columns.get(name)
    if column is not None:
        texts, codes = list(column.texts), column.codes
    else:
        coded = pc.utf8_trim_whitespace(pc.fill_null(_as_texts(table.carried[name]), "")).dictionary_encode()
        texts, codes = coded.dictionary.to_pylist(), coded.indices.to_numpy(zero_copy_only=False)
    order = np.argsort(codes, kind="stable")
    persons = np.split(table.subject.codes[order], np.searchsorted(codes[order], np.arange(1, len(texts))))
    return dict(zip(texts, persons, strict=False))


def named_columns(names: Iterable[str]) -> str:
    """Names of columns in a message, not too many of them."""
    listed = list(names)
    more = len(listed) - 12
    return ", ".join(listed[:12]) + (f" and {more} more" if more > 0 else "")
