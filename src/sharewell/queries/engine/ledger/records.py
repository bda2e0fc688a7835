"""What the ledger gives back: balances, charges, stored answers, and the results of its checks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from sharewell.plain_data import Json, JsonObject
from sharewell.queries.engine.ledger.privacy_accounting import Accounting
from sharewell.queries.loss import Loss

Kind = Literal["question", "release", "exact"]
"""What is charged for. An exact answer has no finite loss: it is noted with a loss of 0, to keep its question."""


@dataclass(frozen=True)
class Balance:
    """An account. Its losses are stated as its accounting counts them: epsilon and delta, or rho and delta."""

    name: str
    accounting: Accounting
    cap: Loss
    spent: Loss
    remaining: Loss
    charges: int
    guarantee: Loss
    """What was spent as epsilon and delta; of a zCDP account, at the delta stated when it was opened."""

    def to_json(self) -> JsonObject:
        losses = {"cap": self.cap, "spent": self.spent, "remaining": self.remaining, "guarantee": self.guarantee}
        return {**{name: loss.to_json() for name, loss in losses.items()}, "charges": self.charges}


@dataclass(frozen=True)
class Charge:
    """Something paid for. It stays paid, whatever becomes of the answer."""

    number: int
    kind: Kind
    question: str
    loss: Loss
    accounts: tuple[str, ...]
    what: JsonObject = field(hash=False)
    at: str
    """When, by the clock of whoever charged; for readers only. Numbers give the order."""
    answered: bool = False


@dataclass(frozen=True)
class StoredAnswer:
    """An answer that was paid for before."""

    charge: int
    answer: Json = field(repr=False)


@dataclass(frozen=True)
class Recount:
    """What every account has spent, added up anew from the charges."""

    totals: Mapping[str, Loss]
    differing: tuple[str, ...] = ()
    """Accounts whose stored total is another."""

    @property
    def ok(self) -> bool:
        return not self.differing


@dataclass(frozen=True)
class ChainCheck:
    """Whether the audit log is as it was written, and the rest of the ledger as the log says."""

    rows: int
    head: str
    """Number and digest of the last row: keep it elsewhere, and rows cut off later are noticed."""
    broken: int | None = None
    """The first row that is wrong, missing or contradicted."""
    reason: str = ""

    @property
    def ok(self) -> bool:
        return self.broken is None
