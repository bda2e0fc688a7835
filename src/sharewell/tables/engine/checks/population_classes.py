"""Criteria that hold the published classes against a population: the people whom an attacker may know to exist.

N of a class is the number of people of the list who fit its cells, counted on the whole list; n is the number of
persons released in it. Where the list names its persons (see `tables.engine.register`), N is persons: one with
several rows counts once, and fits a class if any of the rows does. The list must hold the released people: a class with
N < n shows that it does not, and is an error unless the steward declares `covers: partly`; then N is raised to n, and
the finding says so. How large a share of all people the list has, `coverage`, says nothing about one class: it does not
raise N, and is held against the released people whom the list lacks.

Several lists may be named, each of which may lack people. Nobody knows who is on two of them, unless the steward claims
that they give a person the same identifier (`comparable`): so at least as many people fit a class as fit it on one of
the lists. Comparable lists are one list of all their persons, each counted once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Annotated, ClassVar, Literal, TypeGuard

import numpy as np
from annotated_types import Interval, MinLen
from numpy.typing import NDArray

from sharewell.algorithm import Criterion, DataError, Declared, PolicyError, Role
from sharewell.io.sources import Registers, Source, sources_in
from sharewell.tables.data import Bools, Classes, Column, Ints, Table
from sharewell.tables.engine.cell_matching import fitting
from sharewell.tables.engine.checks.class_criterion import ClassCriterion
from sharewell.tables.engine.register import Register, join_registers, read_register, subject_of

Coverage = Annotated[Fraction, Interval(gt=0, lt=1)]
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

    population: Registers
    covers: Literal["fully", "partly"] = field(default="fully", kw_only=True)
    by: Annotated[tuple[str, ...], MinLen(1)] | None = field(default=None, kw_only=True)
    count: str | None = field(default=None, kw_only=True)
    subject: str | None = field(default=None, kw_only=True)
    unit: Literal["person", "record"] = field(default="person", kw_only=True)
    coverage: Coverage | tuple[Coverage, ...] | None = field(default=None, kw_only=True)
    comparable: bool = field(default=False, kw_only=True)

    reads_trees: ClassVar[Role] = Role.QUASI

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.subject is not None and (self.count is not None or self.unit == "record"):
            raise ValueError("subject cannot be given with count, or with unit: record")
        if self.coverage is not None and self.covers == "fully":
            raise ValueError("coverage is that of a list with `covers: partly`: say so")
        if isinstance(self.coverage, tuple) and len(self.coverage) != len(self.populations):
            raise ValueError(f"coverage must be one share, or one for each of {len(self.populations)} lists")
        if self.comparable and len(self.populations) > 1 and self.subject is None:
            raise ValueError("subject must name the column that identifies persons on each of several lists")

    @property
    def populations(self) -> tuple[Source, ...]:
        """All lists of people."""
        return tuple(sources_in(self.population))

    @property
    def complete(self) -> bool:
        """Does nobody count who is not on the list, and everybody who is? Else N is a lower bound."""
        return self.covers == "fully" and (self.comparable or len(self.populations) < 2)

    @property
    def _label(self) -> str:
        return " and ".join(one.label for one in self.populations)

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
                f"{self._label} — lacks released people:"
                f" {lacking} fit {int(people[short].sum())} of its people — complete the list, or say `covers: partly`"
            )
        return np.maximum(people, released)

    def matched(self, data: Table) -> PopulationMatch:
        """Count on the list. O(people · classes) if every class covers everybody, O(people log people) if none does."""
        shared = self._shared(data)
        classes = data.classes if len(shared) == len(data.quasi) else data.grouped(shared)
        counts = [_fitting(classes, shared, one) for one in self.registers(shared, data.schema.subject)]
        fit = np.max([one.fit for one in counts], axis=0)
        settled = self.settled(classes, fit)
        self._refuse_less_coverage(classes, shared, counts)
        notes = tuple(dict.fromkeys(note for one in counts for note in one.register.notes))
        if len(counts) > 1:
            notes = (*notes, f"N is that of one of {len(counts)} lists: nobody knows who is on two of them")
        elif len(self.populations) > 1:
            notes = (*notes, f"{len(self.populations)} lists are claimed to give a person the same identifier")
        return PopulationMatch(
            classes,
            settled,
            max(one.register.people for one in counts),
            max(one.overlapping for one in counts),
            max(one.uncovered for one in counts),
            int((settled > fit).sum()),
            sum(one.register.nameless for one in counts),
            notes,
        )

    def _refuse_less_coverage(self, classes: Classes, shared: Sequence[Column], counts: Sequence[_Fitting]) -> None:
        """A list that lacks more of the released persons than it may is not the list that it is said to be.

        One share is that of all lists together; of several each is that of its own list.
        """
        if isinstance(self.coverage, tuple):
            each = counts
            if len(counts) < len(self.coverage):
                each = [_fitting(classes, shared, one) for one in self._one_by_one(shared)]
            shares = zip(self.populations, self.coverage, (one.fit for one in each), strict=True)
            for source, share, fit in shares:
                self._refuse_lacking(source.label, share, classes, fit)
        elif self.coverage is not None:
            self._refuse_lacking(self._label, self.coverage, classes, np.max([one.fit for one in counts], axis=0))

    def _refuse_lacking(self, label: str, coverage: Fraction, classes: Classes, people: Ints) -> None:
        released = self.released(classes)
        lacking, total = int(np.maximum(0, released - people).sum()), int(released.sum())
        if lacking > (1 - coverage) * total:
            raise DataError(
                f"{label} — lacks at least {lacking} of {total} released {self.unit}(s), more than `coverage`"
                " allows — check that both write their values alike, or say how much the list covers"
            )

    def registers(self, shared: Sequence[Column], own_subject: str | None) -> list[Register]:
        """One for each list whose names cannot be compared with those of another; else one for all."""
        if len(self.populations) > 1 and not self.comparable:
            return self._one_by_one(shared)
        return [self.register(shared, own_subject)]

    def _one_by_one(self, shared: Sequence[Column]) -> list[Register]:
        """Each of several lists. What the data calls its persons says nothing of them."""
        return [self._read(one, shared, None) for one in self.populations]

    def _read(self, source: Source, shared: Sequence[Column], own_subject: str | None) -> Register:
        by_row = self.count is not None or self.unit == "record"
        names = [column.name for column in shared]
        subject = None if by_row else subject_of(source, self.subject, own_subject, names)
        register = read_register(source, shared, subject=subject, count=self.count, each_row=self.unit == "record")
        return replace(register, notes=()) if self.unit == "record" else register

    def register(self, shared: Sequence[Column], own_subject: str | None) -> Register:
        """The people of the list, by whom mechanisms count; `own` is how the data calls the column of its persons.

        Of several lists all, each person once; of lists that cannot be compared the one with the most people.
        """
        if len(self.populations) == 1:
            return self._read(self.populations[0], shared, own_subject)
        if self.comparable and self.subject is not None:
            return join_registers(self.populations, shared, self.subject)
        return max(self._one_by_one(shared), key=lambda one: one.people)

    def parameters_from(self, original: Table) -> dict[str, str]:
        """For a release: the column that names the list's persons, which published files alone may not tell."""
        if len(self.populations) != 1 or self.subject is not None or self.count is not None or self.unit == "record":
            return {}
        subject = subject_of(self.populations[0], None, original.schema.subject, original.schema.quasi)
        return {} if subject is None else {"subject": subject}

    def cautions(self, data: Table) -> tuple[str, ...]:
        """What a steward should know of the list before a release."""
        if self.population is None:
            return ()
        notes = self.register(self._shared(data), data.schema.subject).notes
        return tuple(f"{self._label}: {note}" for note in notes)

    def _shared(self, data: Table) -> list[Column]:
        """The quasi columns to count by: all of them, unless the steward named those that the list has."""
        unknown = [name for name in self.by or () if name not in data.schema.quasi]
        if unknown:
            raise PolicyError(f"{self.name} — by: {', '.join(unknown)} — only quasi columns can be named")
        wanted = [column for column in data.quasi if self.by is None or column.name in self.by]
        for population in self.populations:
            listed = population.names()
            lacking = [column.name for column in wanted if column.name not in listed]
            if lacking:
                raise DataError(
                    f"{population.label} — lacks the quasi column(s) {', '.join(lacking)}"
                    " — map names with `columns:`, or name those that it has with `by:`"
                )
            if len(self.populations) > 1 and self.subject is not None and self.subject not in listed:
                problem = f"subject: there is no column '{self.subject}'"
                raise DataError(f"{population.label} — {problem} — map names with `columns:`")
        return wanted


