"""The secret key of a release: pseudonyms, date shifts and random choices all derive from it by HMAC-SHA256.

The same release under the same key comes out the same; another key, another release or other data gives other
pseudonyms and shifts (`Key.for_release`, `sharewell.key_scope`). A recipient sees only a commitment.

A secret that people keep in a file or in the environment becomes a key by `Key.from_secret`, through scrypt: who wants
to guess the secret pays about 0.1 s for every try, whatever is tried (commitment, pseudonyms, shifts, salted hashes).
Secrets that are plainly easy to guess are refused; see `sharewell.weak_secrets`.

>>> key = Key(b"an example key of enough bytes..")
>>> here, there = key.scoped("patients", "class 7"), key.scoped("patients", "class 8")
>>> here.pseudonym("person 1") == here.pseudonym("person 1"), here.pseudonym("person 1") == there.pseudonym("person 1")
(True, False)
>>> key
Key(hidden)
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from sharewell.errors import DataError
from sharewell.weak_secrets import is_guessable

if TYPE_CHECKING:
    import numpy as np
    from numpy.random import Generator
    from numpy.typing import NDArray

SHORTEST_KEY = 16
"""Bytes. Pseudonyms of a short key could be inverted by trying every key."""
KDF: Mapping[str, str | int] = {"name": "scrypt", "n": 1 << 15, "r": 8, "p": 1, "salt": "sharewell release key"}
"""How a secret becomes a key, as the certificate says it: 32 MB and about 0.1 s for each guess."""
PSEUDONYM_BYTES = 10
DIGEST_BYTES = 32
_BLOCK = 64
"""Bytes of a block of SHA-256, to which HMAC fills up a key."""
_INNER, _OUTER = (bytes(byte ^ pad for byte in range(256)) for pad in (0x36, 0x5C))


@dataclass(frozen=True)
class Key:
    """Secret bytes. They never appear in a repr, a policy, a log or a file of the release."""

    secret: bytes = field(repr=False)
    root: Key | None = field(default=None, repr=False, compare=False)
    """Of a release's key: the one that it was derived from."""
    persons: Key | None = field(default=None, repr=False, compare=False)
    """Of datasets that are tied by person: the key under which a person has one name in all of them."""
    linked: bool = field(default=False, compare=False)
    """Do a person's dates move alike in all tied datasets that are linked?"""

    def __post_init__(self) -> None:
        if len(self.secret) < SHORTEST_KEY:
            raise DataError(
                f"secret key — {len(self.secret)} bytes, at least {SHORTEST_KEY} are needed"
                " — make one with `sharewell keygen --secret FILE`"
            )
        if self.secret.isascii():  # derived keys are not, nearly always, and millions of them are made
            _refuse_guessable(self.secret)

    @classmethod
    def from_secret(cls, secret: bytes) -> Key:
        """The key that a secret of a file or of the environment stands for; slow on purpose."""
        cls(secret)  # refuses what is too short
        _refuse_guessable(secret)
        n, r, p = int(KDF["n"]), int(KDF["r"]), int(KDF["p"])
        salt, memory = str(KDF["salt"]).encode(), 256 * n * r
        return cls(hashlib.scrypt(secret, salt=salt, n=n, r=r, p=p, maxmem=memory, dklen=32))

    @classmethod
    def fresh(cls) -> Key:
        """A random key, for work that need not be repeatable."""
        return cls(secrets.token_bytes(32))

    def __repr__(self) -> str:
        return "Key(hidden)"

    def digest(self, purpose: str, *parts: str) -> bytes:
        """HMAC over length-prefixed parts, so that no two lists of parts run into each other."""
        return hmac.digest(self.secret, b"".join(map(framed, (purpose, *parts))), "sha256")

    def for_release(self, release: str, dataset: str, *facts: str) -> Key:
        """The key of one dataset of one release: every pseudonym, shift and draw in it derives from this one.

        The facts are what decides about the published data: its rules, its mechanism, a digest of its rows. Releases
        that differ in any of them have nothing random in common, so that two of them can be neither joined nor
        subtracted by it.
        """
        return Key(self.digest("release", release, dataset, *facts), self.lasting)

    @property
    def lasting(self) -> Key:
        """The key of all releases, for choices that must not be drawn again: who is denied once is denied always."""
        return self if self.root is None else self.root

    def scoped(self, dataset: str, *scope: str) -> Key:
        """A key of its own for the pseudonyms of one scope, such as the cells of a class."""
        return Key(self.digest("pseudonym", dataset, *scope))

    def pseudonym(self, person: str) -> str:
        """Ten bytes in hexadecimal: the same for the same person under the same (scoped) key only.

        Many at a time: `sharewell.pseudonym_columns`.
        """
        return hmac.digest(self.secret, person.encode(), "sha256")[:PSEUDONYM_BYTES].hex()

    def of_persons(self, dataset: str) -> PersonNames:
        """How evidence, and links between datasets, name the persons of a dataset."""
        if self.persons is not None:
            return PersonNames(self.persons, folded=True)
        return PersonNames(self.scoped(dataset, "evidence"))

    def tied(self, persons: Key, *, linked: bool) -> Key:
        """The key of a dataset that is tied to others by person."""
        return replace(self, persons=persons, linked=linked)

    def shift_days(self, dataset: str, person: str, most: int) -> int:
        """How far this person's dates move in this dataset: uniform on −most … −1, 1 … most; never 0."""
        if self.linked and self.persons is not None:
            return self.persons.shift_days("", PersonNames(self.persons, folded=True).spelt(person), most)
        drawn = int.from_bytes(self.digest("date shift", dataset, person, str(most))[:8], "big") % (2 * most)
        return drawn - most if drawn < most else drawn - most + 1

    def rng(self, purpose: str, dataset: str) -> Generator:
        """A generator for choices that must be repeatable by whoever holds the key, and by nobody else."""
        import numpy as np

        seed = int.from_bytes(self.digest("rng", purpose, dataset), "big")
        return np.random.Generator(np.random.Philox(seed))

    def words(self, purpose: str, count: int) -> NDArray[np.uint64]:
        """This many random numbers of 64 bits, for draws that a guarantee rests on (SHAKE-256 under the key)."""
        import numpy as np

        stream = hashlib.shake_256(self.digest("words", purpose)).digest(8 * count)
        return np.frombuffer(stream, dtype="<u8").astype(np.uint64)

    def commitment(self, policy: str) -> str:
        """What the certificate carries: it binds the key to the (salted) hash of the policy and reveals neither."""
        return hashlib.sha256(self.digest("commitment", policy)).hexdigest()

    def nonce(self, policy_sha256: str) -> str:
        """Names the salt of one release. It is published; only the key leads from it to the salt."""
        return self.digest("nonce of hashes", policy_sha256)[:16].hex()

    def salt(self, nonce: str) -> bytes:
        """What published hashes of confidential files are salted with: without it no guess of a file can be tried."""
        return self.digest("salt of hashes", nonce)


