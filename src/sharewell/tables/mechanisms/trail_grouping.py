"""Trail grouping: persons with similar rows form groups, and every person of a group publishes the same trail.

## Guarantee
Every required criterion holds in what is published, or `Infeasible` is raised. Every person has one pseudonym, and at
least k persons publish the same rows in everything that an attacker may know: the number of rows, the quasi cells and
the dates.

## Adversary
That of the criteria; for trail-k-anonymity, one who knows all rows of a target, dates included.

## What it does not protect
Sensitive values are published unchanged, row by row: persons who share a trail may share a value. l-diversity and
h-affiliation hold in every class; the attack trail-linkage measures how far they hold in every trail. Kept columns are
not changed: a kept column of dates makes trails differ.

## Parameters
time: by how much intervals between dates may differ within a group: "day" (not at all), "week", "month", "quarter",
"year" (default); where they differ by more, the date is withheld from the whole group.
suppress: the largest share of persons (default 0.2) who may lose records because they have more than others of their
group.
forms: column → format of its dates, where it cannot be inferred and no policy states it.

## Worked example
Four persons came two or three times. Ann and Bea form one group, Cy and Dan the other; Dan's third visit is withheld.

>>> import pyarrow as pa
>>> from sharewell.tables import Table, TrailKAnonymity
>>> who = ["Ann", "Ann", "Bea", "Bea", "Cy", "Cy", "Dan", "Dan", "Dan"]
>>> visits = pa.table({"who": who, "age": [31, 31, 33, 33, 52, 52, 58, 58, 58], "ward": list("ABABAAAAA")})
>>> table = Table.of(visits, quasi=["age", "ward"], subject="who")
>>> released = TrailGrouping(suppress=0.25).protect(table, must=[TrailKAnonymity(2)])
>>> released.data.arrow.to_pydict()["age"], released.details.suppressed_records
(['[31-33]', '[31-33]', '[31-33]', '[31-33]', '[52-58]', '[52-58]', '[52-58]', '[52-58]'], 1)
>>> TrailKAnonymity(2).check(released.data).value
2

## Why it is safe
Each person's rows are put in the order of their dates. The i-th rows of a group are published as one class, so that
persons of a group show the same cells in equally many rows; rows that a person has beyond these are withheld. All
persons together must meet the criteria, and a group is split only if both halves do. Classes are judged as a reader
sees them: rows that show the same cells are one class. The dates of a group begin at the mean first date, and each next
date follows after the shortest interval of any of its persons; all then move by one secret shift for the whole group,
so that published dates are the same to the day. In the end the criteria are checked on everything that would be
published.

## Cost
O(f · n log n) for n rows and f ways to split: twice the number of quasi and shifted columns. About 25 s for 75,000 rows
of 30,000 persons.

## Source
Nergiz, Atzori and Saygin, 2008 (groups of aligned trajectories); Kartal and Li, 2016 (balance of records in a class,
which equal numbers of rows preserve); LeFevre, DeWitt and Ramakrishnan, 2006 (top-down cuts).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from sharewell.algorithm import Criteria, Declared, Infeasible, Key, Mechanism, Protected, Share, refuse_failing
from sharewell.exact_shares import part_of
from sharewell.tables.criteria.trail_k_anonymity import TrailKAnonymity
from sharewell.tables.data import Indices, Table
from sharewell.tables.engine.checks.class_criterion import ClassCriterion
from sharewell.tables.engine.protection.partitioning.preconditions import refuse_fitted, refuse_unfit
from sharewell.tables.engine.protection.trails.group_dates import Precision
from sharewell.tables.engine.protection.trails.person_partition import PersonPartition
from sharewell.tables.engine.protection.trails.person_rows import PersonRows
from sharewell.tables.engine.protection.trails.trail_groups import (
    TrailGroups,
    details_of,
    refuse_unalignable,
    refuse_withholding,
)
from sharewell.tables.engine.published_cells import persons_withheld, publish

DEAR = 1_000
"""How many times its cells a row costs that is left out, where too many would be."""
BREAKING = "trail-breaking, which keeps more records"
HELPS = ("drop a quasi column, or a kept one of dates", "a smaller k")


@dataclass(frozen=True)
class TrailGrouping(Declared, Mechanism[Table]):
    """Whole persons in groups of one trail."""

    time: Precision = "year"
    suppress: Share = 0.2
    forms: dict[str, str] = field(default_factory=dict)

    engine: ClassVar[tuple[str, ...]] = ("worst", "shared_trails")
    for_trails: ClassVar[bool] = True

    def protect(self, data: Table, must: Criteria[Table], key: Key | None = None) -> Protected[Table]:
        refuse_unfit(self.name, data)
        refuse_unalignable(self.name, data)
        refuse_fitted(self.name, must)
        rows = PersonRows.of(data, self.forms)
        groups = self._groups(data, rows, must)
        result = _kept(groups, data.rows)
        lose = refuse_withholding(self.name, data, result.kept, self.suppress, [BREAKING])
        order = np.concatenate([aligned.T.ravel() for aligned in groups])
        sizes = np.concatenate([np.full(aligned.shape[1], len(aligned)) for aligned in groups])
        shown, kept = publish(data, data.as_classes(order, np.concatenate([[0], np.cumsum(sizes)])))
        place = np.full(data.rows, -1)
        place[kept] = np.arange(len(kept))
        moved = TrailGroups([place[aligned] for aligned in groups], result.piece[kept])
        out, dates = moved.release(shown, {name: days[kept] for name, days in rows.days.items()}, self.time)
        refuse_failing(self.name, out, must, HELPS)
        return Protected(out, details_of(data, result, dates, self.time, lose), kept)

    def _groups(self, data: Table, rows: PersonRows, criteria: Criteria[Table]) -> list[Indices]:
        """The aligned rows of every group; where too many persons would lose records, those are made dear."""
        k = max((one.k for one in criteria if isinstance(one, TrailKAnonymity)), default=1)
        of_classes = [one for one in criteria if isinstance(one, ClassCriterion)]
        groups: list[Indices] = []
        for dear in (1, DEAR):
            partition = PersonPartition(data, rows, of_classes, k, self.time, dear)
            groups = [partition.aligned(persons) for persons in partition.groups() if len(persons)]
            if not groups:
                problem, names = (
                    f"not even all {rows.count} persons as one group meet the criteria",
                    [m.name for m in criteria],
                )
                raise Infeasible(f"{self.name} — {problem}", blocking=names, relaxations=list(HELPS))
            if persons_withheld(data, _kept(groups, data.rows).kept) <= part_of(self.suppress, data.persons):
                break
        return groups


def _kept(groups: Sequence[Indices], rows: int) -> TrailGroups:
    piece = np.full(rows, -1, np.int64)
    for aligned in groups:
        piece[aligned] = 0
    return TrailGroups(groups, piece)
