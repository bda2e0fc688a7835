"""What an analyst gets: the cost of a question before it is asked, and its answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from sharewell.plain_data import JsonObject
from sharewell.queries.engine.accuracy import Accuracy
from sharewell.queries.loss import Loss


@dataclass(frozen=True)
class Cost:
    """What a question would cost and how far off its answer would be. Nothing was charged, and no row was read."""

    question: str
    """In its canonical form."""
    loss: Loss
    accuracy: Accuracy
    groups: int

    def to_json(self) -> JsonObject:
        shown = {"question": self.question, "loss": self.loss.to_json(), "groups": self.groups}
        return {**shown, "accuracy": self.accuracy.to_json()}


@dataclass(frozen=True)
class Answer:
    """Noisy numbers, each with the interval in which the true one lies with 95 % probability."""

    question: str
    """In its canonical form."""
    rows: Sequence[JsonObject] = field(repr=False)
    """Each `{group, value, low, high}`: the labels of the group, the noisy value, and its interval where it has one."""
    accuracy: JsonObject
    loss: Loss
    """What the answer cost when it was first given."""
    remaining: Mapping[str, Loss]
    """Account → what it has left."""
    charge: int
    """The number of the charge in the ledger."""
    neighbours: str
    """Which tables make every answer about equally likely: those with one person more or less, or one replaced."""
    rows_per_person: int
    """This many rows of one person count."""
    stored: bool = False
    """Has this analyst asked the same question before? Then this is that answer, and nothing was charged."""

    @property
    def value(self) -> int | float | str:
        """The only value, of a question without groups."""
        [row] = self.rows
        result: int | float | str = row["value"]
        return result

    @property
    def interval(self) -> tuple[float, float] | None:
        """Where the true value lies with 95 % probability; for an answer of one value."""
        [row] = self.rows
        return None if row["low"] is None else (row["low"], row["high"])

    def to_json(self) -> JsonObject:
        return {
            "question": self.question,
            "rows": list(self.rows),
            "accuracy": self.accuracy,
            "loss": self.loss.to_json(),
            "remaining": {account: left.to_json() for account, left in self.remaining.items()},
            "charge": self.charge,
            "neighbours": self.neighbours,
            "rows_per_person": self.rows_per_person,
            "stored": self.stored,
        }


def in_order(given: JsonObject, keys: Iterable[str]) -> JsonObject:
    """The same with these keys first, then others by name. The ledger keeps answers with sorted keys: an answer that
    was stored would be told from a new one, and so whether somebody asked before, if each were shown as it comes.

    >>> in_order({"high": 3, "low": 1, "value": 2}, ["value", "low"])
    {'value': 2, 'low': 1, 'high': 3}
    """
    place = {key: i for i, key in enumerate(keys)}
    return {key: given[key] for key in sorted(given, key=lambda key: (place.get(key, len(place)), key))}


def row_in_order(row: JsonObject, group_by: Iterable[str]) -> JsonObject:
    """A row of an answer, and the labels of its group as the question names them."""
    return in_order({**row, "group": in_order(row["group"], group_by)}, ("group", "value", "low", "high"))
