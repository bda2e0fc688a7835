"""Rows sorted on disk in an order that their contents alone decide: memory does not grow with their number.

One merge sort serves two orders. `sort_by_hash` sorts by a hash (BLAKE2b) of some columns, which puts equal rows
together and shows nothing of the source's order. `join_and_sort` sorts by value, as `content_order` sorts a table in
memory, so that a large table is published in the same order as a small one.

As many rows as fit in memory are sorted and written as a *run*; runs are then merged. Rows that are equal in all keys
stay in the order in which they came.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, count
from pathlib import Path
from typing import Literal, Self

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray
from pyarrow import csv

from sharewell.content_order import content_order
from sharewell.errors import DataError
from sharewell.io.columnar import parquet_tables
from sharewell.io.spilled_columns import SpilledColumns

TEXT_MEMORY, VALUE_MEMORY = 32 << 20, 256 << 20
"""Bytes of rows that are sorted at a time: by hash (few comparisons, wide rows) and by value."""
_MOST_RUNS = 32
"""Runs that are merged at a time."""
_HASHES = ("\0hash", "\0more", "\0then")


@dataclass(frozen=True, kw_only=True)
class SortedRows:
    """Rows in their final order, of which a few are text in memory at a time; `columns` are those to be written."""

    num_rows: int
    columns: tuple[tuple[str, str], ...]
    """(name to publish, name in the source)"""
    piece: int = 1 << 18
    """Rows that are held at a time, and that a Parquet file keeps together: the same whatever the source."""

    def schema(self) -> pa.Schema:
        """The columns of the source and their types."""
        raise NotImplementedError

    def pieces(self, places: Sequence[str]) -> Iterator[pa.Table]:
        """Some columns of the source, this many rows at a time."""
        raise NotImplementedError

    def pick(self, names: Mapping[str, str]) -> Self:
        """Some of the columns, under other names."""
        places = dict(self.columns)
        return replace(self, columns=tuple((shown, places[name]) for name, shown in names.items()))

    def write(self, path: Path, form: Literal["parquet", "csv"]) -> None:
        """Stream to a file; memory does not grow with the number of rows."""
        source = self.schema()
        schema = pa.schema([source.field(place).with_name(name) for name, place in self.columns])
        writer: pq.ParquetWriter | csv.CSVWriter = (
            pq.ParquetWriter(path, schema, compression="zstd")
            if form == "parquet"
            else csv.CSVWriter(path, schema, write_options=csv.WriteOptions(quoting_style="needed"))
        )
        with writer:
            for table in self.tables():
                writer.write_table(table)

    def in_memory(self) -> pa.Table:
        """All rows at once, for those who know that they are few."""
        return pa.concat_tables(self.tables())

    def tables(self) -> Iterator[pa.Table]:
        """The rows under the names to be published, piece by piece."""
        names, places = [name for name, _ in self.columns], [place for _, place in self.columns]
        for table in even_pieces(self.pieces(places), self.piece):
            yield table.select(places).rename_columns(names)


@dataclass(frozen=True, kw_only=True)
class RowsOnDisk(SortedRows):
    """Sorted rows in a scratch file."""

    path: Path

    def schema(self) -> pa.Schema:
        return pq.read_schema(self.path)

    def pieces(self, places: Sequence[str]) -> Iterator[pa.Table]:
        return parquet_tables(self.path, list(places), self.piece)


def even_pieces(tables: Iterable[pa.Table], rows: int) -> Iterator[pa.Table]:
    """The same rows in tables of this many rows each; the last one may be shorter."""
    rest: list[pa.Table] = []
    for table in tables:
        rest.append(table)
        if sum(part.num_rows for part in rest) < rows:
            continue
        joined = pa.concat_tables(rest)
        end = joined.num_rows - joined.num_rows % rows
        for first in range(0, end, rows):
            yield joined.slice(first, rows)
        rest = [joined.slice(end)] if end < joined.num_rows else []
    if rest:
        yield pa.concat_tables(rest)


def sort_by_hash(tables: Iterator[pa.Table], by: Sequence[str], then: Sequence[str], path: Path, piece: int) -> int:
    """Write the rows of all tables to a Parquet file; how many there are. There must be a table.

    Order: by a hash of the columns `by`, then by a hash of the columns `then`, then as they came.
    """
    first = next(tables)

    def hashed() -> Iterator[pa.Table]:
        for table in chain([first], tables):
            table = table.cast(first.schema)
            words = [*_hashes(table, by), _hashes(table, then)[0]]
            for name, word in zip(_HASHES, words, strict=True):
                table = table.append_column(name, pa.array(word))
            yield table

    return _sort(hashed(), _HASHES, first.schema, path, piece, TEXT_MEMORY)


def _hashes(table: pa.Table, columns: Sequence[str]) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Two words of the hash of each row; all the same if there are no columns."""
    if not columns:
        return np.zeros(table.num_rows, np.uint64), np.zeros(table.num_rows, np.uint64)
    rows = zip(*(table[name].to_pylist() for name in columns), strict=True)
    texts = (json.dumps(row, default=str, separators=(",", ":")).encode() for row in rows)
    digests = b"".join(hashlib.blake2b(text, digest_size=16).digest() for text in texts)
    words = np.frombuffer(digests, ">u8").astype(np.uint64)
    return words[::2], words[1::2]


