"""Compiled loops over the bits of labels; see label_bits."""

from __future__ import annotations

import numpy as np

from sharewell.codes.engine.packed_sets import Ints
from sharewell.codes.engine.protection.label_bits import Words
from sharewell.codes.engine.protection.label_groups_kernel import Numbers
from sharewell.compiled import jit


@jit
def _ones(word: np.uint64) -> int:
    """How many bits are set: summed in pairs, fours, bytes, and all bytes by one multiplication."""
    word -= (word >> np.uint64(1)) & np.uint64(0x5555555555555555)
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((word * np.uint64(0x0101010101010101)) >> np.uint64(56))  # type: ignore[return-value]


@jit
def together(words: Words, label_of: Numbers, starts: Ints, listed: Numbers, asked: Ints, enough: Ints) -> Ints:
    """For each list of codes asked for, the records that show all of its labels, counted up to what is enough.

    A suppressed code asks for nothing; a list of nothing else has −1.
    """
    found = np.empty(len(asked), dtype=np.int64)
    longest = 0
    for one in asked:
        longest = max(longest, starts[one + 1] - starts[one])
    labels = np.empty(longest, dtype=np.int64)
    for place in range(len(asked)):
        one = asked[place]
        wanted = 0
        for i in range(starts[one], starts[one + 1]):
            label = label_of[listed[i]]
            if label >= 0 and (wanted == 0 or labels[wanted - 1] != label):
                labels[wanted] = label
                wanted += 1
        if not wanted:
            found[place] = -1
            continue
        total = 0
        for word in range(words.shape[1]):
            common = words[labels[0], word]
            for i in range(1, wanted):
                if not common:
                    break
                common &= words[labels[i], word]
            if common:
                total += _ones(common)
                if total >= enough[place]:
                    total = enough[place]
                    break
        found[place] = total
    return found


@jit
def near(words: Words, wanted: Ints, records: int) -> tuple[Ints, Ints]:
    """Records that show all wanted labels but one at most: (record, place of that one, or how many are wanted)."""
    one = np.uint64(1)
    most = 0
    kept = np.empty(words.shape[1], dtype=np.uint64)
    for word in range(words.shape[1]):
        lacking, lacking_more = np.uint64(0), np.uint64(0)
        for label in wanted:
            lacking_more |= lacking & ~words[label, word]
            lacking |= ~words[label, word]
        kept[word] = ~lacking_more
        if word == words.shape[1] - 1 and records & 63:
            kept[word] &= (one << np.uint64(records & 63)) - one
        most += _ones(kept[word])
    rows, missing = np.empty(most, dtype=np.int64), np.empty(most, dtype=np.int64)
    filled = 0
    for word in range(words.shape[1]):
        left = kept[word]
        while left:
            bit = left & (~left + one)
            rows[filled] = 64 * word + _ones(bit - one)
            missing[filled] = len(wanted)
            for place in range(len(wanted)):
                if not words[wanted[place], word] & bit:
                    missing[filled] = place
                    break
            filled += 1
            left ^= bit
    return rows, missing


@jit
def shared(words: Words, label: int, others: Ints) -> Ints:
    """The records that show a label together with each of some others."""
    found = np.zeros(len(others), dtype=np.int64)
    for place in range(len(others)):
        total = 0
        for word in range(words.shape[1]):
            total += _ones(words[label, word] & words[others[place], word])
        found[place] = total
    return found
