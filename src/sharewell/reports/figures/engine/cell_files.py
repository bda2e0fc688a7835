"""The cells of a table: written in the report file, or in a file with one cell a row or one owner a row."""

from __future__ import annotations

import re
from collections.abc import Mapping

from sharewell.errors import DataError, PolicyError
from sharewell.io.sources import Source
from sharewell.io.yaml_positions import Path as Place
from sharewell.policy.mistakes import Reading
from sharewell.policy.sources import source

Values = dict[str, dict[str, object]]


def read_values(reading: Reading, table: Mapping[str, object], at: Place) -> Values:
    """`values`: a mapping of rows, a path, or a source such as {csv: rates.csv, separator: ";"}.

    Owners come in the order of their names, which is published: that of a file sorted by rates would be their ranking.
    """
    found = _read(reading, table, at)
    return {name: found[name] for name in sorted(found, key=_by_name)}


def _by_name(name: str) -> list[tuple[int, str]]:
    """HMO2 before HMO10.

    >>> sorted(["HMO10", "HMO2", "B"], key=_by_name)
    ['B', 'HMO2', 'HMO10']
    """
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", name)]


def _read(reading: Reading, table: Mapping[str, object], at: Place) -> Values:
    given = table["values"]
    if isinstance(given, dict) and all(isinstance(row, dict) for row in given.values()) and given:
        return {str(row): dict(cells) for row, cells in given.items()}
    found = given if isinstance(given, Source) else None
    if found is None:
        found = Source.of(reading.base / given) if isinstance(given, str) else source(reading, given, (*at, "values"))
    if found is None:
        return {}
    rows, columns = table.get("rows"), table.get("columns")
    if not isinstance(rows, str):
        raise PolicyError("table.rows must name the column of the file that tells owners apart")
    if isinstance(columns, str) and columns in found.names():
        return _long(found, rows, columns)
    return _wide(found, rows)


def _wide(found: Source, rows: str) -> Values:
    """One owner a row, one measure a column."""
    table = found.read().to_pydict()
    if rows not in table:
        raise DataError(f"{found.label} — no column '{rows}' — table.rows names the column of the owners")
    names = _named(found, table.pop(rows))
    if len(set(names)) < len(names):
        raise DataError(f"{found.label} — an owner stands in two rows — keep one")
    return {name: {column: table[column][i] for column in table} for i, name in enumerate(names)}


def _long(found: Source, rows: str, columns: str) -> Values:
    """One cell a row."""
    table = found.read().to_pydict()
    rest = [name for name in table if name not in (rows, columns)]
    if rows not in table or len(rest) != 1:
        raise DataError(f"{found.label} — must have the columns {rows}, {columns} and one of values — it has others")
    values: Values = {}
    for row, column, value in zip(
        _named(found, table[rows]), _named(found, table[columns]), table[rest[0]], strict=True
    ):
        if column in values.setdefault(row, {}):
            raise DataError(f"{found.label} — a cell stands there twice — keep one")
        values[row][column] = value
    measures = sorted({column for cells in values.values() for column in cells}, key=_by_name)
    return {row: {column: cells[column] for column in measures if column in cells} for row, cells in values.items()}


def _named(found: Source, names: list[object]) -> list[str]:
    if any(name is None for name in names):
        raise DataError(f"{found.label} — rows without a name — name every owner and measure")
    return [str(name) for name in names]
