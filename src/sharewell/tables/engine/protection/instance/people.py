"""The people of a population list beside the rows of a table, kept by class and counted in runs of numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sharewell.compiled import Function, numba_or_numpy
from sharewell.errors import PolicyError
from sharewell.tables.criteria.delta_presence import DeltaPresence
from sharewell.tables.criteria.instance_disclosure import InstanceDisclosure
from sharewell.tables.data import Bools, Classes, Floats, Indices, Ints, Table
from sharewell.tables.engine.checks.class_criterion import ClassCriterion, all_hold
from sharewell.tables.engine.checks.population_classes import (
    PerClassCriterion,
    PopulationClassCriterion,
    PopulationCriterion,
)
from sharewell.tables.engine.protection.instance.axes import Axis, axis

Numbers = NDArray[np.int32]
COMPILED_FROM = 50_000
"""People for whom numba's import pays."""
_KERNELS = "sharewell.tables.engine.protection.instance.kernel"


class Runs(NamedTuple):
    """Disjoint runs of numbers, class by class and in order: those of class c are first[c] … first[c + 1] − 1."""

    first: Ints
    low: Ints
    high: Ints


class Ladder(NamedTuple):
    """Ever wider runs: those of column j and class c are first[j, c] … first[j, c + 1] − 1, each with its loss."""

    first: Ints
    low: Ints
    high: Ints
    loss: Floats


@dataclass(frozen=True, eq=False)
class People:
    """People by class: class c has the places starts[c] … starts[c + 1] − 1."""

    numbers: Numbers
    """numbers[column, place]"""
    weights: Ints
    """For how many people each place stands."""
    starts: Ints

    @cached_property
    def totals(self) -> Ints:
        """People of each class."""
        before = np.concatenate([[0], np.cumsum(self.weights)])
        return np.asarray(np.diff(before[self.starts]))

    def counted(self, column: int, runs: Runs) -> Ints:
        """How many people of each class lie in each of its runs. O(people)"""
        columns = np.full(len(self.starts) - 1, column)
        return self.choose("counted", counted)(self.numbers, columns, self.weights, self.starts, runs)

    def divided(self, columns: Ints, runs: Runs) -> People:
        """Cut every class into the runs of one of its columns; people outside them are dropped. O(columns · people)"""
        part = self.choose("placed", placed)(self.numbers, columns, self.starts, runs)
        sizes = np.bincount(part[part >= 0], minlength=len(runs.low))
        starts = np.concatenate([[0], np.cumsum(sizes)])
        order = self.choose("grouped", grouped)(part, starts)
        return People(np.ascontiguousarray(self.numbers[:, order]), self.weights[order], starts)

    def select(self, which: Indices) -> People:
        """The people of some classes, end to end."""
        sizes = np.diff(self.starts)[which]
        starts = np.concatenate([[0], np.cumsum(sizes)])
        places = np.repeat(self.starts[which] - starts[:-1], sizes) + np.arange(starts[-1])
        return People(np.ascontiguousarray(self.numbers[:, places]), self.weights[places], starts)

    def choose(self, kernel: str, twin: Function) -> Function:
        """The kernel of this name if there are many people, else its twin."""
        return numba_or_numpy(self.numbers.size >= COMPILED_FROM, f"{_KERNELS}:{kernel}", twin)


def counted(numbers: Numbers, columns: Ints, weights: Ints, starts: Ints, runs: Runs) -> Ints:
    """The twin of the kernel of this name."""
    run = placed(numbers, columns, starts, runs)
    counts = np.zeros(len(runs.low), dtype=np.int64)
    np.add.at(counts, run[run >= 0], weights[run >= 0])
    return counts


def placed(numbers: Numbers, columns: Ints, starts: Ints, runs: Runs) -> Numbers:
    """The run in which each person lies in its class's column, or −1. The twin of the kernel of this name."""
    first, low, high = runs
    owner = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    values = numbers[columns[owner], np.arange(numbers.shape[1])].astype(np.int64)
    size = int(max(values.max(initial=0), high.max(initial=0))) + 2
    keys = np.repeat(np.arange(len(first) - 1), np.diff(first)) * size + low
    run = np.searchsorted(keys, owner * size + values, side="right") - 1
    inside = (run >= first[owner]) & (values <= high[np.maximum(run, 0)]) if len(high) else np.zeros(len(values), bool)
    return np.where(inside, run, -1).astype(np.int32)


def grouped(part: Numbers, starts: Ints) -> Ints:
    """The places of each part, in order; those of −1 are left out. The twin of the kernel of this name."""
    order = np.argsort(part, kind="stable")
    return order[len(part) - int(starts[-1]) :]


