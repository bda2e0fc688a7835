"""Where secrets lie: `env:NAME` or `file:PATH`. What lies there is returned and never repeated.

>>> is_reference("env:SHAREWELL_KEY"), is_reference("file:keys/steward.key"), is_reference("hunter2")
(True, True, False)
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from sharewell.errors import DataError
from sharewell.io.plain_files import small_file
from sharewell.plain_data import Json
from sharewell.policy.model import Secrets

_REFERENCE = re.compile(r"env:[A-Za-z_][A-Za-z0-9_]*|file:[^\n\x00]*[^\s\x00]")


def is_reference(given: Json) -> bool:
    return isinstance(given, str) and _REFERENCE.fullmatch(given) is not None


def exposed(secrets: Secrets, base: Path) -> tuple[str, ...]:
    """A sentence for every key file that others than its owner can read."""
    named = [reference for reference in (secrets.key, secrets.sign) if reference and reference.startswith("file:")]
    return tuple(
        f"{reference} — others than its owner can read this key — chmod 600 it; replace it if somebody has read it"
        for reference in named
        if is_exposed(base / reference.removeprefix("file:"))
    )


def is_exposed(path: Path) -> bool:
    """Can others than its owner read or replace the file? Only where files have such modes."""
    return os.name == "posix" and path.is_file() and bool(path.stat().st_mode & 0o066)


def resolve(reference: str, base: Path, made_by: str = "sharewell keygen --secret FILE") -> bytes:
    """The bytes of a secret; a file is taken relative to `base`, and its last line end is not part of the secret.

    made_by: the command that makes such a secret, for messages.
    """
    if not is_reference(reference):
        raise DataError("a secret — given as text — name where it is stored: env:NAME or file:PATH")
    scheme, _, where = reference.partition(":")
    if scheme == "env":
        result = os.environb.get(where.encode()) if os.supports_bytes_environ else os.environ.get(where, "").encode()
        if not result:
            raise DataError(
                f"{reference} — no such environment variable, or it is empty — set it before you start;"
                f" `{made_by}` makes a key"
            )
        return result
    if not (base / where).exists():
        raise DataError(f"{reference} — no such file — check the path, or make one with `{made_by}`")
    secret = small_file(base / where, said=reference).removesuffix(b"\n").removesuffix(b"\r")
    if not secret:
        raise DataError(f"{reference} — the file is empty — put the secret there")
    return secret
