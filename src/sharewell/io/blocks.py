"""Long work on rows: sorted on disk, cut into blocks, each kept when it is finished, so that work can go on later.

Memory does not grow with the number of rows: DuckDB sorts and spills what does not fit, everything else is streamed.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sharewell.errors import DataError
from sharewell.io.spool import SortedRows

MEMORY_LIMIT = "200MB"
"""What DuckDB may use before it spills to disk."""
PIECE = 2048
"""Rows of text that are held at a time."""
_IDENTITY, _SORTED, _ENDING = "identity.json", "sorted.parquet", ".parquet"


@dataclass(frozen=True)
class Journal:
    """Finished blocks of one piece of work in a directory that only its owner can read."""

    directory: Path
    held: Any = field(default=None, repr=False, compare=False)
    """What removes a temporary directory when nobody needs it any more."""

    @classmethod
    def of(cls, directory: Path, identity: Mapping[str, str]) -> Journal:
        """The journal of this very work, if it was begun there before; anything else there is removed."""
        found = directory / _IDENTITY
        try:
            same = json.loads(found.read_bytes()) == dict(identity)
        except (OSError, ValueError):
            same = False
        if not same:
            shutil.rmtree(directory, ignore_errors=True)
            directory.mkdir(parents=True, mode=0o700)
            found.write_text(json.dumps(dict(identity)))
        return cls(directory)

    @classmethod
    def passing(cls) -> Journal:
        """One that goes when it is no longer used."""
        held = tempfile.TemporaryDirectory(prefix="sharewell-")
        return cls(Path(held.name), held)

    def sorted(self, tables: Iterator[Any], order: Sequence[str]) -> Path:
        """The rows of all tables in one file, sorted; made once."""
        path = self.directory / _SORTED
        if not path.exists():
            with _database(self.directory) as database:
                unfinished = path.with_suffix(".unfinished")
                _copy(database, "SELECT * FROM given ORDER BY " + ", ".join(map(_name, order)), unfinished, tables)
                unfinished.rename(path)
        return path

    def _block(self, number: int) -> Path:
        return self.directory / f"{number:08d}{_ENDING}"

    def has(self, number: int) -> bool:
        return self._block(number).exists()

    def write(self, number: int, table: Any) -> None:
        """A finished block is there as a whole or not at all."""
        import pyarrow.parquet as pq

        path = self._block(number)
        unfinished = path.with_suffix(".unfinished")
        pq.write_table(table, unfinished, compression="zstd")
        with unfinished.open("rb") as file:
            os.fsync(file.fileno())
        unfinished.rename(path)

    def blocks(self) -> list[Path]:
        """The files of all finished blocks, in order."""
        return sorted(path for path in self.directory.glob(f"*{_ENDING}") if path.stem.isdigit())

    def tables(self, columns: Sequence[str] | None = None, rows: int = PIECE) -> Iterator[Any]:
        """What stands in the finished blocks, piece by piece."""
        for path in self.blocks():
            yield from parquet_tables(path, columns, rows)


def parquet_tables(path: Path, columns: Sequence[str] | None = None, rows: int = PIECE) -> Iterator[Any]:
    """A Parquet file piece by piece."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    wanted = None if columns is None else list(columns)
    with pq.ParquetFile(path) as file:
        for batch in file.iter_batches(batch_size=rows, columns=wanted):
            yield pa.Table.from_batches([batch])


def sorted_by_content(
    rows: Any, columns: Mapping[str, str], last: Mapping[str, str], where: str, directory: Path
) -> SortedRows:
    """Rows (an Arrow table, or a journal) in the order of what `columns` hold, then of `last`.

    Both map names to be written to names in the rows. Only rows whose column `where` is not missing are taken.
    """
    directory.mkdir(parents=True, exist_ok=True, mode=0o700)
    path = directory / "published.parquet"
    shown = {**columns, **last}
    taken = ", ".join(f"{_name(inside)} AS o{i}" for i, inside in enumerate(shown.values()))
    order = ", ".join(f"o{i} NULLS LAST" for i in range(len(shown)))
    with _database(directory) as database:
        if isinstance(rows, Journal):
            source = f"read_parquet([{', '.join(_text(path) for path in rows.blocks())}])" if rows.blocks() else ""
        else:
            database.register("given", rows)
            source = "given"
        _copy(database, f"SELECT {taken} FROM {source} WHERE {_name(where)} IS NOT NULL ORDER BY {order}", path)
        counted = database.execute(f"SELECT count(*) FROM read_parquet({_text(path)})").fetchone()
    assert counted is not None
    return SortedRows(path, int(counted[0]), tuple((name, f"o{i}") for i, name in enumerate(shown)), piece=PIECE)


def unfolded(rows: SortedRows, column: str, row: str, directory: Path) -> SortedRows:
    """A column of lists of records as a table of its own: the place of the row, and the fields of the record."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    place, path, first, count = dict(rows.columns)[column], directory / "unfolded.parquet", 0, 0
    kind = pq.read_schema(rows.path).field(place).type.value_type
    names = [kind.field(i).name for i in range(kind.num_fields)]
    schema = pa.schema([(row, pa.int64()), *((kind.field(i).name, kind.field(i).type) for i in range(kind.num_fields))])
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        for table in parquet_tables(rows.path, [place]):
            lists = table[place].combine_chunks()
            flat = lists.flatten()
            rows_of = pc.list_parent_indices(lists).to_numpy(zero_copy_only=False).astype(np.int64) + first
            first += table.num_rows
            count += len(flat)
            writer.write_table(pa.table([pa.array(rows_of), *(flat.field(name) for name in names)], schema=schema))
    return SortedRows(path, count, tuple((name, name) for name in schema.names))


@contextmanager
def _database(directory: Path) -> Iterator[Any]:
    import duckdb

    with duckdb.connect() as database:
        database.execute(f"SET memory_limit = '{MEMORY_LIMIT}'")
        database.execute("SET threads = 2")
        database.execute("SET temp_directory = $1", [str(directory / "spill")])
        yield database


def _copy(database: Any, query: str, path: Path, tables: Iterator[Any] | None = None) -> None:
    """Run a query into a file. What a reader says while it is asked for more is passed on as it is."""
    import duckdb
    import pyarrow as pa

    wrong: list[DataError] = []
    if tables is not None:
        first = next(tables)

        def batches() -> Iterator[Any]:
            yield from first.to_batches()
            try:
                for table in tables:
                    yield from table.cast(first.schema).to_batches()
            except DataError as error:
                wrong.append(error)

        database.register("given", pa.RecordBatchReader.from_batches(first.schema, batches()))
    try:
        database.execute(f"COPY ({query}) TO {_text(path)} (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE {PIECE})")
    except duckdb.Error as error:  # its message may quote a value
        raise DataError(
            f"sorting on disk failed ({type(error).__name__}) — is there room beside the release?"
        ) from None
    if wrong:
        path.unlink(missing_ok=True)
        raise wrong[0]


def _name(column: str) -> str:
    return '"' + column.replace('"', '""') + '"'


def _text(path: Path) -> str:
    return "'" + str(path).replace("'", "''") + "'"
