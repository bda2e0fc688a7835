"""Date shift: what intervals, the collection period, closed days and times of day disclose in spite of a shift.

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
trail: what the attacker sees as one trail: `record`, or `class` where pseudonyms link the rows of a person in a class.
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
>>> found = attack.mount(table)
>>> found.details.shifts.minimum, found.details.shift_known, found.details.alone
(1, 1, 1)
>>> found.value == (1 / 2 + 1 + 1 / 2) / 3
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
import pyarrow.compute as pc
from annotated_types import Unit

from sharewell.attack_simulation import NOT_SIMULATED, SEED
from sharewell.date_shift import days_of
from sharewell.errors import DataError, PolicyError
from sharewell.findings import Finding
from sharewell.parameters import Count, Declared
from sharewell.protocols import Attack, Truth
from sharewell.roles import Role
from sharewell.tables.data import Table
from sharewell.tables.engine.array_types import Bools, Floats, Indices, Ints
from sharewell.tables.engine.attackers.simulation import person_of, persons_as_published
from sharewell.tables.engine.classes import distinct_rows
from sharewell.tables.engine.columns import ArrowColumn

WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
USUAL = 182
MOST = 500_000
"""Of more records so many, or a few more, are looked at."""
PAIRS = 20_000_000
"""Pairs of a trail and a candidate that are compared where columns have different limits."""
_PIECE = 1_000_000
_FIRST, _LAST = datetime.date.min.toordinal(), datetime.date.max.toordinal()


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
    trail: Literal["record", "class"] = "record"
    window: Sequence[str] | None = None
    closed: Sequence[str] | None = None

    name: ClassVar[str] = "date-shift"
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
        persons = persons[visible]
        class_of = np.empty(released.rows, np.int64)
        class_of[released.classes.order] = released.classes.class_of
        finding = self._finding(groups, class_of[visible], persons, truth is not None)
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
        clocks = np.stack([_clock(released.carried[name])[visible] for name in names])
        return ShiftedColumns(most, shown, true, clocks, np.array(windows), np.array(rest))

    def _limits(self, days: Ints | None) -> tuple[tuple[int, int], list[bool]]:
        """First and last possible day, and which weekdays are closed, of one column."""
        known = days[days > 0] if days is not None else np.zeros(0, np.int64)
        span = self._window or ((int(known.min()), int(known.max())) if len(known) else (_FIRST, _LAST))
        if self.closed is not None:
            return span, [day in self.closed for day in WEEKDAYS]
        some = np.bincount((known - 1) % 7, minlength=7) > 0  # day 1 of the calendar was a Monday
        return span, (~some).tolist() if len(known) else [False] * 7

    def _finding(self, groups: Sequence[ShiftedColumns], class_of: Ints, persons: Indices, with_truth: bool) -> Finding:
        persons = np.where(persons < 0, persons.max(initial=0) + 1 + np.arange(len(persons)), persons)
        trail = np.arange(len(persons)) if self.trail == "record" else distinct_rows(class_of, persons)
        _, first = np.unique(trail, return_index=True)
        possible = np.min([group.possible(trail) for group in groups], axis=0)
        pattern = distinct_rows(*(group.fingerprint(trail)[first] for group in groups))
        inside = distinct_rows(class_of[first], pattern)
        person = persons[first]
        by_class, note = _share(class_of[first], person), "" if with_truth else NOT_SIMULATED
        chance = _share(inside, person)
        if with_truth:
            chance, apart = _chance(inside, person, [group.starts(trail) for group in groups])
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
            alone=len(np.unique(number[_persons_in(pattern, person) == 1])),
            alone_in_class=len(np.unique(number[_persons_in(inside, person) == 1])),
            baseline=float(np.sort(blind).mean()),
            times=any(bool(group.clocks.any()) for group in groups),
        )
        return Finding(self.name, float(np.sort(picked).mean()), unit="share", details=details, note=note)


@dataclass(frozen=True, eq=False)
class ShiftedColumns:
    """Columns that move by one shift: columns × rows."""

    most: int
    shown: Ints
    true: Ints | None
    clocks: Ints
    windows: Ints
    rest: Bools
    """Columns × weekdays: those without any date."""

    def possible(self, trail: Ints) -> Ints:
        """How many shifts each trail may have had: inside the window, onto no closed day, neither 0 nor too far."""
        count = int(trail.max()) + 1
        low, high = np.full(count, -self.most), np.full(count, self.most)
        bad = np.zeros((count, 7), bool)
        for days, (first, last), closed in zip(self.shown, self.windows, self.rest, strict=True):
            dated = days > 0
            np.maximum.at(low, trail[dated], days[dated] - last)
            np.minimum.at(high, trail[dated], days[dated] - first)
            weekday = (days[dated] - 1) % 7
            for day in np.flatnonzero(closed).tolist():
                bad[trail[dated], (weekday - day) % 7] = True
        total = np.zeros(count, np.int64)
        for rest in range(7):
            fitting = (high - rest) // 7 - (low - 1 - rest) // 7
            zero = (low <= 0) & (high >= 0) if rest == 0 else np.zeros(count, bool)
            total += np.where(bad[:, rest], 0, np.maximum(0, fitting) - zero)
        return np.maximum(total, 0)

    def fingerprint(self, trail: Ints) -> Ints:
        """For each row a number that is the same for trails of the same intervals and times of day."""
        first = self._earliest(self.shown, trail)[trail]
        offsets = np.where(self.shown > 0, self.shown - first, -1)
        row = distinct_rows(*offsets, *self.clocks)
        words = np.random.default_rng(0).integers(1, 1 << 62, int(row.max()) + 1, dtype=np.int64).astype(np.uint64)
        total = np.zeros(int(trail.max()) + 1, np.uint64)
        np.add.at(total, trail, words[row])  # rows of a trail in any order
        return distinct_rows(total.view(np.int64))[trail]

    def starts(self, trail: Ints) -> FirstDays:
        """The first published and the first true day of each trail, and how far they may be apart."""
        assert self.true is not None
        return FirstDays(self._earliest(self.shown, trail), self._earliest(self.true, trail), self.most)

    @staticmethod
    def _earliest(days: Ints, trail: Ints) -> Ints:
        first = np.full(int(trail.max()) + 1, _LAST + 1)
        for column in days:
            np.minimum.at(first, trail, np.where(column > 0, column, _LAST + 1))
        return np.where(first > _LAST, 0, first)


@dataclass(frozen=True, eq=False)
class FirstDays:
    """The first published and the first true day of each trail in columns that move by one shift; 0 without any."""

    shown: Ints
    true: Ints
    most: int

    def fit(self, target: Ints, candidate: Ints) -> Bools:
        """Could the candidates' published days be the targets' true ones, moved? Who shows no date is like others."""
        apart = np.abs(self.shown[candidate] - self.true[target])
        return np.asarray((self.shown[target] == 0) | ((apart >= 1) & (apart <= self.most)))

    def near(self, group: Ints) -> tuple[Ints, Ints, Ints]:
        """An order of trails, and from where to where in it lie those of a trail's group that are near enough."""
        width = _LAST + 2
        order = np.lexsort((self.shown, group))
        keys = (group * width + self.shown)[order]
        dated = self.shown > 0
        low = np.where(dated, np.clip(self.true - self.most, 0, width - 1), 0)
        high = np.where(dated, np.clip(self.true + self.most, 0, width - 1), 0)
        begin, end = (group * width + low, group * width + high)
        return order, np.searchsorted(keys, begin, side="left"), np.searchsorted(keys, end, side="right")


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


