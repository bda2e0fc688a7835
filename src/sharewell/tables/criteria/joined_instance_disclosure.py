"""Joined instance disclosure: several tables, taken together, do not reveal who on a population list is in the data.

## Guarantee
Several tables with one row per person are published about the same people. Treat the rows of a person as one record.
For everybody on the population list, the probability r = n/N of being among the n released persons whose joined cells
fit, given the N people on the list who fit them, is at most `max`.

## Adversary
Holds the population list with true values of columns from several tables, and can join the rows of a person. Wants to
know who is in the data, not which record is whose.

## What it does not protect
Attackers who know more columns, or know for other reasons who is in the data. Tables with several rows per person,
codes, notes and DNA are not part of the record. How surely somebody's record is found: require `joined-k-anonymity`.

## Parameters
population: the list of people, with the columns by the names that the tables give them; or several such lists.
max: the largest probability of being in the data.
columns: dataset → its columns that are on the list; two datasets or more. Each column is named for one dataset.
subject: the column of the list that identifies persons, if one has several rows.
covers: `fully` (default) if the list holds all released people, `partly` if not, as for `instance-disclosure`.
comparable: do several lists give a person the same identifier (`subject`)? As for `instance-disclosure`.

## Worked example
Four of eight people are published. Sex and zip are in two tables; each value of one fits four people on the list, of
whom two are in the data. Together they leave two people each, and both are in the data.

>>> import pyarrow as pa
>>> from sharewell.io.sources import Source
>>> from sharewell.protocols import PublishedDataset
>>> from sharewell.tables import Table
>>> def published(name, column, cells):
...     frame = pa.table({"who": list("abcd"), column: cells})
...     data = Table.of(frame, quasi=[column], subject="who", published=True)
...     return PublishedDataset(name, data, Source(), "tables")
>>> both = [published("people", "sex", list("FFMM")), published("homes", "zip", ["1", "1", "2", "2"])]
>>> people = pa.table({"sex": list("FFFFMMMM"), "zip": ["1", "1", "2", "2", "1", "1", "2", "2"]})
>>> print(InstanceDisclosure(people, "1/2").check(both[0].data))
instance-disclosure = 0.5 (≤ 0.5: holds)
>>> print(JoinedInstanceDisclosure(people, "1/2", {"people": ["sex"], "homes": ["zip"]}).check(both))
joined-instance-disclosure = 1 probability (≤ 0.5: FAILS)

## Why it is safe
The joined cells are grouped anew from the published files, and `instance-disclosure` counts who fits them on the list.
Where joined classes cover the same people, or somebody is missing from one of the tables, n/N is not that probability:
the result is undecided, and undecided fails.

## Cost
That of `instance-disclosure` for the joined table.

## Source
Liu, Li, Motiwalla, Li, Zheng and Franklin, 2015, for records joined by person.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Annotated, ClassVar, Literal

import numpy as np
import pyarrow as pa
from annotated_types import Interval, MinLen

from sharewell.algorithm import DataError, Declared, Finding, PolicyError
from sharewell.io.sources import Registers
from sharewell.protocols import JointCriterion, PublishedDataset
from sharewell.roles import Role, Schema
from sharewell.spelling import fold
from sharewell.tables.criteria.instance_disclosure import InstanceDisclosure
from sharewell.tables.data import Column, Table
from sharewell.tables.engine.shown_cells import person_facts

MISSING = "undecided: some persons are missing from one of the tables — publish the same persons in each of them"


@dataclass(frozen=True)
class JoinedInstanceDisclosure(Declared, JointCriterion):
    """n/N of every class of joined records is at most the bound."""

    population: Registers
    max: Annotated[Fraction, Interval(gt=0, le=1)]
    columns: Annotated[Mapping[str, Sequence[str]], MinLen(2)]
    subject: str | None = field(default=None, kw_only=True)
    covers: Literal["fully", "partly"] = field(default="fully", kw_only=True)
    comparable: bool = field(default=False, kw_only=True)

    asked: ClassVar[bool] = True
    bounded_by: ClassVar[str] = "max"
    unit: ClassVar[str] = "probability"
    remedies: ClassVar[tuple[str, ...]] = (
        "a larger max",
        "coarser columns, or columns of one table alone",
        "fewer datasets of the same people",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        every = [column for columns in self.columns.values() for column in columns]
        if len(set(every)) < len(every) or not all(self.columns.values()):
            raise ValueError("columns must name each column for one dataset, and at least one of every dataset")

    @property
    def named_datasets(self) -> tuple[str, ...]:
        return tuple(self.columns)

    def relevant(self, datasets: Sequence[PublishedDataset]) -> list[PublishedDataset]:
        """The tables of this release that are named."""
        return [one for one in datasets if not one.release and one.name in self.columns]

    def check(self, datasets: Sequence[PublishedDataset]) -> Finding:
        joined = self._joined({one.name: one for one in datasets})
        if joined is None:
            return self.finding(None, unit=self.unit, note=MISSING)
        judge = InstanceDisclosure(
            self.population, self.max, covers=self.covers, subject=self.subject, comparable=self.comparable
        )
        judged = judge.check(joined)
        value = judged.value if judged.ok is not None else None
        return self.finding(value, unit=self.unit, details=judged.details, note=judged.note)

    def _joined(self, datasets: Mapping[str, PublishedDataset]) -> Table | None:
        """One table of the named columns, one row a person; None where somebody is missing from one."""
        parts = {name: _rows(datasets[name], self.columns[name]) for name in self.columns if name in datasets}
        if len(parts) < len(self.columns):
            raise PolicyError(f"{self.name} — columns: not among the datasets: {len(self.columns) - len(parts)}")
        people = [set(rows) for _, rows in parts.values()]
        if any(one != people[0] for one in people):
            return None
        order = sorted(people[0])
        columns: dict[str, Column] = {}
        roles: dict[str, Role] = {}
        for name, (table, rows) in parts.items():
            taken = table.take(np.array([rows[person] for person in order], dtype=np.intp))
            columns |= {column: taken.columns[column] for column in self.columns[name]}
            roles |= dict.fromkeys(self.columns[name], Role.QUASI)
        return Table(Schema(roles), columns, pa.table({}), len(order), published=True)


def _rows(dataset: PublishedDataset, columns: Sequence[str]) -> tuple[Table, dict[str, int]]:
    """The table, and the row of each person."""
    table = dataset.data
    facts = person_facts(table) if isinstance(table, Table) else None
    if not isinstance(table, Table) or facts is None or any(person is None for person in facts.persons):
        raise DataError(f"{dataset.name} — it is not a table, or does not identify the persons of some rows")
    if unknown := [name for name in columns if name not in table.schema.quasi]:
        raise PolicyError(f"columns — {dataset.name} publishes no quasi column {', '.join(unknown)}")
    if dataset.falsified:
        raise DataError(f"{dataset.name} — its values were changed on purpose, so that nobody can be held against them")
    rows = {fold(str(person)): row for row, person in enumerate(facts.persons)}
    if len(rows) < table.rows:
        raise DataError(f"{dataset.name} — several rows of a person, and one is joined")
    return table, rows
