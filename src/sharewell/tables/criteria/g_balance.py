"""g-balance: in every class the records are spread evenly enough over the persons.

## Guarantee
Two records drawn from a class (with replacement) belong to different persons with probability at least g. The largest
share of one person is then at most √(1 − g).

## Adversary
Knows the quasi values of a target and that the target has many records; picks a record of the class at random.

## What it does not protect
g = 0.5 still allows one person to own 0.707 of a class: bound the record share for that. It says nothing about
sensitive values (see h-affiliation).

## Parameters
g: the least value of 1 − Σ (c_i / Σc)², c_i being the records of person i in the class. It always counts records.

## Worked example
>>> import pyarrow as pa
>>> from sharewell.tables import Table
>>> visits = pa.table({"who": ["Bob"] + ["Charlie"] * 5, "age": ["[20-29]"] * 6})
>>> print(GBalance("1/2").check(Table.of(visits, quasi=["age"], subject="who")))
g-balance = 0.2778 (≥ 0.5: FAILS)

## Why it is safe
Decided on whole numbers. Records without a person are added to the person who owns most, the worst they can be; where
no subject is known every record is another person's, as everywhere. Σ p² is convex in the shares, so that the union of
two classes is at least as balanced as the worse of them.

## Cost
O(n log n) for n records.

A search over levels may take all above a level that withholds nothing to fit, where persons are not shared by
classes; below a level at least one record of every failing class is withheld.

## Source
Kartal and Li, 2016.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from sharewell.algorithm import Declared, ExactShareBelowOne, Sense
from sharewell.tables.criteria.record_share import largest_owner
from sharewell.tables.engine.checks.exact_criteria import RatioCriterion, Ratios, sums
from sharewell.tables.engine.classes import Classes


@dataclass(frozen=True)
class GBalance(RatioCriterion, Declared):
    """Records spread over persons: 1 − Σ (share)² at least g."""

    g: ExactShareBelowOne = Fraction(3, 4)

    sense: ClassVar[Sense] = "≥"
    bounded_by: ClassVar[str] = "g"

    @property
    def least_records(self) -> int:
        return math.ceil(1 / (1 - self.g))

    def ratios(self, classes: Classes) -> Iterator[Ratios]:
        full = np.flatnonzero(classes.sizes)
        owner, count, most, nobody = largest_owner(classes)
        square = sums(owner, count * count, classes.count) + (2 * most + nobody) * nobody
        size = classes.sizes[full].astype(np.int64)
        yield Ratios(full, size * size - square[full], size * size)
