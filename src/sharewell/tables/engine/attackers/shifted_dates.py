"""Shifted dates as an attacker reads them: which shifts are possible, which trails have the same intervals."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sharewell.distinct_numbers import distinct
from sharewell.tables.engine.array_types import Bools, Floats, Indices, Ints
from sharewell.tables.engine.classes import distinct_rows
from sharewell.tables.engine.columns import ArrowColumn

PAIRS = 20_000_000
"""Pairs of a trail and a candidate that are compared where columns have different limits."""
_PIECE = 1_000_000
LAST = datetime.date.max.toordinal()


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

    def fingerprint(self, trail: Ints, beside: Sequence[Ints] = ()) -> Ints:
        """For each row a number that is the same for trails of the same intervals and times of day.

        beside: further numbers of each row that must be the same.
        """
        first = self._earliest(self.shown, trail)[trail]
        offsets = np.where(self.shown > 0, self.shown - first, -1)
        row = distinct_rows(*offsets, *self.clocks, *beside)
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
        first = np.full(int(trail.max()) + 1, LAST + 1)
        for column in days:
            np.minimum.at(first, trail, np.where(column > 0, column, LAST + 1))
        return np.where(first > LAST, 0, first)


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
        width = LAST + 2
        order = np.lexsort((self.shown, group))
        keys = (group * width + self.shown)[order]
        dated = self.shown > 0
        low = np.where(dated, np.clip(self.true - self.most, 0, width - 1), 0)
        high = np.where(dated, np.clip(self.true + self.most, 0, width - 1), 0)
        begin, end = (group * width + low, group * width + high)
        return order, np.searchsorted(keys, begin, side="left"), np.searchsorted(keys, end, side="right")


def clock_of(column: ArrowColumn) -> Ints:
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
    return np.asarray(np.array([*number.values(), 0], np.int64)[encoded.indices.to_numpy(zero_copy_only=False)])


def persons_in(group: Ints, person: Indices) -> Ints:
    """How many persons have a trail of the same group, for each trail."""
    people = int(person.max(initial=0)) + 1
    return np.bincount(distinct(group * people + person) // people, minlength=int(group.max()) + 1)[group]


def share_of(group: Ints, person: Indices) -> Floats:
    """The person's share of the trails of the same group, for each trail."""
    own_group = distinct_rows(group, person)
    return np.asarray(np.bincount(own_group)[own_group] / np.bincount(group)[group])


def chance_of(group: Ints, person: Indices, starts: Sequence[FirstDays]) -> tuple[Floats, int]:
    """The person's share of those trails of the group whose shifts could all have been drawn, for each trail.

    Of trails with too many candidates in all: the largest share by columns of one limit. Returns how many these are.
    """
    own_group, plain = distinct_rows(group, person), share_of(group, person)
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
    """How many trails of the same group begin 1 to `most` days from the true begin of each trail."""
    width = LAST + 2
    keys = np.sort(group * width + shown)
    at = group * width

    def upto(day: Ints) -> Ints:
        return np.searchsorted(keys, at + np.clip(day, -1, width - 1), side="right").astype(np.int64)

    return upto(true + most) - upto(true - most - 1) - (upto(true) - upto(true - 1))
