"""Range diversity: the sensitive values of every class span a large enough part of their domain.

## Guarantee
The distance between the least and the greatest value of every class is at least a share rho of the domain's; in a
tree, the lowest common ancestor of the class covers at least that share of all leaves.

## Adversary
Knows the quasi values of a target and that the target is in the data; is content with a value near the true one.

## What it does not protect
One outlying value widens the span, however close the others are (see (ε,m)-anonymity).

## Parameters
rho: the least share of the domain.
column: one sensitive column of numbers, of dates, or with a hierarchy; without it, every sensitive column is judged.
domain: the least and the greatest number possible; without it, those of the table at hand (the finding then says so).
A hierarchy has its own domain.

## Worked example
>>> import pyarrow as pa
>>> from sharewell.tables import Table
>>> rows = pa.table({"class": list("aaabbbccc"), "salary": [3, 4, 5, 6, 11, 8, 7, 9, 10]})
>>> print(RangeDiversity("1/4").check(Table.of(rows, quasi=["class"], sensitive=["salary"])))
range-diversity = 0.25 (≥ 0.25: holds)

## Why it is safe
Numbers are compared as whole multiples of their last decimal place, exactly up to 15 digits (longer ones are rounded).
A missing value never counts, and a class without any other fails. A union spans at least what its parts span.

## Cost
O(n) for n records.

A search over levels may take all above a level that withholds nothing to fit, where persons are not shared by
classes; below a level at least one record of every failing class is withheld.

## Source
Range disclosure of numeric and of ordered sensitive values, as taught in tutorials on medical data privacy.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from sharewell.algorithm import Declared, ExactShare, Role, Sense
from sharewell.tables.data import Bools, Classes, Column, Ints, Table
from sharewell.tables.engine.checks.exact_criteria import RatioCriterion, Ratios
from sharewell.tables.engine.checks.sensitive_columns import on_the_line, sensitive_columns


@dataclass(frozen=True)
class RangeDiversity(RatioCriterion, Declared):
    """Every class spans a share rho of the domain."""

    rho: ExactShare
    column: str | None = None
    domain: tuple[Fraction, Fraction] | None = None

    reads_trees: ClassVar[Role] = Role.SENSITIVE
    sense: ClassVar[Sense] = "≥"
    bounded_by: ClassVar[str] = "rho"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.domain is not None and self.domain[0] >= self.domain[1]:
            raise ValueError("domain must begin with the least number")

    def ratios(self, classes: Classes) -> Iterator[Ratios]:
        for column in sensitive_columns(self.name, classes, self.column):
            yield self._covered(classes, column) if column.levels is not None else self._spanned(classes, column)

    def _spanned(self, classes: Classes, column: Column) -> Ratios:
        line, at = on_the_line(self.name, column)
        low, high, known = _ends(classes, column, at)
        if self.domain is not None:
            whole = (self.domain[1] - self.domain[0]) * line.scale
            factor, width = whole.denominator, whole.numerator
        else:
            occurs = np.bincount(column.codes, minlength=column.size)[: column.known] > 0
            present = at[: len(occurs)][occurs]
            factor, width = 1, int(present.max() - present.min()) if len(present) else 0
        span = np.where(known, high - low, 0)
        if int(span.max(initial=0)) * factor >= 2**62:
            span = span.astype(object)
        return Ratios(np.arange(classes.count), span * factor, np.full(classes.count, max(1, width), dtype=span.dtype))

    def _covered(self, classes: Classes, column: Column) -> Ratios:
        levels = column.levels
        assert levels is not None
        low, high, known = _ends(classes, column, np.arange(column.size))
        leaves = np.zeros(classes.count, dtype=np.int64)
        leaves[known] = levels.leaves[levels.lowest_common(low[known], high[known])]
        return Ratios(np.arange(classes.count), leaves, np.full(classes.count, max(1, levels.domain)))

    def note(self, data: Table) -> str:
        columns = [c for c in sensitive_columns(self.name, data.classes, self.column) if c.levels is None]
        return "the domain is that of the rows of this table" if self.domain is None and columns else ""


def _ends(classes: Classes, column: Column, at: Ints) -> tuple[Ints, Ints, Bools]:
    """The least and the greatest position in each class, missing values left out, and whether there is any."""
    codes = column.codes[classes.order]
    inside = codes < column.known
    owner, places = classes.class_of[inside], at[codes[inside]]
    low = np.full(classes.count, np.iinfo(np.int64).max)
    high = np.full(classes.count, np.iinfo(np.int64).min)
    np.minimum.at(low, owner, places)
    np.maximum.at(high, owner, places)
    return low, high, high >= low
