"""A compiled loop over packed calls; see packed_calls, whose `absent_words` is its twin."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sharewell.compiled import jit


@jit
def absent(words: NDArray[np.uint64]) -> NDArray[np.int64]:
    """For every row: how many effect alleles its calls lack, two of a missing one, and how many calls are missing.

    Of each call two bits, then of two calls four and of four calls eight are added up side by side in one word; the
    eight of 31 words cannot overflow.
    """
    pairs, fours, bytes_ = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333), np.uint64(0x0F0F0F0F0F0F0F0F)
    halves, ones = np.uint64(0x00FF00FF00FF00FF), np.uint64(0x0001000100010001)
    one, two, four, eight, top = np.uint64(1), np.uint64(2), np.uint64(4), np.uint64(8), np.uint64(48)
    counts = np.zeros((2, words.shape[0]), dtype=np.int64)
    for row in range(words.shape[0]):
        for first in range(0, words.shape[1], 31):
            lacking, missing = np.uint64(0), np.uint64(0)
            for place in range(first, min(first + 31, words.shape[1])):
                word = words[row, place]
                low, high = word & pairs, (word >> one) & pairs
                lack, miss = (low << one) | (high & ~low), low & ~high
                lack = (lack & fours) + ((lack >> two) & fours)
                miss = (miss & fours) + ((miss >> two) & fours)
                lacking += (lack & bytes_) + ((lack >> four) & bytes_)
                missing += (miss & bytes_) + ((miss >> four) & bytes_)
            counts[0, row] += np.int64((((lacking & halves) + ((lacking >> eight) & halves)) * ones) >> top)
            counts[1, row] += np.int64((((missing & halves) + ((missing >> eight) & halves)) * ones) >> top)
    return counts
