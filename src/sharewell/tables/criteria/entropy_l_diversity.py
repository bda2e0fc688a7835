"""Entropy l-diversity: in every class the sensitive values are at least as uncertain as l equally frequent ones.

## Guarantee
The entropy H of the sensitive values of every class is at least ln l. The most frequent value has a share of less than
one, and e^H, the *effective number* of values, is at least l.

## Adversary
Knows the quasi values of a target and that the target is in the data; wants the target's sensitive value.

## What it does not protect
Values that mean nearly the same. A class may fail merely because the whole table is skewed; (c,l)-diversity asks less.

## Parameters
l: the least effective number of values; need not be whole.
estimator: "shannon" (default) takes the frequencies as they are; "grassberger" corrects the entropy for small classes,
G(n) − Σ c·G(c) / n with G in the place of the logarithm, and then also asks for l different values. The correction
applies to counts of records: the distribution over persons is judged without it.
column: one sensitive column; without it, every sensitive column is judged.
unit: "person" (default) judges the distribution over records and the one over persons, in which each person has weight
1, spread over the person's records in the class; "record" judges the distribution over records alone.

## Worked example
>>> import pyarrow as pa
>>> from sharewell.tables import Table
>>> rows = pa.table({"age": ["[20-29]"] * 6, "disease": ["HIV", "HIV", "HIV", "HIV", "flu", "cancer"]})
>>> print(EntropyLDiversity(2).check(Table.of(rows, quasi=["age"], sensitive=["disease"])))
entropy-l-diversity = 2.381 values (≥ 2: holds)

Five people have the same code, and one has twenty others. The effective number of values is 18.1 over records and 2.6
over persons.

>>> codes = ["B20"] * 5 + [*"abcdefghijklmnopqrst"]
>>> visits = pa.table({"who": [*"abcde", *"f" * 20], "age": ["[20-29]"] * 25, "code": codes})
>>> print(EntropyLDiversity(10).check(Table.of(visits, quasi=["age"], sensitive=["code"], subject="who")))
entropy-l-diversity = 2.585 values (≥ 10: FAILS)

## Why it is safe
With counts c of n, H ≥ ln l means n^n ≥ l^n · Π c^c. Logarithms decide where they are more than 10⁻⁹ apart, far more
than they can be wrong; below that whole numbers do, after dividing all exponents by their greatest common divisor, and
where these would be too large, logarithms of 60 digits, a tie counting as failure. Uniform classes need none of this. A
missing value never counts: the entropy is that of the other values, and a class without any fails; a person's weight is
spread over the person's records with a value. Entropy is concave, so that the criterion holds in the union of two
classes if it holds in both, unless persons have records in both; the corrected entropy is not concave. Both
distributions are judged (see `criteria/distributions.py`), so that one person's many values cannot hide that nearly
everybody else has the same one. Records without a person are judged twice: as if each belonged to a different person,
and as if all belonged to one.

## Cost
O(n log n) for n records, and one exact comparison for each different set of counts near the bound.

A search over levels may take all above a level that withholds nothing to fit, unless the entropy is corrected or
persons have records in several classes. Below a level a class of fewer than l values is withheld whole, and of
another one as many records at least as levelling its values takes.

## Source
Machanavajjhala, Kifer, Gehrke and Venkitasubramaniam, 2007; Grassberger, 2003, and Stammler, Katzenbeisser and
Hamacher, 2016 (the corrected entropy). ARX sums the terms in the order of a hash table and stops when the sum is too
large, although terms of single values are negative: it may refuse classes that meet the definition.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Context, Decimal, localcontext
from fractions import Fraction
from functools import lru_cache
from typing import Annotated, ClassVar, Literal

import numpy as np
from annotated_types import Ge
from numpy.typing import NDArray

from sharewell.algorithm import Declared, Sense
from sharewell.tables.engine.array_types import Bools, Floats, Indices, Ints
from sharewell.tables.engine.checks.distributions import DistributionCriterion, Frequencies, WeightedClasses
from sharewell.tables.engine.checks.exact_criteria import NEAR
from sharewell.tables.engine.checks.sensitive_columns import sensitive_columns
from sharewell.tables.engine.classes import Classes
from sharewell.tables.engine.columns import Column, Numbers

_CAREFUL = 1e-12
_MOST_BITS = 1 << 20


@dataclass(frozen=True)
class EntropyLDiversity(DistributionCriterion, Declared):
    """At least ln l of entropy in every class."""

    l: Annotated[Fraction, Ge(1)]  # noqa: E741 - the name the literature gives it
    estimator: Literal["shannon", "grassberger"] = "shannon"
    column: str | None = None
    unit: Literal["person", "record"] = "person"

    sense: ClassVar[Sense] = "≥"
    bounded_by: ClassVar[str] = "l"
    unit_name: ClassVar[str] = "values"

    @property
    def least_records(self) -> int:
        return math.ceil(self.l)

    @property
    def disjoint_union_safe(self) -> bool:
        return self.estimator == "shannon"

    def terms(self, most: int) -> Floats:
        """c · log c (or what stands for the logarithm) of all counts c from 0 to the largest."""
        counts = np.arange(1, most + 1)
        return np.append(0.0, counts * (_corrected(counts) if self.estimator == "grassberger" else np.log(counts)))

    def least_withheld(self, classes: Classes) -> Ints:
        """A class of fewer than l values has no part that holds. From others as many records go as make entropy
        reach ln l, if they are those of the most frequent values: see `_withheld_by_height`."""
        fewest = np.zeros(classes.count, dtype=np.int64)
        weighed = WeightedClasses(classes)
        for column in sensitive_columns(self.name, classes, self.column):
            frequencies = weighed.of(column, known=True)
            values = np.bincount(frequencies.owner, minlength=classes.count)
            gone = np.zeros(classes.count, dtype=np.int64)
            if self.estimator == "shannon":
                terms = self.terms(int(classes.sizes.max(initial=0)))
                gone = _withheld_by_height(frequencies, classes.count, terms, math.log(self.l))
            few = values < math.ceil(self.l)
            fewest = np.maximum(fewest, np.where(few, classes.sizes, np.minimum(gone, classes.sizes)))
        return fewest

    def worst_in(self, weighed: WeightedClasses) -> NDArray[np.number]:
        """The effective number of values; exactly on the right side of the bound, however near."""
        columns = sensitive_columns(self.name, weighed.classes, self.column)
        return np.asarray(np.min([self._effective(weighed, column) for column in columns], axis=0))

    def holds_in(self, weighed: WeightedClasses) -> Bools:
        return np.asarray(self.worst_in(weighed) >= float(self.l))

    def _effective(self, weighed: WeightedClasses, column: Column) -> Floats:
        frequencies, classes, bound = weighed.of(column, known=True), weighed.classes.count, float(self.l)
        values = np.bincount(frequencies.owner, minlength=classes)
        corrected = self.estimator == "grassberger" and weighed.weighing == "records"
        entropy = _entropy(frequencies, classes, _corrected if corrected else np.log)
        effective = np.where(values > 0, np.exp(entropy), 0.0)
        diverse = values >= math.ceil(self.l)
        if corrected:
            diverse &= effective >= bound * (1 + _CAREFUL)
        else:
            uniform = _uniform(frequencies.owner, frequencies.count, classes)
            effective[uniform] = values[uniform]
            diverse &= uniform | (effective >= bound)
            near = np.flatnonzero(~uniform & (np.abs(entropy - math.log(self.l)) <= NEAR))
            diverse[near] = self._decided(weighed, column, frequencies, near)
        return np.where(diverse, np.maximum(effective, bound), np.minimum(effective, np.nextafter(bound, 0)))

    def _decided(self, weighed: WeightedClasses, column: Column, frequencies: Frequencies, near: Indices) -> list[bool]:
        """Does the entropy of these classes, which are close to the bound, reach it?"""
        if not len(near):
            return []
        if frequencies.count.dtype.kind == "f":
            frequencies, near = weighed.exactly(near).of(column, known=True), np.arange(len(near))
        first = np.searchsorted(frequencies.owner, np.append(near, near + 1)).reshape(2, -1)
        counts = [frequencies.count[start:end] for start, end in first.T]
        return [_reaches(tuple(sorted((one // np.gcd.reduce(one)).tolist())), self.l) for one in counts]


def _entropy(frequencies: Frequencies, classes: int, log: Callable[[Numbers], Floats]) -> Floats:
    if frequencies.count.dtype.kind == "O":  # far too large for a decimal: their shares are not
        shares = np.array([a / b for a, b in zip(frequencies.count.tolist(), frequencies.size.tolist(), strict=True)])
        inside = np.bincount(frequencies.owner, weights=shares * np.log(shares), minlength=classes)
        return np.asarray(-inside, np.float64)
    size = np.ones(classes, dtype=frequencies.size.dtype)
    size[frequencies.owner] = frequencies.size
    inside = np.bincount(frequencies.owner, weights=frequencies.count * log(frequencies.count), minlength=classes)
    return np.asarray(log(size) - inside / size)


def _uniform(owner: Ints, count: Numbers, classes: int) -> Bools:
    """Classes in which all values are equally frequent."""
    first = np.searchsorted(owner, np.arange(classes + 1))[owner]
    uneven = np.zeros(classes, dtype=bool)
    uneven[owner[count != count[first]]] = True
    return ~uneven


def _withheld_by_height(frequencies: Frequencies, classes: int, terms: Floats, wanted: float) -> Ints:
    """At least this many records of each class go until its entropy reaches what is wanted, given c · log c of counts.

    Of all ways to leave this many records, entropy is largest where no value has more than some height and those with
    fewer keep all; the lower the height, the larger it is. So where it does not reach the bound, one record more must
    go. Heights are halved: O(values · log of the largest count).
    """
    owner, count = frequencies.owner, frequencies.count
    low, failing = np.zeros((2, classes), dtype=np.int64)
    np.maximum.at(failing, owner, count)
    while (failing - low > 1).any():
        height = (low + failing) // 2
        kept = np.minimum(count, height[owner])
        total = np.bincount(owner, weights=kept, minlength=classes).astype(np.int64)
        inside = np.bincount(owner, weights=terms[kept], minlength=classes)
        fails = (terms[total] - inside) / np.maximum(total, 1) < wanted - 2 * NEAR
        fails &= height > 0
        low, failing = np.where(fails, low, height), np.where(fails, height, failing)
    above = np.maximum(0, count - failing[owner])
    return 1 + np.bincount(owner, weights=above, minlength=classes).astype(np.int64)


@lru_cache(maxsize=4096)
def _reaches(counts: tuple[int, ...], l: Fraction) -> bool:  # noqa: E741
    """n^n ≥ l^n · Π c^c, for counts without a common divisor (which changes neither side's order)."""
    n = sum(counts)
    if n * max(n, l.numerator, l.denominator).bit_length() <= _MOST_BITS:
        return bool((n * l.denominator) ** n >= l.numerator**n * math.prod(c**c for c in counts))
    with localcontext(Context(prec=60)):
        left = Decimal(n).ln() - Decimal(l.numerator).ln() + Decimal(l.denominator).ln()
        difference = left - sum((c * Decimal(c).ln() for c in counts), Decimal(0)) / n
        return bool(difference > Decimal(10) ** -40)


def _corrected(counts: Ints) -> Floats:
    """Grassberger's G, which takes the place of ln: G(1) = −γ − ln 2, G(2) = 2 + G(1), G(2i+1) = G(2i) and
    G(2i+2) = G(2i) + 2/(2i+1)."""
    half = np.arange(1, int(counts.max(initial=1)) // 2 + 1)
    even = np.append(0.0, np.cumsum(2.0 / (2 * half - 1)))
    return np.asarray(even[counts // 2] - np.euler_gamma - math.log(2))
