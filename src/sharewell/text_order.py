"""Distinct texts in order, where most rows have one of their own: names of persons, pseudonyms, record numbers.

A hash table of millions of such texts is larger than any cache, and every row waits for memory. Sorting does not: eight
bytes of a text are one number, numbers are sorted, and further bytes are looked at only where the first ones are equal.
Rows that are in order already, as in a published file, take one pass.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from sharewell.content_order import KeyOf, order_by

LEAST_ROWS = 1 << 18
"""Fewer texts fit into a cache."""
LONGEST = 64
"""Bytes of a text: longer ones are words of people, and repeat."""
_SAMPLE = 1 << 16
_WORD = 8
_PIECE = 1 << 15


def hardly_repeats(texts: pa.Array | pa.ChunkedArray) -> bool:
    """Are these many short texts, of which most of the first ones are different?"""
    if len(texts) < LEAST_ROWS or not pa.types.is_string(texts.type):
        return False
    few = texts.slice(0, _SAMPLE)
    return 2 * pc.count_distinct(few).as_py() > len(few) and (pc.max(pc.binary_length(texts)).as_py() or 0) <= LONGEST


def distinct_in_order(texts: pa.Array) -> tuple[pa.Array, NDArray[np.int64]]:
    """The distinct texts by their bytes, and the number of each row's; missing ones get the one after.

    O(n log n) comparisons of numbers, O(n) where the rows are in order.

    >>> distinct, numbers = distinct_in_order(pa.array(["bo", "anna", None, "bo"]))
    >>> distinct.to_pylist(), numbers.tolist()
    (['anna', 'bo'], [1, 0, 2, 1])
    """
    there = None if not texts.null_count else np.flatnonzero(texts.is_valid().to_numpy(zero_copy_only=False))
    some = texts if there is None else texts.take(pa.array(there))
    order = order_by(_keys(some), len(some))
    in_order = some.take(pa.array(order))
    new = np.ones(len(some), dtype=np.bool_)
    new[1:] = pc.not_equal(in_order[1:], in_order[:-1]).to_numpy(zero_copy_only=False)
    distinct = in_order.filter(pa.array(new))
    numbers = np.empty(len(some), dtype=np.int64)
    numbers[order] = np.cumsum(new) - 1
    if there is None:
        return distinct, numbers
    result = np.full(len(texts), len(distinct), dtype=np.int64)
    result[there] = numbers
    return distinct, result


def _keys(texts: pa.Array) -> Sequence[KeyOf]:
    """Eight bytes after the other; a text that ends is before all that go on, also with zero bytes."""
    if not len(texts):
        return []
    _, ends, data = texts.buffers()
    places = np.frombuffer(ends, np.int32)[texts.offset : texts.offset + len(texts) + 1]
    lengths = np.diff(places)
    raw = np.frombuffer(data or b"", np.uint8)
    raw = raw if len(raw) >= _WORD else np.append(raw, np.zeros(_WORD, np.uint8))
    words: list[KeyOf] = [partial(_word, raw, places, lengths, at) for at in range(0, int(lengths.max()), _WORD)]
    return [*words, lambda rows: lengths if rows is None else lengths[rows]]


def _word(
    raw: NDArray[np.uint8],
    places: NDArray[np.int32],
    lengths: NDArray[np.int32],
    at: int,
    rows: NDArray[np.intp] | None,
) -> NDArray[np.uint64]:
    """Eight bytes of each text as a number, the first byte counting most; zeros where it has ended."""
    everywhere = np.ndarray((len(raw) - _WORD + 1,), ">u8", raw, strides=(1,))
    words = np.empty(len(lengths) if rows is None else len(rows), dtype=np.uint64)
    for first in range(0, len(words), _PIECE):  # so that what is made on the way stays in the cache
        some = slice(first, first + _PIECE) if rows is None else rows[first : first + _PIECE]
        begins = places[:-1][some].astype(np.int64) + at
        within = np.minimum(begins, len(everywhere) - 1)
        left = lengths[some] - at
        piece = everywhere[within].astype(np.uint64)  # `take` would copy all of it
        if (beyond := begins - within).any():
            piece <<= 8 * np.minimum(beyond, _WORD - 1).astype(np.uint64)
        if (ended := left < _WORD).any():
            unused = 8 * (_WORD - left[ended].clip(0)).astype(np.uint64)
            piece[ended] = np.where(unused == 64, 0, piece[ended] >> (unused % 64) << (unused % 64))
        words[first : first + _PIECE] = piece
    return words
