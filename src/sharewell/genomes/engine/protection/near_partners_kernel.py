"""Compiled twins of loops over packed sequences: `BitDistances` and the search for partners of one sequence."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sharewell.compiled import jit

Ints = NDArray[np.int64]
Words = NDArray[np.uint64]


@jit
def row(words: Words, one: int, others: Ints) -> Ints:
    """From one sequence to some others."""
    apart = np.empty(len(others), np.int64)
    for i in range(len(others)):
        apart[i] = _differing(words, one, others[i])
    return apart


@jit
def rows(words: Words, one: int) -> Ints:
    """From one sequence to all."""
    apart = np.empty(len(words), np.int64)
    for other in range(len(words)):
        apart[other] = _differing(words, one, other)
    return apart


@jit
def pairs(words: Words, some: Ints, others: Ints) -> Ints:
    """From each of some sequences to one other."""
    apart = np.empty(len(some), np.int64)
    for i in range(len(some)):
        apart[i] = _differing(words, some[i], others[i])
    return apart


@jit
def block(words: Words, some: Ints, others: Ints) -> Ints:
    """From some sequences to some others."""
    apart = np.empty((len(some), len(others)), np.int64)
    for i in range(len(some)):
        for j in range(len(others)):
            apart[i, j] = _differing(words, some[i], others[j])
    return apart


@jit
def within(
    words: Words, one: int, far: Ints, home: Ints, away: Ints, limit: Ints, outermost: Ints, higher: int
) -> tuple[Ints, Ints]:
    """Who is nearer to a sequence, in another node, than half of a limit and their own; and twice the distances.

    far: twice the distances of the sequence to centres.
    """
    found, apart, number = np.empty(len(words), np.int64), np.empty(len(words), np.int64), 0
    for other in range(len(words)):
        if far[home[other]] - away[other] - limit[other] < higher and outermost[other] != outermost[one]:
            twice = 2 * _differing(words, one, other)
            if twice - limit[other] < higher:
                found[number], apart[number] = other, twice
                number += 1
    return found[:number].copy(), apart[:number].copy()


@jit
def _differing(words: Words, one: int, other: int) -> int:
    """In how many bits two sequences differ: counted in pairs, fours and bytes, which LLVM knows for what it is."""
    pairs, fours, bytes_ = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333), np.uint64(0x0F0F0F0F0F0F0F0F)
    total, left, right = np.uint64(0), words[one], words[other]
    for place in range(len(left)):
        word = left[place] ^ right[place]
        word = word - ((word >> np.uint64(1)) & pairs)
        word = (word & fours) + ((word >> np.uint64(2)) & fours)
        word = (word + (word >> np.uint64(4))) & bytes_
        total += (word * np.uint64(0x0101010101010101)) >> np.uint64(56)
    return int(total)
