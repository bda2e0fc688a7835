"""Columns that stay on disk: what algorithms compute with is in memory as codes, everything else is read when needed.

`LazyColumns` leaves columns in their own file. `spill` is for files larger than memory: one pass over the source
returns the *resident* columns dictionary-encoded (a few bytes a row) and copies the others to a Parquet file beside
the release that is being made (`SpilledColumns`). When the release is written, `external_sort` joins and sorts the two.

Both classes answer what tables ask of an Arrow table: `column_names`, `select`, `take` and a column by its name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from sharewell.io.columnar import parquet_tables
from sharewell.io.sources import Source
from sharewell.io.unused_memory import give_back

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import ArrayLike, NDArray

_GIVE_BACK_AFTER = 8
"""Pieces of a file."""


@dataclass(frozen=True, eq=False)
class LazyColumns:
    """Columns of a source, read one at a time; row i is row rows[i] of the file."""

    source: Source
    column_names: list[str]
    rows: NDArray[np.intp] | None = field(default=None, repr=False)

    def select(self, names: Sequence[str]) -> LazyColumns:
        return replace(self, column_names=list(names))

    def take(self, rows: ArrayLike | pa.Array) -> LazyColumns:
        import numpy as np

        taken = np.asarray(rows)
        return replace(self, rows=taken if self.rows is None else self.rows[taken])

    def __getitem__(self, name: str) -> pa.ChunkedArray:
        import pyarrow as pa

        column = self.source.read([name])[name]
        return column if self.rows is None else column.take(pa.array(self.rows))


@dataclass(frozen=True, eq=False)
class SpilledColumns:
    """Columns of a scratch file; row i is row rows[i] of the file."""

    path: Path
    names: tuple[str, ...]
    """All columns of the file, which calls them c0, c1, … so that no name needs quoting."""
    column_names: list[str]
    rows: NDArray[np.intp] = field(repr=False)
    changed: Mapping[str, pa.ChunkedArray] = field(default_factory=dict, repr=False)
    """Columns in memory in place of those of the file: they are few values each, or a mechanism has changed them."""

    def select(self, names: Sequence[str]) -> SpilledColumns:
        kept = {name: array for name, array in self.changed.items() if name in names}
        return replace(self, column_names=list(names), changed=kept)

    def take(self, rows: ArrayLike | pa.Array) -> SpilledColumns:
        import numpy as np

        changed = {name: array.take(rows) for name, array in self.changed.items()}
        return replace(self, rows=self.rows[np.asarray(rows)], changed=changed)

    def with_column(self, name: str, array: pa.Array | pa.ChunkedArray) -> SpilledColumns:
        """The same with one column replaced."""
        return replace(self, changed={**self.changed, name: array})

    def __getitem__(self, name: str) -> pa.ChunkedArray:
        import pyarrow as pa

        if name in self.changed:
            array = self.changed[name]
            return array.cast(array.type.value_type) if pa.types.is_dictionary(array.type) else array
        import pyarrow.parquet as pq

        place = f"c{self.names.index(name)}"
        return pq.read_table(self.path, columns=[place])[place].take(pa.array(self.rows))

    def batches(self) -> Iterator[pa.Table]:
        """The rows of the file as it has them, whatever `rows` and `changed` say, piece by piece."""
        places = [f"c{self.names.index(name)}" for name in self.column_names]
        for table in parquet_tables(self.path, [*places, "row"], 1 << 16):
            yield table.select(places).rename_columns(self.column_names)


def spill(
    source: Source, resident: Sequence[str], spilled: Sequence[str], directory: Path, shared: Sequence[str] = ()
) -> tuple[pa.Table, SpilledColumns]:
    """Split a source in one pass. Memory: O(distinct values + 4 bytes × rows × resident columns).

    A column whose values hardly repeat in the first piece, such as the person, stays text: to list its values, piece by
    piece and then anew for all of them, would take longer than all else.

    shared: resident columns that are carried as well; they stay in memory, and are not written to the file.
    """
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq

    directory.mkdir(parents=True, exist_ok=True)
    path = directory / "spilled.parquet"
    chunks: list[pa.Table] = []
    writer, count = None, 0
    repeating: set[str] | None = None
    for number, piece in enumerate(source.batches()):
        if number % _GIVE_BACK_AFTER == 0:
            give_back()
        repeating = {name for name in resident if _repeats(piece[name])} if repeating is None else repeating
        chunks.append(pa.table({n: _coded(piece[n]) if n in repeating else piece[n] for n in resident}))
        columns = {f"c{i}": piece[name] for i, name in enumerate(spilled)}
        columns["row"] = pa.array(np.arange(count, count + piece.num_rows))
        table = pa.table(columns)
        writer = writer or pq.ParquetWriter(path, table.schema, compression="zstd")
        writer.write_table(table)
        count += piece.num_rows
    if writer is not None:
        writer.close()
    in_memory = pa.concat_tables(chunks).unify_dictionaries() if chunks else source.read(list(resident))
    carried = SpilledColumns(path, tuple(spilled), list(spilled), np.arange(count))
    for name in shared:
        carried = replace(carried.with_column(name, in_memory[name]), column_names=[*carried.column_names, name])
    return in_memory, carried


def _repeats(column: pa.ChunkedArray) -> bool:
    import pyarrow as pa
    import pyarrow.compute as pc

    return pa.types.is_dictionary(column.type) or 2 * int(pc.count_distinct(column).as_py()) <= len(column)


def _coded(column: pa.ChunkedArray) -> pa.ChunkedArray:
    import pyarrow as pa

    return column if pa.types.is_dictionary(column.type) else column.dictionary_encode()
