"""Is the first line of a file its header? Otherwise a record would stand in a draft as the names of columns.

A name is like a record if it is written like most values of its own column (letters and digits in the same places, with
at least one digit), if it is one of these values, if it is a person's given name and surname, or if it is a word of
running text. One name is enough if it holds an identifier, is a person with a title, is a long number or a date above
others of its kind, or is a person's name above the names of persons. Years and running numbers are names that tables of
counts have. Columns that are called like numbers of persons are persons, and such a table is refused, too.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

import pyarrow as pa

from sharewell.errors import DataError
from sharewell.proposal.content import SHAPES
from sharewell.proposal.listed_names import are_people, is_full_name, is_given_name
from sharewell.proposal.names import is_person_key, is_person_number

FIRST_ROWS = 1000
WITHOUT_SCHEMA = ("csv", "excel")
"""Formats of files whose columns have no names but those in the first line."""
_TOLD_APART = ("e-mail addresses", "web addresses", "social security numbers")
_IDENTIFIERS = [
    *(re.compile(shape.pattern) for shape in SHAPES if shape.what in _TOLD_APART),
    re.compile(r".*(?<![\w-])\d{3}-\d{2}-\d{4}(?![\w-]).*"),
    re.compile(r".*(?<![\w-])(\d{3}[-. ]\d{3}[-. ]\d{4}|\(\d{3}\) ?\d{3}-\d{4})(?![\w-]).*"),
    re.compile(r"(Mr|Mrs|Ms|Miss)\.? [A-Z][^\W\d_]+"),
]
"""Each is hardly ever the name of a column: a number of a person or a telephone among words, a person with a title."""
_LONG = 5
"""Of shorter numbers, such as years and codes, columns are named."""
_LEAST_PERSONS = 3
"""So many columns that are called like persons are no accident."""
_SENTENCE = re.compile(r"(\S+ ){3,}[^\W\d_]{6,}\.")
_SHORTEST = 4
"""Shorter names with a digit, such as t1, are written like many values."""
_DATE = re.compile(r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}([ T].*)?")
_YEARS = range(1900, 2101)


def refuse_headless(table: pa.Table, label: str) -> None:
    """Raise DataError if the names of columns seem to be a record. No name is repeated in the message."""
    few = table.slice(0, FIRST_ROWS)
    names = [name.strip() for name in table.column_names]
    recurring = [_occurs(name, few[i]) for i, name in enumerate(names)]
    if all(recurring) and len(names) > 1 and not any(map(_has_digit, names)):
        raise DataError(
            f"{label} — its first line occurs again among the records — "
            "if it is the header, delete the copies; if it is a record, put a line with the names of columns above it"
        )
    if (persons := sum(map(_numbers_a_person, names))) >= _LEAST_PERSONS:
        raise DataError(
            f"{label} — {persons} of its {len(names)} columns are called like numbers of persons — "
            "turn the table, so that each row is about one person"
        )
    if _are_numbered(names):
        return
    alike = [
        recurs or _written_alike(name, few[i]) or is_full_name(name) or bool(_SENTENCE.fullmatch(name))
        for i, (name, recurs) in enumerate(zip(names, recurring, strict=True))
    ]
    identifying = sum(
        any(form.fullmatch(name) for form in _IDENTIFIERS) or _is_value(name, few[i]) for i, name in enumerate(names)
    )
    dates = sum(bool(_DATE.fullmatch(name)) for name in names)
    if identifying or sum(alike) >= min(2, len(names)) or 2 * sum(alike) >= len(names) or 2 * dates > len(names):
        count = max(sum(alike), identifying, dates)
        raise DataError(
            f"{label} — has no header line, it seems: {count} of its {len(names)} column names look like values — "
            "put a line with the names of columns above the first record"
        )


def _numbers_a_person(name: str) -> bool:
    """`MRN1002003`, `patient_017`: a person's number, where the numbers of columns have a word for it alone."""
    stem = re.sub(r"[\W_]*\d{2,}$", "", name)
    return stem != name and (is_person_key(stem) or is_person_number(stem))


def _is_value(name: str, column: pa.ChunkedArray) -> bool:
    """A date above dates, a long number above numbers of as many digits, or a person above persons."""
    if pa.types.is_temporal(column.type):
        return bool(_DATE.fullmatch(name))
    if _DATE.fullmatch(name) or (name.isdecimal() and len(name) >= _LONG):
        return _written_alike(name, column)
    return is_given_name(name) and are_people(_texts(column))


def _texts(column: pa.ChunkedArray) -> list[str]:
    return [text.strip() for text in column.unique().to_pylist() if text] if _is_text(column) else []


def _occurs(name: str, column: pa.ChunkedArray) -> bool:
    return _is_text(column) and any(text is not None and text.strip() == name for text in column.to_pylist())


def _is_text(column: pa.ChunkedArray) -> bool:
    return bool(pa.types.is_string(column.type))


def _has_digit(text: str) -> bool:
    return any(map(str.isdigit, text))


def skeleton(text: str) -> str:
    """Letters and digits without saying which.

    >>> skeleton("P10-x"), skeleton("2019-03-04")
    ('A99-A', '9999-99-99')
    """
    return re.sub(r"[^\W\d_]", "A", re.sub(r"\d", "9", text))


def _written_alike(name: str, column: pa.ChunkedArray) -> bool:
    """Most values are letters and digits in the same places as the name."""
    if not _has_digit(name) or not _is_text(column) or (len(name) < _SHORTEST and not name.isdecimal()):
        return False
    values = [text.strip() for text in column.to_pylist() if text]
    form = skeleton(name)
    return bool(values) and 2 * sum(skeleton(text) == form for text in values) > len(values)


def _are_numbered(names: Sequence[str]) -> bool:
    """Years, or numbers one after the other, beside other names."""
    numbers = [int(name) for name in names if re.fullmatch(r"\d{1,6}", name)]
    others = [name for name in names if not re.fullmatch(r"\d{1,6}", name)]
    if not numbers or any(map(_has_digit, others)):
        return False
    years = len(numbers) > 1 and all(number in _YEARS for number in numbers)
    running = len(numbers) > 2 and all(b - a == 1 for a, b in pairwise(numbers))
    return years or running
