"""Shares and averages over persons: each person counts once, with the class in which they are easiest to find.

Somebody with records in many classes would otherwise count many times, and hide those who are alone. Records without a
person are read in two ways, and what is claimed has to hold in both: each is another person's, or all are one person's.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Literal

import numpy as np

from sharewell.tables.engine.array_types import Bools, Indices, Ints
from sharewell.tables.engine.classes import Classes

Tally = tuple[Ints, Ints]
"""(people, persons): this many persons have no class of fewer people, and one of as many."""


def tallies(
    classes: Classes, people: Ints, unit: Literal["person", "record"] = "person", among: Bools | None = None
) -> list[Tally]:
    """One for each reading, given the people of each class. O(n log n) for n records.

    `among` (along `order`) leaves out the records of which nothing is asked.

    >>> from sharewell.tables.engine.classes import Classes
    >>> classes = Classes(np.arange(3), np.array([0, 1, 3]), {})
    >>> [(sizes.tolist(), persons.tolist()) for sizes, persons in tallies(classes, np.array([1, 2]))]
    [([1, 2], [1, 2])]
    """
    if unit == "record" or classes.subject is None:
        return [(people, records(classes, among))]
    every = np.arange(classes.count)
    return [tally(classes, owner, people, every, among) for owner in readings(classes)]


def records(classes: Classes, among: Bools | None = None) -> Ints:
    """The records of each class, or some of them."""
    if among is None:
        return classes.sizes.astype(np.int64)
    return np.bincount(classes.class_of[among], minlength=classes.count).astype(np.int64)


def readings(classes: Classes) -> list[Ints]:
    """The person of each place of `order`, in each reading of the records without one."""
    owners = [classes.owners()[0]]
    if classes.subject is not None and classes.columns[classes.subject].has_missing:
        owners.append(classes.owners(unnamed_as_one=True)[0])
    return owners


def tally(classes: Classes, owner: Ints, people: Ints, kept: Indices, among: Bools | None = None) -> Tally:
    """The persons of some of the classes, by the class of theirs that has the fewest people."""
    published = np.zeros(classes.count, dtype=bool)
    published[kept] = True
    places = published[classes.class_of]
    if among is not None:
        places &= among
    nobody = np.iinfo(np.int64).max
    least = np.full(int(owner.max(initial=-1)) + 1, nobody, dtype=np.int64)
    np.minimum.at(least, owner[places], people[classes.class_of[places]])
    sizes, persons = np.unique(least[least < nobody], return_counts=True)
    return sizes, persons.astype(np.int64)


def risk_exceeded_by(share: Fraction, sizes: Ints, persons: Ints) -> Fraction | None:
    """The risk that at most a share of the persons exceed; the largest risk of all where the share is 0.

    It is the least t such that at most this share of the persons, in groups of risk 1/size each, have more than t.

    >>> risk_exceeded_by(Fraction(0), np.array([2, 5]), np.array([2, 98]))
    Fraction(1, 2)
    >>> risk_exceeded_by(Fraction(2, 100), np.array([2, 5]), np.array([2, 98]))
    Fraction(1, 5)
    """
    if not len(sizes):
        return None
    order = np.argsort(sizes, kind="stable")
    allowed = int(share * int(persons.sum()))
    beyond = np.flatnonzero(np.cumsum(persons[order]) > allowed)
    return Fraction(1, max(1, int(sizes[order][beyond[0]]))) if len(beyond) else None


def risk_exceeded_by_persons(share: Fraction, readings: Sequence[Tally]) -> tuple[Fraction | None, Tally]:
    """`risk_exceeded_by` in that reading of the records without a person in which it is largest; and that reading."""
    reached = [(risk_exceeded_by(share, people, persons), (people, persons)) for people, persons in readings]
    return max(reached, key=lambda one: -1 if one[0] is None else one[0])
