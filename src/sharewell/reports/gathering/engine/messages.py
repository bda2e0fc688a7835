"""What travels: signed statements of owners, and what the mediator passes on. Anything odd is refused.

A statement is a signature of 64 bytes and JSON. The signature covers the JSON, and the plan or the session beside it,
which are not sent: a statement made for one session means nothing in another.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from sharewell.errors import DataError, Infeasible, VerificationFailed
from sharewell.reports.gathering.engine.plan import Plan

STAGES = ("keys", "shares", "numbers", "survivors", "unmasking")
"""What owners say, in this order."""
STOPPED, REPORT = "stopped", "report"
_SIGNATURE = 64
_PURPOSE = b"sharewell gathering 1\0"
_MOST = 32_000_000


def statement(key: Ed25519PrivateKey, about: bytes, stage: str, sender: str, **body: object) -> bytes:
    """A signed statement of an owner; `about` is the digest of the plan or of the session."""
    text = json.dumps({"stage": stage, "from": sender, **body}, sort_keys=True).encode()
    return key.sign(_PURPOSE + about + text) + text


def mediator_message(stage: str, **body: object) -> bytes:
    """A message of the mediator. It is not signed, because nothing depends on the mediator's word."""
    return json.dumps({"stage": stage, **body}, sort_keys=True).encode()


def read_statement(plan: Plan, about: bytes, stage: str, raw: bytes) -> Letter:
    """A statement whose signature belongs to the owner it names, about this plan or session, at this stage."""
    letter = Letter(_plain(raw[_SIGNATURE:], "a statement"), "a statement")
    sender = letter.content.get("from")
    if not isinstance(sender, str) or sender not in plan.owners:
        raise VerificationFailed("a statement — of somebody who is not an owner in the plan — it is refused")
    try:
        Ed25519PublicKey.from_public_bytes(plan.owners[sender]).verify(
            raw[:_SIGNATURE], _PURPOSE + about + raw[_SIGNATURE:]
        )
    except (InvalidSignature, ValueError):
        what = "not signed by that owner for this plan and session"
        raise VerificationFailed(f"a statement of {sender} — {what} — do not go on before that is explained") from None
    if letter.content.get("stage") != stage:
        raise VerificationFailed(f"a statement of {sender} — made for another stage than {stage}")
    return Letter(letter.content, f"a statement of {sender}")


def read_message(stage: str, raw: bytes) -> Letter:
    """A message of the mediator, if it belongs to this stage."""
    letter = Letter(_plain(raw, "the mediator's message"), "the mediator's message")
    if letter.content.get("stage") == STOPPED:
        raise Infeasible("the gathering — the mediator stopped it — nothing more was disclosed")
    if letter.content.get("stage") != stage:
        raise VerificationFailed(f"the mediator's message — not the one that comes now, {stage} — was it sent twice?")
    return letter


@dataclass(frozen=True)
class Letter:
    """JSON from another party, of which every part is checked."""

    content: Mapping[str, object]
    said: str

    @property
    def sender(self) -> str:
        return str(self.content["from"])

    def text(self, key: str) -> str:
        value = self.content.get(key)
        if not isinstance(value, str):
            raise self._odd(key)
        return value

    def raw(self, key: str, length: int | None = None) -> bytes:
        return self._bytes(self.text(key), key, length)

    def owners(self, plan: Plan, key: str) -> tuple[str, ...]:
        """Names of owners, each once, in the order of the plan."""
        names = self.content.get(key)
        if not isinstance(names, list) or names != [name for name in plan.owners if name in names]:
            raise self._odd(key)
        return tuple(names)

    def by_owner(self, plan: Plan, key: str, length: int | None = None) -> dict[str, bytes]:
        """Bytes for each of some owners, in the order of the plan."""
        values = self.content.get(key)
        if not isinstance(values, dict) or not all(isinstance(value, str) for value in values.values()):
            raise self._odd(key)
        if not set(values) <= set(plan.owners):
            raise self._odd(key)
        return {name: self._bytes(values[name], key, length) for name in plan.owners if name in values}

    def _bytes(self, text: str, key: str, length: int | None) -> bytes:
        try:
            decoded = base64.b64decode(text, validate=True)
        except ValueError:
            raise self._odd(key) from None
        if length is not None and len(decoded) != length:
            raise self._odd(key)
        return decoded

    def _odd(self, key: str) -> DataError:
        return DataError(
            f"{self.said} — '{key}' is not as the protocol has it — it was damaged, or made by something else"
        )


def to_base64(raw: bytes) -> str:
    """Bytes as JSON carries them."""
    return base64.b64encode(raw).decode()


def number(text: object) -> Fraction:
    """A fraction from another party: few digits, no exponents; otherwise ValueError."""
    if not isinstance(text, str) or not re.fullmatch(r"-?[0-9]{1,60}(/[1-9][0-9]{0,60})?", text):
        raise ValueError("not a fraction as the protocol writes it")
    return Fraction(text)


def _plain(raw: bytes, source: str) -> dict[str, object]:
    try:
        content = json.loads(raw) if len(raw) <= _MOST else None
    except (ValueError, RecursionError):
        content = None
    if not isinstance(content, dict):
        raise DataError(f"{source} — not a message of the protocol — it is damaged, or another program made it")
    return content
