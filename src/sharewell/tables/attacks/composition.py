"""Composition: two releases about the same people are intersected.

## Guarantee
None; a measurement. The value is the largest probability that an attacker with both releases can give to a sensitive
value of somebody who is in both.

## Adversary
Knows the quasi values of a target and that the target is in both releases; takes the class of each that covers them,
and keeps the sensitive values that both show. A value held by c persons of one class and d of the other has
probability c·d / Σ c·d: every pair of a person here and a person there with the same value is as likely.

## What it does not protect
Values that change between the releases (an illness that was cured) mislead this attacker and not a better one. Columns
of the other release that are not in this one are not used.

## Parameters
other: the other release, a file or frame; `columns` of the source map names where they differ. Its quasi cells are read
       as published cells. It needs a quasi and a sensitive column of this release. If it also has the subject column
       (a steward's copy), the attack can be carried out on those who are in both.
earlier: is the other one an earlier version of this release, to which people were only added? Then the difference of
         the two is looked at as well: who is new.
column: one sensitive column; without it every shared one is attacked, and the finding is about the worst.
threshold: records whose value is guessed with more than this probability are counted as at risk.

## Worked example
Two hospitals publish classes of three. Whoever is 24 and in both has the one illness that both classes show.

>>> import pyarrow as pa
>>> from sharewell.tables import Table
>>> here = pa.table({"age": ["[20-29]"] * 3, "illness": ["flu", "asthma", "gout"]})
>>> there = pa.table({"age": ["[24-40]"] * 3, "illness": ["gout", "angina", "ulcer"]})
>>> table = Table.of(here, quasi=["age"], sensitive=["illness"], published=True)
>>> result = Composition(there).mount(table)
>>> result.value, result.details.by_itself, result.details.one_value_left
(1.0, 0.3333333333333333, 1.0)

A later version of the first release has one person more: the difference tells what they have.

>>> later = pa.table({"age": ["[20-29]"] * 4, "illness": ["flu", "asthma", "gout", "measles"]})
>>> table = Table.of(later, quasi=["age"], sensitive=["illness"], published=True)
>>> result = Composition(here, earlier=True).mount(table)
>>> result.details.newcomers.smallest, result.details.newcomers.disclosed
(1, 1)

## Why it is safe
Both releases are grouped anew from their cells; the result holds numbers only. Computed, a class is held against every
class of the other release that could speak of the same person, and the worst is taken; where there is none the class
stands alone. With the truth, and a copy of the other release that has the subject, the attack is carried out on drawn
persons who are in both: their classes are taken as known, and the guess is right if they have the value in the class
here. The probability takes the two classes for independent given the value; what the people in both have in common can
make the attacker right more often.

## Cost
Both sets of classes are walked as a tree: O(pairs of classes that meet · values of a class).

## Source
Ganta, Kasiviswanathan and Smith, 2008 (intersection attack); Byun, Sohn, Bertino and Li, 2006 (differences).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from sharewell.algorithm import Attack, DataError, Declared, Finding, PolicyError, Share, Truth
from sharewell.attack_simulation import NOT_SIMULATED, Simulated
from sharewell.io.sources import Evidence, Source
from sharewell.roles import Role, Schema
from sharewell.spelling import fold
from sharewell.styles import ends_of
from sharewell.tables.attacks.prosecutor import RiskProfile, risk_profile
from sharewell.tables.data import Classes, Column, Floats, Indices, Kind, Table
from sharewell.tables.engine.attackers.attacked_columns import worst_of
from sharewell.tables.engine.attackers.class_differences import Newcomers, meeting, newcomers
from sharewell.tables.engine.attackers.simulation import Appearances, has_value, person_of
from sharewell.tables.engine.checks.sensitive_columns import shares
from sharewell.tables.engine.low_high import join_low_high

Ints = Indices
_PAIRS = 500_000
"""Pairs of classes that are looked at at once."""

__all__ = ["Composition", "newcomers"]


@dataclass(frozen=True)
class CompositionDetails:
    columns: tuple[str, ...]
    """The quasi columns of both releases."""
    unmet: float
    """Share of the records in whose class nobody can be in the other release, or shares a value with it."""
    by_itself: float
    """The largest probability from this release alone."""
    one_value_left: float
    """Share of the records for whose class some class of the other release leaves a single value."""
    newcomers: Newcomers | None
    """What the difference tells, where the other one is an earlier version."""
    risk: RiskProfile


@dataclass(frozen=True)
class Composition(Declared, Attack[Table]):
    """c·d / Σ c·d for the value guessed, for every class at its worst."""

    other: Source | Any
    earlier: bool = False
    column: str | None = None
    threshold: Share = 0.5

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.other, Table):
            object.__setattr__(self, "other", Source.of(self.other))

    def mount(self, released: Table, truth: Truth[Table] | None = None) -> Finding:
        other = open_other_release(self.other, released, truth)
        columns = [c for c in released.sensitive if self.column in (None, c.name) and c.name in other.schema.sensitive]
        if not columns:
            problem = f"column {self.column}" if self.column else "no sensitive column"
            raise PolicyError(f"{self.name} — {problem} is not in both releases — map names with `columns:`")
        if not released.classes.count:
            return Finding(self.name, None, note="no published record")
        return worst_of([self._one(released, other, column, truth) for column in columns], self.column)

    def _one(self, released: Table, other: Table, column: Column, truth: Truth[Table] | None) -> Finding:
        classes = released.classes
        counts = ClassValueCounts.of(classes, column, column)
        other_counts = ClassValueCounts.of(other.classes, other.columns[column.name], column)
        shared = other.schema.quasi
        chance, least = _worst(released, other, counts, other_counts)
        unmet = least == 0
        plain = counts.largest / counts.people
        chance = np.where(unmet, plain, chance)
        simulated = None if truth is None else _simulate(released, other, column, counts, other_counts, truth)
        sizes, total = classes.sizes, int(classes.sizes.sum())
        details = CompositionDetails(
            shared,
            float(sizes[unmet].sum()) / total,
            float(plain.max()),
            float(sizes[least == 1].sum()) / total,
            newcomers(other, released, column.name) if self.earlier else None,
            risk_profile(chance, sizes, self.threshold, simulated),
        )
        note = "" if simulated else NOT_SIMULATED
        value = float(chance.max())
        return Finding(self.name, value, column=column.name, unit="probability", details=details, note=note)


@dataclass(frozen=True, eq=False)
class ClassValueCounts:
    """Persons by class and value; values in the numbers of this release's column."""

    starts: Ints
    codes: Ints
    counts: Floats
    people: Floats
    """Persons of each class."""
    largest: Floats
    """Persons with its most frequent value."""
    size: int

    @classmethod
    def of(cls, classes: Classes, column: Column, reference: Column) -> ClassValueCounts:
        owner, code, count, _ = shares(classes, column, by_person=True)
        largest = np.zeros(classes.count)
        np.maximum.at(largest, owner, count)
        people = np.maximum(classes.persons, 1).astype(float)
        if column is not reference:
            number = {fold(text): i for i, text in enumerate(reference.texts)}
            place = np.array([number.get(fold(text), -1) for text in column.texts], dtype=np.intp)
            code = place[code]
            known = np.flatnonzero(code >= 0)
            known = known[np.lexsort((code[known], owner[known]))]
            owner, code, count = owner[known], code[known], count[known]
        starts = np.searchsorted(owner, np.arange(classes.count + 1))
        return cls(starts, code, count.astype(float), people, largest, reference.size)

    def persons_with(self, which: Ints, codes: Ints) -> Floats:
        """Persons of each of these classes with each of these values."""
        wanted = which * self.size + codes
        if not len(self._keys):
            return np.zeros(len(which))
        place = np.minimum(np.searchsorted(self._keys, wanted), len(self._keys) - 1)
        return np.where(self._keys[place] == wanted, self.counts[place], 0.0)

    @cached_property
    def _keys(self) -> Ints:
        return np.repeat(np.arange(len(self.people)), np.diff(self.starts)) * self.size + self.codes

    def rows(self, which: Ints) -> Floats:
        """A row of persons by value for each of these classes."""
        counts = np.zeros((len(which), self.size))
        for i, c in enumerate(which):
            places = slice(self.starts[c], self.starts[c + 1])
            counts[i, self.codes[places]] = self.counts[places]
        return counts


