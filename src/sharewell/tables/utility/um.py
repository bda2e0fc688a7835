"""Utility measure (UM): the mean loss of a class; every class counts the same, however many records it has.

## What it does not protect
Not a privacy measure. One wide class of thousands of records weighs no more than one narrow class of two: read it
together with `lm` and `ncp`, which weigh records. It falls if narrow classes are split, whatever the others look like.

## Worked example
Nine people in four groups. Ages span 70 years, postcodes 95 numbers. The losses of the groups, age and postcode
together, are 10/70 + 10/95, 10/70 + 49/95, 10/70 + 45/95 and 30/70 + 45/95; their mean by column and group is
1613/5320. The last group has three records where the others have two, so it weighs more in LM, which is 1913/5985.

>>> import pyarrow as pa
>>> from sharewell.tables import LM, Table
>>> rows = pa.table({"age": [20, 30, 30, 40, 50, 60, 60, 75, 90], "place": [0, 10, 26, 75, 0, 45, 50, 80, 95]})
>>> before = Table.of(rows, quasi=["age", "place"])
>>> ages = ["[20-30]"] * 2 + ["[30-40]"] * 2 + ["[50-60]"] * 2 + ["[60-90]"] * 3
>>> places = ["[0-10]"] * 2 + ["[26-75]"] * 2 + ["[0-45]"] * 2 + ["[50-95]"] * 3
>>> after = Table.of(pa.table({"age": ages, "place": places}), quasi=["age", "place"], published=True)
>>> UM().score(before, after).value, LM().score(before, after).value
(Fraction(1613, 5320), Fraction(1913, 5985))

## Why it is safe
Classes are grouped anew from published cells. The loss of a cell is that of `lm`, exactly: (values left open − 1) /
(values of the domain − 1), between 0 and 1. All withheld records together are one more class that loses everything:
without it, withholding the widest class would be rewarded. Published means do not show what they leave open, so tables
of means have no score.

## Cost
O(d + c · q) for d distinct cells, c classes and q quasi columns, once records are grouped.

## Source
Loukides and Shao, 2007 and 2008 (the mean, over groups, of how widely the values of a group spread). Both let the user
weigh columns; here all weigh the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from sharewell.algorithm import Declared, Finding, Measure
from sharewell.tables.data import Table
from sharewell.tables.engine.measures.cell_regions import incomparable
from sharewell.tables.utility.lm import lost


@dataclass(frozen=True)
class UMDetails:
    classes: int
    """Published classes; the one of withheld records is not among them."""
    withheld_records: int


@dataclass(frozen=True)
class UM(Declared, Measure[Table]):
    """Mean loss per class, exact, with one part for each quasi column."""

    def score(self, before: Table, after: Table) -> Finding:
        if (unmeasured := incomparable(self.name, before, after)) is not None:
            return unmeasured
        withheld = before.rows - int((~after.suppressed).sum())
        classes = after.classes.count
        groups = classes + (withheld > 0)
        if not groups:
            return Finding(self.name, None, note="no class to measure")
        one_each = after.classes.order[after.classes.starts[:-1]]
        sums = {column.name: lost(column, after, one_each) + (withheld > 0) for column in before.quasi}
        parts = [Finding(self.name, total / groups, column=name, unit="share") for name, total in sums.items()]
        value = sum(sums.values(), Fraction(0)) / (groups * len(parts))
        return Finding(self.name, value, unit="share", parts=tuple(parts), details=UMDetails(classes, withheld))
