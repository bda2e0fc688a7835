"""Pseudonyms of many persons at a time: the same as `Key.pseudonym` gives each of them, as one Arrow column.

Where a key names a million persons, they are hashed together (`sharewell.many_digests`), names are never decoded, and
pseudonyms become text all together.

>>> key = Key(b"an example key of enough bytes..")
>>> in_hexadecimal(pseudonyms(key, pa.array(["anna", "bo"])))[0].as_py() == key.pseudonym("anna")
True
"""

from __future__ import annotations

import binascii

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sharewell.keys import PSEUDONYM_BYTES, Key
from sharewell.many_digests import Raw, hmacs

_MOST = 1 << 26
"""Pseudonyms of one Arrow array, whose texts hold two gigabytes at most."""


def pseudonyms(key: Key, persons: pa.Array) -> Raw:
    """The pseudonym of each person under one key, in bytes. No name may be null. O(n)"""
    return hmacs(key.secret, None, persons, width=PSEUDONYM_BYTES)


def in_hexadecimal(raw: Raw, there: NDArray[np.bool_] | None = None) -> pa.Array | pa.ChunkedArray:
    """Bytes as text, row by row; null where nobody is there.

    >>> in_hexadecimal(np.array([[1, 171], [9, 9]], np.uint8), np.array([True, False])).to_pylist()
    ['01ab', None]
    """
    pieces = [slice(first, first + _MOST) for first in range(0, max(1, len(raw)), _MOST)]
    arrays = [_texts(raw[one], None if there is None else there[one]) for one in pieces]
    return arrays[0] if len(arrays) == 1 else pa.chunked_array(arrays)


def _texts(raw: Raw, there: NDArray[np.bool_] | None) -> pa.Array:
    width, nobody = 2 * raw.shape[1], there is not None and not there.all()
    data = binascii.hexlify((raw[there] if nobody else raw).tobytes())
    lengths = np.full(len(raw), width, np.int32) if there is None else width * there.astype(np.int32)
    ends = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
    valid = pa.array(there).buffers()[1] if nobody else None
    return pa.Array.from_buffers(pa.string(), len(raw), [valid, pa.py_buffer(ends), pa.py_buffer(data)])
