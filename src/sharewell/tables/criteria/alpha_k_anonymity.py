"""(α,k)-anonymity: every class has at least k persons, and no guarded sensitive value is too frequent among them.

## Guarantee
Whoever knows the quasi values of a person finds at least k persons who fit, and infers a guarded value with confidence
at most α.

## Adversary
Knows the quasi values of a target and that the target is in the data; wants to know whether the target has a guarded
value.

## What it does not protect
Values that are not guarded, and groups of guarded values that together say the same.

## Parameters
alpha: the largest share of a class's persons that may have one guarded value, and of its records.
k: the least number of persons in a class.
values: the guarded values; without them every value is guarded, a missing one too. The certificate repeats them.
They are compared by meaning: in a column of numbers 1.0 is 1, and True is true; other text must be written as it is.
column: one sensitive column; without it, every sensitive column is judged.
unit: "person" (default) bounds the share of the persons who have a value and that of the records with it; "record" only
the latter, and k counts rows, although a subject is known.

## Worked example
>>> import pyarrow as pa
>>> from sharewell.tables import Table
>>> rows = pa.table({"age": ["[20-29]"] * 6, "disease": ["HIV", "HIV", "HIV", "HIV", "flu", "cancer"]})
>>> table = Table.of(rows, quasi=["age"], sensitive=["disease"])
>>> print(AlphaKAnonymity("2/3", k=6, values=["HIV"]).check(table))
alpha-k-anonymity = 0.6667 (≤ 0.6667: holds)
>>> finding = AlphaKAnonymity("2/3", k=7, values=["HIV"]).check(table)
>>> print(finding, finding.details.smallest)
alpha-k-anonymity = 0.6667 (≤ 0.6667: FAILS) 6

## Why it is safe
Decided on whole numbers; the finding shows the largest share, its details the smallest class, and both must do.
Records without a person add no person to a class, but count as one more that has the value. A guarded value that does
not occur may be misspelt, or another release of the same policy may hold it: the note says how many such values there
are. The share in a union lies between those of its parts, unless persons own records in both.

## Cost
O(n log n) for n records.

A search over levels may take all above a level that withholds nothing to fit, where persons are not shared by
classes. Below a level at least as many records of a failing class are withheld as its values have beyond their
largest shares.

## Source
Wong, Li, Fu and Wang, 2006.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

import numpy as np

from sharewell.algorithm import Count, Declared, ExactPositiveShare, Finding
from sharewell.tables.data import Bools, Classes, Indices, Ints, Table
from sharewell.tables.engine.checks.class_criterion import ClassProfile
from sharewell.tables.engine.checks.exact_criteria import RatioCriterion, Ratios, visible, withheld_for_shares
from sharewell.tables.engine.checks.sensitive_columns import (
    as_written,
    having,
    sensitive_columns,
    shares,
    unmatched,
    ways_to_count,
)


@dataclass(frozen=True)
class AlphaKProfile:
    """The smallest class, beside how many classes there are and fail."""

    smallest: int | None
    profile: ClassProfile


@dataclass(frozen=True)
class AlphaKAnonymity(RatioCriterion, Declared):
    """At least k persons in every class, and at most a share α of them with a guarded value."""

    alpha: ExactPositiveShare
    k: Count
    values: tuple[Any, ...] | None = None
    column: str | None = None
    unit: Literal["person", "record"] = "person"

    bounded_by: ClassVar[str] = "alpha"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.values is not None:
            object.__setattr__(self, "values", as_written(self.values))

    @property
    def least_records(self) -> int:
        return self.k

    def ratios(self, classes: Classes) -> Iterator[Ratios]:
        for column in sensitive_columns(self.name, classes, self.column):
            for by_person in ways_to_count(classes, self.unit):
                owner, code, count, size = shares(classes, column, by_person)
                if self.values is not None:
                    guarded = having(column, self.values)[code]
                    owner, count, size = owner[guarded], count[guarded], size[guarded]
                yield Ratios(owner, count, size)

    def least_withheld(self, classes: Classes) -> Ints:
        """See `withheld_for_shares`."""
        fewest = np.zeros(classes.count, dtype=np.int64)
        for column in sensitive_columns(self.name, classes, self.column):
            owner, code, count = classes.counts(column, by_person=False)
            guarded = np.ones(column.size, dtype=bool) if self.values is None else having(column, self.values)
            most = np.where(guarded, float(self.alpha), 1.0)[code]
            fewest = np.maximum(fewest, withheld_for_shares(owner, count, most, classes.sizes))
        return fewest

    def holds(self, classes: Classes) -> Bools:
        return super().holds(classes) & (self._there(classes) >= self.k)

    def _there(self, classes: Classes) -> Indices:
        return classes.persons if self.unit == "person" else classes.sizes

    def note(self, data: Table) -> str:
        if self.values is None:
            return super().note(data)
        columns = sensitive_columns(self.name, visible(data), self.column)
        return "; ".join(filter(None, [super().note(data), unmatched(columns, self.values, "guarded values")]))

    def check(self, data: Table) -> Finding:
        finding = super().check(data)
        sizes = self._there(visible(data))
        return replace(finding, details=AlphaKProfile(int(sizes.min()) if len(sizes) else None, finding.details))
