"""A session: the keys that owners announced for it. Its digest stands beside everything that is signed later.

Two owners agree on a secret by X25519; HKDF-SHA256 makes keys of it, one for each purpose and session; ChaCha20 under
such a key is a mask, ChaCha20-Poly1305 closes a letter. Every key serves once, so that its nonce may be constant. The
`cryptography` library does the cryptography.
"""

from __future__ import annotations

import hashlib
import re
import struct
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.ciphers.algorithms import ChaCha20
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from sharewell.errors import DataError, Infeasible, VerificationFailed
from sharewell.reports.gathering.engine.messages import read_statement
from sharewell.reports.gathering.engine.plan import MODULUS, WORD, Plan

SECRET = 32
"""Bytes of a private key, of a seed, and of every key that is derived."""
_NONCE = bytes(12)


def public_of(private: bytes) -> bytes:
    return X25519PrivateKey.from_private_bytes(private).public_key().public_bytes_raw()


def agreed_key(private: bytes, public: bytes, session: bytes, purpose: str, *names: str) -> bytes:
    """A secret that only two owners know, for one purpose in one session."""
    try:
        common = X25519PrivateKey.from_private_bytes(private).exchange(X25519PublicKey.from_public_bytes(public))
    except ValueError:
        raise VerificationFailed("an owner's key — agrees on nothing — it was chosen to be weak") from None
    return derived_key(common, session, purpose, *names)


def derived_key(secret: bytes, session: bytes, purpose: str, *names: str) -> bytes:
    info = b"".join(struct.pack(">I", len(raw)) + raw for raw in (part.encode() for part in (purpose, *names)))
    return HKDF(SHA256(), SECRET, salt=session, info=info).derive(secret)


def mask(key: bytes, words: int) -> list[int]:
    """Numbers that are uniform over all values of a word."""
    stream = Cipher(ChaCha20(key, bytes(16)), mode=None).encryptor().update(bytes(words * WORD))
    return bytes_to_words(stream)


def add_masks(values: Sequence[int], plus: Iterable[Sequence[int]], minus: Iterable[Sequence[int]]) -> list[int]:
    """Values under masks. Taking masks off is the same with the sides changed."""
    total = list(values)
    for one in plus:
        total = [a + b for a, b in zip(total, one, strict=True)]
    for one in minus:
        total = [a - b for a, b in zip(total, one, strict=True)]
    return [word % MODULUS for word in total]


def words_to_bytes(words: Sequence[int]) -> bytes:
    return b"".join(word.to_bytes(WORD, "big") for word in words)


def bytes_to_words(raw: bytes) -> list[int]:
    halves = struct.unpack(f">{len(raw) // 8}Q", raw)
    return [high << 64 | low for high, low in zip(halves[::2], halves[1::2], strict=True)]


def encrypt_letter(key: bytes, letter: bytes) -> bytes:
    return ChaCha20Poly1305(key).encrypt(_NONCE, letter, None)


def decrypt_letter(key: bytes, letter: bytes, sender: str) -> bytes:
    try:
        return ChaCha20Poly1305(key).decrypt(_NONCE, letter, None)
    except InvalidTag:
        raise VerificationFailed(
            f"the letter of {sender} — was changed on the way, or belongs to another session — nothing was handed out"
        ) from None


@dataclass(frozen=True)
class Announced:
    """An owner's two public keys, both fresh, and which measures it reports."""

    letters: bytes
    masks: bytes
    present: str


@dataclass(frozen=True)
class Session:
    """The owners and their keys. Owners who received different keys have different digests, and cannot go on."""

    plan: Plan
    announced: Mapping[str, Announced] = field(repr=False)
    digest: bytes

    @classmethod
    def of(cls, plan: Plan, statements: Mapping[str, bytes]) -> Session:
        """From signed announcements; refused below the threshold."""
        announced = {name: announcement(plan, raw, name) for name, raw in statements.items()}
        enough(plan, len(announced), "announced keys")
        keys = [key for one in announced.values() for key in (one.letters, one.masks)]
        if len(set(keys)) < len(keys):
            raise VerificationFailed("announced keys — one stands there twice — keys must be fresh")
        framed = b"".join(struct.pack(">I", len(raw)) + raw for raw in statements.values())
        return cls(plan, announced, hashlib.sha256(plan.digest + framed).digest())

    @property
    def present(self) -> dict[str, str]:
        return {name: one.present for name, one in self.announced.items()}

    def letter_key(self, private: bytes, other: str, sender: str, receiver: str) -> bytes:
        """For the one letter from sender to receiver."""
        return agreed_key(private, self.announced[other].letters, self.digest, "letter", sender, receiver)

    def pair_mask(self, private: bytes, owner: str, other: str, words: int) -> list[int]:
        """The mask that two owners share: the first of the plan's order adds it, the second takes it off."""
        first, second = sorted((owner, other), key=self.plan.place.__getitem__)
        return mask(agreed_key(private, self.announced[other].masks, self.digest, "pair mask", first, second), words)

    def self_mask(self, seed: bytes, owner: str, words: int) -> list[int]:
        return mask(derived_key(seed, self.digest, "self mask", owner), words)

    def commitment(self, seed: bytes, owner: str) -> bytes:
        """Binds an owner to its seed without revealing it; a recovered seed is compared with it."""
        return derived_key(seed, self.digest, "commitment", owner)

    def refuse_thin(self, measures: tuple[str, ...], survivors: tuple[str, ...]) -> None:
        """Refuse to sum a measure that too few survivors report."""
        kept = self.plan.gathered(self.present, survivors)
        thin = [name for name in measures if name not in kept]
        if thin or not measures:
            raise Infeasible(
                f"the gathering — {len(thin) or 'all'} measure(s) would be summed over fewer than"
                f" {self.plan.threshold} owners; nothing was unmasked",
                blocking=[f"measure {name}" for name in thin],
                relaxations=["gather again without them, or when more owners report them"],
            )


def announcement(plan: Plan, raw: bytes, name: str | None = None) -> Announced:
    """What an owner announced, checked."""
    letter = read_statement(plan, plan.digest, "keys", raw)
    if name is not None and letter.sender != name:
        raise VerificationFailed(f"announced keys — those of {letter.sender} stand under another name")
    present = letter.text("present")
    if not re.fullmatch("[01]+", present) or len(present) != len(plan.measures):
        raise DataError(
            f"a statement of {letter.sender} — does not say which of {len(plan.measures)} measures it reports"
        )
    return Announced(letter.raw("letters", SECRET), letter.raw("masks", SECRET), present)


def enough(plan: Plan, count: int, what: str) -> None:
    if count < plan.threshold:
        raise Infeasible(
            f"the gathering — {what} of {count} owner(s), at least {plan.threshold} of {len(plan.owners)} are needed"
            "; nothing was unmasked",
            relaxations=["gather again when more owners can be there"],
        )
