"""Where the header of an export stands: a title, a date of extraction and blank rows often come above it.

What stands above is told apart only where the table is plain: rows with few cells, then one in which every column has a
name, and below it nothing but rows of that width. In every other case the first row is the header, as usual.

>>> rows_above_header([["Ward list 2023", "", ""], ["", "", ""], ["mrn", "sex", "ward"], ["17", "F", "B2"]])
2
>>> rows_above_header([["mrn", "sex", "ward"], ["17", "F", "B2"]])
0
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Sequence

FEW = 40
"""Rows that are looked at."""
_MOST = 20
"""Rows that may stand above a header."""
_NARROWEST = 3
"""Columns of a table with a title: of fewer, a title cannot be told from a record."""
_LONGEST, _WORDS = 60, 8
"""Characters and words of a column's name."""

Row = Sequence[str]


def rows_above_header(rows: Sequence[Row]) -> int:
    """How many of these first rows stand above the header; 0 where nothing tells that any does."""
    widths = Counter(len(row) for row in rows if any(map(str.strip, row)))
    width = max(widths, key=lambda one: (widths[one], one), default=0)
    if width < _NARROWEST:
        return 0
    for at, row in enumerate(rows[:_MOST]):
        filled = sum(bool(cell.strip()) for cell in row)
        if filled == len(row) == width:
            below = [one for one in rows[at + 1 :] if one]
            is_table = bool(below) and all(len(one) == width for one in below)
            return at if is_table and any(rows[:at]) and _are_names(row) else 0
        if len(row) >= width and filled > max(1, width // 3):  # a title with commas is narrower than the table
            return 0
    return 0


def lines_above_header(text: str, separator: str) -> int:
    """The same of delimited text; the last of its lines may be cut, and is left out where there are others."""
    lines = text.splitlines()[: FEW + 1]
    try:
        rows = [next(csv.reader([line], delimiter=separator), []) for line in (lines[:-1] if len(lines) > 3 else lines)]
    except csv.Error:
        return 0
    return rows_above_header(rows)


def _are_names(row: Row) -> bool:
    names = [cell.strip() for cell in row]
    short = all(len(name) <= _LONGEST and len(name.split()) <= _WORDS for name in names)
    return short and all(any(map(str.isalpha, name)) for name in names) and len({*map(str.casefold, names)}) == len(row)
