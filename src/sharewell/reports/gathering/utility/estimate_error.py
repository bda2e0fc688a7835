"""Estimate error: how uncertain the shares are that readers estimate from drawn answers.

## What it does not protect
Not a privacy measure. It is the error that readers must reckon with, from published answers alone; how far the
estimates happened to come out from the truth is `deviation`, which is confidential.

## Worked example
Of a hundred patients thirty smoke. With ε = 1 the estimate is off by about ten persons in a hundred.

>>> from sharewell.keys import Key
>>> from sharewell.reports import CountTable, RandomisedResponse
>>> patients = CountTable.of_cells({("no",): 70, ("yes",): 30}, ["smokes"])
>>> released = RandomisedResponse(1.0).protect(patients, [], Key(b"an example key of enough bytes..")).data
>>> result = EstimateError().score(patients, released)
>>> round(result.value, 2), result.details.people
(0.11, 100)
>>> EstimateError().score(patients, patients).value
0.0

## Why it is safe
It reads two tables and returns shares only.

## Cost
O(values).

## Source
Warner, 1965 (the standard error of the estimate).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sharewell.algorithm import Declared, Finding, Measure
from sharewell.reports.counts.data import CountTable


@dataclass(frozen=True)
class EstimateErrorDetails:
    """How many answered, and how far estimated shares are from the true ones, on average."""

    people: int
    deviation: float | None


@dataclass(frozen=True)
class EstimateError(Declared, Measure[CountTable]):
    """The largest standard error of an estimated share."""

    of_tables: ClassVar[bool] = True

    def score(self, before: CountTable, after: CountTable) -> Finding:
        if not isinstance(after, CountTable):
            return Finding(self.name, None, unit="share", note="figures about owners are not estimated")
        people = int(after.shown[0])
        if people < 1:
            return Finding(self.name, None, unit="share", note="nobody answered")
        drawn = after.randomised
        if drawn is None:
            note = "the answers were not randomised: nothing is estimated"
            return Finding(self.name, 0.0, unit="share", details=EstimateErrorDetails(people, 0.0), note=note)
        counts = [int(after.shown[place]) for place in after.dimensions[0].leaves]
        error = max(drawn.error(count, people) for count in counts) / people
        deviation = None
        if after.truth is not None:
            true = [int(after.truth.values[place]) for place in after.dimensions[0].leaves]
            apart = [abs(drawn.estimate(seen, people, 1) - own) for seen, own in zip(counts, true, strict=True)]
            deviation = sum(apart) / len(apart) / people
        return Finding(self.name, error, unit="share", details=EstimateErrorDetails(people, deviation))
