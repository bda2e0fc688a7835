"""Read files of any length as codes: one to four bytes a cell, and every distinct value once.

Parquet files are read through their own dictionaries, so that no text is handled row by row. Columns whose values
hardly repeat are better left out.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sharewell.errors import DataError
from sharewell.io.columnar import parquet_pieces, parquet_schema
from sharewell.io.sources import Source
from sharewell.io.writing import complete_file

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

_PIECE = 1 << 20


@dataclass(frozen=True, eq=False)
class Coded:
    """One column: `codes[row]` numbers into `values`, an Arrow array of the column's own type."""

    codes: NDArray[np.unsignedinteger]
    values: pa.Array


def read_coded(source: Source, names: Sequence[str]) -> dict[str, Coded]:
    """These columns of a file. Memory: codes and distinct values alone, besides one piece of the file."""
    import pyarrow as pa

    source.refuse_unknown(names)
    columns = {name: _Coder() for name in names}
    for piece in _pieces(source, names):
        for name, coder in columns.items():
            try:
                coder.add(piece[name])
            except (pa.ArrowNotImplementedError, TypeError):
                kind = piece[name].type
                raise DataError(f"{source.label} — column {name} of type {kind} has no codes — leave it out") from None
    return {name: coder.done() for name, coder in columns.items()}


def _pieces(source: Source, names: Sequence[str]) -> Iterator[pa.Table]:
    import pyarrow as pa

    if source.format != "parquet" or source.path is None or source.columns or source.missing or source.clean:
        for piece in source.batches():
            yield piece.select(names)
        return
    schema = parquet_schema(source.path)
    texts = [
        n for n in names if pa.types.is_string(schema.field(n).type) or pa.types.is_large_string(schema.field(n).type)
    ]
    yield from parquet_pieces(source.path, names, _PIECE, texts)


class _Coder:
    """Numbers values as they come; 0 is for missing ones."""

    def __init__(self) -> None:
        self.numbers: dict[Hashable, int] = {}
        self.pieces: list[NDArray[np.unsignedinteger]] = []
        self.type: pa.DataType | None = None

    def add(self, column: pa.ChunkedArray) -> None:
        import numpy as np
        import pyarrow as pa

        for chunk in column.chunks:
            if not pa.types.is_dictionary(chunk.type):
                chunk = chunk.dictionary_encode()
            self.type = chunk.type.value_type
            values = chunk.dictionary.to_pylist()
            known = self.numbers
            numbers = [0 if value is None else known.setdefault(value, len(known) + 1) for value in values]
            codes = np.array([*numbers, 0], dtype=np.min_scalar_type(len(known) + 1))
            self.pieces.append(codes[chunk.indices.fill_null(len(numbers)).to_numpy(zero_copy_only=False)])

    def done(self) -> Coded:
        import numpy as np
        import pyarrow as pa

        codes = np.empty(sum(map(len, self.pieces)), dtype=np.min_scalar_type(len(self.numbers) + 1))
        begin = 0
        self.pieces.reverse()
        while self.pieces:
            piece = self.pieces.pop()
            codes[begin : begin + len(piece)] = piece
            begin += len(piece)
        return Coded(codes, pa.array([None, *self.numbers], self.type or pa.string()))


def write_pieces(path: Path, pieces: Iterable[pa.Table]) -> int:
    """Arrow tables of one schema, one after the other, as one Parquet file that appears when it is complete."""
    import pyarrow.parquet as pq

    if path.exists():
        raise DataError(f"{path.name} — there already — choose another name, or remove it")
    writer, rows = None, 0
    with complete_file(path) as unfinished:
        for piece in pieces:
            writer = writer or pq.ParquetWriter(unfinished, piece.schema, compression="zstd")
            writer.write_table(piece)
            rows += piece.num_rows
        if writer is None:
            raise DataError(f"{path.name} — no row is left to write")
        writer.close()
    return rows
