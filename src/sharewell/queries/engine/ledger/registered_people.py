"""Whose account is it? A ledger knows the people of each account, so that another name for a dataset is no new budget.

For every file that an account answers from, the ledger notes a digest of the file and a sketch of its people: the 64
smallest of their hashes, or all if there are fewer. Two files with a hash in common have a person in common. Files that
share half of their people are practically never taken for different ones; a small part of a large file may be. Where
rows name no persons, the digest of all rows, in whatever order, stands for them. A file that an account answers from
belongs to it, whoever its rows are said to be about.

The ledger also notes whom the losses of an account are about: persons or records, which column names them, and which
tables must look alike. Losses of different kinds cannot be added up: ε for each record bounds nothing for a person
with many records, and an exact answer has no ε at all. So an account keeps the kind with which it began.

Hashes depend on the ledger, and are of use only to somebody who has it and can guess the names.

>>> sketch("ledger 1", ["p1", "p2"]) == sketch("ledger 1", ["P2 ", "p1", "p1"])
True
>>> set(sketch("ledger 1", ["p1"])) & set(sketch("ledger 2", ["p1"]))
set()
"""

from __future__ import annotations

import hashlib
import heapq
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Literal

from sharewell.errors import PolicyError
from sharewell.plain_data import JsonObject
from sharewell.spelling import fold

if TYPE_CHECKING:
    from sharewell.queries.data import ConfidentialTable
    from sharewell.queries.engine.ledger.budget_ledger import Ledger

EVENT = "people"
SIZE = 64
"""Hashes in a sketch."""


def register_people(
    ledger: Ledger, account: str, data: ConfidentialTable, mode: Literal["noisy", "exact"] = "noisy"
) -> None:
    """Note whose account it is, and what its losses are about. A file that the ledger knows is not read.

    PolicyError if some of these people have an account of another name, or if this account counts other losses.
    """
    read, file = _hash(ledger.identity, f"file {data.version}"), _hash(ledger.identity, f"raw file {data.file}")
    about: JsonObject = {**data.protects, "mode": mode}
    own: JsonObject = {"account": account, "file": read, "raw": file, "about": about}
    if any({**one, **own} == one for one in ledger.noted(EVENT)):
        return
    drawn = sketch(ledger.identity, data.people())

    def refuse(known: Sequence[JsonObject]) -> None:
        for one in known:
            if one["account"] != account and (one.get("raw") == file or {*one["people"]} & {*drawn}):
                raise _of_others(account, str(one["account"]))
            if one["account"] == account and "about" in one:
                _refuse_other_losses(account, about, one["about"], same_file=one.get("raw") == file)

    ledger.note_unless(EVENT, {**own, "people": drawn}, refuse)


def _of_others(account: str, other: str) -> PolicyError:
    name = other.removeprefix("dataset:")
    what = f"its ledger has an account '{name}' of the same people, and what is told of them adds up"
    hint = f"say budget: {{account: {name}}}, or call a dataset with exact answers {name}, as before"
    hint += "; other people who happen to have the same names need another ledger"
    return PolicyError(f"{account.removeprefix('dataset:')} — {what} — {hint}", "budget")


def _refuse_other_losses(account: str, ours: JsonObject, theirs: JsonObject, *, same_file: bool) -> None:
    """A column may be called otherwise in another file; in the same file, another column names others."""
    compared = ("mode", "unit", "neighbours") if theirs["mode"] == ours["mode"] == "noisy" else ("mode", "unit")
    for key in (*compared, *(("subject",) if same_file else ())):
        if ours[key] != theirs[key]:
            what = f"its account counts losses with {key}: {theirs[key]}, and losses with {key}: {ours[key]} cannot"
            hint = f"say {key}: {theirs[key]}, as before, or begin another ledger, whose cap leaves out what was spent"
            raise PolicyError(f"{account.removeprefix('dataset:')} — {what} be added to them — {hint}", "budget")


def sketch(identity: str, people: Iterable[str]) -> list[str]:
    """The smallest hashes of these names, however they are spelt."""
    return heapq.nsmallest(SIZE, {_hash(identity, f"person {fold(name)}") for name in people})


def _hash(identity: str, text: str) -> str:
    return hashlib.blake2b(text.encode(errors="surrogatepass"), key=identity.encode()[:64], digest_size=12).hexdigest()
