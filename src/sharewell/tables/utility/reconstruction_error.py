"""Reconstruction error: how far counts that recipients estimate from drawn values are from the true ones.

## What it does not protect
Not a privacy measure. It compares counts of single values, not relations between columns.

## Worked example
Of 1,000 people, 600, 250, 100 and 50 have the values a, b, c and d. A value is retained with probability 0.4, and
otherwise replaced by any of the four. The expected published counts are 390, 250, 190 and 170, and the estimates from
exactly these are the true counts.

>>> from fractions import Fraction
>>> from sharewell.randomised import Randomised
>>> from sharewell.tables.engine.drawn_values import DrawnValues, ValueGroup
>>> drawn = Randomised.within(Fraction(11, 3), 4)
>>> round(float(drawn.retention), 6)
0.4
>>> how = DrawnValues((ValueGroup(("a", "b", "c", "d"), drawn),))
>>> {value: round(count, 6) for value, (count, _) in how.estimates({"a": 390, "b": 250, "c": 190, "d": 170}).items()}
{'a': 600.0, 'b': 250.0, 'c': 100.0, 'd': 50.0}

## Why it is safe
In n records, each of m values is retained with probability p, and replacements add (1 − p)·n/m to the expected count of
every value. So (published count − (1 − p)·n/m) / p is an unbiased estimate. Estimates below 0 are not corrected. The
error is half the sum of absolute differences between estimated and true shares; the details give the largest standard
error that a recipient computes.

## Cost
O(n) for n records.

## Source
Agrawal, Srikant and Thomas, 2005.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from sharewell.algorithm import Declared, Finding, Measure
from sharewell.spelling import fold
from sharewell.tables.data import Column, Table


@dataclass(frozen=True)
class ReconstructionDetails:
    largest_standard_error: float
    """Of an estimated count, in records."""


@dataclass(frozen=True)
class ReconstructionError(Declared, Measure[Table]):
    """The mean over drawn columns of the distance between estimated and true shares; one part for each."""

    def score(self, before: Table, after: Table) -> Finding:
        drawn = [(column, column.drawn) for column in after.sensitive if column.drawn is not None]
        if not before.rows or not after.rows or not after.sensitive:
            return Finding(self.name, None, note="no cells to compare")
        if not drawn:
            return Finding(self.name, 0.0, unit="share", note="no column was drawn: counts are what they were")
        parts, errors = [], []
        for column, how in drawn:
            true = _counts(before.columns[column.name])
            estimates = how.estimates(dict(zip(column.texts, _seen(column), strict=True)))
            off = sum(abs(count - true[fold(value)]) for value, (count, _) in estimates.items())
            parts.append(Finding(self.name, off / 2 / after.rows, column=column.name, unit="share"))
            errors += [error for _, error in estimates.values()]
        mean = float(np.mean([float(part.value or 0) for part in parts]))
        details = ReconstructionDetails(max(errors, default=0.0))
        return Finding(self.name, mean, unit="share", parts=tuple(parts), details=details)


def _counts(column: Column) -> Counter[str]:
    """Records by value, whatever its spelling."""
    results: Counter[str] = Counter()
    for text, count in zip(column.texts, _seen(column), strict=True):
        results[fold(text)] += count
    return results


def _seen(column: Column) -> list[int]:
    counts: list[int] = np.bincount(column.codes, minlength=column.size).tolist()
    return counts