@dataclass(frozen=True, eq=False)
class PopulationSpace:
    """A table and a list, both as numbers on the same axes."""

    table: Table
    axes: Sequence[Axis]
    rows: Numbers
    """rows[column, row]"""
    people: People
    """All of them, as one class."""
    several_rows_listed: bool = False
    """Have people of the list several rows that differ?"""

    @classmethod
    def of(cls, table: Table, criterion: PopulationCriterion) -> PopulationSpace:
        """The list is that of the criterion. Of a person with several different rows one counts: never too many fit."""
        every = criterion.register(criterion._shared(table), table.schema.subject)
        listed = every.one_row_each()
        weights = listed.weights
        axes = [axis(column, other) for column, other in zip(table.quasi, listed.columns, strict=True)]
        rows = np.array([one.rows for one in axes], dtype=np.int32).reshape(len(axes), table.rows)
        numbers = np.array([one.people for one in axes], dtype=np.int32).reshape(len(axes), len(weights))
        counting = np.flatnonzero(weights)
        if len(counting) < len(weights):
            numbers, weights = np.ascontiguousarray(numbers[:, counting]), weights[counting]
        return cls(table, axes, rows, People(numbers, weights, np.array([0, len(weights)])), every.person is not None)

    def unlisted(self) -> int:
        """Records whose exact values nobody on the list has. O(people log records)"""
        keys, people_keys = (
            np.zeros(self.table.rows, dtype=np.int64),
            np.zeros(len(self.people.weights), dtype=np.int64),
        )
        for one, numbers, other in zip(self.axes, self.rows, self.people.numbers, strict=True):
            distinct, keys = np.unique(keys * one.size + numbers, return_inverse=True)
            wanted = people_keys * one.size + other
            place = np.minimum(np.searchsorted(distinct, wanted), len(distinct) - 1)
            people_keys = np.where((people_keys >= 0) & (distinct[place] == wanted), place, -1)
        return int((~np.isin(keys, np.unique(people_keys))).sum())


@dataclass(frozen=True, eq=False)
class InstanceCriteria:
    """The criteria about classes alone, and those about the people who fit them."""

    alone: tuple[ClassCriterion, ...]
    against: tuple[PopulationClassCriterion, ...]
    minimum: int

    @classmethod
    def of(
        cls, mechanism: str, criteria: Sequence[PerClassCriterion], minimum: int, quasi: Sequence[str]
    ) -> InstanceCriteria:
        """Refuses what the mechanism cannot promise."""
        against = tuple(one for one in criteria if isinstance(one, PopulationClassCriterion))
        alone = tuple(one for one in criteria if not isinstance(one, PopulationClassCriterion))
        if not against:
            problem = "no criterion names a population — ask for instance-disclosure or delta-presence"
            raise PolicyError(f"{mechanism} — {problem}")
        for one in against:
            if isinstance(one, DeltaPresence) and one.min:
                raise PolicyError(f"{mechanism} — {one.name} with `min` — whom no class covers has 0 — leave `min` out")
            if one.by is not None and set(one.by) != set(quasi):
                raise PolicyError(f"{mechanism} — {one.name} by some columns only — leave `by` out")
            if not _same(one, against[0]):
                raise PolicyError(f"{mechanism} — {one.name} names another population — name one for all criteria")
        return cls(alone, against, minimum)

    def possible(self, persons: Ints, records: Ints, people: Ints) -> Bools:
        """Could parts with these numbers hold? A quick necessary test; criteria that it cannot judge pass."""
        possible = persons >= self.minimum
        for criterion in self.alone:
            possible &= records >= criterion.least_records
        for one in self.against:
            released = persons if one.unit == "person" else records
            if one.covers == "fully":
                possible &= people >= released
            about_cases = isinstance(one, InstanceDisclosure) and (one.case is not None or one.bounds is not None)
            if isinstance(one, DeltaPresence) and not about_cases:
                most = np.maximum(people, released)
                possible &= released * one.max.denominator <= most * one.max.numerator
        return possible

    def holds(self, classes: Classes, people: Ints) -> Bools:
        """Does everything hold, class by class?"""
        return all_hold(self.alone, classes) & self.hidden(classes, people)

    def hidden(self, classes: Classes, people: Ints) -> Bools:
        """Does every criterion about the population hold, class by class?"""
        holds = np.ones(classes.count, dtype=bool)
        for one in self.against:
            holds &= one.holds_against(classes, people)
        return holds

    def needed(self, classes: Classes, people: Ints) -> Ints:
        """How many people must fit each class at least, given a number that is enough. O(log people) questions"""
        low = np.max([one.released(classes) for one in self.against], axis=0)
        low, high = np.minimum(np.maximum(low, 1), people), people.copy()
        while (low < high).any():
            middle = (low + high) // 2
            enough = self.hidden(classes, middle)
            high, low = np.where(enough, middle, high), np.where(enough, low, np.minimum(middle + 1, high))
        return high


def _same(one: PopulationCriterion, other: PopulationCriterion) -> bool:
    """Do two criteria speak of the same people?"""
    lists, others = one.populations, other.populations
    counted = (one.count, one.subject, one.unit, one.comparable) == (
        *(other.count, other.subject, other.unit),
        other.comparable,
    )
    alike = all(a == b and a.frame is b.frame for a, b in zip(lists, others, strict=False))
    return len(lists) == len(others) and alike and counted
