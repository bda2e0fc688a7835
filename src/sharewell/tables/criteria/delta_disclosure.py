"""δ-disclosure privacy: in every class each sensitive value is nearly as frequent as in the whole table.

## Guarantee
Finding the class of a person changes the probability of each value that the class holds by a factor strictly between
2^−δ and 2^δ.

## Adversary
Knows the quasi values of a target, that the target is in the data, and the distribution of the whole table.

## What it does not protect
Values that a class lacks altogether are not looked at (as in ARX), so that a value may be excluded for a person.

## Parameters
delta: the bound on |log2(p in the class / p in the table)|, which must not be reached.
column: one sensitive column; without it, every sensitive column is judged.
counts, person_counts, reference, subject: the distribution before anything is withheld, as in t-closeness.
unit: "person" (default) asks it of the distribution over records and of that over persons, in which everybody has
weight 1, spread over their records in the class; "record" asks it of records alone.

## Worked example
>>> import pyarrow as pa
>>> from sharewell.tables import Table
>>> rows = pa.table({"age": ["young"] * 4 + ["old"] * 4, "ill": ["flu", "flu", "flu", "HIV"] + ["flu"] * 4})
>>> table = Table.of(rows, quasi=["age"], sensitive=["ill"])
>>> print(DeltaDisclosure(1).check(table))
delta-disclosure = 1 (≤ 1: FAILS)
>>> print(DeltaDisclosure(1.1).check(table))
delta-disclosure = 1 (≤ 1.1: holds)

## Why it is safe
A fraction is a power of two with a whole exponent or none at all. A whole δ is therefore decided on whole numbers; with
any other δ the bound cannot be reached exactly, and what is closer to it than one in 10¹² (over persons, in 10⁸) is
taken to fail. Persons are held against persons, and records against records. A missing value is a value of its own. A
union may fail where both parts hold: a value of one part alone becomes rarer.

## Cost
O(n log n) for n records.

A search over levels knows nothing of those above one that fits. Below a level at least as many records of a failing
class are withheld as its values have beyond their largest shares.

## Source
Brickell and Shmatikov, 2008; over the values present in a class, as in ARX.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, ClassVar, Literal

import numpy as np
from annotated_types import Ge, Gt
from numpy.typing import NDArray

from sharewell.io.sources import Source
from sharewell.tables.engine.array_types import Bools, Ints
from sharewell.tables.engine.checks.distributions import WeightedClasses
from sharewell.tables.engine.checks.exact_criteria import NEAR, Ratios, withheld_for_shares
from sharewell.tables.engine.checks.reference_criterion import ReferenceCriterion
from sharewell.tables.engine.classes import Classes

_CAREFUL = 1e-12


@dataclass(frozen=True)
class DeltaDisclosure(ReferenceCriterion):
    """Every value of a class is less than a factor 2^δ away from its share in the whole."""

    delta: Annotated[Fraction, Gt(0)]
    column: str | None = None
    counts: dict[str, Annotated[int, Ge(0)]] | None = None
    reference: Source | None = None
    unit: Literal["person", "record"] = "person"
    person_counts: dict[str, Annotated[Fraction, Ge(0)]] | None = None
    subject: str | None = None

    bounded_by: ClassVar[str] = "delta"
    strict: ClassVar[bool] = True
    disjoint_union_safe: ClassVar[bool] = False

    def _factors(self, weighed: WeightedClasses) -> Iterator[Ratios]:
        """(share in the class) / (share in the whole), as fractions."""
        for comparison in self.comparisons(weighed):
            expected = comparison.size * comparison.reference[comparison.code]
            yield Ratios(comparison.owner, comparison.count * comparison.total, expected)

    def worst_in(self, weighed: WeightedClasses) -> NDArray[np.number]:
        reached = np.zeros(weighed.classes.count)
        for factors in self._factors(weighed):
            np.maximum.at(reached, factors.owner, np.abs(np.log2(factors.rounded)))
        return reached

    def least_withheld(self, classes: Classes) -> Ints:
        """See `withheld_for_shares`. Of least shares nothing follows: a value may well be absent from parts."""
        fewest = np.zeros(classes.count, dtype=np.int64)
        for comparison in self.comparisons(WeightedClasses(classes)):
            most = (2.0 ** float(self.delta) * comparison.expected.shares)[comparison.code]
            gone = withheld_for_shares(comparison.owner, comparison.count, most, classes.sizes)
            fewest = np.maximum(fewest, gone)
        return fewest

    def holds_in(self, weighed: WeightedClasses) -> Bools:
        if self.delta.denominator > 1 or self.delta > 60:
            careful = _CAREFUL if weighed.weighing == "records" else 4 * NEAR
            return np.asarray(self.worst_in(weighed) < float(self.delta) - careful)
        count = weighed.classes.count
        holds, unclear = np.ones(count, dtype=bool), np.zeros(count, dtype=bool)
        factor = Fraction(2 ** int(self.delta))
        for factors in self._factors(weighed):
            inside = (factors.compared(factor) < 0) & (factors.compared(1 / factor) > 0)
            holds[factors.owner[~inside]] = False
            unclear[factors.owner[factors.near(factor) | factors.turned.near(factor)]] = True
        return self.clear_up(weighed, holds, unclear)
