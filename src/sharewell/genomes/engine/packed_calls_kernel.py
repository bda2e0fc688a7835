"""A compiled loop over packed calls; see packed_calls, whose `absent_words` is its twin."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sharewell.compiled import jit


@jit
def absent(words: NDArray[np.uint64]) -> NDArray[np.int64]:
    """For every row: how many effect alleles its calls lack, two of a missing one, and how many calls are missing.

    A call lacks as many as it has bits set once its lower bit has been set in the upper one too; what that adds to the
    bits that were set are missing calls.
    """
    lower, one = np.uint64(0x5555555555555555), np.uint64(1)
    counts = np.zeros((2, words.shape[0]), dtype=np.int64)
    for row in range(words.shape[0]):
        before, after = np.uint64(0), np.uint64(0)
        for place in range(words.shape[1]):
            word = words[row, place]
            before += _bits(word)
            after += _bits(word | ((word & lower) << one))
        counts[0, row] = np.int64(after)
        counts[1, row] = np.int64(after - before)
    return counts


@jit
def _bits(word: np.uint64) -> np.uint64:
    """How many bits are set: added up in pairs, fours and bytes, which LLVM knows for what it is."""
    pairs, fours, bytes_ = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333), np.uint64(0x0F0F0F0F0F0F0F0F)
    word = word - ((word >> np.uint64(1)) & pairs)
    word = (word & fours) + ((word >> np.uint64(2)) & fours)
    word = (word + (word >> np.uint64(4))) & bytes_
    return np.uint64((word * np.uint64(0x0101010101010101)) >> np.uint64(56))
