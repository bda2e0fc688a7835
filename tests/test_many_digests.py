"""Digests of many texts at a time are those that the standard library gives each alone, compiled or not."""

import hashlib
import hmac
from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from sharewell import many_digests
from sharewell.compiled import numba_or_none
from sharewell.many_digests import blake2bs, hmacs

DRAW = np.random.default_rng(7)
LENGTHS = [*range(140), 500, *DRAW.integers(0, 40, 100).tolist()]
"""Around the ends of blocks of 64 and 128 bytes, and mixed."""
TEXTS = [DRAW.bytes(length) for length in LENGTHS]
ROOM = len(TEXTS)


def plain(large: bool, kernel: str, pays: bool = True) -> Callable[..., Any] | None:
    return None


def compiled(large: bool, kernel: str, pays: bool = True) -> Callable[..., Any] | None:
    return numba_or_none(True, kernel)


@pytest.fixture(params=[plain, compiled])
def choice(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    if request.param is compiled:
        pytest.importorskip("numba")
    monkeypatch.setattr(many_digests, "numba_or_none", request.param)
    monkeypatch.setattr(many_digests, "_PIECE", 50)
    chosen: Callable[..., Any] = request.param
    return chosen


@pytest.mark.usefixtures("choice")
@pytest.mark.parametrize("secret", [b"short", b"k" * 32, b"k" * 64, b"k" * 65, bytes(range(200))])
def test_one_secret_for_all(secret: bytes) -> None:
    found = hmacs(secret, None, pa.array(TEXTS, pa.binary()))
    assert [bytes(row) for row in found] == [hmac.digest(secret, text, "sha256") for text in TEXTS]


@pytest.mark.usefixtures("choice")
def test_a_secret_for_each_scope_and_some_of_the_texts() -> None:
    """Scopes may be empty, texts may lie in pieces, and digests are cut."""
    secrets = [DRAW.bytes(32) for _ in range(70)]
    codes = DRAW.integers(0, ROOM, 200).astype(np.int32)
    starts = np.sort(np.append(DRAW.integers(0, 200, 69), [0, 200]))
    texts = pa.chunked_array([pa.array(TEXTS[:9], pa.binary()), pa.array(TEXTS[9:], pa.binary())])
    found = hmacs(b"".join(secrets), starts, texts, codes, width=10)
    scope = np.repeat(np.arange(70), np.diff(starts))
    expected = [hmac.digest(secrets[s], TEXTS[c], "sha256")[:10] for s, c in zip(scope, codes, strict=True)]
    assert [bytes(row) for row in found] == expected


@pytest.mark.usefixtures("choice")
def test_slices_and_empty_columns() -> None:
    names = pa.array(["anna", "Ünal", "", "bo"])
    assert bytes(hmacs(b"k" * 32, None, names.slice(1, 2))[0]) == hmac.digest(b"k" * 32, "Ünal".encode(), "sha256")
    assert hmacs(b"k" * 32, None, names.slice(0, 0), width=4).shape == (0, 4)
    assert blake2bs(b"k", names.slice(0, 0), 2).shape == (0, 2)


@pytest.mark.usefixtures("choice")
@pytest.mark.parametrize("words", [1, 2, 8])
def test_keyed_blake2b(words: int) -> None:
    key = DRAW.bytes(32)
    found = blake2bs(key, pa.array(TEXTS, pa.binary()), words)
    expected = [hashlib.blake2b(text, key=key, digest_size=8 * words).digest() for text in TEXTS]
    assert [row.astype("<u8").tobytes() for row in found] == expected
