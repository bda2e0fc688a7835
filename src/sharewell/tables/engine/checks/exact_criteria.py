"""Criteria that are decided exactly: on whole numbers or fractions, never on rounded ones."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from sharewell.findings import Finding, Number
from sharewell.tables.engine.array_types import Bools, Floats, Ints
from sharewell.tables.engine.checks.class_criterion import ClassCriterion, ClassProfile, class_profile
from sharewell.tables.engine.classes import Classes
from sharewell.tables.engine.columns import Numbers

if TYPE_CHECKING:
    from sharewell.tables.data import Table

NEAR = 1e-9
"""Decimals that are closer together than this are not told apart; they are off by far less."""
SHARE_ROUNDS = 8
"""How often `withheld_for_shares` reckons again with the records that are left: more rounds hardly find more."""


def as_fraction(name: str, value: object) -> Fraction:
    """A bound as a fraction: 0.2 is 1/5, and "1/11" (as a certificate writes it) is itself.

    >>> as_fraction("t", 0.2), as_fraction("t", "1/11")
    (Fraction(1, 5), Fraction(1, 11))
    """
    try:
        return Fraction(str(value))
    except (ValueError, ZeroDivisionError):
        raise ValueError(f"{name} must be a number or a fraction such as 1/11") from None


@dataclass(frozen=True, eq=False)
class Ratios:
    """Fractions about classes: `over[i] / under[i]` is one of class `owner[i]`. 1/0 stands for infinity.

    Both are whole numbers, or decimals that are off by less than `slack`.
    """

    owner: Ints
    over: Numbers
    under: Numbers
    slack: float = NEAR
    """By how much decimals may be off, in proportion to 1 + the fraction."""

    @property
    def decimal(self) -> bool:
        return "f" in (self.over.dtype.kind, self.under.dtype.kind)

    @property
    def turned(self) -> Ratios:
        """One over each of them."""
        return Ratios(self.owner, self.under, self.over, self.slack)

    def near(self, bound: Fraction) -> Bools:
        """Which are decimals so close to the bound that whole numbers have to decide?"""
        if not self.decimal:
            return np.zeros(len(self.over), dtype=bool)
        return np.asarray(np.abs(self.rounded - float(bound)) <= self.slack * 2 * (1 + abs(float(bound))))

    @property
    def rounded(self) -> Floats:
        if "O" in (self.over.dtype.kind, self.under.dtype.kind):  # whole numbers beyond the range of decimals
            pairs = zip(self.over.tolist(), self.under.tolist(), strict=True)
            return np.array([a / b if b else math.inf for a, b in pairs], dtype=np.float64)
        over, under = self.over.astype(np.float64), self.under.astype(np.float64)
        rounded = np.full(len(over), np.inf)
        np.divide(over, under, out=rounded, where=under > 0)
        return rounded

    def compared(self, bound: Fraction) -> Ints:
        """−1, 0 or 1: less than the bound, equal, greater. Exact, whatever the size of the numbers."""
        over, under = self.over, self.under
        # A factor beyond 64 bits is too large for an array of whole numbers, even beside nothing but zeros.
        largest = max(max(1, _largest(over)) * bound.denominator, max(1, _largest(under)) * abs(bound.numerator))
        if largest >= 2**62:
            kind = np.float64 if self.decimal else object
            over, under = over.astype(kind), under.astype(kind)
        left, right = over * bound.denominator, under * bound.numerator
        return np.asarray(left > right, dtype=np.int64) - np.asarray(left < right, dtype=np.int64)

    def extreme(self, sign: int) -> Number | None:
        """The greatest (sign 1) or least (sign −1) of all, as a fraction."""
        if not len(self.over):
            return None
        rounded = self.rounded * sign
        top = rounded.max()
        if not np.isfinite(top):
            return float("inf") * sign
        near = np.flatnonzero(rounded >= top - NEAR * max(1.0, abs(top)))
        pairs = set(zip(self.over[near].tolist(), self.under[near].tolist(), strict=True))
        return sign * max(sign * Fraction(over, under) for over, under in pairs)


def _largest(numbers: Numbers) -> int:
    return max((abs(int(numbers.max())), abs(int(numbers.min())))) if len(numbers) else 0


class ExactCriterion(ClassCriterion):
    """Mix-in: `holds` decides, and the finding shows `reached` beside it."""

    strict: ClassVar[bool] = False
    """Does a class fail that reaches the bound exactly?"""

    @property
    def bound(self) -> Fraction:
        bound: Fraction = getattr(self, self.bounded_by)
        return bound

    @property
    def disjoint_union_safe(self) -> bool:
        return True

    @property
    def union_safe(self) -> bool:
        """Where persons count once, one who owns records in both parts upsets the shares of the union."""
        return self.disjoint_union_safe and self.unit == "record"

    def reached(self, classes: Classes) -> Number | None:
        """The number of the worst class."""
        raise NotImplementedError

    def note(self, data: Table) -> str:
        """A remark for the reader of the finding."""
        return "the bound itself must not be reached" if self.strict else ""

    def check(self, data: Table) -> Finding:
        """Group the published cells anew and judge the worst class. No class at all is undecided, and so fails."""
        classes = visible(data)
        holds = self.holds(classes)
        ok = bool(holds.all()) if len(holds) else None
        details = self.profile(classes, int((~holds).sum()))
        value = self.reached(classes) if len(holds) else None
        return self._finding(value, ok, data, details)

    def profile(self, classes: Classes, failing: int) -> ClassProfile:
        """What the finding tells in detail."""
        return class_profile(classes, failing)

    def _finding(self, value: Number | None, ok: bool | None, data: Table, details: ClassProfile | None) -> Finding:
        unit, note = self.counted_in(data), self.note(data)
        return Finding(self.name, value, None, self.bound, self.sense, ok, unit=unit, details=details, note=note)


class RatioCriterion(ExactCriterion):
    """Mix-in for a criterion whose `ratios(classes)` are all to be kept within the bound."""

    def ratios(self, classes: Classes) -> Iterator[Ratios]:
        """One set of fractions for each column judged, or one in all."""
        raise NotImplementedError

    def worst(self, classes: Classes) -> NDArray[np.number]:
        reached = np.full(classes.count, np.inf if self.sense == "≥" else 0.0)
        for ratios in self.ratios(classes):
            (np.minimum if self.sense == "≥" else np.maximum).at(reached, ratios.owner, ratios.rounded)
        return reached

    def holds(self, classes: Classes) -> Bools:
        holds = np.ones(classes.count, dtype=bool)
        for ratios in self.ratios(classes):
            order = ratios.compared(self.bound) * (1 if self.sense == "≤" else -1)
            holds[ratios.owner[order >= 0 if self.strict else order > 0]] = False
        return holds

    def reached(self, classes: Classes) -> Number | None:
        sign = -1 if self.sense == "≥" else 1
        extremes = [value for ratios in self.ratios(classes) if (value := ratios.extreme(sign)) is not None]
        return sign * max(sign * value for value in extremes) if extremes else Fraction(0)


def visible(data: Table) -> Classes:
    """The classes of a table, with columns that hold the rows in classes and no withheld ones."""
    classes = data.classes
    if len(classes.order) == data.rows:
        return classes
    rows = np.sort(classes.order)
    columns = {name: column.take(rows) for name, column in classes.columns.items()}
    return replace(classes, order=np.searchsorted(rows, classes.order), columns=columns)


def withheld_for_shares(owner: Ints, count: Ints, most: Floats, sizes: Ints) -> Ints:
    """At least this many records of each class must go before its parts hold, if no value may exceed its largest share.

    Shares add up to 1: where the largest ones of a class's values do not, no part of it holds. Else, of n records no
    part keeps more of a value than its largest share of n, in whole records, and all parts that hold together keep no
    more than that either: a share in a union is no larger than the largest in its parts. If all other records must go,
    n is smaller than was thought, and the same can be said again.
    """
    room = np.bincount(owner, weights=most, minlength=len(sizes))
    gone = np.where(room < 1 - NEAR, sizes, 0)
    for _ in range(SHARE_ROUNDS):
        allowed = np.floor(most * (sizes - gone)[owner] + 1e-6).astype(np.int64)
        more = np.maximum(gone, sums(owner, np.maximum(0, count - allowed), len(sizes)))
        if np.array_equal(more, gone):
            break
        gone = more
    return gone


def sums(owner: Ints, numbers: Numbers, classes: int) -> Numbers:
    """The sum of the numbers of each class, exactly."""
    total = np.zeros(classes, dtype=numbers.dtype)
    np.add.at(total, owner, numbers)
    return total
