"""From a file as hospitals keep it to one code a row: a code a row, a list of codes a row, or a column for each place.

>>> import pyarrow as pa
>>> wide = pa.table({"who": ["a", "b"], "dx1": ["401.1", "250.00"], "dx2": ["428.0", None]})
>>> long_rows(wide, Columns(("dx1", "dx2"), subject="who")).to_pydict()
{'subject': ['a', 'b', 'a', 'b'], 'code': ['401.1', '250.00', '428.0', None], 'sequence': [1, 1, 2, 2]}
>>> lists = pa.table({"who": ["a", "b"], "dx": ["401.1;428.0", ""]})
>>> long_rows(lists, Columns(("dx",), subject="who", separator=";")).to_pydict()["code"]
['401.1', '428.0', None]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sharewell.errors import DataError
from sharewell.hierarchy.gaps import ListingHierarchy
from sharewell.hierarchy.icd import ICD9CM, ICD10CM
from sharewell.hierarchy.systems import Systems, joined
from sharewell.spelling import as_one

SUBJECT, CODE, VISIT, DATE, SEQUENCE = "subject", "code", "visit", "date", "sequence"


@dataclass(frozen=True)
class Columns:
    """The columns of a file. Several code columns hold one code each, in the order of their places."""

    codes: tuple[str, ...]
    subject: str | None = None
    visit: str | None = None
    date: str | None = None
    sequence: str | None = None
    system: str | None = None
    separator: str | None = None

    def wanted(self) -> list[str]:
        """Every column that must be read, each once."""
        others = (self.subject, self.visit, self.date, self.sequence, self.system)
        return list(dict.fromkeys([*(name for name in others if name is not None), *self.codes]))


def long_rows(table: pa.Table, columns: Columns) -> pa.Table:
    """One code a row, under the names subject, code, visit, date, sequence. Without a subject each row is a record."""
    others: dict[str, pa.Array] = {SUBJECT: _subjects(table, columns.subject)}
    for name, column in ((VISIT, columns.visit), (DATE, columns.date), (SEQUENCE, columns.sequence)):
        if column is not None:
            others[name] = _alone(table[column].combine_chunks(), column)
    systems = None if columns.system is None else texts_of(table[columns.system])
    parts = [
        _part(table[code].combine_chunks(), others, systems, columns, place if len(columns.codes) > 1 else None)
        for place, code in enumerate(columns.codes, start=1)
    ]
    return pa.concat_tables(parts)


def _alone(cells: pa.Array, column: str) -> pa.Array:
    """A column with one value a row."""
    if pa.types.is_nested(cells.type):
        raise DataError(f"column {column} — of type {cells.type}, where one value a row is wanted")
    return cells


def _part(
    cells: pa.Array, others: Mapping[str, pa.Array], systems: pa.Array | None, columns: Columns, place: int | None
) -> pa.Table:
    """The rows of one code column."""
    row, codes, places = _apart(cells, columns.separator)
    made = {name: values.take(row) for name, values in others.items()}
    if systems is not None:
        codes = _with_system(systems.take(row), codes)
    made[CODE] = codes
    order = places if places is not None else None if place is None else np.full(len(codes), place)
    if SEQUENCE not in made and order is not None:
        made[SEQUENCE] = pa.array(order)
    return pa.table({name: made[name] for name in (SUBJECT, CODE, VISIT, DATE, SEQUENCE) if name in made})


def _apart(cells: pa.Array, separator: str | None) -> tuple[pa.Array, pa.Array, pa.Array]:
    """(row of each code, the codes, their place in the cell). A cell without a code keeps its row, with none."""
    if separator is not None and not pa.types.is_nested(cells.type):
        cells = pc.split_pattern(texts_of(cells), separator)
    if not (pa.types.is_list(cells.type) or pa.types.is_large_list(cells.type)):
        if pa.types.is_nested(cells.type):
            raise DataError("the column of codes holds records, not codes or lists of codes")
        return pa.array(np.arange(len(cells))), texts_of(cells), None
    lengths = pc.fill_null(pc.list_value_length(cells), 0).to_numpy(zero_copy_only=False).astype(np.int64)
    row = np.repeat(np.arange(len(cells)), np.maximum(lengths, 1))
    first = np.cumsum(np.maximum(lengths, 1)) - np.maximum(lengths, 1)
    places = np.arange(len(row)) - first[row]
    flat = texts_of(pc.list_flatten(cells))
    has_code = np.repeat(lengths > 0, np.maximum(lengths, 1))
    number = np.where(has_code, np.cumsum(has_code) - 1, 0)
    codes = flat.take(pa.array(number, mask=~has_code)) if len(flat) else pa.nulls(len(row), pa.string())
    return pa.array(row), codes, places + 1


def texts_of(column: pa.Array | pa.ChunkedArray) -> pa.Array:
    """Trimmed text; a blank is no code. Of numbers only whole ones can be codes: 250.00 and 250.0 would be one."""
    column = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    if pa.types.is_nested(column.type):
        raise DataError("the column of codes holds lists or records — one code a row is wanted")
    if pa.types.is_floating(column.type) and column.null_count < len(column):
        raise DataError("the column of codes holds decimal numbers, so that codes lost their zeros — store it as text")
    return _trimmed(column, "of codes")


def _trimmed(column: pa.Array, content: str) -> pa.Array:
    """Text without blanks around it, None where nothing is left."""
    try:
        text = pc.utf8_trim_whitespace(column.cast(pa.string()))
    except (pa.ArrowException, NotImplementedError):
        raise DataError(f"the column {content} is of type {column.type}, which cannot be read as text") from None
    return pc.if_else(pc.equal(text, ""), pa.scalar(None, pa.string()), text)


def _subjects(table: pa.Table, subject: str | None) -> pa.Array:
    if subject is None:
        return pa.array(np.arange(table.num_rows)).cast(pa.string())
    return named_persons(table[subject])


def named_persons(column: pa.Array | pa.ChunkedArray) -> pa.Array:
    """The persons of the rows as trimmed text; blanks and missing numbers name nobody.

    Names that look alike are one person's, and are written in one way.
    """
    column = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    if pa.types.is_floating(column.type):  # numbers with gaps: what is missing is nobody, not a person called nan
        column = pc.if_else(pc.is_nan(column), pa.scalar(None, column.type), column)
    return as_one(_trimmed(column, "of persons"))


def _with_system(systems: pa.Array, codes: pa.Array) -> pa.Array:
    nameless = pc.sum(pc.and_(pc.is_null(systems), pc.is_valid(codes))).as_py() or 0
    if nameless:
        raise DataError(f"{nameless} code(s) name no system — fill in the system column")
    return pc.binary_join_element_wise(systems, codes, joined("", ""))


def refuse_mixed(names: tuple[str, ...], hierarchy: ListingHierarchy | None, label: str) -> None:
    """Codes of two classifications in one column mean different things under one text, and are not guessed apart."""
    if isinstance(hierarchy, Systems):
        strange = sum(name.partition(":")[0] not in hierarchy.systems for name in names)
        if strange:
            problem = f"{strange} of {len(names)} codes are of a system that the hierarchy does not name"
            raise DataError(f"{label} — {problem} — systems: {', '.join(hierarchy.systems)}")
        return
    others: Mapping[type, ListingHierarchy] = {ICD9CM: ICD10CM(), ICD10CM: ICD9CM()}
    other = others.get(type(hierarchy))
    if hierarchy is None or other is None:
        return
    mixed = sum(not hierarchy.lists(name) and other.lists(name) for name in names)
    if mixed:
        problem = f"{mixed} of {len(names)} different codes are not of {hierarchy.name} but of {other.name}"
        hint = "tell them apart by a column (system:) with hierarchy {systems: …}, or give each its own dataset"
        raise DataError(f"{label} — {problem} — {hint}")
