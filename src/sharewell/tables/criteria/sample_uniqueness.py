"""Sample uniqueness: at most a given share of the released persons is the only one in a class.

## Guarantee
All but a share `max` of the released persons share their published quasi values with somebody else in the data.

## Adversary
Knows the quasi values of a target and that the target is in the data; whoever is unique is found for certain.

## What it does not protect
Classes of two or three, and the unique persons within the share (see k-anonymity).

## Parameters
max: the largest share of unique persons allowed, as a decimal or a fraction; 0 allows none.
unit: "person" (default), or "record" to count rows although a subject is known.

## Worked example
>>> import pyarrow as pa
>>> from sharewell.tables import Table
>>> table = Table.of(pa.table({"age": ["[20-29]"] * 9 + ["[30-39]"]}), quasi=["age"])
>>> print(SampleUniqueness(0.05).check(table))
sample-uniqueness = 0.1 of the records (≤ 0.05: FAILS)

## Why it is safe
The check groups the published cells anew and counts distinct persons; shares are compared as fractions. A person counts
once, however many classes they have records in, and is unique if alone in any of them. Records without a person add
none to a class; as parts of the share, each counts as another person's and all as one person's, whichever is worse.

## Cost
O(n log n) time, O(n) memory for n records.

Where a record is a person, a level withholds no more than any below it: a search rules out all below one at which too
much is withheld. Else nothing is known of other levels.

## Source
Skinner and Elliot, 2002.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Literal

import numpy as np

from sharewell.algorithm import Criterion, Declared, ExactShareBelowOne, Finding
from sharewell.tables.data import Classes, Ints, Table
from sharewell.tables.engine.checks.class_criterion import class_profile
from sharewell.tables.engine.checks.exact_averages import Average, OverallBound, over_persons
from sharewell.tables.engine.worst_class import tallies


@dataclass(frozen=True)
class SampleUniqueness(Declared, Criterion[Table]):
    """At most this share of the persons is alone in a class."""

    max: ExactShareBelowOne
    unit: Literal["person", "record"] = "person"

    bounded_by: ClassVar[str] = "max"

    def overall(self, classes: Classes, people: Ints | None) -> list[OverallBound]:
        """For mechanisms: who is alone in a class."""
        return [over_persons(classes, self._persons(classes), self.unit, self._bound_on)]

    def _bound_on(self, sizes: Ints, persons: Ints) -> Average:
        """The share of unique persons, from how many persons have a smallest class of each size."""
        return Average(np.where(sizes == 1, persons, 0), np.ones_like(persons), persons, self.max)

    def _persons(self, classes: Classes) -> Ints:
        return np.maximum(classes.persons if self.unit == "person" else classes.sizes, 1).astype(np.int64)

    def check(self, data: Table) -> Finding:
        """Group the published cells anew."""
        classes = data.classes
        persons = self._persons(classes)
        readings = tallies(classes, persons, self.unit) if classes.count else []
        shares = [Fraction(int(number[sizes == 1].sum()), int(number.sum())) for sizes, number in readings]
        value = max(shares, default=None)
        unit = "persons" if self.unit == "person" and data.schema.subject else "records"
        details = class_profile(classes, int((persons == 1).sum()))
        return self.finding(value, unit=f"of the {unit}", details=details)
