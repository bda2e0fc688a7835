"""δ-presence: for nobody in a population is the probability of being in the released data outside given bounds.

## Guarantee
For everybody on the population list who fits a class, the probability of being among the n released persons, out of
the N people who fit, is n/N: at most `max`, and at least `min` where one is given.

## Adversary
Holds the population list with true quasi values, wants to know whether somebody on it is in the data.

## What it does not protect
Attackers who know more columns, or know for other reasons who is in the data. n/N is that probability only where no
other published class covers the same people: otherwise the criterion is undecided, unless `accept_overlap` allows an
estimate.

## Parameters
population: a file or frame with the people; `columns` of the source map names where they differ. Or a list of such
files, each of which may lack people.
max: the largest n/N allowed, as a decimal or a fraction such as 1/11.
min: the least n/N allowed. People who fit no class at all have 0, and no suppression can help against that. A list with
`covers: partly`, or several whose names cannot be compared, cannot show that it holds.
accept_overlap: judge n/N as an estimate where published classes cover the same people; the finding says so.
covers: "fully" (default): a class with fewer people than released persons is an error; "partly": N is raised to n.
coverage: with `covers: partly`, the share of all people whom the list has at least. It never raises N; a list that
lacks more of the released people is an error. Of several lists: that of all together, or one share for each.
comparable: do several lists give a person the same identifier, in the column `subject`? Then whoever is on two of them
counts once. False by default: nobody knows who is on two of them, and N is that of the list on which most people fit.
by: the quasi columns that the list has, where it lacks some; without it, lacking one is an error.
count: a column of the list that says for how many people each of its rows stands.
subject: the column of the list that identifies its persons. If left out: a column named like the release's own subject,
         or like a person identifier. A person with several rows counts once, and fits a class if any of the rows does.
unit: "person" (default), or "record" to count rows, on both sides, although persons are known.

## Worked example
>>> import pyarrow as pa
>>> from sharewell.tables import Table
>>> people = pa.table({"zip": ["00101"] * 3 + ["00202"] * 6})
>>> table = Table.of(pa.table({"zip": ["002*"] * 3}), quasi=["zip"], published=True)
>>> print(DeltaPresence(people, "1/2").check(table))
delta-presence = 0.5 (≤ 0.5: holds)
>>> print(DeltaPresence(people, "1/2", min="1/10").check(table))  # three people fit no class
delta-presence = 0.5 (≤ 0.5: FAILS)

## Why it is safe
The check groups the published cells anew, counts N on the whole list, and compares whole numbers. Among N equally
fitting people every choice of n is equally possible, so that each is chosen with probability n/N. A record without a
person counts as a person of its own; a row of the list without one counts for nobody. Summing n/N over classes that
cover the same people would give no bound, so an overlap is not summed but refused. Classes also overlap if one person's
rows on the list (before and after a move) fit both. Where the list names no persons and its rows repeat, each row
counts as a person, and the finding says so.

## Cost
O(people · log people) where classes do not overlap, O(people · classes) where every class covers everybody.

A search over levels may take all above a level that withholds nothing to fit, where classes share no persons and no
`min` is given. Below a level at least the persons of a class beyond `max` times the people who fit it are withheld.

## Source
Nergiz, Atzori and Clifton, 2007.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sharewell.algorithm import ExactNotNegative, ExactPositiveShare, Finding, Number
from sharewell.tables.attacks.prosecutor import RiskProfile, risk_profile
from sharewell.tables.data import Bools, Classes, Ints, Table
from sharewell.tables.engine.checks.exact_averages import mean
from sharewell.tables.engine.checks.exact_criteria import Ratios
from sharewell.tables.engine.checks.population_classes import (
    ESTIMATE,
    REFUSED,
    PopulationClassCriterion,
    PopulationMatch,
)
from sharewell.tables.engine.worst_class import tallies


@dataclass(frozen=True)
class PresenceProfile:
    """People and classes, and the probabilities of presence (R is their average) and of re-identification (Q).

    Each person counts once in them, by the class in which the probability is largest.
    """

    people: int
    classes: int
    failing: int
    overlapping_people: int
    raised_classes: int
    average_reidentification: float | None
    largest_reidentification: float
    presence: RiskProfile


@dataclass(frozen=True)
class PresenceCounts:
    """Persons of each class to be kept within one bound."""

    persons: Ints
    bound: Fraction


@dataclass(frozen=True, eq=False)
class PresenceRisk:
    """n/N of the classes, the largest first: `rank` says at which place each class stands."""

    rank: Ints
    present: Ints
    people: Ints

    @classmethod
    def of(cls, persons: Ints, people: Ints) -> PresenceRisk:
        """Two ratios whose decimals are equal differ by less than 1e-15, or not at all below 2^26 people."""
        present = np.minimum(persons, people)
        order = np.argsort(-(present / people), kind="stable")
        rank = np.empty(len(order), dtype=np.int64)
        rank[order] = np.arange(len(order))
        return cls(rank, present[order], people[order])


@dataclass(frozen=True)
class DeltaPresence(PopulationClassCriterion):
    """n/N of every class lies within the bounds."""

    max: ExactPositiveShare
    min: ExactNotNegative = field(default=Fraction(0), kw_only=True)
    accept_overlap: bool = field(default=False, kw_only=True)

    bounded_by: ClassVar[str] = "max"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.min > self.max:
            raise ValueError("min must be at most max")

    def counted(self, classes: Classes) -> list[PresenceCounts]:
        """Whose presence is judged by which bound; the first by `max`."""
        return [PresenceCounts(persons_among(classes, None, self.unit), self.max)]

    def concerned(self, classes: Classes) -> Bools | None:
        """The places of `order` whose persons' presence is judged; None for all."""
        return None

    def worst_against(self, classes: Classes, fitting: Ints) -> NDArray[np.number]:
        """n/N of each class, given how many people fit it; other bounds than `max` are scaled to it."""
        people = self.settled(classes, fitting)
        every = [float(self.max / one.bound) * _ratios(one.persons, people).rounded for one in self.counted(classes)]
        return np.asarray(np.max(every, axis=0))

    def holds_against(self, classes: Classes, fitting: Ints) -> Bools:
        """Decided exactly. People who fit no class are not known here; a lower bound of N shows no minimum."""
        people = self.settled(classes, fitting)
        if self.min and not self.complete:
            return np.zeros(classes.count, dtype=bool)
        holds = _ratios(self.released(classes), people).compared(self.min) >= 0
        for one in self.counted(classes):
            holds &= _ratios(one.persons, people).compared(one.bound) <= 0
        return np.asarray(holds)

    def least_withheld_against(self, classes: Classes, fitting: Ints) -> Ints:
        """At least this many records of each class must go before its parts can hold; each record is another person's.

        No part has people whom the class has not. Too few records are not mended by withholding.
        """
        people = self.settled(classes, fitting)
        fewest = np.zeros(classes.count, dtype=np.int64)
        for one in self.counted(classes):
            fewest += np.maximum(0, one.persons - people * one.bound.numerator // one.bound.denominator)
        return fewest

    def check(self, data: Table) -> Finding:
        """Group the published cells anew and count the people who fit each class."""
        match = self.matched(data)
        counted = self.counted(match.classes)
        refused = bool(match.overlapping) and not self.accept_overlap
        nobody = not any(one.persons.any() for one in counted)
        first, *others = (self._judged(i, one, match, refused or nobody) for i, one in enumerate(counted))
        parts = (*self._minimum(match, refused), *others, *self.averages(match, refused))
        notes = list(match.notes)
        if match.overlapping:
            notes.append(REFUSED if refused else ESTIMATE)
        if nobody:
            notes.append("nobody whose presence is judged was released")
        verdicts = [first.ok, *(part.ok for part in parts)]
        ok = False if False in verdicts else None if None in verdicts else True
        plain = Finding(self.name, first.value, None, self.max, self.sense, ok, parts=parts, note="; ".join(notes))
        return replace(plain, details=self._profile(counted, match))

    def averages(self, match: PopulationMatch, refused: bool) -> list[Finding]:
        """Further bounds, as parts of the finding."""
        return []

    def _judged(self, number: int, one: PresenceCounts, match: PopulationMatch, undecided: bool) -> Finding:
        ratios = _ratios(one.persons, match.people)
        value: Number | None = ratios.extreme(1)
        ok = None if undecided or value is None else bool((ratios.compared(one.bound) <= 0).all())
        return Finding(f"{self.name}, bound {number}", value, None, one.bound, "≤", ok)

    def _minimum(self, match: PopulationMatch, refused: bool) -> list[Finding]:
        if not self.min:
            return []
        value = _ratios(self.released(match.classes), match.people).extreme(-1)
        if match.uncovered:
            value = Fraction(0)
        # Rows that name nobody may be other people's: N is then a lower bound, which proves nothing here.
        # So it is on a list that lacks people; and who is on none may fit no class.
        short = match.nameless and value
        ok = None if refused or value is None or short else value >= self.min
        if ok and not self.complete:
            ok = None
        note = f"{match.uncovered} people fit no class" if match.uncovered else ""
        return [Finding(f"{self.name} at least", value, None, self.min, "≥", ok, note=note)]

    def _profile(self, counted: Sequence[PresenceCounts], match: PopulationMatch) -> PresenceProfile:
        failing = np.zeros(match.classes.count, dtype=bool)
        for one in counted:
            failing |= _ratios(one.persons, match.people).compared(one.bound) > 0
        people, among = np.maximum(match.people, 1), self.concerned(match.classes)
        identity = tallies(match.classes, people, self.unit, among)
        risk = PresenceRisk.of(persons_among(match.classes, among, self.unit), people)
        profiles = [
            risk_profile(risk.present[ranks] / risk.people[ranks], persons.astype(np.intp), float(self.max))
            for ranks, persons in tallies(match.classes, risk.rank, self.unit, among)
        ]
        averages = [mean(persons, sizes, int(persons.sum())) for sizes, persons in identity]
        return PresenceProfile(
            match.listed,
            match.classes.count,
            int(failing.sum()),
            match.overlapping,
            match.raised,
            max((average for average in averages if average is not None), default=None),
            1 / int(people.min()) if match.classes.count else 0.0,
            max(profiles, key=lambda profile: profile.average),
        )


def persons_among(classes: Classes, mask: Bools | None, unit: str) -> Ints:
    """Persons of each class with a record where the mask (along `order`) is set; one without a person is its own."""
    owner = classes.class_of if mask is None else classes.class_of[mask]
    if unit == "person" and classes.subject is not None:
        person, size = classes.owners()
        owner = np.unique(owner * size + (person if mask is None else person[mask])) // max(1, size)
    return np.bincount(owner, minlength=classes.count).astype(np.int64)


def _ratios(persons: Ints, people: Ints) -> Ratios:
    """n/N of each class, at most 1."""
    people = np.maximum(people, 1)
    return Ratios(np.arange(len(people)), np.minimum(persons, people), people)