@dataclass(frozen=True)
class PersonNames:
    """Pseudonyms of persons under one key; `folded` where several files may spell the same name in different ways."""

    key: Key
    folded: bool = False

    def spelt(self, person: str) -> str:
        if not self.folded:
            return person
        from sharewell.spelling import fold  # it takes pyarrow, which a command that reads no data does not load

        return fold(person)

    def pseudonym(self, person: str) -> str:
        return self.key.pseudonym(self.spelt(person))


def framed(part: str) -> bytes:
    """One part of a message after its length, so that no two lists of parts run into each other."""
    raw = part.encode()
    return len(raw).to_bytes(4, "big") + raw


def hmac_digests(secret: bytes, messages: Iterable[bytes]) -> bytes:
    """HMAC-SHA256 of each message under one secret, end to end.

    `hmac.digest` hashes the secret anew for each message. Here its two blocks (RFC 2104) are hashed once and the states
    copied, which takes a third of the time. Texts of an Arrow column: `sharewell.many_digests`.

    >>> hmac_digests(b"secret", [b"one", b"two"])[32:] == hmac.digest(b"secret", b"two", "sha256")
    True
    """
    block = (secret if len(secret) <= _BLOCK else hashlib.sha256(secret).digest()).ljust(_BLOCK, b"\0")
    begin, end = hashlib.sha256(block.translate(_INNER)).copy, hashlib.sha256(block.translate(_OUTER)).copy
    digests = []
    for message in messages:
        inner = begin()
        inner.update(message)
        outer = end()
        outer.update(inner.digest())
        digests.append(outer.digest())
    return b"".join(digests)


def _refuse_guessable(secret: bytes) -> None:
    if is_guessable(secret):
        raise DataError(
            "secret key — too easy to guess: repeated or consecutive characters, or too short a text"
            " — make one with `sharewell keygen --secret FILE`"
        )
