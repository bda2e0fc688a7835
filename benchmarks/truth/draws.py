"""Random draws of two releases under one key: whoever holds both gains nothing by comparing or subtracting them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import pyarrow as pa

from benchmarks.truth.tally import Answer, Kind, pick
from sharewell.date_shift import shift_column
from sharewell.keys import Key
from sharewell.tables import PRAM, Noise, RankSwapping, Table

ROWS = 160
"""So many that two independent draws look alike by chance once in 10¹⁰ cases, at most."""
ALIKE = 10
"""Cases that ask about the same rows."""
SECRET = b"a key for cases of the benchmark"
MOST_DAYS = 3000
DRAWS = ("noise", "pram", "rank swapping", "pseudonyms", "shifts")
CHANGES = ("release", "dataset", "rules", "rows", "amount")
"""In what the two differ."""


@dataclass(frozen=True)
class DrawCase:
    draw: str
    change: str
    seed: int
    """Of the rows."""
    amounts: tuple[float, float]
    rules: int
    """What else the releases have in common."""


@lru_cache(maxsize=2)
def values(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Of every row an amount, all different, and one of two illnesses."""
    rng = np.random.default_rng(seed)
    pay = 2_000 * rng.permutation(ROWS) + rng.integers(1, 1_999, ROWS)
    return pay, rng.integers(0, 2, ROWS)


@lru_cache(maxsize=2)
def opened(seed: int, first: int) -> Table:
    """The same rows, of which the first may have another amount."""
    pay, ill = values(seed)
    amounts = pay.copy()
    amounts[0] += first
    frame = pa.table(
        {"who": [f"p{i}" for i in range(ROWS)], "sex": ["F", "M"] * (ROWS // 2), "pay": amounts, "ill": ill.astype(str)}
    )
    return Table.of(frame, quasi=["sex"], sensitive=["pay", "ill"], subject="who")


class DrawCases(Kind):
    """Published: what both releases show, and the truth."""

    name = "draws of two releases under one key"

    def __init__(self) -> None:
        self.seed, self.asked = 0, ALIKE

    def draw(self, rng: np.random.Generator) -> DrawCase:
        if self.asked == ALIKE:
            self.seed, self.asked = int(rng.integers(0, 2**40)), 0
        self.asked += 1
        draw = pick(rng, DRAWS)
        change = pick(rng, CHANGES[:4] if draw in ("pseudonyms", "shifts") else CHANGES)
        pairs = ((0.5, 0.7), (0.3, 0.5)) if draw == "pram" else ((0.5, 1.0), (0.25, 0.75), (0.3, 0.6))
        one, other = pick(rng, pairs)
        return DrawCase(draw, change, self.seed, (one, other if change == "amount" else one), int(rng.integers(2**40)))

    def answer(self, case: DrawCase) -> Answer:
        """The package promises that nothing is shared, whatever differs."""
        return Answer(True, self._shown(case, self._keys(case)))

    def unprotected(self, case: DrawCase) -> Any:
        """Both draw from one stream."""
        key = Key(SECRET)
        return self._shown(case, (key, key), scoped=False)

    def _keys(self, case: DrawCase) -> tuple[Key, Key]:
        facts = ["r", "d", f"rules {case.rules}", f"rows {case.seed}"]
        other = list(facts)
        if case.change in CHANGES[:4]:
            at = CHANGES.index(case.change)
            other[at] = facts[at] + "2"
        if case.draw in ("noise", "pram", "rank swapping") and case.change in ("rows", "amount"):
            other = facts  # the mechanism itself must tell them apart
        root = Key(SECRET)
        return root.for_release(*facts), root.for_release(*other)

    def _shown(self, case: DrawCase, keys: tuple[Key, Key], scoped: bool = True) -> Any:
        if case.draw == "pseudonyms":
            return [[key.scoped("d", "class").pseudonym(f"p{i}") for i in range(12)] for key in keys]
        if case.draw == "shifts":
            day = pa.array(["2020-02-01"] * 12)
            moved = [shift_column("day", day, [f"p{i}" for i in range(12)], key, "d", MOST_DAYS) for key in keys]
            return [[int(np.datetime64(one).astype(int)) for one in column.to_pylist()] for column in moved]
        if not scoped:
            return self._from_one_stream(case)
        column = "ill" if case.draw == "pram" else "pay"
        seen = []
        for number, key in enumerate(keys):
            table = opened(case.seed, int(number and case.change == "rows"))
            shown = self._mechanism(case, case.amounts[number]).protect(table, [], key).data.arrow[column]
            seen.append(np.array(shown.to_pylist(), dtype=float))
        return seen

    def _mechanism(self, case: DrawCase, amount: float) -> Any:
        if case.draw == "noise":
            return Noise({"pay": amount})
        return PRAM({"ill": amount}) if case.draw == "pram" else RankSwapping(["pay"], 30 * amount)

    def _from_one_stream(self, case: DrawCase) -> Any:
        pay, ill = values(case.seed)
        rng = np.random.default_rng(case.seed)
        if case.draw == "noise":
            drawn = rng.normal(0, pay.std(), ROWS)
            return [np.rint(pay + amount * drawn) for amount in case.amounts]
        if case.draw == "pram":
            drawn = rng.random(ROWS)
            return [np.where(drawn < amount, ill, 1 - ill).astype(float) for amount in case.amounts]
        swapped = pay[rng.permutation(ROWS)].astype(float)
        return [swapped, swapped]

    def is_safe(self, case: DrawCase, published: Any) -> bool:
        pay, ill = values(case.seed)
        one, other = published
        if case.draw == "pseudonyms":
            return not set(one) & set(other)
        if case.draw == "shifts":  # equal, or all the same number of days apart
            apart = np.array(one) - np.array(other)
            return bool(np.unique(apart).size > 6)
        if case.draw == "noise":
            return self._noise_stays(case, np.array(one), np.array(other), pay.astype(float))
        if case.draw == "pram":  # who changed in the one changed in the other as well
            first, second = np.array(one) != ill, np.array(other) != ill
            return bool((first & ~second).any() and (second & ~first).any())
        return float((np.array(one) == np.array(other)).mean()) < 0.8

    def _noise_stays(self, case: DrawCase, one: np.ndarray, other: np.ndarray, pay: np.ndarray) -> bool:
        a, b = case.amounts
        if a == b:
            return float((np.abs(one - other) < 3)[1:].mean()) < 0.5
        guess = (b * one - a * other) / (b - a)
        return float((np.abs(guess - pay) < 8)[1:].mean()) < 0.5
