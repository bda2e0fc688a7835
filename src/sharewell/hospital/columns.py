"""Blocks of numbers turned into columns of text, many rows at a time."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import ArrayLike

from sharewell.hospital.draws import Bools, Ints

_DIGITS = np.frombuffer(b"0123456789ABCDEF", dtype=np.uint8)
_LOW = np.uint64(0xFFFFFFFF)


def words(vocabulary: pa.Array, index: Ints) -> pa.Array:
    """The entries of a vocabulary at the given places."""
    return vocabulary.take(pa.array(index))


def fixed(prefix: str, values: ArrayLike, digits: int, base: int = 10) -> pa.Array:
    """Numbers of a fixed width behind a prefix: R0001E240."""
    rest = np.asarray(values).astype(np.int64)
    head = np.frombuffer(prefix.encode("ascii"), dtype=np.uint8)
    letters = np.empty((len(rest), len(head) + digits), dtype=np.uint8)
    letters[:, : len(head)] = head
    for place in range(letters.shape[1] - 1, len(head) - 1, -1):
        rest, digit = np.divmod(rest, base)
        letters[:, place] = _DIGITS[digit]
    width = letters.shape[1]
    offsets = np.arange(len(letters) + 1, dtype=np.int32) * width
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(letters.tobytes())]
    return pa.Array.from_buffers(pa.string(), len(letters), buffers)


def scrambled(prefix: str, numbers: ArrayLike, key: int) -> pa.Array:
    """Identifiers that say nothing about the order of the numbers behind them; one to one below 2**32."""
    word = (np.asarray(numbers).astype(np.uint64) + np.uint64(key & 0xFFFFFFFF)) & _LOW
    for shift, factor in ((16, 0x85EBCA6B), (13, 0xC2B2AE35), (16, 0x9E3779B1)):
        word ^= word >> np.uint64(shift)
        word = (word * np.uint64(factor)) & _LOW
    word ^= word >> np.uint64(15)
    return fixed(prefix, word, 8, base=16)


def dates(days: Ints) -> pa.Array:
    """ISO dates of days since 1970; negative enough means none (`NEVER`)."""
    array = pa.array(np.asarray(days).astype(np.int32), type=pa.int32(), mask=np.asarray(days) == NEVER)
    return pc.fill_null(array.cast(pa.date32()).cast(pa.string()), "")


def american(days: Ints) -> pa.Array:
    """Dates as 06/03/2024."""
    return pc.replace_substring_regex(dates(days), r"^(\d{4})-(\d\d)-(\d\d)$", r"\2/\3/\1")


def joined(separator: str, *parts: pa.Array) -> pa.Array:
    """Columns glued row by row."""
    return pc.binary_join_element_wise(*parts, separator)


def where(mask: Bools, yes: pa.Array | str, no: pa.Array) -> pa.Array:
    """`yes` where the mask holds, `no` elsewhere."""
    return pc.if_else(pa.array(mask), yes, no) if mask.any() else no


def numbers(values: ArrayLike) -> pa.Array:
    """Whole numbers as text."""
    return pa.array(np.asarray(values).astype(np.int64)).cast(pa.string())


NEVER = -1_000_000
