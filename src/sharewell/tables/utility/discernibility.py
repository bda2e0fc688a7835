"""Discernibility (DM): from how many records each record can no longer be distinguished, summed over all records.

## What it does not protect
Not a privacy measure. It looks at class sizes only: two partitions with equal sizes score alike, however wide they are.

## Worked example
Nine rows in three classes of 2, 2, 2 and one of 3 (DM = 21); with the last group withheld, 12 + 9 · 3 = 39.

>>> import pyarrow as pa
>>> from sharewell.tables import Table
>>> before = Table.of(pa.table({"age": list("abcdefghi")}), quasi=["age"])
>>> after = Table.of(pa.table({"age": list("aabbccddd")}), quasi=["age"])
>>> Discernibility().score(before, after).value
21
>>> Discernibility().score(before, Table.of(pa.table({"age": list("aabbcc")}), quasi=["age"])).value
39

## Why it is safe
It reads two tables and returns one number.

## Cost
O(n log n).

## Source
Bayardo and Agrawal, 2005: the sum of squared class sizes; a withheld record costs the size of the whole table.
"""

from __future__ import annotations

from dataclasses import dataclass

from sharewell.algorithm import Declared, Finding, Measure
from sharewell.tables.data import Table


@dataclass(frozen=True)
class DiscernibilityDetails:
    average_class: float
    withheld_records: int


@dataclass(frozen=True)
class Discernibility(Declared, Measure[Table]):
    """Sum of squared class sizes, plus the table's size for every withheld record."""

    def score(self, before: Table, after: Table) -> Finding:
        sizes = after.classes.sizes
        shown = int(sizes.sum())
        withheld = before.rows - shown
        value = sum(int(size) ** 2 for size in sizes) + withheld * before.rows
        details = DiscernibilityDetails(shown / max(1, len(sizes)), withheld)
        return Finding(self.name, value, details=details)
