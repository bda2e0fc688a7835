"""A digest of rows that does not depend on their order: what a release draws is tied to what it was drawn for.

Every cell is hashed with the name of its column (BLAKE2b, distinct values once), the hashes of a row are added up, each
sum is mixed so that rows cannot exchange cells unnoticed, and the mixed sums are added up over all rows. Sums have no
order. The digest covers confidential data without a salt: it goes into the secret key's HMAC and is never written.

O(cells) vectorised additions and one BLAKE2b for each distinct value of a column.

>>> import pyarrow as pa
>>> one = content_of({"sex": pa.array(["F", "M"]), "age": pa.array([31, 40])})
>>> one == content_of({"age": pa.array(["40", "31"]), "sex": pa.array(["M", "F"])})
True
>>> one == content_of({"sex": pa.array(["M", "F"]), "age": pa.array([31, 40])})
False
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sharewell.many_digests import blake2bs

Words = NDArray[np.uint64]
Values: TypeAlias = Sequence[object] | pa.Array
_PIECE = 1 << 18
"""Rows that are added up at a time."""
_LANES = 2
_MISSING = b"\0missing"


class RowDigest:
    """Adds up rows, piece by piece in any order."""

    def __init__(self) -> None:
        self._sum = np.zeros(_LANES, np.uint64)
        self._rows = 0
        self._names: set[str] = set()

    def add(self, columns: Mapping[str, pa.ChunkedArray | pa.Array]) -> None:
        """Rows as Arrow columns of one length."""
        self.add_coded({name: coded(column) for name, column in columns.items()})

    def add_coded(self, columns: Mapping[str, tuple[Values, NDArray[np.integer]]]) -> None:
        """Rows as (distinct values, as a list or in Arrow; the number of each row's value)."""
        self._names.update(columns)
        words = {name: (_words(name, values), codes) for name, (values, codes) in columns.items()}
        rows = next((len(codes) for _, codes in words.values()), 0)
        for first in range(0, rows, _PIECE):
            total = np.zeros((min(_PIECE, rows - first), _LANES), np.uint64)
            for table, codes in words.values():
                total += table.take(codes[first : first + _PIECE], axis=0)
            self.add_sums(total)

    def add_sums(self, sums: Words) -> None:
        """Rows whose cells are hashed and added up already."""
        self._sum += _mixed(sums).sum(axis=0, dtype=np.uint64)
        self._rows += len(sums)

    def hexdigest(self) -> str:
        column = "\0".join([str(self._rows), *sorted(self._names)]).encode(errors="surrogatepass")
        return hashlib.blake2b(self._sum.tobytes() + column, digest_size=32).hexdigest()


def content_of(columns: Mapping[str, pa.ChunkedArray | pa.Array]) -> str:
    """The digest of a table of Arrow columns."""
    digest = RowDigest()
    digest.add(columns)
    return digest.hexdigest()


def coded(column: pa.ChunkedArray | pa.Array) -> tuple[Values, NDArray[np.integer]]:
    """An Arrow column as its distinct values and their numbers."""
    column = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    if pa.types.is_nested(column.type):
        return [repr(value) for value in column.to_pylist()], np.arange(len(column))
    if pa.types.is_float16(column.type):
        column = column.cast(pa.float32())
    if not pa.types.is_dictionary(column.type):
        column = column.dictionary_encode()
    codes = column.indices.fill_null(len(column.dictionary)).to_numpy(zero_copy_only=False)
    texts = _texts(column.dictionary)
    return pa.concat_arrays([texts, pa.nulls(1, texts.type)]), codes


def words_of(name: str, values: Iterable[object]) -> Words:
    """What each value of a column adds to the sum of a row that has it."""
    return _words(name, list(values))


def _texts(values: pa.Array) -> pa.Array:
    """As text, so that a file of numbers and one that writes them say the same."""
    if pa.types.is_binary(values.type) or pa.types.is_large_binary(values.type):
        return values
    try:
        return values.cast(pa.string())
    except (pa.ArrowException, NotImplementedError):
        return pa.array([repr(value) for value in values.to_pylist()], pa.string())


def _words(name: str, values: Values) -> Words:
    key = hashlib.blake2b(name.encode(errors="surrogatepass"), digest_size=32).digest()
    if not isinstance(values, pa.Array):
        values = pa.array(map(_bytes, values), pa.large_binary(), size=len(values))
    return blake2bs(key, values.cast(pa.large_binary()).fill_null(_MISSING), _LANES)


def _bytes(value: object) -> bytes | None:
    return value if value is None or isinstance(value, bytes) else str(value).encode(errors="surrogatepass")


def _mixed(words: Words) -> Words:
    """A bijection of 64 bits that no addition undoes (the finaliser of SplitMix64)."""
    mixed = words.copy()
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed ^= mixed >> np.uint64(shift)
        mixed *= np.uint64(factor)
    mixed ^= mixed >> np.uint64(31)
    return mixed
