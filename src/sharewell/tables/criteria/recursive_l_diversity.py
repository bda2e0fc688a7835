"""Recursive (c,l)-diversity: in every class the most frequent value is not too frequent, the rare ones not too rare.

## Guarantee
With the frequencies of a class in falling order, r1 < c · (r_l + r_(l+1) + …): even an attacker who can exclude l − 2
values still faces a most frequent one that does not outweigh the rest by more than c.

## Adversary
Knows the quasi values of a target, that the target is in the data, and up to l − 2 values that the target has not.

## What it does not protect
Values that mean nearly the same; attackers who can exclude more values.

## Parameters
c: the factor; r1 must stay strictly below c times the sum.
l: from which value on the others are summed; a class with fewer different values fails.
column: one sensitive column; without it, every sensitive column is judged.
unit: "person" (default) asks it of the distribution over records and of that over persons, in which everybody has
weight 1, spread over their records in the class; "record" asks it of records alone.

## Worked example
>>> import pyarrow as pa
>>> from sharewell.tables import Table
>>> rows = pa.table({"age": ["[20-29]"] * 6, "disease": ["HIV", "HIV", "HIV", "HIV", "flu", "cancer"]})
>>> table = Table.of(rows, quasi=["age"], sensitive=["disease"])
>>> print(RecursiveLDiversity(c=2, l=2).check(table))
recursive-l-diversity = 2 (≤ 2: FAILS)
>>> print(RecursiveLDiversity(c=2.5, l=2).check(table))
recursive-l-diversity = 2 (≤ 2.5: holds)

## Why it is safe
Decided on whole numbers. Five people with one illness and a sixth with twenty others: over records no value is
frequent, over persons one is. Both are judged (see `criteria/distributions.py`), so that nobody's many values hide what
nearly everybody has. Records without a person count once as each another person's, and once as all one person's. A
missing value never counts; a person's weight is spread over their records with a value. In a union the most frequent
value has at most the sum of both most frequent counts, and the rest at least the sum of both rests, so that it holds
where both parts hold, unless persons own records in both.

## Cost
O(n log n) for n records.

A search over levels may take all above a level that withholds nothing to fit, where persons are not shared by
classes. Below a level a class of fewer than l values is withheld whole, and of another one at least what its most
frequent values have beyond c times the rest.

## Source
Machanavajjhala, Kifer, Gehrke and Venkitasubramaniam, 2007.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, ClassVar, Literal

import numpy as np
from annotated_types import Gt

from sharewell.parameters import Count, Declared
from sharewell.tables.engine.array_types import Ints
from sharewell.tables.engine.checks.distributions import DistributionRatioCriterion, Frequencies, WeightedClasses
from sharewell.tables.engine.checks.exact_criteria import Ratios, sums
from sharewell.tables.engine.checks.sensitive_columns import sensitive_columns
from sharewell.tables.engine.classes import Classes
from sharewell.tables.engine.columns import Column, Numbers


@dataclass(frozen=True)
class RecursiveLDiversity(DistributionRatioCriterion, Declared):
    """The most frequent value stays below c times those from the l-th on."""

    c: Annotated[Fraction, Gt(0)]
    l: Count  # noqa: E741 - the name the literature gives it
    column: str | None = None
    unit: Literal["person", "record"] = "person"

    bounded_by: ClassVar[str] = "c"
    strict: ClassVar[bool] = True

    @property
    def least_records(self) -> int:
        return self.l

    def ratios_in(self, weighed: WeightedClasses) -> Iterator[Ratios]:
        """r1 / (r_l + …); without any l-th value there is not a number that would do."""
        for column in sensitive_columns(self.name, weighed.classes, self.column):
            frequencies, rest = self._rests(weighed, column)
            first = np.zeros(len(rest), dtype=frequencies.count.dtype)
            np.maximum.at(first, frequencies.owner, frequencies.count)
            yield Ratios(np.arange(len(rest)), np.where(rest > 0, first, 1), rest)

    def least_withheld(self, classes: Classes) -> Ints:
        """What is left of a class has no more of any value, and no larger sum from the l-th on. So no value may have
        more records left than is less than c times that sum; and where that is nothing, no part of the class holds."""
        fewest = np.zeros(classes.count, dtype=np.int64)
        for column in sensitive_columns(self.name, classes, self.column):
            frequencies, rest = self._rests(WeightedClasses(classes), column)
            allowed = (self.c.numerator * rest - 1) // self.c.denominator
            surplus = np.maximum(0, frequencies.count - allowed[frequencies.owner])
            gone = sums(frequencies.owner, surplus, classes.count)
            fewest = np.maximum(fewest, np.where(rest > 0, gone, classes.sizes))
        return fewest

    def _rests(self, weighed: WeightedClasses, column: Column) -> tuple[Frequencies, Numbers]:
        """How often each value occurs, and r_l + … of every class."""
        frequencies, classes = weighed.of(column, known=True), weighed.classes.count
        order = np.lexsort((-frequencies.count, frequencies.owner))
        owner, count = frequencies.owner[order], frequencies.count[order]
        place = np.arange(len(owner)) - np.searchsorted(owner, np.arange(classes))[owner]
        return frequencies, sums(owner, np.where(place >= self.l - 1, count, 0), classes)
