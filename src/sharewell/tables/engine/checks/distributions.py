"""The distribution of a sensitive column in every class, over records and over persons.

Over records each row counts once, as the literature has it. Over persons everybody has weight 1, spread equally over
their records in the class, so that a person with many values does not outweigh others. A criterion about a distribution
must hold over both. Where every person has one record both are the same, and only records are counted.

Records without a person may belong to anybody. They are taken once as each another person's, and once as all one
person's; a criterion must hold either way.

The weights of a class are whole numbers, the least common multiple of its persons' numbers of records standing for 1.
Where these numbers are too large for 64 bits, decimals decide whatever is clear, and Python's own integers the rest.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sharewell.findings import Number
from sharewell.tables.engine.array_types import Bools, Indices, Ints
from sharewell.tables.engine.checks.class_criterion import ValueProfile
from sharewell.tables.engine.checks.exact_criteria import NEAR, ExactCriterion, Ratios
from sharewell.tables.engine.checks.sensitive_columns import sensitive_columns, value_profile
from sharewell.tables.engine.classes import Classes
from sharewell.tables.engine.columns import Column, Numbers

Weighing = Literal["records", "persons", "persons, the unnamed as one"]
_SHORT = 2**28
"""Products of two numbers below it leave room for a sum in 64 bits."""
_READABLE = 10**18
"""A fraction with a larger denominator is shown as a decimal; what holds is decided before."""


@dataclass(frozen=True, eq=False)
class Frequencies:
    """How much of each value a class holds: `count[i]` of value `code[i]` in class `owner[i]`, out of `size[i]`."""

    owner: Ints
    code: Ints
    count: Numbers
    size: Numbers


@dataclass(frozen=True, eq=False)
class WeightedClasses:
    """Classes whose records are weighed in one of three ways."""

    classes: Classes
    weighing: Weighing = "records"
    exact: bool = False
    """Are decimals refused, whatever whole numbers cost?"""

    def exactly(self, which: Indices) -> WeightedClasses:
        """Some of the classes, weighed in the same way, in whole numbers."""
        return WeightedClasses(self.classes.select(which), self.weighing, True)

    def of(self, column: Column, known: bool = False) -> Frequencies:
        """By class and then by code; `known` leaves records without a value out. O(n log n)"""
        if self.weighing != "records":
            return self._by_person(column, known)
        owner, code, count = self.classes.counts(column, by_person=False)
        if known and column.has_missing:
            kept = code < column.size - 1
            owner, code, count = owner[kept], code[kept], count[kept]
        size = np.bincount(owner, weights=count, minlength=self.classes.count).astype(np.int64)
        return Frequencies(owner, code, count, size[owner])

    def _by_person(self, column: Column, known: bool) -> Frequencies:
        classes = self.classes
        owner, code = classes.class_of.astype(np.int64), column.codes[classes.order].astype(np.int64)
        person, most = classes.owners(self.weighing != "persons")
        if known and column.has_missing:
            kept = code < column.size - 1
            owner, code, person = owner[kept], code[kept], person[kept]
        members, place, records = np.unique(owner * most + person, return_inverse=True, return_counts=True)
        persons = np.bincount(members // max(1, most), minlength=classes.count)
        owned, which = np.unique(records, return_inverse=True)  # numbers of records that persons have
        keys = (owner * column.size + code) * len(owned) + which[place]
        combinations, number = np.unique(keys, return_counts=True)
        value, which = np.divmod(combinations, max(1, len(owned)))
        begins = np.flatnonzero(np.append(True, value[1:] != value[:-1])[: len(value)])
        owner, code = np.divmod(value[begins], max(1, column.size))
        one = self._one(owned, value // max(1, column.size), which, persons)
        if one is None:
            count = np.add.reduceat(number / owned[which], begins) if len(begins) else number.astype(np.float64)
            return Frequencies(owner, code, count, persons[owner].astype(np.float64))
        weights = number * (one[value // max(1, column.size)] // owned[which])
        count = np.add.reduceat(weights, begins) if len(begins) else weights
        return Frequencies(owner, code, count, (one * persons)[owner])

    def _one(self, owned: Ints, owner: Ints, which: Ints, persons: Ints) -> Numbers | None:
        """What stands for 1 in each class; None if decimals will do."""
        every, most = math.lcm(*owned.tolist()), int(persons.max(initial=1))
        if every * most < _SHORT:
            return np.full(self.classes.count, every, dtype=np.int64)
        if not self.exact:
            return None
        pairs = np.unique(owner * len(owned) + which)
        first = np.searchsorted(pairs, np.arange(self.classes.count + 1) * len(owned))
        numbers = owned[pairs % len(owned)].tolist()
        each = [math.lcm(*numbers[a:b]) for a, b in zip(first[:-1].tolist(), first[1:].tolist(), strict=True)]
        short = max(each, default=1) * most < _SHORT
        return np.array(each, dtype=np.int64 if short else object)


class DistributionCriterion(ExactCriterion):
    """Mix-in for a dataclass with the fields `column` and `unit` that judges how values are distributed.

    It needs `holds_in(weighed)`, `worst_in(weighed)` and `reached_in(weighed)`, each about one way to weigh records.
    """

    column: str | None
    unit: str
    against_reference: bool = False
    """Is a class compared with all rows? Then persons matter even where each has one record in a class."""

    def holds_in(self, weighed: WeightedClasses) -> Bools:
        raise NotImplementedError

    def worst_in(self, weighed: WeightedClasses) -> NDArray[np.number]:
        raise NotImplementedError

    def reached_in(self, weighed: WeightedClasses) -> Number | None:
        worst = self.worst_in(weighed)
        if not len(worst):
            return None
        return float(worst.min() if self.sense == "≥" else worst.max())

    def holds(self, classes: Classes) -> Bools:
        holds = self.holds_in(WeightedClasses(classes))
        for which, weighted in self._by_person(classes, holds):
            holds[which] = self.holds_in(weighted)
        return holds

    def worst(self, classes: Classes) -> NDArray[np.number]:
        reached = self.worst_in(WeightedClasses(classes))
        worse = np.minimum if self.sense == "≥" else np.maximum
        for which, weighted in self._by_person(classes):
            reached[which] = worse(reached[which], self.worst_in(weighted))
        return reached

    def reached(self, classes: Classes) -> Number | None:
        ways = [WeightedClasses(classes), *(weighted for _, weighted in self._by_person(classes))]
        values = [value for way in ways if (value := self.reached_in(way)) is not None]
        return (min(values) if self.sense == "≥" else max(values)) if values else None

    def profile(self, classes: Classes, failing: int) -> ValueProfile:
        return value_profile(classes, failing, sensitive_columns(self.name, classes, self.column))

    def clear_up(self, weighed: WeightedClasses, holds: Bools, unclear: Bools) -> Bools:
        """What decimals cannot tell is decided anew in whole numbers."""
        which = np.flatnonzero(unclear)
        if len(which):
            holds[which] = self.holds_in(weighed.exactly(which))
        return holds

    def _by_person(self, classes: Classes, among: Bools | None = None) -> Iterator[tuple[Indices, WeightedClasses]]:
        """The classes in which persons and records may differ (of those that are still `among`), in each way to weigh.

        Classes know their subject only where some person has several records.
        """
        if self.unit != "person" or classes.subject is None:
            return
        ways: list[Weighing] = ["persons"]
        if classes.columns[classes.subject].has_missing:
            ways.append("persons, the unnamed as one")
        differ = np.ones(classes.count, dtype=bool) if self.against_reference else classes.persons < classes.sizes
        for weighing in ways:
            which = np.flatnonzero(differ if among is None else differ & among)
            if len(which):
                yield which, WeightedClasses(classes.select(which), weighing)


class DistributionRatioCriterion(DistributionCriterion):
    """Mix-in for a criterion whose `ratios_in(weighed)` are all to be kept within the bound."""

    def ratios_in(self, weighed: WeightedClasses) -> Iterator[Ratios]:
        """One set of fractions for each column judged."""
        raise NotImplementedError

    def holds_in(self, weighed: WeightedClasses) -> Bools:
        holds, unclear = np.ones(weighed.classes.count, dtype=bool), np.zeros(weighed.classes.count, dtype=bool)
        for ratios in self.ratios_in(weighed):
            order = ratios.compared(self.bound) * (1 if self.sense == "≤" else -1)
            holds[ratios.owner[order >= 0 if self.strict else order > 0]] = False
            unclear[ratios.owner[ratios.near(self.bound)]] = True
        return self.clear_up(weighed, holds, unclear)

    def worst_in(self, weighed: WeightedClasses) -> NDArray[np.number]:
        reached = np.full(weighed.classes.count, np.inf if self.sense == "≥" else 0.0)
        for ratios in self.ratios_in(weighed):
            (np.minimum if self.sense == "≥" else np.maximum).at(reached, ratios.owner, ratios.rounded)
        return reached

    def reached_in(self, weighed: WeightedClasses) -> Number | None:
        sign = -1 if self.sense == "≥" else 1
        sets = list(self.ratios_in(weighed))
        if any(ratios.decimal for ratios in sets):
            worst = self.worst_in(weighed) * sign
            top = float(worst.max())
            if math.isfinite(top):
                near = np.flatnonzero(worst >= top - NEAR * max(1.0, abs(top)))
                sets = list(self.ratios_in(weighed.exactly(near)))
        extremes = [value for ratios in sets if (value := ratios.extreme(sign)) is not None]
        value = sign * max(sign * value for value in extremes) if extremes else Fraction(0)
        return value if isinstance(value, float) or value.denominator < _READABLE else float(value)


def part_sums(count: Numbers, begin: Ints, end: Ints) -> tuple[Numbers, float]:
    """Sums of the counts from `begin` to before `end`, and by how much they may be off.

    Decimals become whole multiples of a small unit first: a running sum of decimals would lose what lies far behind.
    """
    bits = 60 - int(count.sum()).bit_length() if count.dtype.kind == "f" else 0
    multiples = np.rint(count * 2.0**bits).astype(np.int64) if count.dtype.kind == "f" else count
    before = np.append(0, np.cumsum(multiples))
    sums = before[end] - before[begin]
    return (sums * 2.0**-bits, len(count) * 2.0**-bits) if count.dtype.kind == "f" else (sums, 0.0)
