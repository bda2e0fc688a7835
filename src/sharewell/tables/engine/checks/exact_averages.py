"""Averages over records, decided exactly: sums of fractions in whole numbers, whatever their denominators.

A criterion about all classes together offers `overall(classes, people)` to mechanisms: what has to hold, each with the
risk of a person in every class, by which classes are withheld, the riskiest first, until it does.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Literal, Protocol, runtime_checkable

import numpy as np

from sharewell.findings import Finding, Number
from sharewell.tables.engine.array_types import Bools, Floats, Indices, Ints
from sharewell.tables.engine.classes import Classes
from sharewell.tables.engine.worst_class import readings, records, tally

_NEAR = 1e-9
_SHORT = 10**18
"""A fraction with a larger denominator is shown as a decimal; what holds is decided before."""


class OverallBound(Protocol):
    """A bound that must hold for all published classes together."""

    @property
    def risk(self) -> Floats:
        """The risk of a person in each class."""
        ...

    def holds(self, kept: Indices) -> bool:
        """Does it hold if these classes are published, and no others?"""
        ...

    def least_withheld_below(self) -> int:
        """At least this many persons lose a record however these classes are divided, if every record is a person's."""
        return 0


@runtime_checkable
class OverallCriterion(Protocol):
    """A criterion about all classes together."""

    name: ClassVar[str]

    def overall(self, classes: Classes, people: Ints | None) -> Sequence[OverallBound]: ...


@runtime_checkable
class ShareExemption(Protocol):
    """A criterion about each class that judges all of them together where a share of the persons may exceed it."""

    @property
    def for_all_but_a_share(self) -> bool: ...


@dataclass(frozen=True, eq=False)
class Average(OverallBound):
    """Σ over/under of the classes, divided by their persons, is at most the bound."""

    over: Ints
    under: Ints
    persons: Ints
    bound: Fraction

    @property
    def risk(self) -> Floats:
        return np.asarray(self.over / (self.under * np.maximum(self.persons, 1)))

    def holds(self, kept: Indices) -> bool:
        """In whole numbers where rounding could matter. Nothing published holds nothing."""
        over, under, number = self.over[kept], self.under[kept], int(self.persons[kept].sum())
        total, allowed = float((over / under).sum()), float(self.bound) * number
        if number and abs(total - allowed) > _NEAR * max(1.0, allowed):
            return total < allowed
        top, bottom = sum_of_ratios(over, under)
        return number > 0 and top * self.bound.denominator <= self.bound.numerator * bottom * number

    def judge(self, name: str) -> Finding:
        """All classes together, as a finding."""
        return judge_mean(name, self.over, self.under, int(self.persons.sum()), self.bound)


@dataclass(frozen=True, eq=False)
class ShareAtRisk(OverallBound):
    """At most this share of the persons is in classes whose risk 1/size is above that of the least size."""

    sizes: Ints
    persons: Ints
    least: int
    share: Fraction

    @property
    def risk(self) -> Floats:
        return np.asarray(np.where(self.sizes < self.least, 1 / self.sizes, 0.0))

    def holds(self, kept: Indices) -> bool:
        """Nothing published holds nothing."""
        sizes, persons = self.sizes[kept], self.persons[kept]
        return len(kept) > 0 and int(persons[sizes < self.least].sum()) <= self.share * int(persons.sum())

    def least_withheld_below(self) -> int:
        """Parts of a class at risk are at risk: of F such persons of T, w must go so that F − w ≤ share · (T − w)."""
        risky = int(self.persons[self.sizes < self.least].sum())
        return max(0, math.ceil((risky - self.share * int(self.persons.sum())) / (1 - self.share)))


@dataclass(frozen=True, eq=False)
class PersonBound(OverallBound):
    """What is asked of persons, where some have records in several classes: the riskiest of a person counts."""

    classes: Classes
    people: Ints
    owners: Sequence[Ints]
    """The person of each record, in each reading of the records without one."""
    ask: Callable[[Ints, Ints], OverallBound]
    among: Bools | None = None
    """Of which places of `order` it is asked; of all if left out."""

    @property
    def risk(self) -> Floats:
        return self.ask(self.people, np.ones_like(self.people)).risk

    def holds(self, kept: Indices) -> bool:
        """In every reading. O(n log n) for n records."""
        read = (tally(self.classes, owner, self.people, kept, self.among) for owner in self.owners)
        return all(self.ask(sizes, persons).holds(np.arange(len(sizes))) for sizes, persons in read)


def over_persons(
    classes: Classes,
    people: Ints,
    unit: Literal["person", "record"],
    ask: Callable[[Ints, Ints], OverallBound],
    among: Bools | None = None,
) -> OverallBound:
    """What `ask` says of (people, persons), each person counted once, given the people of each class.

    Instead of its people, any number of a class may be given by which the worse one comes first.
    """
    if unit == "record" or classes.subject is None:
        return ask(people, records(classes, among))
    owners = readings(classes)
    if len(owners) == 1 and len(np.unique(owners[0])) == len(classes.order):  # every record is another person's
        return ask(people, records(classes, among))
    return PersonBound(classes, people, owners, ask, among)


def sum_of_ratios(over: Ints, under: Ints) -> tuple[int, int]:
    """Σ over/under as (numerator, denominator), not in lowest terms. O(d log² d) for d distinct denominators.

    >>> sum_of_ratios(np.array([1, 1, 2]), np.array([2, 3, 3]))
    (9, 6)
    """
    distinct, place = np.unique(under, return_inverse=True)
    sums = np.zeros(len(distinct), dtype=np.int64)
    np.add.at(sums, place, over)
    parts = [(int(a), int(b)) for a, b in zip(sums.tolist(), distinct.tolist(), strict=True)] or [(0, 1)]
    while len(parts) > 1:
        odd = parts[-1:] if len(parts) % 2 else []
        pairs = zip(parts[0::2], parts[1::2], strict=False)
        parts = [(a * d + c * b, b * d) for (a, b), (c, d) in pairs] + odd
    return parts[0]


def judge_mean(name: str, over: Ints, under: Ints, number: int, bound: Fraction) -> Finding:
    """Is Σ over/under divided by `number` at most the bound? A mean of nothing is undecided."""
    if not number:
        return Finding.judge(name, None, "≤", bound)
    top, bottom = sum_of_ratios(over, under)
    bottom *= number
    ok = top * bound.denominator <= bound.numerator * bottom
    value: Number = top / bottom
    if bottom.bit_length() < 4096 and (exact := Fraction(top, bottom)).denominator < _SHORT:
        value = exact
    return Finding(name, value, None, bound, "≤", ok)


def worse(readings: Sequence[Finding]) -> Finding:
    """The finding to show, where one must hold in every reading of the records without a person."""
    undecided = next((one for one in readings if one.value is None), None)
    return undecided or max(readings, key=lambda one: (not one.ok, one.value))


def mean(over: Ints, under: Ints, number: int) -> float | None:
    """The same as a decimal, for details."""
    top, bottom = sum_of_ratios(over, under)
    return top / (bottom * number) if number else None
