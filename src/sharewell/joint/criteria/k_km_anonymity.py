"""(k, k^m)-anonymity: a person's demographics and up to m codes fit at least k persons, or nobody.

## Guarantee
Every class of equal quasi cells has at least k persons. Inside each class, every combination of at most m original
codes has a published support of 0 or at least k: the number of its records in which each code lies in some label.

## Adversary
Knows the quasi values of a target and at most m of the target's codes, and that the target is in the data.

## What it does not protect
Anyone of whom more than m codes are known, or known not to have a code. What all matching records have in common: an
attacker learns it without finding the person.

## Parameters
k: the least number of persons.
m: how many codes an attacker may know.

## Worked example
Four people are 2-anonymous by age, and their codes 2²-anonymous over all; but the age and one code single out two.

>>> import pyarrow as pa
>>> from sharewell.codes import CodeSets
>>> from sharewell.joint import RTData
>>> from sharewell.tables import Table
>>> people = Table.of(pa.table({"age": ["[20-29]"] * 2 + ["[40-49]"] * 2}), quasi=["age"], published=True)
>>> separate = CodeSets.of([["401"], ["250"], ["401"], ["250"]], published=True)
>>> print(KKmAnonymity(2, m=2).check(RTData.of(people, separate)))
k-km-anonymity = 1 records (≥ 2: FAILS)
>>> together = CodeSets.of([["401"], ["401"], ["250"], ["250"]], published=True)
>>> print(KKmAnonymity(2, m=2).check(RTData.of(people, together)))
k-km-anonymity = 2 records (≥ 2: holds)

## Why it is safe
Published cells are grouped anew, and combinations of labels are counted anew inside each group, each label with the
codes it may stand for. Both halves are judged by the criteria of their own kinds. Withheld records that show codes all
the same are judged as one more class.

## Cost
O(n log n) for the classes, and Σ over records of C(length, m) combinations; a count beyond reach is undecided.

## Source
Poulis, Loukides, Gkoulalas-Divanis and Skiadopoulos, ECML PKDD 2013.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from sharewell import registry
from sharewell.algorithm import Count, Criterion, Declared, Finding, Sense
from sharewell.joint.data import RTData
from sharewell.joint.engine.class_labels import codes_by_class


@dataclass(frozen=True)
class KKmDetails:
    """How many classes there are, how many have too few persons, how many records are withheld and show codes."""

    classes: int
    too_small: int
    withheld_with_codes: int


@dataclass(frozen=True)
class KKmAnonymity(Declared, Criterion[RTData]):
    """k persons in every class, and k^m-anonymous codes inside it."""

    k: Count
    m: Count = 2

    sense: ClassVar[Sense] = "≥"

    @property
    def bound(self) -> int:
        return self.k

    def check(self, data: RTData) -> Finding:
        """The fewest persons of a class, or records that hold a combination inside one: whichever is less."""
        RTData.require(data, self.name)
        people: Finding = registry.lookup("tables", "criteria", "k-anonymity")(self.k).check(data.table)
        in_classes = self.inside(data)
        strange = np.flatnonzero(data.class_of_row == data.table.classes.count)
        reached = [people.value, in_classes.value, *([len(strange)] if len(strange) else [])]
        known = [value for value in reached if value is not None]
        value = min(known) if len(known) == len(reached) else None
        too_small = int((data.table.classes.persons < self.k).sum())
        details = KKmDetails(data.table.classes.count, too_small, len(strange))
        parts, note = (people, in_classes), in_classes.note
        return Finding.judge(self.name, value, "≥", self.k, unit=people.unit, parts=parts, details=details, note=note)

    def inside(self, data: RTData) -> Finding:
        """k^m-anonymity of the codes, counted inside each class."""
        criterion = registry.lookup("codes", "criteria", "km-anonymity")(self.k, self.m)
        finding: Finding = criterion.check(codes_by_class(data.codes, data.class_of_row))
        return replace(finding, name="km-anonymity inside classes")
