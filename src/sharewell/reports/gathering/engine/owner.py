"""An owner's side: five statements, each made once, each only if what came before is in order.

The owner is a generator. What it yields goes to the mediator, what the mediator passes on is sent in. A refusal ends
it, and its secrets with it: there is no way back to an earlier stage, and none to a second answer.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from sharewell.errors import DataError, VerificationFailed
from sharewell.reports.gathering.engine import shamir
from sharewell.reports.gathering.engine.fixed_point import OwnerRow
from sharewell.reports.gathering.engine.messages import read_message, read_statement, statement, to_base64
from sharewell.reports.gathering.engine.plan import Plan
from sharewell.reports.gathering.engine.session import (
    SECRET,
    Session,
    add_masks,
    decrypt_letter,
    encrypt_letter,
    enough,
    public_of,
    words_to_bytes,
)

Owners = tuple[str, ...]
Taking = Generator[bytes, bytes, None]


def taking_part(
    plan: Plan,
    name: str,
    values: Mapping[str, object],
    key: Ed25519PrivateKey,
    draw: Callable[[int], bytes] = secrets.token_bytes,
) -> Taking:
    """The statements of one owner. `key` signs them and belongs to the plan; `draw` gives secret random bytes."""
    if name not in plan.owners:
        raise DataError("the owner — not in the plan — give a name from the plan")
    if key.public_key().public_bytes_raw() != plan.owners[name]:
        raise DataError(f"the signing key — not that of {name} in the plan — use the right .key file")
    return _Owner(plan, name, OwnerRow.of(plan, values), key, draw).statements()


@dataclass(frozen=True)
class _Owner:
    plan: Plan
    name: str
    row: OwnerRow = field(repr=False)
    key: Ed25519PrivateKey = field(repr=False)
    draw: Callable[[int], bytes] = field(repr=False)

    def statements(self) -> Taking:
        secret = _Secrets(self.draw(SECRET), self.draw(SECRET), self.draw(SECRET))
        announced = statement(
            self.key,
            self.plan.digest,
            "keys",
            self.name,
            letters=to_base64(public_of(secret.letters)),
            masks=to_base64(public_of(secret.masks)),
            present=self.row.present,
        )
        session = self._session((yield announced), announced)
        own_points, letters = self._shares(session, secret)
        commitment = to_base64(session.commitment(secret.seed, self.name))
        shared, points = self._opened(
            session, secret, own_points, (yield self._say(session, "shares", letters=letters, commitment=commitment))
        )
        survivors = self._survivors(session, shared, (yield self._numbers(session, secret, shared)))
        confirming = self._say(session, "survivors", shared=list(shared), survivors=list(survivors))
        self._confirmed(session, shared, survivors, (yield confirming))
        yield self._unmasking(session, shared, survivors, points)

    def _say(self, session: Session, stage: str, **body: object) -> bytes:
        return statement(self.key, session.digest, stage, self.name, **body)

    def _session(self, message: bytes, announced: bytes) -> Session:
        statements = read_message("keys", message).by_owner(self.plan, "statements")
        if statements.get(self.name) != announced:
            raise VerificationFailed(f"announced keys — what stands there for {self.name} is not what it announced")
        return Session.of(self.plan, statements)

    def _shares(self, session: Session, secret: _Secrets) -> tuple[bytes, dict[str, str]]:
        """This owner's points of its own two secrets, and a closed letter with theirs to every other owner."""
        places = {other: self.plan.place[other] for other in session.announced}
        points = [
            shamir.share(int.from_bytes(one, "big"), self.plan.threshold, places.values(), self.draw)
            for one in (secret.masks, secret.seed)
        ]
        pairs = {
            other: b"".join(one[place].to_bytes(shamir.BYTES, "big") for one in points)
            for other, place in places.items()
        }
        own_points = pairs.pop(self.name)
        letters = {
            other: to_base64(encrypt_letter(session.letter_key(secret.letters, other, self.name, other), pair))
            for other, pair in pairs.items()
        }
        return own_points, letters

    def _opened(
        self, session: Session, secret: _Secrets, own: bytes, message: bytes
    ) -> tuple[Owners, dict[str, _Points]]:
        """Open the letters of all who shared. One that does not open ends the session: its sender would be lost."""
        letters = read_message("shares", message).by_owner(self.plan, "letters")
        if self.name in letters or not set(letters) <= set(session.announced):
            raise VerificationFailed("shared secrets — from somebody who announced no keys, or from oneself")
        shared = tuple(name for name in self.plan.owners if name in letters or name == self.name)
        enough(self.plan, len(shared), "shared secrets")
        points = {self.name: _Points.of(own)}
        for other, letter in letters.items():
            key = session.letter_key(secret.letters, other, other, self.name)
            points[other] = _Points.of(decrypt_letter(key, letter, other))
        return shared, points

    def _numbers(self, session: Session, secret: _Secrets, shared: Owners) -> bytes:
        """The row under its self-mask and one mask for every other owner."""
        measures = self.plan.gathered(session.present, shared)
        session.refuse_thin(measures, shared)
        values = self.row.encoded(self.plan, measures)
        place, words = self.plan.place, len(values)
        plus, minus = [session.self_mask(secret.seed, self.name, words)], list[list[int]]()
        for other in shared:
            if other != self.name:
                side = plus if place[self.name] < place[other] else minus
                side.append(session.pair_mask(secret.masks, self.name, other, words))
        return self._say(session, "numbers", numbers=to_base64(words_to_bytes(add_masks(values, plus, minus))))

    def _survivors(self, session: Session, shared: Owners, message: bytes) -> Owners:
        survivors = read_message("survivors", message).owners(self.plan, "survivors")
        if self.name not in survivors:
            raise VerificationFailed(
                f"survivors — {self.name} is said to have left, and has not — nothing was handed out"
            )
        if not set(survivors) <= set(shared):
            raise VerificationFailed("survivors — one of them shared no secrets — nothing was handed out")
        enough(self.plan, len(survivors), "masked numbers")
        session.refuse_thin(self.plan.gathered(session.present, shared), survivors)
        return survivors

    def _confirmed(self, session: Session, shared: Owners, survivors: Owners, message: bytes) -> None:
        """At least a threshold of owners must have signed the very same two lists."""
        statements = read_message("unmasking", message).by_owner(self.plan, "statements")
        for name, raw in statements.items():
            letter = read_statement(self.plan, session.digest, "survivors", raw)
            seen = (letter.sender, letter.owners(self.plan, "shared"), letter.owners(self.plan, "survivors"))
            if seen != (name, shared, survivors) or name not in survivors:
                raise VerificationFailed(
                    f"survivors — {name} got another list than {self.name} — somebody is lying; nothing was disclosed"
                )
        enough(self.plan, len(statements), "agreement on who is left")

    def _unmasking(self, session: Session, shared: Owners, survivors: Owners, points: dict[str, _Points]) -> bytes:
        """The share of a survivor's seed, or of a dropped owner's key: never both.

        The mean of the row goes with them, not earlier: sessions that come to nothing could give means over other
        measures, and their difference would be a cell.
        """
        measures = self.plan.gathered(session.present, shared)
        mean = self.row.mean(self.plan, measures) if self.plan.row_means else None
        return self._say(
            session,
            "unmasking",
            seeds={name: to_base64(points[name].seed) for name in survivors},
            keys={name: to_base64(points[name].masks) for name in shared if name not in survivors},
            mean=None if mean is None else str(mean),
        )


@dataclass(frozen=True)
class _Secrets:
    """Drawn for one session: to open letters, to agree on pair masks, and the seed of the self-mask."""

    letters: bytes = field(repr=False)
    masks: bytes = field(repr=False)
    seed: bytes = field(repr=False)


@dataclass(frozen=True)
class _Points:
    """Points of another owner's two secrets."""

    masks: bytes = field(repr=False)
    seed: bytes = field(repr=False)

    @classmethod
    def of(cls, letter: bytes) -> _Points:
        if len(letter) != 2 * shamir.BYTES:
            raise DataError("a letter of shares — not of the right length — another program made it")
        return cls(letter[: shamir.BYTES], letter[shamir.BYTES :])
