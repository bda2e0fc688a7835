"""β-likeness: no class has a sensitive value much more often than the whole table, relative to its frequency there.

## Guarantee
Finding the class of a person raises the probability of any sensitive value by a factor of at most 1 + β; in the
enhanced form by at most 1 + min(β, −ln p) for a value of frequency p, so that frequent values may rise less.

## Adversary
Knows the quasi values of a target, that the target is in the data, and the distribution of the whole table.

## What it does not protect
A value may become less probable, even impossible (see δ-disclosure, t-closeness). Values that mean nearly the same.

## Parameters
beta: the largest relative gain (p in the class − p in the table) / (p in the table).
enhanced: true bounds the gain by −ln p as well.
column: one sensitive column; without it, every sensitive column is judged.
counts, person_counts, reference, subject: the distribution before anything is withheld, as in t-closeness.
unit: "person" (default) asks it of the distribution over records and of that over persons, in which everybody has
weight 1, spread over their records in the class; "record" asks it of records alone.

## Worked example
>>> import pyarrow as pa
>>> from sharewell.tables import Table
>>> rows = pa.table({"age": ["young"] * 4 + ["old"] * 4, "ill": ["flu", "flu", "flu", "HIV"] + ["flu"] * 4})
>>> table = Table.of(rows, quasi=["age"], sensitive=["ill"])
>>> print(BetaLikeness(1).check(table))
beta-likeness = 1 (≤ 1: holds)

## Why it is safe
The basic form is decided on whole numbers. In the enhanced form a rational gain meets the logarithm of a rational
number only at p = 1, where nothing can be gained: a value that everybody has gains 0. Other cases closer than one in
10¹² are taken to fail. The gain shown for the enhanced form is scaled by β / min(β, −ln p), so that one bound serves
all values. A missing value is a value of its own. Persons are held against persons, and records against records.
Frequencies of a union lie between those of its parts, unless persons own records in both.

## Cost
O(n log n) for n records.

A search over levels may take all above a level that withholds nothing to fit, where persons are not shared by
classes. Below a level at least as many records of a failing class are withheld as its values have beyond their
largest shares.

## Source
Cao and Karras, 2012; as in ARX.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, ClassVar, Literal

import numpy as np
from annotated_types import Ge, Gt
from numpy.typing import NDArray

from sharewell.findings import Number
from sharewell.io.sources import Source
from sharewell.tables.engine.array_types import Bools, Floats, Ints
from sharewell.tables.engine.checks.distributions import (
    DistributionCriterion,
    DistributionRatioCriterion,
    WeightedClasses,
)
from sharewell.tables.engine.checks.exact_criteria import NEAR, Ratios, withheld_for_shares
from sharewell.tables.engine.checks.reference_criterion import ReferenceComparison, ReferenceCriterion
from sharewell.tables.engine.classes import Classes

_CAREFUL = 1e-12


@dataclass(frozen=True)
class BetaLikeness(ReferenceCriterion, DistributionRatioCriterion):
    """No value gains more than β in any class."""

    beta: Annotated[Fraction, Gt(0)]
    enhanced: bool = False
    column: str | None = None
    counts: dict[str, Annotated[int, Ge(0)]] | None = None
    reference: Source | None = None
    unit: Literal["person", "record"] = "person"
    person_counts: dict[str, Annotated[Fraction, Ge(0)]] | None = None
    subject: str | None = None

    bounded_by: ClassVar[str] = "beta"

    def ratios_in(self, weighed: WeightedClasses) -> Iterator[Ratios]:
        for comparison in self.comparisons(weighed):
            expected = comparison.size * comparison.reference[comparison.code]
            yield Ratios(comparison.owner, comparison.count * comparison.total - expected, expected)

    def holds_in(self, weighed: WeightedClasses) -> Bools:
        holds = super().holds_in(weighed)
        for comparison in self.comparisons(weighed) if self.enhanced else ():
            share, allowed, least = _shares(comparison)
            careful = 1 - (NEAR if comparison.count.dtype.kind == "f" else _CAREFUL)
            holds[comparison.owner[(share > allowed * (1 + least) * careful) & (least > 0)]] = False
        return holds

    def limits(self, comparison: ReferenceComparison) -> Floats:
        """The share that each code of the reference may have by the enhanced form, in whole records; else any."""
        if not self.enhanced:
            return np.full(len(comparison.reference), np.inf)
        p, least = _whole_shares(comparison)
        return np.where(least > 0, p * (1 + least) * (1 - _CAREFUL), np.inf)

    def largest_shares(self, comparison: ReferenceComparison) -> Floats:
        """The largest share that each code of the reference may have."""
        p, least = _whole_shares(comparison)
        gain = np.where(least > 0, np.minimum(float(self.beta), least), float(self.beta))
        return p * (1 + (gain if self.enhanced else float(self.beta)))

    def least_withheld(self, classes: Classes) -> Ints:
        """See `withheld_for_shares`."""
        fewest = np.zeros(classes.count, dtype=np.int64)
        for comparison in self.comparisons(WeightedClasses(classes)):
            most = self.largest_shares(comparison)[comparison.code]
            gone = withheld_for_shares(comparison.owner, comparison.count, most, classes.sizes)
            fewest = np.maximum(fewest, gone)
        return fewest

    def worst_in(self, weighed: WeightedClasses) -> NDArray[np.number]:
        if not self.enhanced:
            return super().worst_in(weighed)
        reached = np.zeros(weighed.classes.count)
        for comparison in self.comparisons(weighed):
            share, allowed, least = _shares(comparison)
            scale = np.maximum(1.0, float(self.beta) / np.where(least > 0, least, np.inf))
            np.maximum.at(reached, comparison.owner, (share / allowed - 1) * scale)
        return reached

    def reached_in(self, weighed: WeightedClasses) -> Number | None:
        return DistributionCriterion.reached_in(self, weighed) if self.enhanced else super().reached_in(weighed)


def _whole_shares(comparison: ReferenceComparison) -> tuple[Floats, Floats]:
    """(share p in the whole, −ln p) of each code of the reference; a value that everybody has gains nothing."""
    p, everybody = comparison.expected.shares, np.count_nonzero(comparison.occurs) == 1
    return p, np.zeros(len(p)) if everybody else -np.log(np.where(p > 0, p, 1.0))


def _shares(comparison: ReferenceComparison) -> tuple[Floats, Floats, Floats]:
    """(share in the class, share p in the whole, −ln p) of each value."""
    share = np.asarray(comparison.count / comparison.size, dtype=np.float64)
    p, least = _whole_shares(comparison)
    return share, p[comparison.code], least[comparison.code]
