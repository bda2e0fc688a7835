"""Tokens by which the service knows analysts: shown once, stored as a digest, limited in what they allow and how long.

A token is `sharewell_NAME_SECRET`. The name is public and finds the row; the secret has 256 bits from the machine's own
randomness. The ledger keeps SHA-256 of the whole. A slow hash, as passwords need, would add nothing: nobody can try
2²⁵⁶ secrets, while a password can be guessed from a list. Making and revoking a token is written to the audit log of
the ledger, whose check also finds tokens that were put into the table past it.

>>> from sharewell.queries.engine.ledger import Ledger
>>> import tempfile, pathlib
>>> ledger = Ledger.open(pathlib.Path(tempfile.mkdtemp()) / "ledger.sqlite")
>>> tokens = Tokens(ledger, "visits")
>>> made, shown = tokens.new("Ada", ("ask",), days=30)
>>> tokens.bearer(shown).analyst, tokens.bearer(shown[:-1] + "?") is None
('Ada', True)
>>> tokens.revoke(made.name)
>>> tokens.bearer(shown) is None, ledger.verify_chain().ok
(True, True)
>>> ledger.close()
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sharewell.errors import DataError
from sharewell.io.ledger_database import Cell
from sharewell.queries.engine.ledger import Ledger, statements

SCOPES = ("ask", "budget")
"""ask: ask and see what a question costs. budget: see what is left, and the own history."""
MOST_DAYS = 366
_SHOWN = re.compile(r"sharewell_([0-9a-f]{12})_[A-Za-z0-9_-]{43}")
_NOBODY = hashlib.sha256(secrets.token_bytes(32)).hexdigest()


@dataclass(frozen=True)
class Token:
    """What is known of a token, without its secret."""

    name: str
    dataset: str
    analyst: str
    scopes: tuple[str, ...]
    made: str
    expires: str
    revoked: str | None = None

    @property
    def state(self) -> str:
        """By the clock of this machine: valid, expired or revoked."""
        if self.revoked is not None:
            return "revoked"
        return "valid" if _now() < datetime.fromisoformat(self.expires) else "expired"


class Tokens:
    """The tokens for one dataset, in its ledger."""

    def __init__(self, ledger: Ledger, dataset: str) -> None:
        self._ledger = ledger
        self._dataset = dataset

    def new(self, analyst: str, scopes: Sequence[str] = SCOPES, days: int = 30) -> tuple[Token, str]:
        """A new token, and the text that is shown to the analyst this once."""
        if not scopes or set(scopes) - set(SCOPES):
            raise DataError(f"scopes — there is no such scope — choose from {', '.join(SCOPES)}")
        if not 1 <= days <= MOST_DAYS:
            raise DataError(f"days — must be from 1 to {MOST_DAYS} — make a new token when it has expired")
        name, now = secrets.token_hex(6), _now()
        shown = f"sharewell_{name}_{secrets.token_urlsafe(32)}"
        wanted = tuple(scope for scope in SCOPES if scope in scopes)
        token = Token(name, self._dataset, analyst.strip(), wanted, _text(now), _text(now + timedelta(days=days)))
        facts = (_digest(shown), token.dataset, token.analyst, ",".join(wanted), token.made, token.expires)
        content = dict(zip(statements.COLUMNS["ledger_tokens"], (name, *facts), strict=False))
        self._ledger.note("token", content, (statements.NEW_TOKEN, name, *facts))
        return token, shown

    def listed(self) -> list[Token]:
        """All tokens for the dataset, the oldest first."""
        results = [_token(row) for row in self._ledger.look_up(statements.TOKENS)]
        return [token for token in results if token.dataset == self._dataset]

    def revoke(self, name: str) -> None:
        """From now on the token is refused. It stays in the list."""
        if name not in {token.name for token in self.listed() if token.revoked is None}:
            raise DataError(f"token — no token of {self._dataset} with that name can be revoked — see the list")
        at = _text(_now())
        self._ledger.note("token-revoked", {"token": name, "revoked": at}, (statements.REVOKE_TOKEN, at, name))

    def bearer(self, shown: str) -> Token | None:
        """The token that this text is, if it is valid now. Whatever is wrong with it takes the same work to find."""
        form = _SHOWN.fullmatch(shown)
        rows = self._ledger.look_up(statements.TOKEN, form[1] if form else "")
        stored = str(rows[0][1]) if rows else _NOBODY
        same = hmac.compare_digest(_digest(shown), stored)
        token = _token(rows[0]) if rows else None
        valid = same and token is not None and token.dataset == self._dataset and token.state == "valid"
        return token if valid else None


def _digest(shown: str) -> str:
    return hashlib.sha256(shown.encode("utf-8", "surrogatepass")).hexdigest()


def _token(row: tuple[Cell, ...]) -> Token:
    name, _, dataset, analyst, scopes, made, expires, revoked = row
    known = (str(name), str(dataset), str(analyst), tuple(str(scopes).split(",")), str(made), str(expires))
    return Token(*known, None if revoked is None else str(revoked))


def _now() -> datetime:
    return datetime.now(UTC)


def _text(at: datetime) -> str:
    return at.isoformat(timespec="seconds")
