"""Date shift: what intervals, the collection period, closed days and times of day disclose despite a shift.

## Guarantee
None; a measurement. The value is the mean over all persons of the probability with which an attacker who knows a
person's true dates picks the right one among the published trails of the person's class.

## Adversary
Knows the quasi values and the true dates of a target, by how many days dates may move, the first and last day of the
data collection, and on which weekdays a clinic is closed. Without true dates, the same attacker asks how far the dates
of a record moved, and rules out every shift that implies a true date outside the collection or on a closed day.

## What it does not protect
An attacker who knows a holiday, a closed ward or the day of an epidemic rules out more shifts than this attack does. It
does not read dates in text. Where each person has one date and no other column moves, intervals disclose nothing, and
only the collection period and closed days are left.

## Parameters
columns: shifted column → how many days it may have moved; all shifted columns by 182 if left out. Columns with
different limits move by different shifts: only intervals between columns with the same limit are compared, and a trail
is a candidate only if its shift could have been drawn for every limit.
forms: column → format of its true dates, where it cannot be inferred.
trail: what the attacker sees as one trail: `record`, `class` where pseudonyms link the rows of a person in a class, or
`dataset` where they link all rows of a person.
window: first and last day of the collection; by default those of the original, where it is at hand.
closed: weekdays without any date (mon, tue, …); by default those of the original.

## Worked example
Three stays were shifted by up to 10 days. Everybody knows that data was collected in January. The second stay lasts as
long as January and is published as ending on the first of February: it moved by one day, and nobody else stayed as
long.

>>> import pyarrow as pa
>>> from sharewell.tables import Table
>>> stays = {"ward": ["A"] * 3, "came": ["2020-01-14", "2020-01-02", "2020-01-08"]}
>>> stays |= {"left": ["2020-01-16", "2020-02-01", "2020-01-10"], "who": ["p", "q", "r"]}
>>> table = Table.of(pa.table(stays), quasi=["ward"], shift=["came", "left"], subject="who", published=True)
>>> attack = DateShift({"came": 10, "left": 10}, window=["2020-01-01", "2020-01-31"])
>>> result = attack.mount(table)
>>> result.details.shifts.minimum, result.details.shift_known, result.details.alone
(1, 1, 1)
>>> result.value == (1 / 2 + 1 + 1 / 2) / 3
True

## Why it is safe
The finding holds counts and nothing about a single person. The attack groups trails anew from published dates. With the
truth, a trail is a candidate for a target only if its class and its intervals agree and the shift between true and
published dates could have been drawn; all such shifts are equally likely, so that the probability is the share of the
target's own trails among the candidates. Without the truth, every trail with these intervals counts as a candidate.

## Cost
O(n log n) for n records, about 3 s for 500,000; from larger tables the attack draws classes, and the note says so.
Where columns have different limits, the attack also compares up to 20 million pairs of trails. For the trails beyond
that it judges the columns of each limit by themselves and takes the largest probability; the note says for how many.

## Source
Hripcsak, Mirhaji, Low and Malin, 2016 (what a shift keeps); Cimino, 2012 (the false security of blind dates).
"""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, ClassVar, Literal

import numpy as np
import pyarrow as pa
from annotated_types import Unit

from sharewell.algorithm import Attack, Count, DataError, Declared, Finding, PolicyError, Role, Truth
from sharewell.attack_simulation import NOT_SIMULATED, SEED
from sharewell.date_shift import days_of
from sharewell.tables.data import Indices, Ints, Table
from sharewell.tables.engine.attackers.shifted_dates import (
    LAST,
    ShiftedColumns,
    chance_of,
    clock_of,
    persons_in,
    share_of,
)
from sharewell.tables.engine.attackers.simulation import distinct_persons, person_of, persons_as_published
from sharewell.tables.engine.classes import distinct_rows
from sharewell.tables.engine.trails import classes_of, trails_of

WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
USUAL = 182
MOST = 500_000
"""Of more records this many, or a few more, are looked at."""
_FIRST = datetime.date.min.toordinal()


@dataclass(frozen=True)
class Shifts:
    """How many shifts are possible, over all trails."""

    minimum: int
    median: float
    maximum: int


@dataclass(frozen=True)
class DateShiftDetails:
    persons: int
    trails: int
    shifts: Shifts
    shift_known: int
    """Persons of whom one shift alone is possible: their true dates are known."""
    alone: int
    """Persons with a trail of intervals that nobody else in the table has."""
    alone_in_class: int
    baseline: float
    """The same probability for whoever knows the class and no date."""
    times: bool
    """Are times of day published beside shifted dates?"""


