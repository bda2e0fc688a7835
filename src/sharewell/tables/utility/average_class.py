"""Normalised average class size (C_AVG): how many times larger than necessary the average class is.

## What it does not protect
Not a privacy measure. It looks at class sizes only, and withholding records can lower it: read the number of withheld
records beside it.

## Parameters
k: the class size that was asked for; left out, the smallest class of the release.

## Worked example
Nine rows in classes of 2, 2, 2 and 3: 9 / (4 · 2). With the last group withheld it is 1, over the six published rows
(over all nine it would be 3/2).

>>> import pyarrow as pa
>>> from sharewell.tables import Table
>>> before = Table.of(pa.table({"age": list("abcdefghi")}), quasi=["age"])
>>> after = Table.of(pa.table({"age": list("aabbccddd")}), quasi=["age"])
>>> AverageClass().score(before, after).value
Fraction(9, 8)
>>> AverageClass().score(before, Table.of(pa.table({"age": list("aabbcc")}), quasi=["age"])).value
Fraction(1, 1)

## Why it is safe
It reads two tables and returns one number: *published* records / (classes · k). Withheld records form no class and are
not counted as published.

## Cost
O(n log n).

## Source
LeFevre, DeWitt and Ramakrishnan, 2006 (with k as asked for).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from sharewell.algorithm import Count, Declared, Finding, Measure
from sharewell.tables.data import Table


@dataclass(frozen=True)
class AverageClassDetails:
    classes: int
    smallest_class: int
    withheld_records: int


@dataclass(frozen=True)
class AverageClass(Declared, Measure[Table]):
    """Published records / (classes · k)."""

    k: Count | None = None

    def score(self, before: Table, after: Table) -> Finding:
        sizes = after.classes.sizes
        if not len(sizes):
            return Finding(self.name, None, note="no record is published")
        shown, smallest = int(sizes.sum()), int(sizes.min())
        value = Fraction(shown, len(sizes) * (self.k or smallest))
        return Finding(self.name, value, details=AverageClassDetails(len(sizes), smallest, before.rows - shown))
