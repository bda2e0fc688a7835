"""Files larger than memory: what algorithms compute with is kept as codes, everything else waits on disk.

One pass over the source splits it: *resident* columns come back dictionary-encoded (a few bytes a row), *parked* ones
go to a Parquet file beside the release that is being made. When the release is written, the two are joined and sorted
on disk (`external_sort`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from sharewell.io.sources import Source

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True, eq=False)
class Parked:
    """Columns in a file; row i here is row rows[i] there. Behaves like an Arrow table in what tables ask of it."""

    path: Path
    names: tuple[str, ...]
    """All columns of the file, which calls them c0, c1, … so that no name needs quoting."""
    column_names: list[str]
    rows: NDArray[np.intp] = field(repr=False)
    changed: Mapping[str, pa.ChunkedArray] = field(default_factory=dict, repr=False)
    """Columns in memory that stand for those of the file: a mechanism has changed them."""

    def select(self, names: Sequence[str]) -> Parked:
        kept = {name: array for name, array in self.changed.items() if name in names}
        return replace(self, column_names=list(names), changed=kept)

    def take(self, rows: ArrayLike | pa.Array) -> Parked:
        import numpy as np

        changed = {name: array.take(rows) for name, array in self.changed.items()}
        return replace(self, rows=self.rows[np.asarray(rows)], changed=changed)

    def changed_in(self, name: str, array: pa.Array | pa.ChunkedArray) -> Parked:
        """The same with one column replaced."""
        return replace(self, changed={**self.changed, name: array})

    def __getitem__(self, name: str) -> pa.ChunkedArray:
        """One column in memory, for whoever asks for it by name."""
        if name in self.changed:
            return self.changed[name]
        import pyarrow as pa
        import pyarrow.parquet as pq

        place = f"c{self.names.index(name)}"
        return pq.read_table(self.path, columns=[place])[place].take(pa.array(self.rows))


def park(source: Source, resident: Sequence[str], parked: Sequence[str], directory: Path) -> tuple[pa.Table, Parked]:
    """Split a source in one pass. Memory: O(distinct values + 4 bytes × rows × resident columns)."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq

    directory.mkdir(parents=True, exist_ok=True)
    path = directory / "parked.parquet"
    chunks: list[pa.Table] = []
    writer, count = None, 0
    for piece in source.batches():
        chunks.append(pa.table({name: _coded(piece[name]) for name in resident}))
        waiting = {f"c{i}": piece[name] for i, name in enumerate(parked)}
        waiting["row"] = pa.array(np.arange(count, count + piece.num_rows))
        rest = pa.table(waiting)
        writer = writer or pq.ParquetWriter(path, rest.schema, compression="zstd")
        writer.write_table(rest)
        count += piece.num_rows
    if writer is not None:
        writer.close()
    table = pa.concat_tables(chunks).unify_dictionaries() if chunks else source.read(list(resident))
    return table, Parked(path, tuple(parked), list(parked), np.arange(count))


def _coded(column: pa.ChunkedArray) -> pa.ChunkedArray:
    import pyarrow as pa

    return column if pa.types.is_dictionary(column.type) else column.dictionary_encode()


@dataclass(frozen=True)
class SortedRows:
    """Rows in their final order, in a scratch file; `columns` are those to be written of it."""

    path: Path
    num_rows: int
    columns: tuple[tuple[str, str], ...]
    """(name to publish, name in the file)"""
    piece: int = 1 << 18
    """Rows that are held at a time, and that a Parquet file keeps together: the same whatever made the scratch file."""

    def pick(self, names: Mapping[str, str]) -> SortedRows:
        """Some of the columns, under other names."""
        places = dict(self.columns)
        return replace(self, columns=tuple((shown, places[name]) for name, shown in names.items()))

    def write(self, path: Path, form: Literal["parquet", "csv"]) -> None:
        """Stream to a file; memory does not grow with the number of rows."""
        import pyarrow as pa
        import pyarrow.parquet as pq
        from pyarrow import csv

        source = pq.ParquetFile(self.path)
        schema = pa.schema([source.schema_arrow.field(place).with_name(name) for name, place in self.columns])
        plain = csv.WriteOptions(quoting_style="needed")
        writer: pq.ParquetWriter | csv.CSVWriter = (
            pq.ParquetWriter(path, schema, compression="zstd")
            if form == "parquet"
            else csv.CSVWriter(path, schema, write_options=plain)
        )
        with writer:
            for table in self.tables():
                writer.write_table(table)

    def tables(self) -> Iterator[pa.Table]:
        """The rows under the names to be published, piece by piece."""
        import pyarrow.parquet as pq

        names, places = [name for name, _ in self.columns], [place for _, place in self.columns]
        with pq.ParquetFile(self.path) as source:
            for table in _even(source.iter_batches(batch_size=self.piece, columns=places), self.piece):
                yield table.select(places).rename_columns(names)


def _even(batches: Iterator[pa.RecordBatch], rows: int) -> Iterator[pa.Table]:
    """Tables of so many rows each, but for the last, however the batches are cut."""
    import pyarrow as pa

    held: list[pa.RecordBatch] = []
    for batch in batches:
        held.append(batch)
        if sum(one.num_rows for one in held) >= rows:
            table = pa.Table.from_batches(held)
            yield table.slice(0, rows)
            held = table.slice(rows).to_batches()
    if held:
        yield pa.Table.from_batches(held)
