"""h-affiliation: in every class, no sensitive value belongs to more than a share h of the persons.

## Guarantee
Whoever finds the class of a person guesses any sensitive value of theirs with probability at most h.

## Adversary
Knows the quasi values of a target and that the target is in the data, and may know how many records the target owns.

## What it does not protect
Values that mean nearly the same; a value that is rare in the whole table may still be frequent in a class (see
β-likeness).

## Parameters
h: the largest share of persons.
column: one sensitive column; without it, every sensitive column is judged.
unit: "person" (default); "record" takes shares of rows.

## Worked example
>>> import pyarrow as pa
>>> from sharewell.tables import Table
>>> visits = pa.table({"who": ["a", "a", "b", "c"], "age": ["[20-29]"] * 4, "ill": ["flu", "HIV", "HIV", "asthma"]})
>>> print(HAffiliation(0.6).check(Table.of(visits, quasi=["age"], sensitive=["ill"], subject="who")))
h-affiliation = 0.6667 (≤ 0.6: FAILS)

## Why it is safe
Decided on whole numbers. Every value counts, a missing one too. Records without a person are counted as if each
belonged to another of the known persons, the most they can add. The share in a union lies between those of its parts,
unless persons own records in both.

## Cost
O(n log n) for n records.

A search over levels may take all above a level that withholds nothing to fit, where persons are not shared by
classes; below a level at least one record of every failing class is withheld.

## Source
Kartal and Li, 2016, where it stands beside g-balance.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Literal

from sharewell.parameters import Declared, ExactPositiveShare
from sharewell.tables.engine.checks.exact_criteria import RatioCriterion, Ratios
from sharewell.tables.engine.checks.sensitive_columns import sensitive_columns, shares
from sharewell.tables.engine.classes import Classes


@dataclass(frozen=True)
class HAffiliation(RatioCriterion, Declared):
    """No value of more than a share h of the persons."""

    h: ExactPositiveShare
    column: str | None = None
    unit: Literal["person", "record"] = "person"

    bounded_by: ClassVar[str] = "h"

    @property
    def least_records(self) -> int:
        return math.ceil(1 / self.h)

    def ratios(self, classes: Classes) -> Iterator[Ratios]:
        for column in sensitive_columns(self.name, classes, self.column):
            owner, _, count, size = shares(classes, column, self.unit == "person")
            yield Ratios(owner, count, size)