def join_and_sort(
    resident: pa.Table, spilled: SpilledColumns, columns: Sequence[str], last: Sequence[str], directory: Path
) -> SortedRows:
    """Row i of `resident` beside row i of `spilled`, sorted by the values of `columns`, then of `last`."""
    places = {name: f"o{i}" for i, name in enumerate((*columns, *last))}
    file_order = np.argsort(spilled.rows, kind="stable")
    rows = spilled.rows[file_order]

    def joined() -> Iterator[pa.Table]:
        first = 0
        for batch in spilled.batches():
            low, high = np.searchsorted(rows, [first, first + batch.num_rows])
            in_file, in_memory = pa.array(rows[low:high] - first), pa.array(file_order[low:high])
            columns = [
                batch[name].take(in_file) if name in batch.column_names else decoded(resident[name].take(in_memory))
                for name in places
            ]
            yield pa.table(columns, names=list(places.values()))
            first += batch.num_rows

    tables = joined()
    first = next(tables)
    path = directory / "sorted.parquet"
    _sort(chain([first], tables), first.column_names, first.schema, path, SortedRows.piece, VALUE_MEMORY)
    return RowsOnDisk(path=path, num_rows=resident.num_rows, columns=tuple(places.items()))


def decoded(column: pa.Array | pa.ChunkedArray) -> pa.Array | pa.ChunkedArray:
    """A column of values, where it came as numbers into a list of them."""
    return column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column


def _sort(
    tables: Iterator[pa.Table], keys: Sequence[str], schema: pa.Schema, path: Path, piece: int, memory: int
) -> int:
    """Write the columns of `schema` to a Parquet file, rows sorted by `keys`; how many rows there are."""
    scratch = path.with_suffix(".runs")
    shutil.rmtree(scratch, ignore_errors=True)  # of a process that was killed
    scratch.mkdir(mode=0o700)
    names = (scratch / str(number) for number in count())
    rows = 0
    try:
        runs = [_write_run(next(names), [_sorted(table, keys)], memory) for table in _loads(tables, memory)]
        while len(runs) > _MOST_RUNS:
            groups = [runs[first : first + _MOST_RUNS] for first in range(0, len(runs), _MOST_RUNS)]
            runs = [_write_run(next(names), _merged(group, keys), memory) for group in groups]
        with pq.ParquetWriter(path, schema, compression="zstd") as writer:
            for table in even_pieces(_merged(runs, keys), piece):
                writer.write_table(table.select(schema.names), row_group_size=piece)
                rows += table.num_rows
        shutil.rmtree(scratch)
    except OSError as error:
        raise DataError(
            f"sorting on disk failed ({type(error).__name__}) — is there room beside the release?"
        ) from None
    return rows


def _loads(tables: Iterator[pa.Table], memory: int) -> Iterator[pa.Table]:
    """As many rows at a time as may be in memory."""
    load: list[pa.Table] = []
    size = 0
    for table in tables:
        load += [table] if table.num_rows else []
        size += table.nbytes
        if load and size > memory:
            yield pa.concat_tables(load)
            load, size = [], 0
    if load:
        yield pa.concat_tables(load)


def _sorted(table: pa.Table, keys: Sequence[str]) -> pa.Table:
    return table.take(pa.array(content_order(table.select(keys))))


def _write_run(path: Path, tables: Iterable[pa.Table], memory: int) -> Path:
    """A sorted run in batches so small that one of each run fits in memory."""
    writer = None
    for table in tables:
        writer = writer or pa.ipc.new_file(path, table.schema, options=pa.ipc.IpcWriteOptions(compression="lz4"))
        rows = table.num_rows * memory // (_MOST_RUNS * max(table.nbytes, 1))
        writer.write_table(table.combine_chunks(), max_chunksize=max(rows, 1))
    if writer is not None:
        writer.close()
    return path


def _read_run(path: Path) -> Iterator[pa.Table]:
    with pa.OSFile(str(path)) as source:
        reader = pa.ipc.open_file(source)
        for number in range(reader.num_record_batches):
            yield pa.Table.from_batches([reader.get_batch(number)])
    path.unlink()


def _merged(runs: Sequence[Path], keys: Sequence[str]) -> Iterator[pa.Table]:
    """All runs as one. Of the batches in memory, rows up to the first batch's end are safe: all others are greater."""
    unread = [_read_run(run) for run in runs]
    heads: list[pa.Table] = [next(batches) for batches in unread]
    while len(heads) > 1:
        together = pa.concat_tables(heads)
        order = content_order(together.select(keys))
        head_ends = np.cumsum([head.num_rows for head in heads])
        safe = order[: np.flatnonzero(np.isin(order, head_ends - 1))[0] + 1]
        yield together.take(pa.array(safe))
        taken = np.bincount(np.searchsorted(head_ends, safe, side="right"), minlength=len(heads)).tolist()
        rest = [head.slice(rows) for head, rows in zip(heads, taken, strict=True)]
        rest = [head if head.num_rows else next(unread[i], None) for i, head in enumerate(rest)]
        unread = [batches for batches, head in zip(unread, rest, strict=True) if head is not None]
        heads = [head for head in rest if head is not None]
    for head, batches in zip(heads, unread, strict=True):
        yield head
        yield from batches
