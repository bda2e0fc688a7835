"""Formats of tables, one line each in `FORMATS`; how CSV is read depends on the source, and is in `sources`.

A format's own module reads it: whole, piece by piece, and the names of its columns without reading the rest. Its
errors quote no cell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sharewell.io.columnar import arrow_names, arrow_pieces, arrow_table, parquet_names, parquet_pieces, parquet_table
from sharewell.io.duckdb_file import duckdb_names, duckdb_pieces, duckdb_table
from sharewell.io.json_array import json_names, json_pieces, json_table
from sharewell.io.jsonlines import jsonl_names, jsonl_pieces, jsonl_table

if TYPE_CHECKING:
    import pyarrow as pa

LARGE = 1 << 29


@dataclass(frozen=True)
class TableFormat:
    """How one format is read. Columns come in the order asked for; all of them where None is given."""

    endings: tuple[str, ...]
    names: Callable[[Path], list[str]]
    table: Callable[[Path, Sequence[str] | None], pa.Table]
    """An Arrow table."""
    pieces: Callable[[Path, Sequence[str] | None, int], Iterator[pa.Table]]
    """Arrow tables of about this many rows, in the order of the file."""
    large: int = LARGE
    """Bytes of a file beyond which columns that no algorithm looks at stay on disk."""


@dataclass(frozen=True)
class FormatReader:
    """One file of such a format."""

    form: TableFormat
    path: Path

    def names(self) -> list[str]:
        return self.form.names(self.path)

    def read(self, only: Sequence[str] | None = None) -> pa.Table:
        return self.form.table(self.path, only)

    def pieces(self, only: Sequence[str] | None, rows: int) -> Iterator[pa.Table]:
        return self.form.pieces(self.path, only, rows)


FORMATS: dict[str, TableFormat] = {
    "parquet": TableFormat((".parquet",), parquet_names, parquet_table, parquet_pieces, large=1 << 27),
    "arrow": TableFormat((".arrow", ".feather", ".ipc"), arrow_names, arrow_table, arrow_pieces),
    "jsonl": TableFormat((".jsonl", ".ndjson"), jsonl_names, jsonl_table, jsonl_pieces),
    "json": TableFormat((".json",), json_names, json_table, json_pieces),
    "duckdb": TableFormat((".duckdb",), duckdb_names, duckdb_table, duckdb_pieces, large=1 << 27),
}
"""The word in a policy (`read: {parquet: …}`) → how such a file is read."""
