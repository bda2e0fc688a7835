"""A session: the keys that owners announced for it. Its digest stands beside everything that is signed later."""

from __future__ import annotations

import hashlib
import re
import struct
from collections.abc import Mapping
from dataclasses import dataclass, field

from sharewell.errors import DataError, Infeasible, VerificationFailed
from sharewell.reports.gathering.engine.masking_keys import SECRET, agreed, derived, mask
from sharewell.reports.gathering.engine.messages import verified
from sharewell.reports.gathering.engine.plan import Plan


@dataclass(frozen=True)
class Announced:
    """An owner's two public keys, both fresh, and which measures it reports."""

    letters: bytes
    masks: bytes
    present: str


@dataclass(frozen=True)
class Session:
    """Who takes part, with which keys. Two who were told different keys have different digests, and cannot go on."""

    plan: Plan
    announced: Mapping[str, Announced] = field(repr=False)
    digest: bytes

    @classmethod
    def of(cls, plan: Plan, statements: Mapping[str, bytes]) -> Session:
        """From signed announcements; refused below the threshold."""
        found = {name: announcement(plan, raw, name) for name, raw in statements.items()}
        enough(plan, len(found), "announced keys")
        keys = [key for one in found.values() for key in (one.letters, one.masks)]
        if len(set(keys)) < len(keys):
            raise VerificationFailed("announced keys — one stands there twice — keys must be fresh")
        framed = b"".join(struct.pack(">I", len(raw)) + raw for raw in statements.values())
        return cls(plan, found, hashlib.sha256(plan.digest + framed).digest())

    @property
    def present(self) -> dict[str, str]:
        return {name: one.present for name, one in self.announced.items()}

    def letter_key(self, private: bytes, other: str, sender: str, receiver: str) -> bytes:
        """For the one letter from sender to receiver."""
        return agreed(private, self.announced[other].letters, self.digest, "letter", sender, receiver)

    def pair_mask(self, private: bytes, mine: str, other: str, words: int) -> list[int]:
        """The mask that two owners share: the first of the plan's order adds it, the second takes it off."""
        first, second = sorted((mine, other), key=self.plan.place.__getitem__)
        return mask(agreed(private, self.announced[other].masks, self.digest, "pair mask", first, second), words)

    def self_mask(self, seed: bytes, owner: str, words: int) -> list[int]:
        return mask(derived(seed, self.digest, "self mask", owner), words)

    def commitment(self, seed: bytes, owner: str) -> bytes:
        """Binds an owner to its seed without telling it; a recovered seed is held against it."""
        return derived(seed, self.digest, "commitment", owner)

    def refuse_thin(self, measures: tuple[str, ...], survivors: tuple[str, ...]) -> None:
        """A measure that too few of those who are left report would be told over too few."""
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
    letter = verified(plan, plan.digest, "keys", raw)
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
