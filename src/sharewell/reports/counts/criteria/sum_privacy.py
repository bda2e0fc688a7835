"""Sum privacy: no single person makes the noisy sums more than e^ε times as likely or unlikely.

## Guarantee
No table of sums is more than e^ε times as likely with a person as without (with Gaussian noise: except for a
probability of δ). A reader of the table who knows everything about everybody else is left with that doubt about the
person's amounts, and about whether the person is in it at all.

## Adversary
Has the published table, and knows how the noise was drawn and everything except one person's rows.

## What it does not protect
Sums over many people: they are meant to be seen. A person who is in two tables: their ε add up. Nobody can see from the
sums that the noise was really drawn this way; with the true amounts, a steward sees that the total is as far off as
such noise may be, and that the sums are not simply the true ones.

## Parameters
epsilon: the largest ε allowed; more than 0. At 1 the odds change by a factor of 2.7 at most, at 3 by 20.
delta: needed for Gaussian noise: the probability with which ε may be exceeded; choose it far below one over the number
of people.

## Worked example
>>> from sharewell.reports.counts.data import CountTable, SumNoise
>>> sums = CountTable.of_cells({("north",): 812, ("south",): 990}, ["ward"], value="cost")
>>> SumPrivacy(1.0).check(sums).failed
True
>>> from dataclasses import replace
>>> print(SumPrivacy(1.0).check(replace(sums, noise=SumNoise("discrete-laplace", 100.0, 50))))
sum-privacy = 0.5 epsilon (≤ 1: holds)

## Why it is safe
The criterion computes ε anew, in fractions, from what the table says about its noise: what a person adds at most,
divided by the scale. For Gaussian noise ρ is half the square of that, and ε is ρ + 2·√(ρ·ln(1/δ)), rounded up.

## Cost
O(1).

## Source
Dwork, McSherry, Nissim and Smith, 2006; Bun and Steinke, 2016 (ρ and its ε).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from sharewell.algorithm import Criterion, Declared, Finding, Positive, Sense, ShareBelowOne
from sharewell.reports.counts.data import CountTable, SumNoise

GAUSSIAN = "discrete-gaussian"
FURTHEST = 64
"""Noise beyond this many times its scale does not occur."""
SELDOM = 20.0
"""Logarithm of the odds against noise of 0 in every cell from which on it is not believed."""


@dataclass(frozen=True)
class SumPrivacy(Declared, Criterion[CountTable]):
    """The ε of a table of noisy sums."""

    epsilon: Positive
    delta: ShareBelowOne = 0.0

    of_tables: ClassVar[bool] = True
    sense: ClassVar[Sense] = "≤"
    bounded_by: ClassVar[str] = "epsilon"
    needs_evidence: ClassVar[bool] = True
    """How noise was drawn cannot be seen: without the steward's evidence it is the certificate's word."""

    def check(self, data: CountTable) -> Finding:
        """The ε that the table tells, if noise was added to its sums."""
        if data.noise is None:
            return self._undecided("no noise was added: the sums are what is true")
        if data.is_count or data.rounding is not None or data.randomised is not None:
            return self._undecided("noise is added to sums, and to nothing else")
        if (problem := _implausible(data, data.noise)) is not None:
            return self._undecided(problem)
        ratio = Fraction(data.noise.most) / Fraction(data.noise.scale)
        if data.noise.kind != GAUSSIAN:
            return self.finding(ratio, unit="epsilon")
        if not self.delta:
            return self._undecided("Gaussian noise needs a delta")
        rho = float(ratio * ratio / 2)
        value = math.nextafter(rho + 2 * math.sqrt(rho * -math.log(self.delta)), math.inf)
        return self.finding(value, unit="epsilon")

    def _undecided(self, note: str) -> Finding:
        return self.finding(None, unit="epsilon", note=note)


def _implausible(data: CountTable, noise: SumNoise) -> str | None:
    """Where the true amounts are at hand: what shows that the sums were not made of them with this noise."""
    if data.truth is None or data.truth.given is None:
        return None
    given, cells = data.truth.given, int(data.leaves.sum())
    amounts = dict.fromkeys(given.person.tolist(), 0)
    for person, amount in zip(given.person.tolist(), given.amount.tolist(), strict=True):
        amounts[person] += amount
    total = sum(min(amount, noise.most) for amount in amounts.values())
    if abs(int(data.shown[0]) - total) > FURTHEST * noise.scale * cells:
        return "the published total is further from the true one than such noise ever is"
    silent = noise.scale < 1 or cells * math.log(2 * noise.scale) < SELDOM
    if not silent and (data.shown == data.truth.values).all():
        return "the published sums are the true ones: no noise was added"
    return None
