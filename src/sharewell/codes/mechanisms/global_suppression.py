"""Global suppression: a given share of the rarest codes is removed from all records, and the rest is checked.

## Guarantee
None by itself. Every criterion is checked on what would be published, and nothing is published if one fails. The codes
that remain are shown as they were, so their counts are exact.

## Adversary
That of the required criteria.

## What it does not protect
What the criteria do not judge. That single codes are frequent says little about their combinations: people stay unique
until few codes are left, as the details show step by step.

## Parameters
rarest: the share of the codes to leave out, the rarest first (of equally rare ones, by their text).
below: leave out every code that fewer than this share of the records hold. Exactly one of the two is given.

## Worked example
>>> from sharewell.codes import CodeSets, KmAnonymity
>>> patients = CodeSets.of([["401.0", "401.1"], ["401.0", "401.3"], ["401.0", "401.1"], ["401.0", "401.2"]])
>>> released = GlobalSuppression(rarest=0.5).protect(patients, must=[KmAnonymity(2, m=2)])
>>> [code for code, label in sorted(released.data.labels.items()) if label is None]
['401.2', '401.3']
>>> [(step.codes, step.unique_records) for step in released.details.steps]
[(4, 2), (3, 2), (2, 0)]
>>> GlobalSuppression(below=0.25).protect(patients, must=[KmAnonymity(2, m=2)])
Traceback (most recent call last):
sharewell.errors.Infeasible: global-suppression — what would be published fails
  blocked by: km-anonymity ≥ 2 records: 1 reached
  would help: leave out more codes

## Why it is safe
The criteria are checked on the published records themselves. After each tenth of the suppression the details count the
records that no other equals, not counting records without a code.

## Cost
O(occurrences · steps) time, and the cost of the criteria.

## Source
Vinterbo, Ohno-Machado and Dreiseitl, 2001, in our reading, as applied to diagnosis codes by Loukides, Denny and Malin,
2010. The tutorial states two different rules: a percentage of the codes, and codes in at most a quarter of the records.
Both are offered; `below` keeps a code that exactly that share of the records holds. With a quarter, 5 of about 6 000
codes were left.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from sharewell.algorithm import Criteria, Declared, Infeasible, Key, Mechanism, Protected, Share, refuse_failing
from sharewell.codes.data import CodeSets, Ints
from sharewell.codes.engine.protection.rule_suppression import without, without_codes
from sharewell.preconditions import refuse_unfit

STEPS = 10
"""In how many steps the details follow the suppression."""


@dataclass(frozen=True)
class Step:
    """What is left on the way: codes, their occurrences, records that no other equals, and records without a code."""

    codes: int
    occurrences: int
    unique_records: int
    empty_records: int


@dataclass(frozen=True)
class GlobalSuppressionDetails:
    """All records and codes, and what is left after each step; the first is before, the last is published."""

    records: int
    codes: int
    steps: tuple[Step, ...]


@dataclass(frozen=True)
class GlobalSuppression(Declared, Mechanism[CodeSets]):
    """Leave out rare codes everywhere."""

    rarest: Share | None = None
    below: Share | None = None

    engine: ClassVar[str] = "check"
    refuses: ClassVar[tuple[str, ...]] = ("cover-free", "km-disassociation")  # these judge chunks

    def __post_init__(self) -> None:
        super().__post_init__()
        if (self.rarest is None) == (self.below is None):
            raise ValueError("give either rarest (a share of the codes) or below (a share of the records)")

    def protect(self, data: CodeSets, must: Criteria[CodeSets], key: Key | None = None) -> Protected[CodeSets]:
        refuse_unfit(self.name, data, data.records)
        suppressed = self._gone(data)
        steps = tuple(_step(data, suppressed[: len(suppressed) * i // STEPS]) for i in range(STEPS + 1))
        released = without_codes(data, suppressed.tolist())
        if not released.names:
            raise Infeasible(f"{self.name} — no code would be left", relaxations=["leave out fewer codes"])
        refuse_failing(self.name, released, must, ["leave out more codes"])
        details = GlobalSuppressionDetails(data.records, len(data.names), tuple(dict.fromkeys(steps)))
        return Protected(released, details, np.arange(data.records))

    def _gone(self, data: CodeSets) -> Ints:
        """The codes to leave out, the rarest first."""
        support = data.sets.supports(len(data.names))
        order = np.array(sorted(range(len(data.names)), key=lambda i: (support[i], data.names[i])), dtype=np.int64)
        if self.rarest is not None:
            return order[: int(Fraction(str(self.rarest)) * len(order))]
        least = Fraction(str(self.below)) * data.records
        return order[: sum(int(number) < least for number in support)]


def _step(data: CodeSets, suppressed: Ints) -> Step:
    remaining = without(data.sets, suppressed.tolist(), len(data.names))
    number, times = remaining.equal()
    alone = (times[number] == 1) & (remaining.lengths > 0)
    empty = int((remaining.lengths == 0).sum())
    return Step(len(data.names) - len(suppressed), len(remaining.items), int(alone.sum()), empty)
