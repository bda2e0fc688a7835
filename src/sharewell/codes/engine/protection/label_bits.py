"""One bit for every label and record, where that is no more than memory holds with ease: 64 records at a time.

Row l of the words belongs to label l: bit r % 64 of word r // 64 is set if record r shows it. Large work is done by
compiled loops with the same results.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sharewell.codes.engine.packed_sets import Ints, Sets

Words = NDArray[np.uint64]
_MOST = 1 << 29
"""Bits: 64 MB."""


def words_of(by_code: Sets, records: int) -> Words | None:
    """The bits of single codes, given the records of each; None if they are too many."""
    width = (records + 63) >> 6
    if 64 * width * by_code.count > _MOST:
        return None
    words = np.zeros(by_code.count * width, dtype=np.uint64)
    if len(by_code.items):
        places = by_code.row_of * width + (by_code.items >> 6)
        bits = np.uint64(1) << (by_code.items & 63).astype(np.uint64)
        first = np.flatnonzero(np.append(True, places[1:] != places[:-1]))
        words[places[first]] = np.bitwise_or.reduceat(bits, first)
    return words.reshape(by_code.count, width)


# The numpy twins of the compiled loops


def together(
    words: Words, label_of: NDArray[np.int32], starts: Ints, listed: NDArray[np.int32], asked: Ints, enough: Ints
) -> Ints:
    """For each list of codes asked for, the records that show all of its labels, counted up to what is enough.

    A suppressed code asks for nothing; a list of nothing else has −1.
    """
    found = np.full(len(asked), -1, dtype=np.int64)
    for place, one in enumerate(asked):
        labels = label_of[listed[starts[one] : starts[one + 1]]]
        if (labels := labels[labels >= 0]).size:
            shown = np.bitwise_count(np.bitwise_and.reduce(words[labels], axis=0)).sum()
            found[place] = min(int(shown), enough[place])
    return found


def near(words: Words, wanted: Ints, records: int) -> tuple[Ints, Ints]:
    """Records that show all wanted labels but one at most: (record, place of that one, or how many are wanted)."""
    held = np.unpackbits(words[wanted].astype("<u8").view(np.uint8), axis=1, count=records, bitorder="little")
    shown = held.sum(axis=0)
    rows = np.flatnonzero(shown >= len(wanted) - 1)
    missing = np.where(shown[rows] == len(wanted), len(wanted), held[:, rows].argmin(axis=0))
    return rows, missing


def shared(words: Words, label: int, others: Ints) -> Ints:
    """The records that show a label together with each of some others."""
    found: Ints = np.bitwise_count(words[others] & words[label]).sum(axis=1, dtype=np.int64)
    return found
