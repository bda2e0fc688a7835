"""How the HIPAA criteria recognise a column that the steward did not name, and read its cells.

A name is held against the words of the rule (`hipaa_names`); a cell tells a day or a month if its groups of digits, or
the name of a month, say so (`date_formats`). Mechanisms recognise columns by phrases and by forms of dates; nothing of
those is used here. Where the two differ, the release is refused until the steward says what the column is.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from sharewell.roles import Role
from sharewell.tables.data import Table
from sharewell.tables.engine.checks.cell_spelling import normalised
from sharewell.tables.engine.checks.date_formats import all_compact, reading, tells_days
from sharewell.tables.engine.checks.hipaa_names import of_name
from sharewell.tables.engine.columns import ArrowColumn, Column
from sharewell.tables.engine.hipaa_categories import PUBLISHED

CENSUS = 2020


def recognised(table: Table, columns: Mapping[str, str], rest: str | None) -> dict[str, str | None]:
    """The category of every published column; None where nobody knows."""
    return {name: _recognised(table, name, columns, rest) for name in table.schema.having(*PUBLISHED)}


def _recognised(table: Table, name: str, columns: Mapping[str, str], rest: str | None) -> str | None:
    role = table.schema.roles[name]
    if role is Role.TEXT:
        return "text"
    if name in columns:
        born = columns[name] == "date" and of_name(name) == "birth-date"
        return "birth-date" if born else columns[name]
    if role is Role.SHIFT:
        return "date"
    if (said := of_name(name)) is not None:
        return said
    listed = [normalised(text) for text, _ in counted_texts(table, name) if text]
    # Do enough cells tell a day or a month? Eight digits alone may be anything: then every cell must be a date.
    return "date" if tells_days([reading(text) for text in listed]) or all_compact(listed) else rest


def counted_texts(table: Table, name: str) -> list[tuple[str, int]]:
    """(text, rows) of every value or cell of a published column, as it is written; a missing one is empty."""
    column = _told_by_codes(table, name)
    if column is not None:
        counts = np.bincount(column.codes, minlength=column.size)
        return [(column.texts[code], int(counts[code])) for code in np.flatnonzero(counts).tolist()]
    result = pc.value_counts(_as_texts(table.carried[name]))
    pairs = zip(result.field("values").to_pylist(), result.field("counts").to_pylist(), strict=True)
    return sorted(((text or "").strip(), count) for text, count in pairs)


def _told_by_codes(table: Table, name: str) -> Column | None:
    """A column whose codes tell every text; None where some that look alike share one, and stand in the file alone."""
    column = table.columns.get(name)
    return None if column is not None and column.alike and name in table.carried.column_names else column


def _as_texts(array: ArrowColumn) -> pa.Array:
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
    column = _told_by_codes(table, name)
    if column is not None:
        texts, codes = list(column.texts), column.codes
    else:
        coded = pc.utf8_trim_whitespace(pc.fill_null(_as_texts(table.carried[name]), "")).dictionary_encode()
        texts, codes = coded.dictionary.to_pylist(), coded.indices.to_numpy(zero_copy_only=False)
    order = np.argsort(codes, kind="stable")
    persons = np.split(table.subject.codes[order], np.searchsorted(codes[order], np.arange(1, len(texts))))
    return dict(zip(texts, persons, strict=False))
