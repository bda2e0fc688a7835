"""Digests of many texts at a time: a release names millions of persons, and hashes as many values.

The twin asks `hashlib` for one digest after the other. From some hundred thousand texts on the compiled loops of
`many_digests_kernel` hash them side by side and make no Python object for any, in a tenth of the time.

>>> import hmac
>>> secret = b"an example secret of 32 bytes..."
>>> one = hmacs(secret, None, pa.array(["anna", "bo"]))[1]
>>> bytes(one) == hmac.digest(secret, b"bo", "sha256")
True
"""

from __future__ import annotations

import hashlib
from itertools import islice, pairwise
from typing import TypeAlias

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sharewell.compiled import numba_or_none, seconds_in_numpy
from sharewell.io.pieces import texts_in
from sharewell.keys import DIGEST_BYTES, hmac_digests

Raw = NDArray[np.uint8]
"""A row of bytes for each digest."""
LongWords = NDArray[np.uint64]
Ints = NDArray[np.integer]
Texts: TypeAlias = pa.Array | pa.ChunkedArray
LARGE = 1 << 18
"""Texts from which compiled loops pay for their import."""
COMPILING_PAYS_FROM = 1 << 22
"""Texts from which they pay for their compilation, too."""
_KERNEL = "sharewell.many_digests_kernel"
_BLOCK = 64
_PIECE = 1 << 16
"""Texts that are Python objects at a time."""


def hmacs(
    secrets: bytes, starts: Ints | None, texts: Texts, codes: Ints | None = None, width: int = DIGEST_BYTES
) -> Raw:
    """HMAC-SHA256 of each text (of texts[codes], if given), cut to `width` bytes. No text may be null.

    secrets: of 32 bytes each, end to end. That of scope s is for the texts starts[s] … starts[s + 1]; where `starts` is
    None the one secret, of any length, is for all.
    """
    count = len(texts if codes is None else codes)
    begins = np.array([0, count]) if starts is None else starts.astype(np.int64)
    kernel = numba_or_none(count >= LARGE, f"{_KERNEL}:hmacs", count >= COMPILING_PAYS_FROM)
    if kernel is None:
        with seconds_in_numpy(f"{_KERNEL}:hmacs", count >= LARGE):
            return _one_by_one(secrets, begins, texts, codes, width)
    result = np.empty((count, width), np.uint8)
    blocks = _filled_up(secrets, len(begins) - 1)
    data, ends = _buffers(texts)
    numbers = np.arange(count) if codes is None else codes.astype(np.int64)
    kernel(blocks, np.repeat(np.arange(len(blocks)), np.diff(begins)), data, ends, numbers, result)
    return result


def _one_by_one(secrets: bytes, starts: Ints, texts: Texts, codes: Ints | None, width: int) -> Raw:
    """The texts of one scope after those of the other; few of them are Python objects at a time."""
    raw, count = texts_in(texts.cast(pa.large_binary()), codes), int(starts[-1])
    result = np.empty((count, width), np.uint8)
    for scope, (begin, end) in enumerate(pairwise(starts.tolist())):
        secret = secrets if len(starts) == 2 else secrets[scope * DIGEST_BYTES : (scope + 1) * DIGEST_BYTES]
        for first in range(begin, end, _PIECE):
            digests = hmac_digests(secret, islice(raw, min(_PIECE, end - first)))
            wide = np.frombuffer(digests, np.uint8).reshape(-1, DIGEST_BYTES)
            result[first : first + len(wide)] = wide[:, :width]
    return result


def _filled_up(secrets: bytes, count: int) -> Raw:
    """Each secret as a block of HMAC (RFC 2104)."""
    if count == 1 and len(secrets) > _BLOCK:
        secrets = hashlib.sha256(secrets).digest()
    blocks = np.zeros((count, _BLOCK), np.uint8)
    each = np.frombuffer(secrets, np.uint8).reshape(count, -1)
    blocks[:, : each.shape[1]] = each
    return blocks


def blake2bs(key: bytes, texts: Texts, words: int) -> LongWords:
    """Keyed BLAKE2b of each text, as this many words of 64 bits. No text may be null."""
    kernel = numba_or_none(len(texts) >= LARGE, f"{_KERNEL}:blake2bs", len(texts) >= COMPILING_PAYS_FROM)
    if kernel is None:
        with seconds_in_numpy(f"{_KERNEL}:blake2bs", len(texts) >= LARGE):
            return _blake2b_one_by_one(key, texts, words)
    result = np.empty((len(texts), words), np.uint64)
    kernel(np.frombuffer(key, np.uint8), *_buffers(texts), result)
    return result


def _blake2b_one_by_one(key: bytes, texts: Texts, words: int) -> LongWords:
    keyed, raw = hashlib.blake2b(digest_size=8 * words, key=key), texts_in(texts.cast(pa.large_binary()))
    result = np.empty((len(texts), words), np.uint64)
    for first in range(0, len(texts), _PIECE):
        digests = []
        for text in islice(raw, _PIECE):
            state = keyed.copy()
            state.update(text)
            digests.append(state.digest())
        result[first : first + _PIECE] = np.frombuffer(b"".join(digests), "<u8").reshape(-1, words)
    return result


def _buffers(texts: Texts) -> tuple[Raw, NDArray[np.int64]]:
    """The bytes of all texts, and where each of them ends, after where the first begins."""
    raw = texts.cast(pa.large_binary())
    raw = raw.combine_chunks() if isinstance(raw, pa.ChunkedArray) else raw
    _, ends, data = raw.buffers()
    places = np.frombuffer(ends, np.int64)[raw.offset : raw.offset + len(raw) + 1] if len(raw) else np.zeros(1, int)
    return np.frombuffer(data or b"", np.uint8), places
