"""Local privacy: no true value makes a person's published answer more than e^ε times as likely as another.

## Guarantee
Each person's answer was drawn: no true value makes any answer more than e^ε times as likely as another true value does.
Whoever sees all answers, and knows everything about everybody else, is left with that doubt about every single one.

## Adversary
Has the published table, knows how answers were drawn and everything but one person's true value. Lacks the key.

## What it does not protect
Shares and totals: they are estimated, and are meant to be. That somebody was asked at all. A person who is in two
tables: each tells its own ε, and they add up. That answers were really drawn so nobody can see from them; whoever holds
the key can draw them again.

## Parameters
epsilon: the most; more than 0. At 1 the odds move by 2.7 at most, at 3 by 20.

## Worked example
>>> from sharewell.reports import CountTable
>>> from sharewell.reports.gathering.mechanisms.randomised_response import RandomisedResponse
>>> from sharewell.keys import Key
>>> patients = CountTable.of_cells({("no",): 70, ("yes",): 30}, ["smokes"])
>>> must = [LocalPrivacy(1.5)]
>>> released = RandomisedResponse(1.0).protect(patients, must, Key(b"an example key of enough bytes..")).data
>>> print(LocalPrivacy(1.5).check(released))
local-privacy = 1 epsilon (≤ 1.5: holds)
>>> LocalPrivacy(1.5).check(patients).failed
True

## Why it is safe
The ratio of the two probabilities is recomputed in whole numbers from what the table tells about its draws.

## Cost
O(1).

## Source
Warner, 1965; Kasiviswanathan, Lee, Nissim, Raskhodnikova and Smith, 2011 (local privacy).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sharewell.algorithm import Criterion, Declared, Finding, Positive, Sense
from sharewell.reports.counts.data import CountTable


@dataclass(frozen=True)
class LocalPrivacy(Declared, Criterion[CountTable]):
    """The ε of every published answer."""

    epsilon: Positive

    of_tables: ClassVar[bool] = True
    sense: ClassVar[Sense] = "≤"
    bounded_by: ClassVar[str] = "epsilon"
    needs_evidence: ClassVar[bool] = True
    """How answers were drawn cannot be seen: without the steward's evidence it is the certificate's word."""

    def budget(self) -> float:
        """What mechanisms that draw answers may use up."""
        return self.epsilon

    def check(self, data: CountTable) -> Finding:
        """The ε that the table tells, if its answers were drawn from the persons in it."""
        if data.randomised is None:
            note = "the answers were not randomised: they are the true ones"
            return self.finding(None, unit="epsilon", note=note)
        if data.truth is not None and int(data.truth.values[0]) != int(data.shown[0]):
            note = "there are more or fewer answers than persons"
            return self.finding(None, unit="epsilon", note=note)
        return self.finding(data.randomised.epsilon, unit="epsilon")
