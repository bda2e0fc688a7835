"""Record suppression: the records of classes that fail are withheld, and all others are published unchanged.

## Guarantee
Every required criterion holds in every published class, or `Infeasible` is raised. Published records are true to the
last digit. At most the share `suppress` of the persons lose a record.

## Adversary
That of the criteria.

## What it does not protect
Nothing beyond the criteria. Who is missing is not random: those who are rare are, so that means and rare groups are
biased.

## Parameters
suppress: the share of persons that may lose records (default 0.05).

## Worked example
>>> import pyarrow as pa
>>> from sharewell.tables import KAnonymity, Table
>>> people = pa.table({"age": [30, 30, 30, 41, 41, 87], "sex": ["F", "F", "F", "M", "M", "F"]})
>>> table = Table.of(people, quasi=["age", "sex"])
>>> released = RecordSuppression(suppress=0.2).protect(table, must=[KAnonymity(2)])
>>> released.data.arrow.to_pydict()["age"], released.details.suppressed_records
(['30', '30', '30', '41', '41'], 1)

## Why it is safe
Rows are grouped by their values; classes that fail a criterion are taken out whole. Some criteria measure a class
against all published rows, so that the rows left are grouped and judged again until nothing fails. The last look is at
the published cells.

## Cost
O(q · n log n) time for q quasi columns and n rows, times the number of rounds (one, unless a criterion looks at the
whole table).

## Source
Samarati, 2001 (suppression of outliers).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sharewell.algorithm import Chance, Declared, Infeasible, Key, Mechanism, Protected, refuse_failing
from sharewell.exact_shares import part_of
from sharewell.tables.data import Indices, Table
from sharewell.tables.engine.checks.class_criterion import ClassCriteria
from sharewell.tables.engine.protection.partitioning.preconditions import refuse_unfit
from sharewell.tables.engine.protection.perturbation.cell_writer import released
from sharewell.tables.engine.published_cells import persons_withheld


@dataclass(frozen=True)
class RecordSuppressionDetails:
    classes: int
    rounds: int
    suppressed_records: int
    suppressed_persons: int


@dataclass(frozen=True)
class RecordSuppression(Declared, Mechanism[Table]):
    """Withhold the records of failing classes, within a limit."""

    suppress: Chance = 0.05

    engine: ClassVar[str] = "worst"

    def protect(self, data: Table, must: ClassCriteria, key: Key | None = None) -> Protected[Table]:
        refuse_unfit(self.name, data)
        out = released(data)
        kept, rounds, blocked = classes_that_hold(out, must)
        withheld_persons = persons_withheld(data, kept)
        self._refuse_beyond(data, withheld_persons, len(kept), blocked)
        out = out.take(kept)
        refuse_failing(self.name, out, must)
        details = RecordSuppressionDetails(out.classes.count, rounds, data.rows - len(kept), withheld_persons)
        return Protected(out, details, kept)

    def _refuse_beyond(self, data: Table, withheld_persons: int, left: int, blocked: dict[str, int]) -> None:
        most = part_of(self.suppress, data.persons)
        if left and withheld_persons <= most:
            return
        blocking = [f"{name} fails in {count} class(es)" for name, count in blocked.items()]
        if not left:
            problem = "every record would be withheld"
            raise Infeasible(
                f"{self.name} — {problem}", blocking=blocking, relaxations=["generalise the quasi columns"]
            )
        problem = f"{withheld_persons} of {data.persons} persons would lose records, and at most {most} may"
        helps = ["generalise the quasi columns first"]
        if withheld_persons < data.persons:
            helps.append(f"suppress = {np.ceil(1000 * withheld_persons / data.persons) / 1000:g}")
        raise Infeasible(f"{self.name} — {problem}", blocking=blocking, relaxations=helps)


def classes_that_hold(out: Table, criteria: ClassCriteria) -> tuple[Indices, int, dict[str, int]]:
    """(rows left, rounds, criterion → classes failing at first): classes go until all that are left hold."""
    kept, rounds, blocked = np.arange(out.rows), 0, dict[str, int]()
    while len(kept):
        classes = out.take(kept).classes if rounds else out.classes
        failing = np.zeros(classes.count, dtype=bool)
        for criterion in criteria:
            fails = ~criterion.holds(classes)
            if fails.any() and not rounds:
                blocked[criterion.name] = int(fails.sum())
            failing |= fails
        if not failing.any():
            break
        kept = kept[np.sort(classes.select(np.flatnonzero(~failing)).order)]
        rounds += 1
    return kept, rounds, blocked
