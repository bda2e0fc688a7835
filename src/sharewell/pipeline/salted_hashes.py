"""Salted hashes: what public/ says of confidential files, so that who has a file recognises it and nobody can guess it.

A plain hash of a file lets anybody try guesses of its contents: of twelve people and one dropped column of yes and no
there are 4,096. So every hash of a policy, register, pool, list or hierarchy is published as HMAC-SHA256 under a salt
that derives from the secret key of the release. The salt lies in `internal/salt.json`; the certificate names it by a
nonce. Whoever has the salt, or the key, and the same file, finds that the hashes agree; all others find nothing.

>>> from sharewell.keys import Key
>>> salt = Salt.of(Key(b"an example key of enough bytes.."), policy_sha256="0" * 64)
>>> sorted(salt.applied({"population": {"sha256": "1" * 64, "separator": ";"}})["population"])
['salted_sha256', 'separator']
"""

from __future__ import annotations

import hmac
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from sharewell.errors import DataError
from sharewell.io.writing import read_json, write_text
from sharewell.keys import Key
from sharewell.plain_data import Json

SALT, SALTED = "salt.json", "salted_sha256"
_HASH = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True)
class Salt:
    """The salt of one release, and the nonce by which its certificate names it."""

    nonce: str
    secret: bytes = field(repr=False)

    @classmethod
    def of(cls, key: Key, policy_sha256: str) -> Salt:
        nonce = key.nonce(policy_sha256)
        return cls(nonce, key.salt(nonce))

    def salted(self, sha256: str) -> str:
        """A hash, salted; empty for something that is no hash."""
        return hmac.digest(self.secret, bytes.fromhex(sha256), "sha256").hex() if _HASH.fullmatch(sha256) else ""

    def applied(self, content: Json) -> Json:
        """The same plain JSON with every entry `sha256` replaced by its salted form."""
        if isinstance(content, Mapping):
            pairs = (self._entry(key, value) for key, value in content.items())
            return {key: self.applied(value) for key, value in pairs}
        return [self.applied(item) for item in content] if isinstance(content, list | tuple) else content

    def _entry(self, key: str, value: Json) -> tuple[str, Json]:
        is_hash = key == "sha256" and isinstance(value, str) and _HASH.fullmatch(value)
        return (SALTED, self.salted(value)) if is_hash else (key, value)

    def write(self, internal: Path) -> None:
        """internal/salt.json, which its owner alone can read."""
        claim = {"nonce": self.nonce, "salt": self.secret.hex()}
        write_text(internal / SALT, json.dumps(claim, indent=1) + "\n", private=True)


def salt_in(folder: Path, nonce: Json) -> Salt | None:
    """The salt of this name, from a salt.json somewhere in the folder; None if there is none for this release."""
    return next((salt for path in sorted(folder.rglob(SALT)) if (salt := _read(path, nonce)) is not None), None)


def _read(path: Path, nonce: Json) -> Salt | None:
    try:
        content = read_json(path) if path.is_file() and not path.is_symlink() else None
        if isinstance(content, Mapping) and isinstance(nonce, str) and content.get("nonce") == nonce:
            return Salt(nonce, bytes.fromhex(content["salt"]))
    except (DataError, OSError, KeyError, TypeError, ValueError):
        return None
    return None
