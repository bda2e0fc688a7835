"""Whose account is it? A ledger knows the people of each account, so that another name for a dataset is no new budget.

For every file that an account answers from, the ledger notes a digest of the file and a sketch of its people: the 64
smallest of their hashes, or all if there are fewer. Two files with a hash in common have a person in common. Files that
share half of their people are practically never taken for different ones; a small part of a large file may be. Where
rows name no persons, the digest of all rows, in whatever order, stands for them.

Hashes depend on the ledger, and are of use only to somebody who has it and can guess the names.

>>> sketch("ledger 1", ["p1", "p2"]) == sketch("ledger 1", ["P2 ", "p1", "p1"])
True
>>> set(sketch("ledger 1", ["p1"])) & set(sketch("ledger 2", ["p1"]))
set()
"""

from __future__ import annotations

import hashlib
import heapq
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from sharewell.errors import PolicyError
from sharewell.plain_data import JsonObject
from sharewell.spelling import fold

EVENT = "people"
SIZE = 64
"""Hashes in a sketch."""


class NotesEvents(Protocol):
    """What a ledger gives for this."""

    @property
    def identity(self) -> str: ...

    def noted(self, event: str) -> list[JsonObject]: ...

    def note_unless(self, event: str, content: JsonObject, refuse: Callable[[list[JsonObject]], None]) -> None: ...


def register_people(ledger: NotesEvents, account: str, content: str, people: Callable[[], Iterable[str]]) -> None:
    """Note whose account it is. PolicyError if some of these people have an account of another name.

    content: names the file as it is; people: their names, asked for only if the ledger does not know the file.
    """
    file = _hash(ledger.identity, f"file {content}")
    if any((one["account"], one["file"]) == (account, file) for one in ledger.noted(EVENT)):
        return
    drawn = sketch(ledger.identity, people())

    def refuse(known: Sequence[JsonObject]) -> None:
        others = {str(one["account"]) for one in known if one["account"] != account and {*one["people"]} & {*drawn}}
        if others:
            name = min(others).removeprefix("dataset:")
            what = f"its ledger has an account '{name}' of the same people, and what is told of them adds up"
            hint = f"say budget: {{account: {name}}}, or call a dataset with exact answers {name}, as before"
            hint += "; other people who happen to have the same names need another ledger"
            raise PolicyError(f"{account.removeprefix('dataset:')} — {what} — {hint}", "budget")

    ledger.note_unless(EVENT, {"account": account, "file": file, "people": drawn}, refuse)


def sketch(identity: str, people: Iterable[str]) -> list[str]:
    """The smallest hashes of these names, however they are spelt."""
    return heapq.nsmallest(SIZE, {_hash(identity, f"person {fold(name)}") for name in people})


def _hash(identity: str, text: str) -> str:
    return hashlib.blake2b(text.encode(errors="surrogatepass"), key=identity.encode()[:64], digest_size=12).hexdigest()
