"""The secret key of a release: pseudonyms, date shifts and random choices all derive from it by HMAC-SHA256.

The same release under the same key comes out the same; another key, another release or other data gives other
pseudonyms and shifts (`Key.for_release`, `sharewell.key_scope`). A recipient sees only a commitment.

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
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sharewell.errors import DataError

if TYPE_CHECKING:
    from numpy.random import Generator

SHORTEST_KEY = 16
"""Bytes. Pseudonyms of a short key could be inverted by trying every key."""


@dataclass(frozen=True)
class Key:
    """Secret bytes. They never appear in a repr, a policy, a log or a file of the release."""

    secret: bytes = field(repr=False)
    root: Key | None = field(default=None, repr=False, compare=False)
    """Of a release's key: the one that it was derived from."""

    def __post_init__(self) -> None:
        if len(self.secret) < SHORTEST_KEY:
            raise DataError(
                f"secret key — {len(self.secret)} bytes, at least {SHORTEST_KEY} are needed"
                " — make one with `sharewell keygen --secret FILE`"
            )

    @classmethod
    def fresh(cls) -> Key:
        """A random key, for work that need not be repeatable."""
        return cls(secrets.token_bytes(32))

    def __repr__(self) -> str:
        return "Key(hidden)"

    def digest(self, purpose: str, *parts: str) -> bytes:
        """HMAC over length-prefixed parts, so that no two lists of parts run into each other."""
        message = b"".join(len(raw).to_bytes(4, "big") + raw for raw in (p.encode() for p in (purpose, *parts)))
        return hmac.digest(self.secret, message, "sha256")

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
        """Ten bytes in hexadecimal: the same for the same person under the same (scoped) key only."""
        return hmac.digest(self.secret, person.encode(), "sha256")[:10].hex()

    def shift_days(self, dataset: str, person: str, most: int) -> int:
        """How far this person's dates move in this dataset: uniform on −most … −1, 1 … most; never 0."""
        drawn = int.from_bytes(self.digest("date shift", dataset, person, str(most))[:8], "big") % (2 * most)
        return drawn - most if drawn < most else drawn - most + 1

    def rng(self, purpose: str, dataset: str) -> Generator:
        """A generator for choices that must be repeatable by whoever holds the key, and by nobody else."""
        import numpy as np

        seed = int.from_bytes(self.digest("rng", purpose, dataset), "big")
        return np.random.Generator(np.random.Philox(seed))

    def commitment(self, policy_sha256: str) -> str:
        """What the certificate carries: it binds the key to the policy and reveals neither."""
        return hashlib.sha256(self.digest("commitment", policy_sha256)).hexdigest()
