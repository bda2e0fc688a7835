"""Convert long columns of text piece by piece: a Python string takes three times the memory of an Arrow one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

import pyarrow as pa

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_PIECE = 1 << 16
_MOST = 1 << 31
"""Bytes that one string array of Arrow can hold."""


def texts_in(array: pa.Array | pa.ChunkedArray, codes: NDArray[np.integer] | None = None) -> Iterator[Any]:
    """The values of an Arrow array, or of `array[codes]`; few of them are Python objects at a time."""
    for first in range(0, len(array if codes is None else codes), _PIECE):
        piece = array.slice(first, _PIECE) if codes is None else array.take(pa.array(codes[first : first + _PIECE]))
        yield from piece.to_pylist()


def in_arrow(texts: Iterable[str | None]) -> pa.Array | pa.ChunkedArray:
    """Texts as one Arrow array, or as several where one cannot hold them.

    >>> in_arrow(iter(["a", None])).to_pylist(), len(in_arrow([]))
    (['a', None], 0)
    """
    remaining = iter(texts)
    pieces = []
    while piece := list(islice(remaining, _PIECE)):
        pieces.append(pa.array(piece, pa.string()))
    fits_in_one = sum(piece.nbytes for piece in pieces) < _MOST
    return pa.concat_arrays(pieces or [pa.array([], pa.string())]) if fits_in_one else pa.chunked_array(pieces)