class PopulationClassCriterion(PopulationCriterion):
    """Mix-in for a criterion that is decided class by class, given how many people fit each class."""

    growing: ClassVar[bool] = False
    """Does it hold for every class larger than one in which it holds?"""

    def worst_against(self, classes: Classes, fitting: Ints) -> NDArray[np.number]:
        """The decisive number of each class."""
        raise NotImplementedError

    def holds_against(self, classes: Classes, fitting: Ints) -> Bools:
        """Does it hold, class by class?"""
        raise NotImplementedError

    def least_withheld_against(self, classes: Classes, fitting: Ints) -> Ints:
        """At least this many records of each failing class must go before its parts can hold; 0 if that is unknown."""
        return np.zeros(classes.count, dtype=np.int64)


PerClassCriterion = ClassCriterion | PopulationClassCriterion
"""Criteria that are decided class by class."""


def is_union_safe(criterion: PerClassCriterion, classes_share_persons: bool) -> bool:
    """Some criteria are so only if no person owns records in two classes. n/N of a union lies between its parts'."""
    if isinstance(criterion, PopulationClassCriterion):
        return not classes_share_persons
    return criterion.union_safe if classes_share_persons else criterion.disjoint_union_safe


def names_population(criterion: object) -> TypeGuard[PopulationCriterion]:
    """Does it hold cells against the people of a list?"""
    return isinstance(criterion, PopulationCriterion) and criterion.population is not None


@dataclass(frozen=True, eq=False)
class _Fitting:
    """The people of a list beside classes."""

    register: Register
    fit: Ints
    overlapping: int
    uncovered: int


def _fitting(classes: Classes, shared: Sequence[Column], listed: Register) -> _Fitting:
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
    return _Fitting(listed, fit, int(tally[times > 1].sum()), int(tally[times == 0].sum()))
