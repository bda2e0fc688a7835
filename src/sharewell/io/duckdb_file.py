"""DuckDB databases: one table of a file, which is opened for reading alone.

The table is the only one of the database, or the one that has the name of the file. Views are not read: what they show
may come from elsewhere. DuckDB neither loads nor installs an extension for it, and touches no other file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from sharewell.errors import DataError
from sharewell.io.plain_files import open_plain
from sharewell.terminal_text import legible

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

_MAGIC = b"DUCK"
_ALONE: dict[str, str | bool | int | float | list[str]] = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "allow_community_extensions": "false",
    "enable_external_access": "false",
    "lock_configuration": "true",
}
_TABLES = (
    "SELECT schema_name, table_name FROM duckdb_tables() WHERE NOT internal AND NOT temporary "
    "AND database_name = current_database() ORDER BY ALL"
)


def duckdb_names(path: Path) -> list[str]:
    """The columns of the table, in its order."""
    with _opened(path) as (database, table):
        return [str(column[0]) for column in database.execute(f"SELECT * FROM {table} LIMIT 0").description or ()]


def duckdb_table(path: Path, only: Sequence[str] | None) -> pa.Table:
    """All rows of some columns."""
    import pyarrow as pa

    with _opened(path) as (database, table):
        reader = _reader(database, table, only)
        return pa.Table.from_batches(list(reader), reader.schema)


def duckdb_pieces(path: Path, only: Sequence[str] | None, rows: int) -> Iterator[pa.Table]:
    """The same, this many rows at a time."""
    import pyarrow as pa

    with _opened(path) as (database, table):
        reader = _reader(database, table, only, rows)
        for batch in reader:
            yield pa.Table.from_batches([batch], reader.schema)


def _reader(
    database: duckdb.DuckDBPyConnection, table: str, only: Sequence[str] | None, rows: int = 1 << 17
) -> pa.RecordBatchReader:
    result: pa.RecordBatchReader = database.sql(f"SELECT {_columns(only)} FROM {table}").to_arrow_reader(rows)
    return result


def _columns(only: Sequence[str] | None) -> str:
    return "*" if only is None else ", ".join(map(_quoted, only))


def _quoted(name: str) -> str:
    doubled = name.replace('"', '""')
    return f'"{doubled}"'


@contextmanager
def _opened(path: Path) -> Iterator[tuple[duckdb.DuckDBPyConnection, str]]:
    """The database and the name of its table. What DuckDB says of an error may quote a cell, and is not repeated."""
    import duckdb
    import pyarrow as pa

    label = legible(path.name)
    with open_plain(path) as file:
        if file.read(12)[8:] != _MAGIC:
            raise DataError(f"{label} — is not a DuckDB database — name its format as it is")
    try:
        with duckdb.connect(path, read_only=True, config=_ALONE) as database:
            yield database, _only_table(database, path, label)
    except (duckdb.Error, pa.ArrowException) as error:
        what = f"cannot be read as a DuckDB database ({type(error).__name__})"
        hint = "close it where it is being written, and look at it with the DuckDB that wrote it"
        raise DataError(f"{label} — {what} — {hint}") from None


def _only_table(database: duckdb.DuckDBPyConnection, path: Path, label: str) -> str:
    results = [(str(schema), str(name)) for schema, name in database.execute(_TABLES).fetchall()]
    named = results if len(results) == 1 else [one for one in results if one[1] == path.stem]
    if len(named) != 1:
        shown = legible(", ".join(name for _, name in results[:5])) + (" …" if len(results) > 5 else "")
        what = (
            f"holds {len(results)} tables{f' ({shown})' if results else ''}, none or several of them called {path.stem}"
        )
        raise DataError(f"{label} — {what} — copy the table to a database of its own, or to a Parquet file")
    return ".".join(map(_quoted, named[0]))
