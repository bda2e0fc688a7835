"""What an owner remembers: which cells went into a sum that was opened.

A cell that goes into two sums over different owners can be told from their difference. So it goes into one; a second
time needs the owner's word. The mark of a cell is an HMAC under the owner's signing key: the ledger tells no value.

Others can open a sum without an owner who sent its numbers. So used cells are refused before anything is sent, and
noted before this owner helps to open: every sum that is opened then holds a threshold of owners who are in no later
one, and no combination of sums is about fewer.
"""

from __future__ import annotations

import hmac
import json
from pathlib import Path
from typing import TYPE_CHECKING

from sharewell.errors import DataError
from sharewell.io.plain_files import small_file
from sharewell.io.writing import append_line
from sharewell.reports.gathering.engine.fixed_point import OwnerRow
from sharewell.reports.gathering.engine.plan import Plan

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey


_PURPOSE = b"sharewell gathering ledger\0"


def remember(ledger: Path, plan: Plan, row: OwnerRow, key: Ed25519PrivateKey, *, again: bool = False) -> None:
    """Note, before this owner opens the sum, that these cells are in it; refuse if one already is in another."""
    refuse_used(ledger, plan, row, key, again=again)
    append_line(ledger, "unmasking", gathering=plan.name, plan=plan.fingerprint, cells=_marks_of(plan, row, key))


def refuse_used(ledger: Path, plan: Plan, row: OwnerRow, key: Ed25519PrivateKey, *, again: bool = False) -> None:
    """Before anything is sent: is one of these cells in a sum that was opened?"""
    used = _marks(ledger).intersection(_marks_of(plan, row, key))
    if used and not again:
        raise DataError(
            f"{ledger.name} — {len(used)} of these cells went into a gathering before, and two sums over different"
            " owners tell them by their difference — take part again (--again) only if no earlier sum became known"
        )


def _marks_of(plan: Plan, row: OwnerRow, key: Ed25519PrivateKey) -> list[str]:
    """A mark of each cell as it was given, whatever a plan's decimals or its name for the owner."""
    secret = key.private_bytes_raw()
    return [
        hmac.digest(secret, _PURPOSE + json.dumps([measure, str(cell)]).encode(), "sha256").hex()[:32]
        for measure, cell in zip(plan.measures, row.given, strict=True)
        if cell is not None
    ]


def _marks(ledger: Path) -> set[str]:
    """The marks so far. A ledger that cannot be read is no empty one."""
    if not ledger.exists():
        return set()
    try:
        return {mark for line in small_file(ledger).splitlines() for mark in json.loads(line)["cells"]}
    except (ValueError, KeyError, TypeError):
        raise DataError(f"{ledger.name} — damaged — repair it, or name another ledger") from None