def _clock(column: ArrowColumn) -> Ints:
    """A number for each time of day, 0 where none is published."""
    if pa.types.is_timestamp(column.type):
        column = column if column.type.tz is None else pc.local_timestamp(column)
        since = pc.subtract(column, pc.floor_temporal(column, unit="day")).cast(pa.int64())
        return np.asarray(pc.fill_null(since, 0).to_numpy(zero_copy_only=False), dtype=np.int64)
    if pa.types.is_date(column.type):
        return np.zeros(len(column), np.int64)
    late = pc.fill_null(pc.utf8_slice_codeunits(column.cast(pa.string()), 10), "")
    encoded = (late.combine_chunks() if isinstance(late, pa.ChunkedArray) else late).dictionary_encode()
    number = {text: i + 1 if text else 0 for i, text in enumerate(encoded.dictionary.to_pylist())}
    clocks: Ints = np.array([*number.values(), 0], np.int64)[encoded.indices.to_numpy(zero_copy_only=False)]
    return clocks


def _persons_in(group: Ints, person: Indices) -> Ints:
    """Of each trail: how many persons have a trail of the same group."""
    pairs = np.unique(np.stack([group, person]), axis=1)
    return np.bincount(pairs[0], minlength=int(group.max()) + 1)[group]


def _share(group: Ints, person: Indices) -> Floats:
    """Of each trail: its person's share of the trails of the same group."""
    own_group = distinct_rows(group, person)
    return np.asarray(np.bincount(own_group)[own_group] / np.bincount(group)[group])


def _chance(group: Ints, person: Indices, starts: Sequence[FirstDays]) -> tuple[Floats, int]:
    """Of each trail: its person's share of the trails of the group whose shifts could all have been drawn.

    Of trails with too many candidates in all: the largest share by columns of one limit. Returns how many these are.
    """
    own_group, plain = distinct_rows(group, person), _share(group, person)
    chances = np.zeros(len(group))
    for one in starts:
        within = [_within(part, one.shown, one.true, one.most) for part in (own_group, group)]
        chances = np.maximum(chances, np.where(one.shown > 0, within[0] / np.maximum(1, within[1]), plain))
    if len(starts) == 1:
        return chances, 0
    order, begin, end = min((one.near(group) for one in starts), key=lambda near: int((near[2] - near[1]).sum()))
    number = np.maximum(0, end - begin)
    rows = np.argsort(number, kind="stable")
    rows = rows[: np.searchsorted(np.cumsum(number[rows]), PAIRS, side="right")]
    for some in np.split(rows, np.searchsorted(np.cumsum(number[rows]), np.arange(_PIECE, PAIRS, _PIECE))):
        at = np.repeat(np.arange(len(some)), number[some])
        before = np.cumsum(number[some]) - number[some]
        target, candidate = some[at], order[begin[some][at] + np.arange(len(at)) - before[at]]
        fits = np.logical_and.reduce([one.fit(target, candidate) for one in starts])
        same_person = fits & (person[target] == person[candidate])
        every, own_ones = (np.bincount(at[which], minlength=len(some)) for which in (fits, same_person))
        chances[some] = own_ones / np.maximum(1, every)
    return chances, len(group) - len(rows)


def _within(group: Ints, shown: Ints, true: Ints, most: int) -> Ints:
    """Of each trail: how many of its group begin 1 to `most` days from its true begin."""
    width = _LAST + 2
    keys = np.sort(group * width + shown)
    at = group * width

    def upto(day: Ints) -> Ints:
        return np.searchsorted(keys, at + np.clip(day, -1, width - 1), side="right").astype(np.int64)

    return upto(true + most) - upto(true - most - 1) - (upto(true) - upto(true - 1))
