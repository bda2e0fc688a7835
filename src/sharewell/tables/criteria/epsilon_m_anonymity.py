"""(ε,m)-anonymity: in every class, no neighbourhood of a numeric sensitive value holds more than 1/m of the class.

## Guarantee
Whoever finds the class of a person guesses the person's value to within ±ε (around a value of the class) with
probability at most 1/m.

## Adversary
Knows the quasi values of a target and that the target is in the data; is content with a value near the true one.

## What it does not protect
Guesses that are not centred on a value of the class: a window of ±ε may hold twice as much between two of them.

## Parameters
epsilon: the half-width of a neighbourhood, in the column's own numbers (days for dates).
m: neighbourhoods hold at most one in m.
column: one sensitive column of numbers or dates; without it, every sensitive column is judged, and all must be.
unit: "person" (default) asks it of the distribution over records and of that over persons, in which everybody has
weight 1, spread over their records in the class; "record" asks it of records alone.

## Worked example
>>> import pyarrow as pa
>>> from sharewell.tables import Table
>>> rows = pa.table({"class": ["b"] * 3 + ["c"] * 3, "salary": [6, 11, 8, 7, 9, 10]})
>>> print(EpsilonMAnonymity(epsilon=1, m=2).check(Table.of(rows, quasi=["class"], sensitive=["salary"])))
epsilon-m-anonymity = 0.6667 (≤ 0.5: FAILS)

## Why it is safe
Numbers are compared as whole multiples of their last decimal place, exactly up to 15 digits (longer ones are rounded).
The share is one of records, and one of persons: both must do. A missing value is a value of its own and near no other.
A union may fail where both parts hold: a value of one part may lie between two of the other that were not in each
other's neighbourhood.

## Cost
O(n log n) for n records.

A search over levels knows nothing of those above one that fits, and below one only that classes of fewer than m
records are withheld.

## Source
Li, Tao and Xiao, 2008 (proximity privacy).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Literal

import numpy as np

from sharewell.parameters import Count, Declared, ExactNotNegative
from sharewell.tables.engine.array_types import Ints
from sharewell.tables.engine.checks.distributions import DistributionRatioCriterion, WeightedClasses, part_sums
from sharewell.tables.engine.checks.exact_criteria import NEAR, Ratios
from sharewell.tables.engine.checks.sensitive_columns import on_the_line, sensitive_columns
from sharewell.tables.engine.columns import Column


@dataclass(frozen=True)
class EpsilonMAnonymity(DistributionRatioCriterion, Declared):
    """At most 1/m of a class lies within ±ε of any of its values."""

    epsilon: ExactNotNegative
    m: Count
    column: str | None = None
    unit: Literal["person", "record"] = "person"

    disjoint_union_safe: ClassVar[bool] = False

    @property
    def bound(self) -> Fraction:
        return Fraction(1, self.m)

    @property
    def least_records(self) -> int:
        return self.m

    def ratios_in(self, weighed: WeightedClasses) -> Iterator[Ratios]:
        for column in sensitive_columns(self.name, weighed.classes, self.column):
            yield self._shares(weighed, column)

    def windows(self, column: Column) -> tuple[Ints, Ints, Ints]:
        """(the rank of each code, from which rank, to before which rank the values within reach of each rank lie)."""
        line, at = on_the_line(self.name, column)
        known = column.known
        along = np.empty(column.size, dtype=np.int64)
        along[line.rank] = at
        reach = math.floor(self.epsilon * line.scale)
        low = np.searchsorted(along[:known], along - reach, side="left")
        high = np.searchsorted(along[:known], along + reach, side="right")
        low[known:], high[known:] = known, known + 1
        return line.rank, low, high

    def _shares(self, weighed: WeightedClasses, column: Column) -> Ratios:
        places, low, high = self.windows(column)
        frequencies = weighed.of(column)
        keys = frequencies.owner * column.size + places[frequencies.code]
        order = np.argsort(keys, kind="stable")
        keys, owner, size = keys[order], frequencies.owner[order], frequencies.size[order]
        rank = keys - owner * column.size
        begin = np.searchsorted(keys, owner * column.size + low[rank])
        end = np.searchsorted(keys, owner * column.size + high[rank])
        near, off = part_sums(frequencies.count[order], begin, end)
        return Ratios(owner, near, size, NEAR + off)
