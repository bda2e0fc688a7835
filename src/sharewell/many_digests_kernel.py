"""Compiled loops of `many_digests`: SHA-256 of many short messages side by side (FIPS 180-4), and BLAKE2b (RFC 7693).

The messages of a group go through each step together, a word of each after the other, so that the processor's vector
instructions do eight of them at a time. `hashlib` gives the same digests one by one; tests compare them.
"""

from __future__ import annotations

from math import isqrt

import numpy as np
from numpy.typing import NDArray

from sharewell.compiled import jit

Bytes = NDArray[np.uint8]
Words = NDArray[np.uint32]
LongWords = NDArray[np.uint64]
Ints = NDArray[np.int64]

_LANES = 64
"""Messages that are hashed side by side."""
_BLOCK = 64
_LONG_BLOCK = 128


def _primes(count: int) -> list[int]:
    results: list[int] = []
    number = 2
    while len(results) < count:
        if all(number % prime for prime in results):
            results.append(number)
        number += 1
    return results


def _cube_root(number: int) -> int:
    low, high = 0, 1 << (number.bit_length() // 3 + 1)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if middle**3 <= number else (low, middle)
    return low


# What the standards take from the fractions of square and cube roots of the first primes.
_ROUNDS = np.array([_cube_root(prime << 96) & 0xFFFFFFFF for prime in _primes(64)], np.uint32)
_BEGIN = np.array([isqrt(prime << 64) & 0xFFFFFFFF for prime in _primes(8)], np.uint32)
_LONG_BEGIN = np.array([isqrt(prime << 128) & 0xFFFFFFFFFFFFFFFF for prime in _primes(8)], np.uint64)
_ORDERS = np.array(
    [
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
        [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
        [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
        [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
        [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
        [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
        [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
        [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
        [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
        [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
    ],
    np.int64,
)
"""In which order a round of BLAKE2b takes the words of a block (RFC 7693, 2.7)."""


@jit
def hmacs(secrets: Bytes, scope: Ints, data: Bytes, ends: Ints, codes: Ints, out: Bytes) -> None:
    """HMAC-SHA256 of message codes[i] under secret scope[i], cut to the width of `out`.

    secrets: each filled up to a block; message m is data[ends[m]:ends[m + 1]].
    """
    count, width = out.shape
    inner, outer = _states(secrets, np.uint8(0x36)), _states(secrets, np.uint8(0x5C))
    state, work, words = _room()
    blocks = np.zeros(_LANES, np.int64)
    for first in range(0, count, _LANES):
        lanes = min(_LANES, count - first)
        most = 1
        for lane in range(lanes):
            number = codes[first + lane]
            blocks[lane] = (ends[number + 1] - ends[number] + 9 + _BLOCK - 1) // _BLOCK
            most = max(most, blocks[lane])
            for i in range(8):
                state[i, lane] = inner[scope[first + lane], i]
        for block in range(most):
            _clear(words)
            for lane in range(lanes):
                if block < blocks[lane]:
                    number = codes[first + lane]
                    last = block == blocks[lane] - 1
                    _fill(words, lane, data, ends[number], ends[number + 1], block * _BLOCK, last)
            _compress(work, state, words)
            for lane in range(lanes):
                if block < blocks[lane]:
                    for i in range(8):
                        state[i, lane] = np.uint32(state[i, lane] + work[i, lane])
        _clear(words)
        for lane in range(lanes):
            words[8, lane] = np.uint32(0x80000000)
            words[15, lane] = np.uint32(8 * (_BLOCK + 32))
            for i in range(8):
                words[i, lane] = state[i, lane]
                state[i, lane] = outer[scope[first + lane], i]
        _compress(work, state, words)
        for lane in range(lanes):
            for place in range(width):
                word = np.uint32(state[place >> 2, lane] + work[place >> 2, lane])
                out[first + lane, place] = np.uint8((word >> np.uint32(24 - 8 * (place & 3))) & np.uint32(0xFF))


@jit
def _room() -> tuple[Words, Words, Words]:
    """The state of each lane, the same while a block is worked in, and the words of the block."""
    return np.zeros((8, _LANES), np.uint32), np.zeros((8, _LANES), np.uint32), np.zeros((64, _LANES), np.uint32)


@jit
def _clear(words: Words) -> None:
    for t in range(16):
        for lane in range(_LANES):
            words[t, lane] = np.uint32(0)


@jit
def _states(secrets: Bytes, pad: np.uint8) -> Words:
    """The state after the first block of an HMAC, for each secret."""
    count = len(secrets)
    result = np.empty((count, 8), np.uint32)
    state, work, words = _room()
    for first in range(0, count, _LANES):
        lanes = min(_LANES, count - first)
        _clear(words)
        for lane in range(lanes):
            for i in range(8):
                state[i, lane] = _BEGIN[i]
            for place in range(_BLOCK):
                byte = np.uint32(secrets[first + lane, place] ^ pad)
                words[place >> 2, lane] |= np.uint32(byte << np.uint32(24 - 8 * (place & 3)))
        _compress(work, state, words)
        for lane in range(lanes):
            for i in range(8):
                result[first + lane, i] = np.uint32(state[i, lane] + work[i, lane])
    return result


@jit
def _fill(words: Words, lane: int, data: Bytes, begin: int, end: int, offset: int, last: bool) -> None:
    """Put a block of one message, which follows the block of its secret, into its lane."""
    length = end - begin
    for place in range(max(0, min(_BLOCK, length - offset))):
        byte = np.uint32(data[begin + offset + place])
        words[place >> 2, lane] |= np.uint32(byte << np.uint32(24 - 8 * (place & 3)))
    if 0 <= length - offset < _BLOCK:
        place = length - offset
        words[place >> 2, lane] |= np.uint32(np.uint32(0x80) << np.uint32(24 - 8 * (place & 3)))
    if last:
        bits = 8 * (_BLOCK + length)
        words[14, lane] = np.uint32(bits >> 32)
        words[15, lane] = np.uint32(bits & 0xFFFFFFFF)


@jit
def _compress(work: Words, state: Words, words: Words) -> None:
    """What one block of each lane adds to its state."""
    for t in range(16, 64):
        for lane in range(_LANES):
            x, y = words[t - 15, lane], words[t - 2, lane]
            s0 = (
                ((x >> np.uint32(7)) | (x << np.uint32(25)))
                ^ ((x >> np.uint32(18)) | (x << np.uint32(14)))
                ^ (x >> np.uint32(3))
            )
            s1 = (
                ((y >> np.uint32(17)) | (y << np.uint32(15)))
                ^ ((y >> np.uint32(19)) | (y << np.uint32(13)))
                ^ (y >> np.uint32(10))
            )
            words[t, lane] = np.uint32(words[t - 16, lane] + s0 + words[t - 7, lane] + s1)
    for i in range(8):
        for lane in range(_LANES):
            work[i, lane] = state[i, lane]
    for t in range(64):
        # Instead of moving eight words on after every round, the place where each is looked for moves.
        a, b, c, d = (64 - t) & 7, (65 - t) & 7, (66 - t) & 7, (67 - t) & 7
        e, f, g, h = (68 - t) & 7, (69 - t) & 7, (70 - t) & 7, (71 - t) & 7
        for lane in range(_LANES):
            x, y = work[a, lane], work[e, lane]
            s1 = np.uint32(
                ((y >> np.uint32(6)) | (y << np.uint32(26)))
                ^ ((y >> np.uint32(11)) | (y << np.uint32(21)))
                ^ ((y >> np.uint32(25)) | (y << np.uint32(7)))
            )
            chosen = (y & work[f, lane]) ^ (~y & work[g, lane])
            one = np.uint32(work[h, lane] + s1 + chosen + _ROUNDS[t] + words[t, lane])
            s0 = np.uint32(
                ((x >> np.uint32(2)) | (x << np.uint32(30)))
                ^ ((x >> np.uint32(13)) | (x << np.uint32(19)))
                ^ ((x >> np.uint32(22)) | (x << np.uint32(10)))
            )
            majority = (x & work[b, lane]) ^ (x & work[c, lane]) ^ (work[b, lane] & work[c, lane])
            work[d, lane] = np.uint32(work[d, lane] + one)
            work[h, lane] = np.uint32(one + s0 + majority)


@jit
def blake2bs(key: Bytes, data: Bytes, ends: Ints, out: LongWords) -> None:
    """BLAKE2b under a key, with digests of as many words as `out` is wide; message m is data[ends[m]:ends[m + 1]]."""
    size = 8 * out.shape[1]
    words, work = np.zeros(16, np.uint64), np.zeros(16, np.uint64)
    keyed, alone, state = np.zeros(8, np.uint64), np.zeros(8, np.uint64), np.zeros(8, np.uint64)
    for i in range(8):
        keyed[i] = alone[i] = _LONG_BEGIN[i] ^ np.uint64(0x01010000 + len(key) * 256 + size if i == 0 else 0)
    _mix_block(keyed, work, words, key, 0, len(key), _LONG_BLOCK, False)
    _mix_block(alone, work, words, key, 0, len(key), _LONG_BLOCK, True)  # what an empty message comes to
    for message in range(len(out)):
        first, end = ends[message], ends[message + 1]
        for i in range(8):
            state[i] = alone[i] if first == end else keyed[i]
        for offset in range(0, end - first, _LONG_BLOCK):
            stop = min(end, first + offset + _LONG_BLOCK)
            counted = _LONG_BLOCK + stop - first
            _mix_block(state, work, words, data, first + offset, stop, counted, stop == end)
        for i in range(out.shape[1]):
            out[message, i] = state[i]


@jit
def _mix_block(
    state: LongWords, v: LongWords, words: LongWords, data: Bytes, begin: int, end: int, counted: int, last: bool
) -> None:
    for i in range(16):
        words[i] = np.uint64(0)
    for place in range(end - begin):
        words[place >> 3] |= np.uint64(data[begin + place]) << np.uint64(8 * (place & 7))
    for i in range(8):
        v[i], v[i + 8] = state[i], _LONG_BEGIN[i]
    v[12] ^= np.uint64(counted)
    if last:
        v[14] = ~v[14]
    for turn in range(12):
        for i in range(8):
            # Four times down the columns of a square of words, then four times along its diagonals.
            moved = i >> 2
            a, b, c, d = i & 3, 4 + ((i + moved) & 3), 8 + ((i + 2 * moved) & 3), 12 + ((i + 3 * moved) & 3)
            x, y = words[_ORDERS[turn % 10, 2 * i]], words[_ORDERS[turn % 10, 2 * i + 1]]
            _mix(v, a, b, c, d, x, y)
    for i in range(8):
        state[i] ^= v[i] ^ v[i + 8]


@jit
def _mix(v: LongWords, a: int, b: int, c: int, d: int, x: np.uint64, y: np.uint64) -> None:
    v[a] = v[a] + v[b] + x
    v[d] = _right(v[d] ^ v[a], 32)
    v[c] = v[c] + v[d]
    v[b] = _right(v[b] ^ v[c], 24)
    v[a] = v[a] + v[b] + y
    v[d] = _right(v[d] ^ v[a], 16)
    v[c] = v[c] + v[d]
    v[b] = _right(v[b] ^ v[c], 63)


@jit
def _right(word: np.uint64, by: int) -> np.uint64:
    return (word >> np.uint64(by)) | (word << np.uint64(64 - by))
