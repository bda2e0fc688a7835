"""Long work on rows: sorted on disk and cut into blocks, of which finished ones are kept, so that work can resume.

Memory does not grow with the number of rows.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from sharewell.io.columnar import parquet_tables
from sharewell.io.external_sort import RowsOnDisk, SortedRows, even_pieces, sort_by_hash
from sharewell.io.operating_system import flush_file

if TYPE_CHECKING:
    import pyarrow as pa

PIECE = 2048
"""Rows of text that are held at a time."""
_IDENTITY, _SORTED, _ENDING = "identity.json", "sorted.parquet", ".parquet"


@dataclass(frozen=True)
class Journal:
    """Finished blocks of one piece of work in a directory that only its owner can read."""

    directory: Path
    held: tempfile.TemporaryDirectory[str] | None = field(default=None, repr=False, compare=False)
    """Removes a temporary directory when the journal is no longer used."""

    @classmethod
    def of(cls, directory: Path, identity: Mapping[str, str]) -> Journal:
        """The journal of the same work, if it was begun in this directory; any other journal there is removed."""
        identity_file = directory / _IDENTITY
        try:
            same = json.loads(identity_file.read_bytes()) == dict(identity)
        except (OSError, ValueError):
            same = False
        if not same:
            shutil.rmtree(directory, ignore_errors=True)
            directory.mkdir(parents=True, mode=0o700)
            identity_file.write_bytes(json.dumps(dict(identity)).encode())
        return cls(directory)

    @classmethod
    def passing(cls) -> Journal:
        """A journal in a temporary directory."""
        temporary = tempfile.TemporaryDirectory(prefix="sharewell-")
        return cls(Path(temporary.name), temporary)

    def together(self, tables: Iterator[pa.Table], by: str) -> Path:
        """The rows of all tables in one file, those with the same value of a column together; made once."""
        path = self.directory / _SORTED
        if not path.exists():
            unfinished = path.with_suffix(".unfinished")
            sort_by_hash(tables, [by], [], unfinished, PIECE)
            unfinished.replace(path)
        return path

    def _block(self, number: int) -> Path:
        return self.directory / f"{number:08d}{_ENDING}"

    def has(self, number: int) -> bool:
        return self._block(number).exists()

    def write(self, number: int, table: pa.Table) -> None:
        """Keep a finished block; its file appears whole or not at all."""
        import pyarrow.parquet as pq

        path = self._block(number)
        unfinished = path.with_suffix(".unfinished")
        pq.write_table(table, unfinished, compression="zstd")
        flush_file(unfinished)
        unfinished.replace(path)

    def blocks(self) -> list[Path]:
        """The files of all finished blocks, in order."""
        return sorted(path for path in self.directory.glob(f"*{_ENDING}") if path.stem.isdigit())

    def tables(self, columns: Sequence[str] | None = None, rows: int = PIECE) -> Iterator[pa.Table]:
        """The rows of the finished blocks, piece by piece."""
        for path in self.blocks():
            yield from parquet_tables(path, columns, rows)


def sorted_by_content(
    rows: pa.Table | Journal, columns: Mapping[str, str], last: Mapping[str, str], where: str, directory: Path
) -> SortedRows:
    """Rows of an Arrow table or a journal, sorted by a hash of `columns`, then of `last`.

    Both map names to be written to names in the rows. Rows whose column `where` is missing are left out.
    """
    import pyarrow.compute as pc

    directory.mkdir(parents=True, exist_ok=True, mode=0o700)
    path = directory / "published.parquet"
    shown = {**columns, **last}
    places = [f"o{i}" for i in range(len(shown))]
    tables = rows.tables(list(dict.fromkeys([*shown.values(), where]))) if isinstance(rows, Journal) else iter([rows])
    filled = (table.filter(pc.is_valid(table[where])) for table in tables)
    kept = (table.select(list(shown.values())).rename_columns(places) for table in filled)
    count = sort_by_hash(kept, places[: len(columns)], places[len(columns) :], path, PIECE)
    columns_written = tuple(zip(shown, places, strict=True))
    return RowsOnDisk(path=path, num_rows=count, columns=columns_written, piece=PIECE)


def unfolded(rows: SortedRows, column: str, row: str, directory: Path) -> SortedRows:
    """A column of lists of records as a table: the number of the row, and the fields of the record."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    place, path, first, count = dict(rows.columns)[column], directory / "unfolded.parquet", 0, 0
    kind = rows.schema().field(place).type.value_type
    names = [kind.field(i).name for i in range(kind.num_fields)]
    schema = pa.schema([(row, pa.int64()), *((kind.field(i).name, kind.field(i).type) for i in range(kind.num_fields))])
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        for table in even_pieces(rows.pieces([place]), PIECE):
            lists = table[place].combine_chunks()
            flat = lists.flatten()
            rows_of = pc.list_parent_indices(lists).to_numpy(zero_copy_only=False).astype(np.int64) + first
            first += table.num_rows
            count += len(flat)
            writer.write_table(pa.table([pa.array(rows_of), *(flat.field(name) for name in names)], schema=schema))
    return RowsOnDisk(path=path, num_rows=count, columns=tuple((name, name) for name in schema.names))