def open_other_release(other: Evidence | Table, released: Table, truth: Truth[Table] | None) -> Table:
    """The other release with the columns that this one has too; the subject if the truth has one to compare."""
    if isinstance(other, Table):
        quasi = [name for name in released.schema.quasi if name in other.schema.quasi]
        _refuse_apart("the other release", quasi, released)
        roles = dict.fromkeys(quasi, Role.QUASI) | dict.fromkeys(other.schema.sensitive, Role.SENSITIVE)
        roles |= {other.schema.subject: Role.SUBJECT} if other.schema.subject else {}
        return replace(other, schema=Schema(roles), columns={name: other.columns[name] for name in roles})
    source = Source.of(other)
    listed = source.names()
    in_two = [n for n in released.schema.quasi if n not in listed and set(ends_of(n)) <= set(listed)]
    quasi = [name for name in released.schema.quasi if name in listed or name in in_two]
    _refuse_apart(source.label, quasi, released)
    sensitive = [name for name in released.schema.sensitive if name in listed]
    subject = truth.original.schema.subject if truth is not None else None
    roles = dict.fromkeys(quasi, Role.QUASI) | dict.fromkeys(sensitive, Role.SENSITIVE)
    if subject is not None and subject in listed and subject not in roles:
        roles[subject] = Role.SUBJECT
    trees = {name: tree for name in quasi if (tree := released.columns[name].hierarchy) is not None}
    kinds: dict[str, Kind] = dict.fromkeys(sensitive, "text")
    wanted = [end for name in roles for end in (ends_of(name) if name in in_two else (name,))]
    arrow = join_low_high(source.read(wanted), in_two).select(list(roles))
    return Table.from_arrow(arrow, Schema(roles), trees, kinds=kinds, published=True)


