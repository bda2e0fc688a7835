"""Rows sorted on disk in an order that their contents alone decide: memory does not grow with them.

`sort_by_hash`: by a hash (BLAKE2b) of some columns, equal ones by a hash of others, and then as they came. A hash
spreads evenly, so its first bits say at once to which of a few files a row belongs; what is in a file is sorted in
memory, or spread once more (a radix sort). For texts, of which nobody needs the order of the alphabet: DuckDB, which
sorts by value, runs out of memory on rows as wide as notes.

`join_and_sort`: by value, as `content_order` sorts a table in memory, so that a large table is published in the same
order as a small one. DuckDB joins what is in memory to what waits on disk, and spills what does not fit.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from sharewell.errors import DataError
from sharewell.io.spilled_columns import Parked, SortedRows

MEMORY_LIMIT = "2GB"
"""What DuckDB may use before it spills to disk."""
HELD = 32 << 20
"""Bytes of rows that are held at a time."""
_BITS = 6
_DEEPEST = 3
"""Rows that are together after so many rounds belong together: they are equal in what orders them."""
_HIGH, _LOW = "\0high", "\0low"
Words = NDArray[np.uint64]


def sort_by_hash(tables: Iterator[pa.Table], by: Sequence[str], then: Sequence[str], path: Path, piece: int) -> int:
    """Write the rows of all tables to a Parquet file, so many at a time; how many there are. There must be a table."""
    scratch = path.with_suffix(".spread")
    shutil.rmtree(scratch, ignore_errors=True)  # of a run that was killed
    scratch.mkdir(mode=0o700)
    first = next(tables)
    marked = (_marked(table.cast(first.schema), by) for table in chain([first], tables))
    rows = 0
    try:
        with pq.ParquetWriter(path, first.schema, compression="zstd") as writer:
            for table in _pieces(_in_order(marked, then, 0, scratch), piece):
                writer.write_table(table.drop_columns([_HIGH, _LOW]), row_group_size=piece)
                rows += table.num_rows
        scratch.rmdir()
    except OSError as error:
        raise DataError(
            f"sorting on disk failed ({type(error).__name__}) — is there room beside the release?"
        ) from None
    return rows


def _marked(table: pa.Table, by: Sequence[str]) -> pa.Table:
    """A table with the hash of each row in two further columns."""
    high, low = _hashes(table, by)
    return table.append_column(_HIGH, pa.array(high)).append_column(_LOW, pa.array(low))


def _hashes(table: pa.Table, columns: Sequence[str]) -> tuple[Words, Words]:
    told = zip(*(table[name].to_pylist() for name in columns), strict=True)
    written = (json.dumps(row, default=str, separators=(",", ":")).encode() for row in told)
    digests = b"".join(hashlib.blake2b(row, digest_size=16).digest() for row in written)
    words = np.frombuffer(digests, ">u8").astype(np.uint64)
    return words[::2], words[1::2]


def _in_order(tables: Iterator[pa.Table], then: Sequence[str], level: int, scratch: Path) -> Iterator[pa.Table]:
    """Marked tables in order: in memory if they fit, else spread over files that are taken in turn."""
    held, size = [], 0
    for table in tables:
        held.append(table)
        size += table.nbytes
        if size > HELD and level < _DEEPEST:
            for file in _spread(chain(held, tables), level, scratch):
                yield from _in_order(_read(file), then, level + 1, scratch)
                file.unlink()
            return
    if held:
        yield _sorted(pa.concat_tables(held), then)


def _sorted(table: pa.Table, then: Sequence[str]) -> pa.Table:
    """One table; only rows that are equal so far are looked at further."""
    high, low = (table[name].to_numpy() for name in (_HIGH, _LOW))
    order = np.lexsort((low, high))
    same = (high[order][1:] == high[order][:-1]) & (low[order][1:] == low[order][:-1])
    if then and same.any():
        twins = np.flatnonzero(np.r_[same, False] | np.r_[False, same])
        more = np.zeros(len(order), np.uint64)
        more[order[twins]] = _hashes(table.take(pa.array(order[twins])), then)[0]
        order = np.lexsort((more, low, high))
    return table.take(pa.array(order))


def _spread(tables: Iterator[pa.Table], level: int, scratch: Path) -> list[Path]:
    """The rows in files, by the next bits of their hash; files in the order of these bits."""
    writers: dict[int, pa.ipc.RecordBatchFileWriter] = {}
    waiting: dict[int, list[pa.Table]] = {}
    size = 0

    def empty() -> None:
        for number, parts in sorted(waiting.items()):
            whole = pa.concat_tables(parts).combine_chunks()
            if number not in writers:
                options = pa.ipc.IpcWriteOptions(compression="lz4")
                file = scratch / f"{level}-{number:03d}"
                writers[number] = pa.ipc.new_file(file, whole.schema, options=options)
            writers[number].write_table(whole)
        waiting.clear()

    for table in tables:
        files = (table[_HIGH].to_numpy() >> np.uint64(64 - _BITS * (level + 1))) & np.uint64((1 << _BITS) - 1)
        order = np.argsort(files, kind="stable")
        table, files = table.take(pa.array(order)), files[order]
        for number in np.unique(files).tolist():
            first, end = np.searchsorted(files, [number, number + 1])
            waiting.setdefault(number, []).append(table.slice(first, end - first))
        size += table.nbytes
        if size > HELD:
            empty()
            size = 0
    empty()
    for writer in writers.values():
        writer.close()
    return [scratch / f"{level}-{number:03d}" for number in sorted(writers)]


def _read(file: Path) -> Iterator[pa.Table]:
    with pa.OSFile(str(file)) as source:
        found = pa.ipc.open_file(source)
        for number in range(found.num_record_batches):
            yield pa.Table.from_batches([found.get_batch(number)])


def _pieces(tables: Iterator[pa.Table], rows: int) -> Iterator[pa.Table]:
    """The same rows, so many at a time."""
    held: list[pa.Table] = []
    for table in tables:
        whole = pa.concat_tables([*held, table])
        end = whole.num_rows - whole.num_rows % rows
        for first in range(0, end, rows):
            yield whole.slice(first, rows)
        held = [whole.slice(end)] if end < whole.num_rows else []
    yield from held


def join_and_sort(
    resident: pa.Table, parked: Parked, columns: Sequence[str], last: Sequence[str], directory: Path
) -> SortedRows:
    """Row i of `resident` beside row i of `parked`, sorted by the content of `columns`, then of `last`."""
    import duckdb

    places = {name: f"r{i}" for i, name in enumerate(resident.column_names)}
    coded = resident.rename_columns(list(places.values())).append_column("row", pa.array(parked.rows))
    waiting = {name: f"c{parked.names.index(name)}" for name in parked.column_names}
    names = {name: f"p.{waiting[name]}" if name in waiting else f"r.{places[name]}" for name in (*columns, *last)}
    shown = ", ".join(f"{place} AS o{i}" for i, place in enumerate(names.values()))
    order = ", ".join(f"o{i} NULLS LAST" for i in range(len(names)))
    path = directory / "sorted.parquet"
    with duckdb.connect() as database:
        database.execute(f"SET memory_limit = '{MEMORY_LIMIT}'")
        database.execute("SET temp_directory = $1", [str(directory / "spill")])
        database.register("r", coded)
        database.execute(f"CREATE VIEW p AS SELECT * FROM read_parquet('{_quoted(parked.path)}')")
        query = f"SELECT {shown} FROM r JOIN p ON r.row = p.row ORDER BY {order}"
        database.execute(f"COPY ({query}) TO '{_quoted(path)}' (FORMAT parquet, COMPRESSION zstd)")
    return SortedRows(path, resident.num_rows, tuple((name, f"o{i}") for i, name in enumerate(names)))


def _quoted(path: Path) -> str:
    return str(path).replace("'", "''")
