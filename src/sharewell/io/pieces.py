"""Convert long columns of text piece by piece: a Python string takes three times the memory of an Arrow one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow as pa

_PIECE = 1 << 16


def texts_in(array: pa.Array | pa.ChunkedArray) -> Iterator[Any]:
    """The values of an Arrow array; few of them are Python objects at a time."""
    for first in range(0, len(array), _PIECE):
        yield from array.slice(first, _PIECE).to_pylist()


def bytes_in(array: pa.Array | pa.ChunkedArray) -> Iterator[bytes]:
    """The same of texts, none of them missing, as the bytes that Arrow holds: nothing is decoded."""
    kind = array.type
    return texts_in(array if pa.types.is_binary(kind) or pa.types.is_large_binary(kind) else array.cast(pa.binary()))