@dataclass(frozen=True)
class DateShift(Declared, Attack[Table]):
    """Persons picked by their dates although these were shifted."""

    columns: dict[str, Annotated[Count, Unit("days")]] | None = None
    forms: dict[str, str] = field(default_factory=dict)
    trail: Literal["record", "class", "dataset"] = "record"
    window: Sequence[str] | None = None
    closed: Sequence[str] | None = None

    released_only: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.window is not None and (len(self.window) != 2 or not self._window):
            raise ValueError("window is a first and a last day, as YYYY-MM-DD")
        if not set(self.closed or ()) <= set(WEEKDAYS):
            raise ValueError(f"closed — weekdays are {', '.join(WEEKDAYS)}")

    @property
    def _window(self) -> tuple[int, int] | None:
        try:
            first, last = (datetime.date.fromisoformat(str(day)).toordinal() for day in self.window or ())
        except ValueError:
            return None
        return first, last

    def mount(self, released: Table, truth: Truth[Table] | None = None) -> Finding:
        reach = self._reach(released)
        visible = _drawn(released)
        if not len(visible):
            return Finding(self.name, None, note="no published record")
        try:
            groups = [
                self._shifted_columns([name for name in reach if reach[name] == most], most, released, truth, visible)
                for most in sorted(set(reach.values()))
            ]
        except (DataError, pa.ArrowException):
            return Finding(self.name, None, note="undecided: the dates cannot be read — give their `forms`")
        persons = persons_as_published(released.classes, released.rows) if truth is None else person_of(truth)
        class_of = np.full(released.rows, -1, np.int64)
        class_of[released.classes.order] = released.classes.class_of
        class_of, trail = class_of[visible], self._trails(released, class_of, persons)[visible]
        finding = self._finding(groups, class_of, persons[visible], trail, truth is not None)
        part = f"examined {len(visible)} of {released.rows} records, all of drawn classes"
        return replace(finding, note=f"{finding.note}; {part}".lstrip("; ")) if len(visible) > MOST else finding

    def _reach(self, released: Table) -> dict[str, int]:
        shifted = released.schema.having(Role.SHIFT)
        limits = self.columns if self.columns is not None else dict.fromkeys(shifted, USUAL)
        if not limits or not set(limits) <= set(shifted):
            problem = "no column of the role shift" if not shifted else "its columns are not those of the role shift"
            raise PolicyError(f"{self.name} — {problem} — name shifted columns, or leave the attack out")
        return limits

    def _shifted_columns(
        self, names: Sequence[str], most: int, released: Table, truth: Truth[Table] | None, visible: Indices
    ) -> ShiftedColumns:
        """Published and true days of the columns that move together, and what cannot be."""
        shown = np.stack([days_of(name, released.carried[name])[visible] for name in names])
        days_before: list[Ints | None] = [None] * len(names)
        if truth is not None:
            days_before = [days_of(name, truth.original.carried[name], self.forms.get(name)) for name in names]
        true = np.stack([days[truth.rows][visible] for days in days_before if days is not None]) if truth else None
        windows, rest = zip(*map(self._limits, days_before), strict=True)
        clocks = np.stack([clock_of(released.carried[name])[visible] for name in names])
        return ShiftedColumns(most, shown, true, clocks, np.array(windows), np.array(rest))

    def _limits(self, days: Ints | None) -> tuple[tuple[int, int], list[bool]]:
        """First and last possible day, and which weekdays are closed, of one column."""
        known = days[days > 0] if days is not None else np.zeros(0, np.int64)
        span = self._window or ((int(known.min()), int(known.max())) if len(known) else (_FIRST, LAST))
        if self.closed is not None:
            return span, [day in self.closed for day in WEEKDAYS]
        some = np.bincount((known - 1) % 7, minlength=7) > 0  # day 1 of the calendar was a Monday
        return span, (~some).tolist() if len(known) else [False] * 7

    def _trails(self, released: Table, class_of: Ints, persons: Indices) -> Ints:
        """The trail of each row; a row of nobody is one of its own."""
        if self.trail == "record":
            return np.arange(released.rows)
        if self.trail == "dataset":
            return trails_of(released, ()).trail
        return distinct_rows(class_of, distinct_persons(persons))

    def _finding(
        self, groups: Sequence[ShiftedColumns], class_of: Ints, persons: Indices, trail: Ints, with_truth: bool
    ) -> Finding:
        persons, trail = distinct_persons(persons), distinct_rows(trail)
        class_of = classes_of(trail, class_of)[trail] if self.trail == "dataset" else class_of
        _, first = np.unique(trail, return_index=True)
        possible = np.min([group.possible(trail) for group in groups], axis=0)
        pattern = distinct_rows(*(group.fingerprint(trail)[first] for group in groups))
        inside = distinct_rows(class_of[first], pattern)
        person = persons[first]
        by_class, note = share_of(class_of[first], person), "" if with_truth else NOT_SIMULATED
        chance = share_of(inside, person)
        if with_truth:
            chance, apart = chance_of(inside, person, [group.starts(trail) for group in groups])
            note = f"{apart} of {len(first)} trails: worst of the columns with one limit each" if apart else ""
        number = distinct_rows(person)
        picked, blind = np.zeros(number.max() + 1), np.zeros(number.max() + 1)
        np.maximum.at(picked, number, chance)
        np.maximum.at(blind, number, by_class)
        details = DateShiftDetails(
            persons=len(picked),
            trails=len(first),
            shifts=Shifts(int(possible.min()), float(np.median(possible)), int(possible.max())),
            shift_known=len(np.unique(number[possible == 1])),
            alone=len(np.unique(number[persons_in(pattern, person) == 1])),
            alone_in_class=len(np.unique(number[persons_in(inside, person) == 1])),
            baseline=float(np.sort(blind).mean()),
            times=any(bool(group.clocks.any()) for group in groups),
        )
        return Finding(self.name, float(np.sort(picked).mean()), unit="share", details=details, note=note)


def _drawn(released: Table) -> Indices:
    """All rows that show anything; of very many those of classes drawn with a fixed seed."""
    classes = released.classes
    if len(classes.order) <= MOST:
        return np.sort(classes.order)
    chosen = np.random.default_rng(SEED).permutation(classes.count)
    enough = int(np.searchsorted(np.cumsum(classes.sizes[chosen]), MOST, side="right")) + 1
    taken = np.zeros(classes.count, bool)
    taken[chosen[:enough]] = True
    return np.sort(classes.order[taken[classes.class_of]])
