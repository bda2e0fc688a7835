"""What cleaning did to a column: per step, how many cells it changed and how many it could not read. Counts only.

Accounts of pieces of a file add up to the account of the file.

>>> Account(3, (StepAccount("trim", 1),)) + Account(2, (StepAccount("trim", 2),))
Account(cells=5, steps=(StepAccount(name='trim', changed=3, unread=0, ambiguous=0),))
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass

from sharewell.plain_data import JsonObject


@dataclass(frozen=True)
class StepAccount:
    """One step of cleaning, counted in cells."""

    name: str
    changed: int = 0
    unread: int = 0
    """Cells that the step could not read."""
    ambiguous: int = 0
    """Cells that are two different dates, depending on the form."""

    def __add__(self, other: StepAccount) -> StepAccount:
        assert self.name == other.name
        return StepAccount(
            self.name,
            self.changed + other.changed,
            self.unread + other.unread,
            self.ambiguous + other.ambiguous,
        )


@dataclass(frozen=True)
class Account:
    """One column: its cells that held something before cleaning, and every step in its order."""

    cells: int
    steps: tuple[StepAccount, ...]

    def __add__(self, other: Account) -> Account:
        return Account(self.cells + other.cells, tuple(a + b for a, b in zip(self.steps, other.steps, strict=True)))

    @property
    def unread(self) -> int:
        return sum(step.unread for step in self.steps)

    @property
    def ambiguous(self) -> int:
        return sum(step.ambiguous for step in self.steps)

    def to_json(self) -> JsonObject:
        return {"cells": self.cells, "steps": [asdict(step) for step in self.steps]}

    @classmethod
    def from_json(cls, plain: JsonObject) -> Account:
        return cls(plain["cells"], tuple(StepAccount(**step) for step in plain["steps"]))


def total(accounts: Mapping[str, Account], more: Mapping[str, Account]) -> dict[str, Account]:
    """The accounts of two pieces of one table, by column."""
    return {name: accounts[name] + account if name in accounts else account for name, account in more.items()}
