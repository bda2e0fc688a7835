"""Criteria that hold the published classes against a population: the people whom an attacker may know to exist.

N of a class is the number of people of the list who fit its cells, counted on the whole list; n is the number of
persons released in it. Where the list names its persons (see `tables.engine.register`), N is persons: one with
several rows counts once, and fits a class if any of the rows does. The list must hold the released people: a class with
N < n shows that it does not, and is an error unless the steward declares `covers: partly`; then N is raised to n, and
the finding says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, ClassVar, Literal, TypeGuard

import numpy as np
from annotated_types import MinLen
from numpy.typing import NDArray

from sharewell.errors import DataError, PolicyError
from sharewell.findings import Number, Sense
from sharewell.io.sources import Evidence
from sharewell.parameters import Declared
from sharewell.protocols import Criterion
from sharewell.roles import Role
from sharewell.tables.data import Table
from sharewell.tables.engine.array_types import Bools, Ints
from sharewell.tables.engine.cell_matching import fitting
from sharewell.tables.engine.classes import Classes, group
from sharewell.tables.engine.columns import Column
from sharewell.tables.engine.register import Register, read_register, subject_of

ESTIMATE = "classes overlap on the same people, so that n/N is an estimate"
REFUSED = f"{ESTIMATE}: not certified without accept_overlap"


@dataclass(frozen=True, eq=False)
class PopulationMatch:
    """The classes of a release beside the people who fit them."""

    classes: Classes
    people: Ints
    """N of each class."""
    listed: int
    """People on the list."""
    overlapping: int
    """People who fit several classes."""
    uncovered: int
    """People who fit none."""
    raised: int
    """Classes in which N was raised to n."""
    nameless: int = 0
    """Rows of the list that name nobody."""
    list_notes: tuple[str, ...] = ()
    """Remarks on the list."""

    @property
    def notes(self) -> list[str]:
        raised = f"{self.raised} class(es) hold more persons than the list: N raised to n there"
        return [*([raised] if self.raised else []), *self.list_notes]


@dataclass(frozen=True)
class PopulationCriterion(Declared, Criterion[Table]):
    """Fields and counting that criteria about a population share. `worst_against` is what mechanisms may call."""

    population: Evidence
    covers: Literal["fully", "partly"] = field(default="fully", kw_only=True)
    by: Annotated[tuple[str, ...], MinLen(1)] | None = field(default=None, kw_only=True)
    count: str | None = field(default=None, kw_only=True)
    subject: str | None = field(default=None, kw_only=True)
    unit: Literal["person", "record"] = field(default="person", kw_only=True)

    name: ClassVar[str]
    reads_trees: ClassVar[Role] = Role.QUASI
    bounded_by: ClassVar[str]
    """The parameter that is the bound."""

    @property
    def bound(self) -> Number:
        bound: Number = getattr(self, self.bounded_by)
        return bound

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.subject is not None and (self.count is not None or self.unit == "record"):
            raise ValueError("subject cannot be given with count, or with unit: record")

    def released(self, classes: Classes) -> Ints:
        """n of each class. A record without a person adds none: it may be anybody's."""
        return np.asarray(classes.persons if self.unit == "person" else classes.sizes, dtype=np.int64)

    def settled(self, classes: Classes, people: Ints) -> Ints:
        """N of each class, given those who fit; fails closed where the list lacks released people."""
        released = self.released(classes)
        short = people < released
        if short.any() and self.covers == "fully":
            lacking = f"{int(short.sum())} class(es) of {int(released[short].sum())} {self.unit}(s)"
            raise DataError(
                f"{self.population.label} — lacks released people:"
                f" {lacking} fit {int(people[short].sum())} of its people — complete the list, or say `covers: partly`"
            )
        return np.maximum(people, released)

    def matched(self, data: Table) -> PopulationMatch:
        """Count on the list. O(people · classes) if every class covers everybody, O(people log people) if none does."""
        shared = self._shared(data)
        listed = self.register(shared, data.schema.subject)
        classes = _grouped(data, shared)
        fit = np.zeros(classes.count, dtype=np.int64)
        tally = listed.tally()
        times = np.zeros(len(tally), dtype=np.int64)
        if not shared:
            fit[:], times[:] = listed.people, classes.count
        elif classes.count:
            first = classes.order[classes.starts[:-1]]
            for which, rows in fitting(shared, listed.columns, np.stack([column.codes[first] for column in shared])):
                persons = listed.among(rows)
                fit[which] = listed.size(persons)
                times[persons] += len(which)
        settled = self.settled(classes, fit)
        return PopulationMatch(
            classes,
            settled,
            listed.people,
            int(tally[times > 1].sum()),
            int(tally[times == 0].sum()),
            int((settled > fit).sum()),
            listed.nameless,
            listed.notes,
        )

    def register(self, shared: Sequence[Column], own_subject: str | None) -> Register:
        """The people of the list; `own` is how the data calls the column of its persons."""
        by_row = self.count is not None or self.unit == "record"
        names = [column.name for column in shared]
        subject = None if by_row else subject_of(self.population, self.subject, own_subject, names)
        register = read_register(
            self.population, shared, subject=subject, count=self.count, each_row=self.unit == "record"
        )
        return replace(register, notes=()) if self.unit == "record" else register

    def parameters_from(self, original: Table) -> dict[str, str]:
        """For a release: the column that names the list's persons, which published files alone may not tell."""
        if self.population is None or self.subject is not None or self.count is not None or self.unit == "record":
            return {}
        subject = subject_of(self.population, None, original.schema.subject, original.schema.quasi)
        return {} if subject is None else {"subject": subject}

    def cautions(self, data: Table) -> tuple[str, ...]:
        """What a steward should know of the list before a release."""
        if self.population is None:
            return ()
        notes = self.register(self._shared(data), data.schema.subject).notes
        return tuple(f"{self.population.label}: {note}" for note in notes)

    def _shared(self, data: Table) -> list[Column]:
        """The quasi columns to count by: all of them, unless the steward named those that the list has."""
        unknown = [name for name in self.by or () if name not in data.schema.quasi]
        if unknown:
            raise PolicyError(f"{self.name} — by: {', '.join(unknown)} — only quasi columns can be named")
        wanted = [column for column in data.quasi if self.by is None or column.name in self.by]
        listed = self.population.names()
        lacking = [column.name for column in wanted if column.name not in listed]
        if lacking:
            raise DataError(
                f"{self.population.label} — lacks the quasi column(s) {', '.join(lacking)}"
                " — map names with `columns:`, or name those that it has with `by:`"
            )
        return wanted


