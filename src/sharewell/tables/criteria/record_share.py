"""Record share: in every class, no person owns more than a given share of the records.

## Guarantee
A record drawn at random from the class of a person is theirs with probability at most the bound, even if they own more
records than anyone else there.

## Adversary
Knows the quasi values of a target and that the target has many records; picks a record of the class at random.

## What it does not protect
Nothing about sensitive values (see h-affiliation).

## Parameters
most: the largest share of the records of a class. It always counts records.

## Worked example
>>> import pyarrow as pa
>>> from sharewell.tables import Table
>>> visits = pa.table({"who": ["Bob"] + ["Charlie"] * 5, "age": ["[20-29]"] * 6})
>>> print(RecordShare("1/2").check(Table.of(visits, quasi=["age"], subject="who")))
record-share = 0.8333 (≤ 0.5: FAILS)

## Why it is safe
Decided on whole numbers. Records without a person are added to the person who owns most, the worst they can be; where
no subject is known every record is another person's, as everywhere. A person's share of a union lies between those of
its parts.

## Cost
O(n log n) for n records.

A search over levels may take all above a level that withholds nothing to fit, where persons are not shared by
classes; below a level at least one record of every failing class is withheld.

## Source
Kartal and Li, 2016.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from sharewell.parameters import Declared, ExactPositiveShare
from sharewell.tables.engine.array_types import Ints
from sharewell.tables.engine.checks.exact_criteria import RatioCriterion, Ratios
from sharewell.tables.engine.classes import Classes


@dataclass(frozen=True)
class RecordShare(RatioCriterion, Declared):
    """No person owns more than this share of a class's records."""

    most: ExactPositiveShare = Fraction(1, 2)

    bounded_by: ClassVar[str] = "most"

    @property
    def least_records(self) -> int:
        return math.ceil(1 / self.most)

    def ratios(self, classes: Classes) -> Iterator[Ratios]:
        full = np.flatnonzero(classes.sizes)
        _, _, most, nobody = largest_owner(classes)
        yield Ratios(full, (most + nobody)[full], classes.sizes[full].astype(np.int64))


def largest_owner(classes: Classes) -> tuple[Ints, Ints, Ints, Ints]:
    """(class, records) of each person in each class; the most that one person owns, and the records of nobody."""
    nobody = np.zeros(classes.count, dtype=np.int64)
    if classes.subject is None:
        ones = np.ones(len(classes.order), dtype=np.int64)
        return classes.class_of.astype(np.int64), ones, np.minimum(classes.sizes, 1).astype(np.int64), nobody
    subject = classes.columns[classes.subject]
    owner, person, count = classes.counts(subject, by_person=False)
    known = person < subject.known
    nobody[owner[~known]] = count[~known]
    owner, count = owner[known], count[known]
    most = np.zeros(classes.count, dtype=np.int64)
    np.maximum.at(most, owner, count)
    return owner, count, most, nobody
