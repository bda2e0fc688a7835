"""Prosecutor risk: a person known to be in the data is picked with at most a given probability.

## Guarantee
The probability 1/n of picking the right one among the n persons of a class is at most `max`; with a `share`, for all
but that share of the persons.

## Adversary
Knows the quasi values of a target, and that the target is in the data (the prosecutor).

## What it does not protect
What the persons of a class have in common (see l-diversity), and with a share above 0 the persons within it.

## Parameters
max: the largest probability allowed, as a decimal or a fraction such as 1/11.
share: the share of the persons who may have more; 0 by default. Mechanisms keep all of them below `max`.
unit: "person" (default), or "record" to count rows although a subject is known.

## Worked example
>>> import pyarrow as pa
>>> from sharewell.tables import Table
>>> table = Table.of(pa.table({"age": ["[20-29]"] * 2 + ["[30-39]"] * 18}), quasi=["age"])
>>> print(ProsecutorRisk("1/11").check(table))
prosecutor-risk = 0.5 (≤ 0.09091: FAILS)
>>> print(ProsecutorRisk("1/11", share=0.1).check(table))
prosecutor-risk = 0.05556 (≤ 0.09091: holds)

## Why it is safe
The check groups the published cells anew and counts distinct persons. A person counts once, by the class where the risk
is largest; records without a person count in the share both as another person's each and as one person's. The value
shown is the least risk that at most `share` of the persons exceed, so that it keeps the bound exactly if they do; it is
compared as a fraction.

## Cost
O(n log n) time, O(n) memory for n records.

What holds of a class holds of every larger one. A search over levels therefore rules out every level below one at
which too much is withheld, and takes all above one that fits to fit. With a share, nothing is known of levels above;
below, as many are withheld at least as the persons at risk ask for.

## Source
El Emam and Dankar, 2008.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from sharewell.algorithm import Declared, ExactPositiveShare, ExactShareBelowOne, Finding
from sharewell.tables.attacks.prosecutor import risk_profile
from sharewell.tables.data import Bools, Classes, Ints, Table
from sharewell.tables.engine.checks.class_criterion import ClassCriterion
from sharewell.tables.engine.checks.exact_averages import OverallBound, ShareAtRisk, over_persons
from sharewell.tables.engine.worst_class import risk_exceeded_by_persons, tallies


@dataclass(frozen=True)
class ProsecutorRisk(ClassCriterion, Declared):
    """1/n is at most `max` in every class, or for all but a share of the persons."""

    max: ExactPositiveShare
    share: ExactShareBelowOne = field(default=Fraction(0), kw_only=True)
    unit: Literal["person", "record"] = field(default="person", kw_only=True)

    bounded_by: ClassVar[str] = "max"
    growing: ClassVar[bool] = True

    @property
    def least_records(self) -> int:
        return -(-self.max.denominator // self.max.numerator)

    def _persons(self, classes: Classes) -> Ints:
        counted = classes.persons if self.unit == "person" else classes.sizes
        return np.maximum(np.asarray(counted, dtype=np.int64), 1)

    def worst(self, classes: Classes) -> NDArray[np.number]:
        """The risk of each class."""
        return np.asarray(1 / self._persons(classes))

    def holds(self, classes: Classes) -> Bools:
        """Decided on whole numbers."""
        return np.asarray(self._persons(classes) >= self.least_records)

    @property
    def for_all_but_a_share(self) -> bool:
        """May some persons be at a greater risk? Then all classes are judged together."""
        return self.share > 0

    def overall(self, classes: Classes, people: Ints | None) -> list[OverallBound]:
        """For mechanisms: who is at risk, and how many may be."""
        sizes, least = self._persons(classes), self.least_records
        return [over_persons(classes, sizes, self.unit, lambda n, m: ShareAtRisk(n, m, least, self.share))]

    def check(self, data: Table) -> Finding:
        """Group the published cells anew."""
        readings = tallies(data.classes, self._persons(data.classes), self.unit)
        value, (sizes, persons) = risk_exceeded_by_persons(self.share, readings)
        details = risk_profile(1 / sizes, persons, float(self.max))
        return self.finding(value, details=details)
