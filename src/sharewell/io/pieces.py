"""Convert text from and to Arrow piece by piece: a Python string takes three times the memory of an Arrow one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

_PIECE = 1 << 16
_PIECE_SIGNS = 1 << 24


def texts_in(array: pa.Array | pa.ChunkedArray, codes: NDArray[np.integer] | None = None) -> Iterator[Any]:
    """The values of an Arrow array, or of `array[codes]`; few of them are Python objects at a time."""
    import pyarrow as pa

    for first in range(0, len(array if codes is None else codes), _PIECE):
        piece = array.slice(first, _PIECE) if codes is None else array.take(pa.array(codes[first : first + _PIECE]))
        yield from piece.to_pylist()


def text_tables(records: Iterable[Mapping[str, str | None]], names: Sequence[str], rows: int) -> Iterator[pa.Table]:
    """These columns of records as Arrow tables of text, of this many rows or fewer long ones; at least one table."""
    import pyarrow as pa

    columns: dict[str, list[str | None]] = {name: [] for name in names}
    signs = held = pieces = 0

    def piece() -> pa.Table:
        table = pa.table({name: pa.array(cells, pa.string()) for name, cells in columns.items()})
        for cells in columns.values():
            cells.clear()
        return table

    for record in records:
        for name, cells in columns.items():
            cells.append(cell := record[name])
            signs += len(cell or "")
        held += 1
        if held >= rows or signs >= _PIECE_SIGNS:
            yield piece()
            signs, held, pieces = 0, 0, pieces + 1
    if held or not pieces:
        yield piece()
