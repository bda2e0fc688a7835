"""Keys, masks and closed letters. The `cryptography` library does the cryptography.

Two owners agree on a secret by X25519; HKDF-SHA256 makes keys of it, one for each purpose and session; ChaCha20 under
such a key is a mask, ChaCha20-Poly1305 closes a letter. Every key serves once, so that its nonce may be constant.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.ciphers.algorithms import ChaCha20
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from sharewell.errors import VerificationFailed
from sharewell.reports.gathering.engine.plan import MODULUS, WORD

SECRET = 32
"""Bytes of a private key, of a seed, and of every key that is derived."""
_NONCE = bytes(12)


def public_of(private: bytes) -> bytes:
    return X25519PrivateKey.from_private_bytes(private).public_key().public_bytes_raw()


def agreed(private: bytes, public: bytes, session: bytes, purpose: str, *names: str) -> bytes:
    """What two owners both know and nobody else does, for one purpose in one session."""
    try:
        common = X25519PrivateKey.from_private_bytes(private).exchange(X25519PublicKey.from_public_bytes(public))
    except ValueError:
        raise VerificationFailed("an owner's key — agrees on nothing — it was chosen to be weak") from None
    return derived(common, session, purpose, *names)


def derived(secret: bytes, session: bytes, purpose: str, *names: str) -> bytes:
    info = b"".join(struct.pack(">I", len(raw)) + raw for raw in (part.encode() for part in (purpose, *names)))
    return HKDF(SHA256(), SECRET, salt=session, info=info).derive(secret)


def mask(key: bytes, words: int) -> list[int]:
    """So many numbers, each of them even over all that a word can hold."""
    stream = Cipher(ChaCha20(key, bytes(16)), mode=None).encryptor().update(bytes(words * WORD))
    return unpacked(stream)


def masked(values: Sequence[int], plus: Iterable[Sequence[int]], minus: Iterable[Sequence[int]]) -> list[int]:
    """Values under masks. Taking masks off is the same with the sides changed."""
    total = list(values)
    for one in plus:
        total = [a + b for a, b in zip(total, one, strict=True)]
    for one in minus:
        total = [a - b for a, b in zip(total, one, strict=True)]
    return [word % MODULUS for word in total]


def packed(words: Sequence[int]) -> bytes:
    return b"".join(word.to_bytes(WORD, "big") for word in words)


def unpacked(raw: bytes) -> list[int]:
    halves = struct.unpack(f">{len(raw) // 8}Q", raw)
    return [high << 64 | low for high, low in zip(halves[::2], halves[1::2], strict=True)]


def closed(key: bytes, letter: bytes) -> bytes:
    return ChaCha20Poly1305(key).encrypt(_NONCE, letter, None)


def opened(key: bytes, letter: bytes, sender: str) -> bytes:
    try:
        return ChaCha20Poly1305(key).decrypt(_NONCE, letter, None)
    except InvalidTag:
        raise VerificationFailed(
            f"the letter of {sender} — was changed on the way, or belongs to another session — nothing was handed out"
        ) from None
