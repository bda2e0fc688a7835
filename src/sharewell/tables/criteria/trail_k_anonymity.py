"""Trail k-anonymity: at least k persons share, row by row, everything that one pseudonym shows of a person.

## Guarantee
The rows that a person has under one pseudonym form a *trail*: their number, their quasi cells and their dates. An
attacker who knows the trail of a person (`rows: all`, the number of rows included), or any m rows of it (`rows: m`),
finds at least k persons whom the release does not tell apart by that knowledge. Choosing the pseudonym of one of them
is therefore right with probability at most 1/k.

## Adversary
Knows the quasi values and the dates of all rows of a target, or of any m of them, and that the target is in the data.
Also knows the period in which data was collected, by how many days dates may have moved, and on which weekdays nothing
happens. Knows nothing about the rows of other persons.

## What it does not protect
Sensitive and kept values: whoever knows them may tell apart persons who share a trail. Require l-diversity or
h-affiliation as well (they hold in every class; the attack `trail-linkage` measures how far they hold in every trail).
A kept column counts as known if it holds dates, or if `columns` names it; columns of text are ignored. An attacker who
knows more than m rows finds fewer persons. Where a mechanism breaks trails into pieces, a recipient can only count
pseudonyms: it takes the steward's evidence to see that no person owns several equal ones.

## Parameters
k: the least number of persons.
rows: "all" (default): the attacker knows the whole trail; a number m: any m rows of it.
columns: kept and shifted columns whose cells the attacker knows in addition to the quasi cells; by default all shifted
columns, and the kept columns that hold only dates.
steps: with `rows: m`, how many sets of rows are examined at most; if there are more, the finding is undecided, and so
fails.

## Worked example
Two persons came twice, and one came three times. Each class holds all three persons, but an attacker who knows that the
target came three times finds a single pseudonym. One visit tells nobody apart; only the third person has two visits to
A.

>>> import pyarrow as pa
>>> from sharewell.tables import Table
>>> visits = pa.table({"who": ["p", "p", "q", "q", "r", "r", "r"], "ward": ["A", "B", "A", "B", "A", "A", "B"]})
>>> table = Table.of(visits, quasi=["ward"], subject="who", published=True)
>>> print(TrailKAnonymity(2).check(table))
trail-k-anonymity = 1 persons (≥ 2: FAILS)
>>> TrailKAnonymity(2, rows=1).check(table).value, TrailKAnonymity(2, rows=2).check(table).value
(3, 1)

## Why it is safe
The criterion counts persons whose *published cells are equal*, row by row. Published cells are true of their persons,
so an attacker who knows the target's true values cannot exclude a person with equal cells: if the two changed places,
the published file would be the same. Other persons may fit as well, through wider cells or another shift, so the count
is a lower bound. Dates are compared as published, after the shift. Comparing intervals alone would not be enough:
intervals survive the shift, but an attacker who knows the dates excludes a trail that would have had to move too far.
With `rows: m` the unknown rows differ, and a shifted one could lie outside the period of collection or on a closed day.
A person therefore counts only if all shifted dates lie between the target's own first and last day, and on the target's
own weekdays, because such dates were certainly possible. If one person owns j of K equal trails, an attacker picks a
pseudonym of that person with probability j/K: the value is K divided by the largest j, rounded down. A row without a
person counts for nobody, and must itself equal the trails of k persons.

## Cost
O(n log n) for n rows with `rows: all`. With `rows: m`, the sum of C(r, m) over the distinct trails of r rows, up to
`steps`.

## Source
Malin and Sweeney, 2004 (re-identification by trails); Kartal and Li, 2016 (an attacker who knows how many records a
person has); Terrovitis, Mamoulis and Kalnis, 2008 (any m items as what is known).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from sharewell.algorithm import Count, Criterion, Declared, Finding, Role, Sense
from sharewell.date_shift import days_of
from sharewell.tables.data import Ints, Table
from sharewell.tables.engine.checks.class_criterion import SIZE_EDGES, by_edge
from sharewell.tables.engine.checks.known_rows import Dates, KnownRows
from sharewell.tables.engine.trails import Trails, known_columns, persons_sharing, trails_of

STEPS = 2_000_000


@dataclass(frozen=True)
class TrailProfile:
    """How many trails there are, how many fail, and how long they are (bin's lower edge → trails). No values."""

    trails: int
    distinct: int
    failing: int | None
    """Trails that fewer than k persons share as a whole; None where whole trails are not what is judged."""
    longest: int
    trails_by_length: dict[int, int]
    looked_at: int
    """Sets of rows that an attacker may know."""


@dataclass(frozen=True)
class TrailKAnonymity(Declared, Criterion[Table]):
    """At least k persons for every trail, or for every m rows of one."""

    k: Count
    rows: Literal["all"] | Count = "all"
    columns: Sequence[str] | None = None
    steps: Count = STEPS

    sense: ClassVar[Sense] = "≥"
    bounded_by: ClassVar[str] = "k"
    judges_trails: ClassVar[bool] = True

    @property
    def relaxes(self) -> str | None:
        return "k"

    def shared_trails(self, data: Table) -> Trails:
        """The trails as this criterion reads them."""
        return trails_of(data, self.columns)

    def check(self, data: Table) -> Finding:
        trails = self.shared_trails(data)
        contents, which = trails.contents()
        sharing = persons_sharing(which, trails.owner, len(contents))
        value: int | None = int(sharing.min()) if len(sharing) else None
        failing: int | None = int((sharing < self.k)[which].sum())
        looked_at, note = len(contents), ""
        if self.rows != "all" and contents:
            failing = None
            value, looked_at = self._of_some_rows(data, trails, contents, which)
            note = "" if value is not None else f"undecided: more than {self.steps} sets of rows — raise `steps`"
        longest = max(map(len, contents), default=0)
        by_length = by_edge(SIZE_EDGES, np.bincount(trails.trail, minlength=trails.count))
        details = TrailProfile(trails.count, len(contents), failing, longest, by_length, looked_at)
        unit = "persons" if data.schema.subject else "records"
        return self.finding(value, unit=unit, details=details, note=note)

    def _of_some_rows(
        self, data: Table, trails: Trails, contents: list[tuple[int, ...]], which: Ints
    ) -> tuple[int | None, int]:
        assert self.rows != "all"
        owners = _split(trails.owner, which, len(contents))
        known = KnownRows(contents, owners, _dates(data, self.columns, trails, which, len(contents)))
        return known.fewest(self.rows, self.steps)


def _split(owner: Ints, which: Ints, count: int) -> list[Ints]:
    """The known owners of each content."""
    named = np.flatnonzero(owner >= 0)
    order = named[np.argsort(which[named], kind="stable")]
    return np.split(owner[order], np.searchsorted(which[order], np.arange(1, count)))


def _dates(data: Table, columns: Sequence[str] | None, trails: Trails, which: Ints, count: int) -> list[Dates]:
    """The first and last day and the weekdays of each content in every shifted column."""
    shifted = [name for name in known_columns(data, columns) if data.schema.roles[name] is Role.SHIFT]
    of_row = which[trails.trail]
    results: list[list[tuple[int, int, frozenset[int]] | None]] = [[] for _ in range(count)]
    for name in shifted:
        days = days_of(name, data.carried[name])
        for number, some in enumerate(_split(np.where(days > 0, days, -1), of_row, count)):
            span = (int(some.min()), int(some.max()), frozenset((some % 7).tolist())) if len(some) else None
            results[number].append(span)
    return [tuple(one) for one in results]
