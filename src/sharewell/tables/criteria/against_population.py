"""Criteria that hold the published classes against a population: the people whom an attacker may know to exist.

N of a class is the number of people of the list who fit its cells, counted on the whole list; n is the number of
persons released in it. The list must hold the released people: a class with N < n shows that it does not, and is an
error unless the steward declares `covers: partly`; then N is raised to n, and the finding says so.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from sharewell.errors import DataError, PolicyError
from sharewell.io.sources import Source
from sharewell.roles import Role
from sharewell.tables.classes import Classes, group
from sharewell.tables.columns import Column
from sharewell.tables.dataset import Table
from sharewell.tables.fitting import fitting, people_like

Ints = NDArray[np.int64]
ESTIMATE = "classes overlap on the same people, so that n/N is an estimate"
REFUSED = f"{ESTIMATE}: not certified without accept_overlap"


@dataclass(frozen=True, eq=False)
class Matched:
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

    @property
    def notes(self) -> list[str]:
        said = "class(es) hold more persons than the list: N raised to n there"
        return [f"{self.raised} {said}"] if self.raised else []


@dataclass(frozen=True)
class AgainstPopulation:
    """Fields and counting that criteria about a population share. `worst_against` is what mechanisms may call."""

    population: Any
    covers: Literal["fully", "partly"] = field(default="fully", kw_only=True)
    by: tuple[str, ...] | None = field(default=None, kw_only=True)
    count: str | None = field(default=None, kw_only=True)
    unit: Literal["person", "record"] = field(default="person", kw_only=True)

    name: ClassVar[str]
    reads_trees: ClassVar[Role] = Role.QUASI

    def __post_init__(self) -> None:
        if self.population is not None:
            object.__setattr__(self, "population", Source.of(self.population))
        if self.by is not None:
            object.__setattr__(self, "by", tuple(self.by))
        if self.by == ():
            raise ValueError("by must name a column")
        if self.covers not in ("fully", "partly"):
            raise ValueError("covers must be fully or partly")

    def released(self, classes: Classes) -> Ints:
        """n of each class. A record without a person adds none: it may be anybody's."""
        return np.asarray(classes.persons if self.unit == "person" else classes.sizes, dtype=np.int64)

    def settled(self, classes: Classes, people: Ints) -> Ints:
        """N of each class, given those who fit; fails closed where the list lacks released people."""
        released = self.released(classes)
        short = people < released
        if short.any() and self.covers == "fully":
            found = f"{int(short.sum())} class(es) of {int(released[short].sum())} {self.unit}(s)"
            raise DataError(
                f"{self.population.label} — lacks released people: {found} fit {int(people[short].sum())} of its people"
                " — complete the list, or say `covers: partly`"
            )
        return np.maximum(people, released)

    def matched(self, data: Table) -> Matched:
        """Count on the list. O(people · classes) if every class covers everybody, O(people log people) if none does."""
        shared = self._shared(data)
        people, weights = self._people(shared)
        classes = _grouped(data, shared)
        fit = np.zeros(classes.count, dtype=np.int64)
        times = np.zeros(len(weights), dtype=np.int64)
        if not shared:
            fit[:], times[:] = int(weights.sum()), classes.count
        elif classes.count:
            first = classes.order[classes.starts[:-1]]
            for which, who in fitting(shared, people, np.stack([column.codes[first] for column in shared])):
                fit[which] = weights[who].sum()
                times[who] += len(which)
        settled = self.settled(classes, fit)
        return Matched(
            classes,
            settled,
            int(weights.sum()),
            int(weights[times > 1].sum()),
            int(weights[times == 0].sum()),
            int((settled > fit).sum()),
        )

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

    def _people(self, shared: list[Column]) -> tuple[list[Column], Ints]:
        """The list's columns, and for how many people each of its rows stands."""
        names = [column.name for column in shared]
        more = [self.count] if self.count is not None and self.count not in names else []
        frame = self.population.read([*names, *more] or self.population.names()[:1])
        people = [people_like(column, frame[column.name]) for column in shared]
        if self.count is None:
            return people, np.ones(frame.num_rows, dtype=np.int64)
        texts = frame[self.count].cast("string").to_pylist()
        bad = sum(not (text or "").isdecimal() or len(text) > 15 for text in texts)
        if bad:
            raise DataError(
                f"{self.population.label} — column {self.count}: {bad} of {len(texts)} cell(s) are no whole numbers"
                " — mend them, or leave `count:` out"
            )
        return people, np.array([int(text) for text in texts], dtype=np.int64)


def _grouped(data: Table, shared: list[Column]) -> Classes:
    """Whom the list cannot tell apart: classes by the shared columns alone."""
    if len(shared) == len(data.quasi):
        return data.classes
    rows = np.flatnonzero(~data.suppressed)
    order, starts = group([column.codes[rows] for column in shared], len(rows))
    return data.as_classes(rows[order], starts)
