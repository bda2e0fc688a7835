"""Convert long columns of text piece by piece: a Python string takes three times the memory of an Arrow one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pyarrow as pa

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_PIECE = 1 << 16


def texts_in(array: pa.Array | pa.ChunkedArray, codes: NDArray[np.integer] | None = None) -> Iterator[Any]:
    """The values of an Arrow array, or of `array[codes]`; few of them are Python objects at a time."""
    for first in range(0, len(array if codes is None else codes), _PIECE):
        piece = array.slice(first, _PIECE) if codes is None else array.take(pa.array(codes[first : first + _PIECE]))
        yield from piece.to_pylist()
