"""Genotypes of four persons in a byte, as PLINK's .bed has them, and tables of 256 entries that read them.

A genotype is two bits, the first person in the lowest: 00 is two effect alleles, 10 one, 11 none, 01 a missing call.
A row is one SNP. Where the number of persons is not a multiple of four, the bits left over mean nothing.

>>> row = pack(np.array([[2, 1, 0, -1, 2]], dtype=np.int8))
>>> row.tolist(), unpack(row, 5).tolist(), [int(n[0]) for n in count(row, 5)]
([[120, 0]], [[2, 1, 0, -1, 2]], [5, 4])
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np
from numpy.typing import NDArray

from sharewell.compiled import numba_or_none, seconds_in_numpy

Bytes = NDArray[np.uint8]
Calls = NDArray[np.int8]
Ints = NDArray[np.int64]

MISSING = -1
PER_BYTE = 4
PIECE = 1 << 18
"""Bytes whose bits are counted at once: what comes out still fits into a processor's cache."""
LARGE = 1 << 27
"""Bytes from which compiled code pays, if it is loaded."""
LOADING_PAYS_FROM = 3 << 30
"""Bytes from which it pays to load, or to compile, that code for this work alone: it saves .3 s in a gigabyte."""
_WORD = 8
_KERNEL = "sharewell.genomes.engine.packed_calls_kernel:absent"

_VALUES = np.array([2, MISSING, 1, 0], dtype=np.int8)
_CODES = np.array([0b11, 0b10, 0b00, 0b01], dtype=np.uint8)  # of 0, 1, 2 and, last, -1
_PLACES = np.array([1, 4, 16, 64], dtype=np.uint8)
_SLOTS = np.arange(256)[:, None] // _PLACES % PER_BYTE
_LOWER = np.uint64(0x5555555555555555)
_MOST_IN_16_BITS = (1 << 16) // 64
"""Words of 64 bits of which fewer have a sum in 16 bits."""
_FOUR = np.ascontiguousarray(_VALUES[_SLOTS]).view(np.uint32)[:, 0]
_FLIPPED = np.array([0b11, 0b01, 0b10, 0b00], dtype=np.uint8)[_SLOTS] @ _PLACES


def _totals(slots: int) -> NDArray[np.uint32]:
    """For every byte: effect alleles in the first slots, and in the upper 16 bits how many of them are called."""
    values = _VALUES[_SLOTS[:, :slots]].astype(np.int64)
    alleles, called = np.where(values > 0, values, 0).sum(axis=1), (values != MISSING).sum(axis=1)
    both: NDArray[np.uint32] = (alleles + (called << 16)).astype(np.uint32)
    return both


_TOTALS = [_totals(slots) for slots in range(PER_BYTE + 1)]


def width(persons: int) -> int:
    """Bytes of a row."""
    return -(-persons // PER_BYTE)


def pack(calls: Calls) -> Bytes:
    """From SNPs × persons of 0, 1, 2 and -1; the bits left over are 0."""
    snps, persons = calls.shape
    codes = np.zeros((snps, width(persons) * PER_BYTE), dtype=np.uint8)
    codes[:, :persons] = _CODES[calls]
    four = codes.reshape(snps, width(persons), PER_BYTE)
    packed: Bytes = four @ _PLACES
    return packed


def unpack(packed: Bytes, persons: int) -> Calls:
    """SNPs × persons of 0, 1, 2 and -1."""
    if not packed.size:
        return np.zeros((len(packed), persons), dtype=np.int8)
    calls: Calls = np.take(_FOUR, packed).view(np.int8)
    return calls if calls.shape[1] == persons else np.ascontiguousarray(calls[:, :persons])


def tidied(packed: Bytes, persons: int) -> Bytes:
    """The same bytes with 0 in the bits left over, copied only where there are any."""
    rest = persons % PER_BYTE
    if not rest:
        return packed
    clean = np.array(packed)
    clean[:, -1] &= (1 << 2 * rest) - 1
    return clean


def flip(packed: Bytes) -> Bytes:
    """The same calls, counting the other allele; the bits left over change too."""
    return np.take(_FLIPPED, packed)


def count(packed: Bytes, persons: int, size: int = 0) -> tuple[Ints, Ints]:
    """Effect alleles and called persons of every SNP, never unpacked: bits are counted, of 32 persons at a time.

    size: bytes of all that this is part of.
    """
    whole = persons // PER_BYTE // _WORD * _WORD
    totals = np.zeros((2, len(packed)), dtype=np.int64)
    if whole and len(packed):
        size = max(size, packed.size)
        absent = _compiled(size) or absent_words
        words = np.asarray(packed)[:, :whole]
        if words.strides[1] != 1:  # the bytes of a row do not stand side by side, as words of eight need them
            words = np.ascontiguousarray(words)
        lacking, missing = absent(words.view(np.uint64))
        totals += 2 * PER_BYTE * whole - lacking, PER_BYTE * whole - missing
    for byte in range(whole, packed.shape[1]):
        both = _TOTALS[min(PER_BYTE, persons - PER_BYTE * byte)][packed[:, byte]]
        totals += both & 0xFFFF, both >> 16
    return totals[0], totals[1]


@contextmanager
def many_counts(size: int) -> Iterator[None]:
    """All counts of a file: their seconds add up, so that a process that counts again and again loads compiled code."""
    with seconds_in_numpy(_KERNEL, large=size >= LARGE and _compiled(size) is None):
        yield


def _compiled(size: int) -> Callable[..., Ints] | None:
    pays = size >= LOADING_PAYS_FROM
    return numba_or_none(size >= LARGE, _KERNEL, pays=pays, loads=pays)


def absent_words(words: NDArray[np.uint64]) -> Ints:
    """For every row: how many effect alleles its calls lack, two of a missing one, and how many calls are missing.

    A call lacks as many as it has bits set; 01 is a missing call, which lacks one more. So each call lacks as many as
    it has bits set once its lower bit is set in the upper one too, and the bits that this adds are missing calls.
    """
    rows, across = words.shape
    counts = np.empty((2, rows), dtype=np.int64)
    step = max(1, PIECE // (_WORD * across))
    sums = np.uint16 if across < _MOST_IN_16_BITS else np.uint32
    # The same room serves every piece: to get memory anew takes as long as to fill it.
    piece, other = (np.empty((min(step, rows), across), dtype=np.uint64) for _ in range(2))
    bits = np.empty(piece.shape, dtype=np.uint8)
    for first in range(0, rows, step):
        size = min(step, rows - first)
        own, both, count_of = piece[:size], other[:size], bits[:size]
        np.copyto(own, words[first : first + size])
        np.bitwise_count(own, out=count_of)
        counts[1, first : first + size] = np.add.reduce(count_of, axis=1, dtype=sums)
        np.bitwise_and(own, _LOWER, out=both)
        np.add(both, both, out=both)
        np.bitwise_or(own, both, out=both)
        np.bitwise_count(both, out=count_of)
        counts[0, first : first + size] = np.add.reduce(count_of, axis=1, dtype=sums)
    np.subtract(counts[0], counts[1], out=counts[1])
    return counts
