"""Persons who are unique in a population of known size, where a person may have records in several classes.

The estimators of `population_uniques` know members of classes. Somebody with records in m classes is a member of m, so
that with P persons and M memberships in the release, a population of N persons has about N · M/P memberships. An
estimate of the unique ones among these gives the probability that somebody alone in a released class is alone in the
population too. A person is unique if any membership is: with u classes alone, the probability is at most u times as
large, and no more than 1. Everybody counts once, so that many memberships of a few persons hide nobody.

Where every person has one class this is the estimator's own answer, and where everybody is released it is a count.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from sharewell.errors import DataError
from sharewell.tables.engine.array_types import Indices, Ints
from sharewell.tables.engine.classes import Classes
from sharewell.tables.engine.population_uniques import ESTIMATORS, ClassSizes, Estimate
from sharewell.tables.engine.worst_class import readings


@dataclass(frozen=True, eq=False)
class Memberships:
    """Persons and their classes, in one reading of the records without a person."""

    sizes: Ints
    """Persons in each class; one where nobody is known to be another."""
    persons: int
    number: int
    """Pairs of a person and a class with a record of theirs."""
    alone: Ints
    """In how many classes each of those persons is alone who is in any."""

    @property
    def plain(self) -> bool:
        """Has every person one class?"""
        return self.persons == self.number == int(self.sizes.sum())


def memberships(
    classes: Classes, unit: Literal["person", "record"] = "person", kept: Indices | None = None
) -> list[Memberships]:
    """Who is in which class (all, or `kept`), once for each reading of records without a person. O(n log n)"""
    classes = classes if kept is None else classes.select(kept)
    sizes = np.maximum(classes.persons if unit == "person" else classes.sizes, 1).astype(np.int64)
    if unit == "record" or classes.subject is None:
        total = int(sizes.sum())
        return [Memberships(sizes, total, total, np.ones(int((sizes == 1).sum()), dtype=np.int64))]
    return [_of_reading(classes, owner, sizes) for owner in readings(classes)]


def _of_reading(classes: Classes, owner: Ints, sizes: Ints) -> Memberships:
    most = int(owner.max(initial=0)) + 1
    pairs = np.unique(classes.class_of * most + owner)
    lone = pairs[sizes[pairs // most] == 1] % most
    # A record without a person may be that of the only other one in its class, who is then alone.
    sizes = np.where(sizes == 1, 1, np.bincount(pairs // most, minlength=classes.count))
    return Memberships(sizes, len(np.unique(owner)), len(pairs), np.unique(lone, return_counts=True)[1])


@dataclass(frozen=True)
class UniquePersons:
    """An estimate for one reading."""

    share: float | None
    """Of the population, unique people; None if the estimator finds no solution."""
    chance: float | None
    """The probability that a person alone in a released class is alone in the population."""
    note: str


def refuse_more_than(most: int, released: int, name: str, kind: str = "population_size") -> None:
    if released > most:
        raise DataError(f"{name} — {released} released where {kind} is {most} — give the number of people there are")


def estimate(members: Memberships, people: int, estimator: str, name: str) -> UniquePersons:
    """By one of the estimators; `name` is for the message if more persons are released than there are."""
    refuse_more_than(people, members.persons, name)
    every = people * members.number // max(1, members.persons)
    sizes = ClassSizes.of(members.sizes)
    answer = ESTIMATORS[estimator](sizes, every) if len(members.sizes) else Estimate(None)
    if answer.uniques is None:
        return UniquePersons(None, None, answer.note)
    chance = answer.uniques * sizes.total / every / max(1, sizes.uniques)
    released = float(np.minimum(members.alone * chance, max(1.0, chance)).sum())
    share = answer.uniques / people if members.plain else released / members.persons
    return UniquePersons(share, min(1.0, chance), answer.note)
