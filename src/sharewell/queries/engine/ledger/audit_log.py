"""The audit log: a row for everything that happened, each with a digest of itself and of the row before.

Who changes, removes or inserts a row breaks the chain from there on; `AuditLog.check` finds the first such row. Who can
write to the database could compute the whole chain anew: then only a digest of the last row that was kept elsewhere
gives it away, or the seals, which nobody makes without the key. Rows hold names of accounts, amounts and digests, and
no value of any cell. Times are for readers; the order is that of the numbers.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from sharewell.errors import DataError
from sharewell.io.ledger_database import Cell, LedgerDatabase, Work
from sharewell.keys import Key
from sharewell.plain_data import Json, JsonObject
from sharewell.queries.engine.ledger import statements
from sharewell.queries.engine.ledger.records import ChainCheck


@dataclass(frozen=True)
class Row:
    """A row of the log, as stored."""

    line: int
    at: str
    event: str
    content: str
    digest: str
    seal: str | None

    def follows(self, previous: str) -> str:
        """The digest that it should have after a row with this digest."""
        return sha256(f"{previous}\n{self.line}\n{self.at}\n{self.event}\n{self.content}")


@dataclass(frozen=True)
class Head:
    """The end of the ledger, locked by whoever is about to write."""

    charges: int
    line: int
    digest: str
    at: str
    """The time that the next row will show."""

    @classmethod
    def of(cls, charges: Cell, line: Cell, digest: Cell) -> Head:
        return cls(int(charges or 0), int(line or 0), str(digest), datetime.now(UTC).isoformat(timespec="milliseconds"))


class AuditLog:
    """The log of an open ledger; all but `check` is done within a transaction of the caller."""

    def __init__(self, database: LedgerDatabase, identity: str, key: Key | None) -> None:
        self.database = database
        self.identity = identity
        self.key = key

    def append(self, head: Head, event: str, content: JsonObject, *work: Work, charges: int = 0) -> list[int]:
        """Do work and write a row about it after the last one; how many rows has each piece of work changed?"""
        row = Row(head.line + 1, head.at, event, canonical(content), "", None)
        digest = row.follows(head.digest)
        changed = self.database.change(
            *work,
            (statements.APPEND, row.line, row.at, row.event, row.content, digest, self._seal(row.line, digest)),
            (statements.MOVE_HEAD, head.charges + charges, row.line, digest),
        )
        return changed[: len(work)]

    def rows(self) -> Iterator[Row]:
        last = 0
        while results := self.database.execute(statements.LOG_AFTER, last):
            for line, at, event, content, digest, seal in results:
                last = int(line or 0)
                yield Row(last, str(at), str(event), str(content), str(digest), None if seal is None else str(seal))

    def check(self, head_line: int, head_digest: str, expected: str | None = None) -> ChainCheck:
        """Go through all rows. `expected` is a head that was kept elsewhere: that row must still be there."""
        kept_line, kept_digest = _head(expected) if expected is not None else (0, first_digest(self.identity))
        previous, line = first_digest(self.identity), 0
        if kept_line == 0 and kept_digest != previous:
            return ChainCheck(0, f"0:{previous}", 1, "the log is that of another ledger than the head kept elsewhere")
        for row in self.rows():
            line += 1
            wrong = ""
            if row.line != line:
                wrong = "rows are missing or repeated here"
            elif row.follows(previous) != row.digest:
                wrong = "the row does not agree with its digest and the row before"
            elif self.key is not None and not _same(row.seal, self._seal(line, row.digest)):
                wrong = "the row was not sealed with this key"
            elif line == kept_line and row.digest != kept_digest:
                wrong = "the row is another than the head kept elsewhere"
            if wrong:
                return ChainCheck(line, f"{line - 1}:{previous}", line, wrong)
            previous = row.digest
        wrong = "rows are missing at the end" if line < max(kept_line, head_line) else ""
        if not wrong and (line, previous) != (head_line, head_digest):
            wrong = "the log does not end where the ledger says"
        return ChainCheck(line, f"{line}:{previous}", line + 1 if wrong else None, wrong)

    def _seal(self, line: int, digest: str) -> str | None:
        return None if self.key is None else self.key.digest("ledger log", self.identity, str(line), digest).hex()


def first_digest(identity: str) -> str:
    """What the first row follows."""
    return sha256(f"sharewell ledger {identity}")


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def canonical(value: Json) -> str:
    """One line of JSON, the same for the same content; or DataError for what JSON cannot hold."""
    try:
        return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        raise DataError("ledger — JSON cannot hold what should be stored — give finite numbers, texts, lists") from None


def _head(kept: str) -> tuple[int, str]:
    line, _, digest = kept.partition(":")
    if not line.isdecimal() or len(digest) != 64:
        raise DataError("head of the ledger — is not as `head` gave it — give number:digest")
    return int(line), digest


def _same(one: str | None, other: str | None) -> bool:
    return one is not None and other is not None and hmac.compare_digest(one, other)