class PopulationClassCriterion(PopulationCriterion):
    """Mix-in for a criterion that is decided class by class, given how many people fit each class."""

    sense: ClassVar[Sense]
    growing: ClassVar[bool] = False
    """Does it hold for every class larger than one in which it holds?"""

    def worst_against(self, classes: Classes, fitting: Ints) -> NDArray[np.number]:
        """The decisive number of each class."""
        raise NotImplementedError

    def holds_against(self, classes: Classes, fitting: Ints) -> Bools:
        """Does it hold, class by class?"""
        raise NotImplementedError

    def least_withheld_against(self, classes: Classes, fitting: Ints) -> Ints:
        """So many records of each failing class must go at least before its parts can hold."""
        return np.ones(classes.count, dtype=np.int64)


def names_population(criterion: object) -> TypeGuard[PopulationCriterion]:
    """Does it hold cells against the people of a list?"""
    return isinstance(criterion, PopulationCriterion) and criterion.population is not None


def _grouped(data: Table, shared: list[Column]) -> Classes:
    """Classes by the columns that release and list share."""
    if len(shared) == len(data.quasi):
        return data.classes
    rows = np.flatnonzero(~data.suppressed)
    order, starts = group([column.codes[rows] for column in shared], len(rows))
    return data.as_classes(rows[order], starts)
