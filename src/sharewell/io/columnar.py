"""Parquet and Arrow files from anywhere: a damaged file is an error, and never taken for data.

Readers trust the offsets and indices of a file, and crash where a damaged one has them wrong. So no file is mapped
into memory, and every table is fully validated before it is used, which takes a small part of the time of reading.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from sharewell.errors import DataError

if TYPE_CHECKING:
    import pyarrow as pa


def parquet_schema(path: Path) -> pa.Schema:
    import pyarrow.parquet as pq

    with _readable(path, "Parquet"):
        return pq.read_schema(path)


def parquet_names(path: Path) -> list[str]:
    return list(parquet_schema(path).names)


def parquet_rows(path: Path) -> int:
    """The number of rows by the file's footer, before any is read."""
    import pyarrow.parquet as pq

    with _readable(path, "Parquet"):
        return int(pq.read_metadata(path).num_rows)


def parquet_table(path: Path, columns: Sequence[str] | None = None, dictionaries: Sequence[str] = ()) -> pa.Table:
    """The whole file, or some columns in the order asked for; `dictionaries` names those that are read as such.

    Not by pyarrow's `read_table`, which loads more of it.
    """
    import pyarrow.parquet as pq

    names = None if columns is None else list(columns)
    with _readable(path, "Parquet"), pq.ParquetFile(path, read_dictionary=list(dictionaries)) as file:
        table = _validated(file.read(columns=names))
        return table if names is None else table.select(names)


def parquet_pieces(
    path: Path, columns: Sequence[str] | None, rows: int, dictionaries: Sequence[str] = ()
) -> Iterator[pa.Table]:
    """Tables of this many rows, columns in the order asked for; `dictionaries` names those that are read as such."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    names = None if columns is None else list(columns)
    with _readable(path, "Parquet"):
        file = pq.ParquetFile(path, read_dictionary=list(dictionaries))
        batches = file.iter_batches(batch_size=rows, columns=names)
    while True:
        with _readable(path, "Parquet"):  # not around the yield: the caller's errors are not ours
            batch = next(batches, None)
            if batch is None:
                return
            table = _validated(pa.Table.from_batches([batch]))
            table = table if names is None else table.select(names)
        yield table


def parquet_tables(path: Path, columns: Sequence[str] | None = None, rows: int = 2048) -> Iterator[pa.Table]:
    """A file that this program has written, piece by piece and without validation."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    with pq.ParquetFile(path) as file:
        for batch in file.iter_batches(batch_size=rows, columns=None if columns is None else list(columns)):
            yield pa.Table.from_batches([batch])


def arrow_table(path: Path, columns: Sequence[str] | None = None) -> pa.Table:
    import pyarrow as pa

    with _readable(path, "Arrow"), pa.OSFile(str(path)) as file:
        table = _validated(pa.ipc.open_file(file).read_all())
        return table if columns is None else table.select(list(columns))


def arrow_names(path: Path) -> list[str]:
    return list(arrow_table(path).column_names)


def arrow_pieces(path: Path, columns: Sequence[str] | None, rows: int) -> Iterator[pa.Table]:
    """In one piece: only a whole file can be validated."""
    yield arrow_table(path, columns)


def _validated(table: pa.Table) -> pa.Table:
    table.validate(full=True)
    return table.replace_schema_metadata(None)


@contextmanager
def _readable(path: Path, form: str) -> Iterator[None]:
    import pyarrow as pa

    try:
        yield
    except (pa.ArrowException, OSError, ValueError, LookupError, ArithmeticError, SystemError):
        raise DataError(f"{path.name} — not a readable {form} file — check that it is complete") from None