def _refuse_apart(label: str, quasi: Sequence[str], released: Table) -> None:
    if not quasi and released.quasi:
        wanted = ", ".join(released.schema.quasi)
        raise DataError(f"{label} — shares no quasi column with the release ({wanted}) — map names with `columns:`")


def _worst(
    released: Table, other: Table, counts: ClassValueCounts, other_counts: ClassValueCounts
) -> tuple[Floats, Ints]:
    """For each class: the largest probability over classes that meet it, and the fewest values left; 0 if none."""
    count = released.classes.count
    chance, least = np.zeros(count), np.full(count, counts.size + 1, dtype=np.intp)
    for classes, other_classes in _pairs(released, other):
        lengths = counts.starts[classes + 1] - counts.starts[classes]
        begins = np.cumsum(lengths) - lengths
        place = np.arange(int(lengths.sum())) + np.repeat(counts.starts[classes] - begins, lengths)
        both = counts.counts[place] * other_counts.persons_with(np.repeat(other_classes, lengths), counts.codes[place])
        total = np.add.reduceat(both, begins)
        possible = total > 0
        largest = np.maximum.reduceat(both, begins)[possible] / total[possible]
        np.maximum.at(chance, classes[possible], largest)
        np.minimum.at(least, classes[possible], np.add.reduceat(both > 0, begins, dtype=np.intp)[possible])
    return chance, np.where(least > counts.size, 0, least)


def _pairs(released: Table, other: Table) -> Iterator[tuple[Ints, Ints]]:
    """Classes that meet, two by two, many at a time."""
    classes: list[Ints] = []
    other_classes: list[Ints] = []
    waiting = 0
    for which, met in meeting(released, other):
        step = max(1, _PAIRS // max(1, len(met)))
        for first in range(0, len(which) if len(met) else 0, step):
            some = which[first : first + step]
            classes.append(np.repeat(some, len(met)))
            other_classes.append(np.tile(met, len(some)))
            waiting += len(classes[-1])
            if waiting >= _PAIRS:
                yield np.concatenate(classes), np.concatenate(other_classes)
                classes, other_classes, waiting = [], [], 0
    if classes:
        yield np.concatenate(classes), np.concatenate(other_classes)


def _simulate(
    released: Table,
    other: Table,
    column: Column,
    counts: ClassValueCounts,
    other_counts: ClassValueCounts,
    truth: Truth[Table],
) -> Simulated | None:
    """Drawn persons who are in both: the values of their class here, and of their classes there."""
    subject, other_subject = truth.original.subject, other.subject
    if other_subject is None or subject is None:
        return None
    classes, persons = released.classes, person_of(truth)
    number = {fold(text): code for code, text in enumerate(subject.texts) if text}
    other_persons = np.array([number.get(fold(text), -1) for text in other_subject.texts], dtype=np.intp)
    elsewhere = Appearances.of(other.classes, other_persons[other_subject.codes])
    everybody = Appearances.of(classes, np.where(np.isin(persons, elsewhere.person), persons, -1))
    drawn = everybody.drawn()
    where, person = everybody.owner[drawn], everybody.person[drawn]
    first, second = counts.rows(where), np.zeros((len(drawn), column.size))
    by_person = np.argsort(elsewhere.person, kind="stable")
    ends = np.searchsorted(elsewhere.person[by_person], np.stack([person, person + 1]))
    for i, (low, high) in enumerate(ends.T):
        second[i] = other_counts.rows(elsewhere.owner[by_person[low:high]]).sum(axis=0)
    both = first * second
    total = both.sum(axis=1)
    alone = total == 0  # the two contradict each other: this release by itself
    both[alone], total[alone] = first[alone], counts.people[where[alone]]
    guess = both.argmax(axis=1)
    right = has_value(classes, persons, column, where, person, guess)
    return Simulated.of(right, np.minimum(1.0, both.max(axis=1, initial=0.0) / np.maximum(total, 1)))
