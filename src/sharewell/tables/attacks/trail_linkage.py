"""Trail linkage: finds the pseudonym of a person by the rows that the person is known to have.

## Guarantee
None; a measurement. The value is the largest probability of picking a pseudonym of the right person, over all persons.

## Adversary
Knows the quasi values and the true dates of all rows of a target, or of any m of them, that the target is in the data,
and by how many days dates may move. Looks for pseudonyms with such rows: equally many in every class, with the same
intervals between their dates, and at most that many days away. Where a mechanism has moved the dates of a group
together, only pseudonyms that publish exactly the same cells count as candidates: this attacker could rule out none of
them.

## What it does not protect
An attacker who knows sensitive values, or more than m rows, does better than this attack shows. The attack `date-shift`
measures how much the period of collection and closed days reveal about the shift.

## Parameters
rows: "all" (default): the attacker knows the whole trail; a number m: any m rows of it, the worst of those tried.
columns: shifted column → how many days it may have moved; if left out, 182 for every shifted column.
forms: column → format of its true dates, where it cannot be inferred.
threshold: pseudonyms found with a probability above this are counted as at risk.

## Worked example
Two persons came once to A and once to B. A third came twice to A and once to B: the number of rows gives this one away.
An attacker who knows only one visit picks one of three.

>>> import pyarrow as pa
>>> from sharewell.tables import Table
>>> visits = pa.table({"who": ["p", "p", "q", "q", "r", "r", "r"], "ward": ["A", "B", "A", "B", "A", "A", "B"]})
>>> table = Table.of(visits, quasi=["ward"], subject="who", published=True)
>>> result = TrailLinkage().mount(table)
>>> result.value, result.details.alone
(1.0, 1)
>>> round(TrailLinkage(rows=1).mount(table).value, 3), TrailLinkage(rows=2).mount(table).value
(0.333, 1.0)

## Why it is safe
The finding holds numbers only. Trails are grouped anew from published cells. Candidates that only a wider cell would
cover are not counted, so that the probability is the largest that such an attacker could reach. Trail-k-anonymity
bounds it by 1/k where dates are not shifted, or where the dates of a group move together.

## Cost
O(n log n) for n rows with `rows: all`. With m rows, up to 50 sets of rows of up to 2,000 drawn persons are compared
with the rows of their classes.

## Source
Malin and Sweeney, 2004 (trails); Hripcsak, Mirhaji, Low and Malin, 2016 (intervals that survive a shift); Kartal and
Li, 2016 (the number of records as what is known).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, islice, pairwise
from typing import Annotated, Literal

import numpy as np
import pyarrow as pa
from annotated_types import Unit

from sharewell.algorithm import Attack, Count, DataError, Declared, Finding, PolicyError, Role, Share, Truth
from sharewell.attack_simulation import NOT_SIMULATED, SEED, TARGETS
from sharewell.date_shift import days_of
from sharewell.tables.attacks.date_shift import USUAL
from sharewell.tables.attacks.prosecutor import CUSTOMARY, RiskProfile, risk_profile
from sharewell.tables.data import Floats, Indices, Ints, Table
from sharewell.tables.engine.attackers.shifted_dates import ShiftedColumns, chance_of, clock_of, persons_in, share_of
from sharewell.tables.engine.attackers.simulation import distinct_persons, person_of, picks
from sharewell.tables.engine.classes import distinct_rows
from sharewell.tables.engine.trails import Trails, known_columns, trails_of

SETS = 50
"""This many sets of rows are tried of each person."""


@dataclass(frozen=True)
class TrailLinkageDetails:
    persons: int
    pseudonyms: int
    alone: int
    """Persons with a pseudonym that a pick finds for certain."""
    most_rows: int
    same_value: float | None
    """The largest share of the persons of one trail who have one sensitive value; None without a sensitive column."""
    risk: RiskProfile


@dataclass(frozen=True, eq=False)
class _Seen:
    """What the attacker sees: trails, the person of each, and groups of columns that move together."""

    trails: Trails
    person: Indices
    shifted: Sequence[ShiftedColumns]
    together: bool
    """Were the dates of a group moved together?"""

    @property
    def first(self) -> Indices:
        return np.unique(self.trails.trail, return_index=True)[1]


@dataclass(frozen=True)
class TrailLinkage(Declared, Attack[Table]):
    """Persons picked by all of their rows, or by some."""

    rows: Literal["all"] | Count = "all"
    columns: dict[str, Annotated[Count, Unit("days")]] | None = None
    forms: dict[str, str] = field(default_factory=dict)
    threshold: Share = CUSTOMARY

    def mount(self, released: Table, truth: Truth[Table] | None = None) -> Finding:
        if not released.rows:
            return Finding(self.name, None, note="no published record")
        try:
            seen = self._seen(released, truth)
        except (DataError, pa.ArrowException):
            return Finding(self.name, None, note="undecided: the dates cannot be read — give their `forms`")
        pattern = _patterns(seen)
        if self.rows == "all":
            chance, drawn = _whole(seen, pattern, truth is not None), np.flatnonzero(seen.person >= 0)
        else:
            chance, drawn = _some(seen, self.rows)
        if not len(drawn):
            return Finding(self.name, None, note="no published record of a known person")
        some = np.random.default_rng(SEED).permutation(drawn)[:TARGETS]
        simulated = None if truth is None else picks(chance[some])
        lengths = np.bincount(seen.trails.trail, minlength=seen.trails.count)
        details = TrailLinkageDetails(
            len(np.unique(seen.person[seen.person >= 0])),
            seen.trails.count,
            len(np.unique(seen.person[drawn][chance[drawn] == 1])),
            int(lengths.max()),
            _same_value(released, seen, pattern),
            risk_profile(chance[drawn], np.ones(len(drawn), np.int64), self.threshold, simulated),
        )
        note = NOT_SIMULATED if truth is None else ""
        return Finding(self.name, float(chance[drawn].max()), unit="probability", details=details, note=note)

    def _seen(self, released: Table, truth: Truth[Table] | None) -> _Seen:
        moved = released.trails is not None and released.trails.moved_with is not None
        known = known_columns(released, None)
        kept = known if moved else [name for name in known if released.schema.roles[name] is Role.KEEP]
        trails = trails_of(released, kept)
        _, first = np.unique(trails.trail, return_index=True)
        person = trails.owner if truth is None else person_of(truth)[first]
        limits = self._limits(released)
        shifted = [
            self._moving([name for name in limits if limits[name] == most], most, released, truth)
            for most in sorted(set(limits.values()))
        ]
        return _Seen(trails, person, () if moved else shifted, moved)

    def _limits(self, released: Table) -> dict[str, int]:
        shifted = [name for name in released.schema.having(Role.SHIFT) if name in released.carried.column_names]
        limits = self.columns if self.columns is not None else dict.fromkeys(shifted, USUAL)
        if not set(limits) <= set(shifted):
            raise PolicyError(f"{self.name} — its columns are not those of the role shift — name shifted columns")
        return limits

    def _moving(self, names: Sequence[str], most: int, released: Table, truth: Truth[Table] | None) -> ShiftedColumns:
        shown = np.stack([days_of(name, released.carried[name]) for name in names])
        true = None
        if truth is not None:
            before = [days_of(name, truth.original.carried[name], self.forms.get(name)) for name in names]
            true = np.stack([days[truth.rows] for days in before])
        clocks = np.stack([clock_of(released.carried[name]) for name in names])
        windows, closed = np.zeros((len(names), 2), np.int64), np.zeros((len(names), 7), bool)
        return ShiftedColumns(most, shown, true, clocks, windows, closed)


def _patterns(seen: _Seen) -> Ints:
    """A number for each trail, the same for those of the same cells and intervals."""
    trails = seen.trails
    if not seen.shifted:
        return trails.contents()[1]
    prints = [one.fingerprint(trails.trail, [trails.cell])[seen.first] for one in seen.shifted]
    return distinct_rows(trails.contents()[1], *prints)


def _whole(seen: _Seen, pattern: Ints, with_truth: bool) -> Floats:
    """For each trail, its person's share of the trails that could be the person's."""
    person = distinct_persons(seen.person)
    if with_truth and seen.shifted:
        return chance_of(pattern, person, [one.starts(seen.trails.trail) for one in seen.shifted])[0]
    return share_of(pattern, person)


def _some(seen: _Seen, rows: int) -> tuple[Floats, Indices]:
    """The same for any m rows of each of some drawn trails, and which trails were drawn."""
    targets = np.flatnonzero(seen.person >= 0)
    targets = np.random.default_rng(SEED).permutation(targets)[:TARGETS]
    known = _RowIndex(seen)
    chance = np.zeros(seen.trails.count)
    for target in targets.tolist():
        for some in _sets(known.rows_of[target], rows):
            candidates = np.array(known.holding(some))
            own = int((seen.person[candidates] == seen.person[target]).sum())
            chance[target] = max(chance[target], own / len(candidates))
    return chance, np.sort(targets)


def _sets(rows: Sequence[int], most: int) -> Iterator[tuple[int, ...]]:
    """Sets of at most this many rows of a trail: the largest first, up to a limit."""
    sizes = range(min(most, len(rows)), 0, -1)
    return islice((some for size in sizes for some in combinations(rows, size)), SETS)


class _RowIndex:
    """The rows of each trail by what they show, to find those that hold some known rows at any shift."""

    def __init__(self, seen: _Seen) -> None:
        trails = seen.trails
        shown = [one.shown for one in seen.shifted]
        self.days = np.concatenate(shown).T if shown else np.zeros((len(trails.trail), 0), np.int64)
        clocks = [clock for one in seen.shifted for clock in one.clocks]
        self.token = distinct_rows(trails.cell, *clocks, *(self.days.T > 0))
        self.limit_of = np.repeat(np.arange(len(shown)), [len(one) for one in shown]) if shown else np.zeros(0, int)
        order = np.argsort(trails.trail, kind="stable")
        ends = np.searchsorted(trails.trail[order], np.arange(trails.count + 1))
        self.rows_of = [order[begin:end].tolist() for begin, end in pairwise(ends.tolist())]
        self.having: dict[int, list[int]] = {}
        for number, rows in enumerate(self.rows_of):
            for token in {int(self.token[row]) for row in rows}:
                self.having.setdefault(token, []).append(number)

    def holding(self, known: Sequence[int]) -> list[int]:
        """Trails that hold rows like these, all moved by the same number of days for each limit."""
        wanted = Counter(int(self.token[row]) for row in known)
        result = set.intersection(*(set(self.having[token]) for token in wanted))
        return sorted(number for number in result if self._fits(known, self.rows_of[number]))

    def _fits(self, known: Sequence[int], rows: Sequence[int], by: tuple[int | None, ...] = ()) -> bool:
        """Can every known row be matched with another row of the trail, at one shift for each limit?"""
        if not by:
            by = (None,) * (int(self.limit_of.max(initial=-1)) + 1)
        if not known:
            return True
        for row in rows:
            moved = self._moved(known[0], row, by) if self.token[row] == self.token[known[0]] else None
            if moved is not None and self._fits(known[1:], [one for one in rows if one != row], moved):
                return True
        return False

    def _moved(self, known: int, row: int, by: tuple[int | None, ...]) -> tuple[int | None, ...] | None:
        """The shifts after the two rows are laid over each other; None if they contradict those found so far."""
        now = list(by)
        for limit, ours, theirs in zip(self.limit_of.tolist(), self.days[known], self.days[row], strict=True):
            if ours > 0:
                step = int(theirs - ours)
                if now[limit] not in (None, step):
                    return None
                now[limit] = step
        return tuple(now)


def _same_value(released: Table, seen: _Seen, pattern: Ints) -> float | None:
    """The largest share of the persons of one pattern who have one sensitive value in any row."""
    largest: float | None = None
    of_row, person = pattern[seen.trails.trail], seen.person[seen.trails.trail]
    for column in released.sensitive:
        named = np.flatnonzero(person >= 0)
        codes, group = column.codes[named], of_row[named]
        known = codes < column.known
        if known.any():
            having = persons_in(distinct_rows(group, codes), person[named])
            largest = max(largest or 0.0, float((having / persons_in(group, person[named]))[known].max()))
    return largest
