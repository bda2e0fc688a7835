"""What an owner remembers: which cells went into a sum that was opened.

A cell that goes into two sums over different owners can be told from their difference. So it goes into one; a second
time needs the owner's word. The mark of a cell is an HMAC under the owner's signing key: the ledger tells no value.
"""

from __future__ import annotations

import hmac
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

from sharewell.errors import DataError
from sharewell.io.secretfile import small_file
from sharewell.io.writing import append_line
from sharewell.reports.gathering.fixed import Row
from sharewell.reports.gathering.plan import Plan


def remember(ledger: Path, plan: Plan, name: str, row: Row, key: Any, *, again: bool = False) -> None:
    """Note, before the sum can be opened, that these cells are in it; refuse if one already is in another."""
    marks = [
        hmac.digest(key.private_bytes_raw(), _said(name, measure, Fraction(cell, 10**plan.decimals)), "sha256").hex()[
            :32
        ]
        for measure, cell in zip(plan.measures, row.cells, strict=True)
        if cell is not None
    ]
    used = _marks(ledger).intersection(marks)
    if used and not again:
        raise DataError(
            f"{ledger.name} — {len(used)} of these cells went into a gathering before, and two sums over different"
            " owners tell them by their difference — take part again (--again) only if no earlier sum became known"
        )
    append_line(ledger, "unmasking", gathering=plan.name, plan=plan.fingerprint, cells=marks)


def _said(name: str, measure: str, cell: Fraction) -> bytes:
    return b"sharewell gathering ledger\0" + json.dumps([name, measure, str(cell)]).encode()


def _marks(ledger: Path) -> set[str]:
    """The marks so far. A ledger that cannot be read is no empty one."""
    if not ledger.exists():
        return set()
    try:
        return {mark for line in small_file(ledger).splitlines() for mark in json.loads(line)["cells"]}
    except (ValueError, KeyError, TypeError):
        raise DataError(f"{ledger.name} — damaged — mend it, or name another ledger") from None
