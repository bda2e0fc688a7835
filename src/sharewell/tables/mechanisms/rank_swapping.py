"""Rank swapping: values change places with others of nearly the same rank.

## Guarantee
None about classes or persons: a criterion that is asked for is checked on what would be published, and `Infeasible` is
raised if it fails. What is promised is about the data: each column named holds exactly the values it held before, so
that means, totals, quantiles and every table of that column alone are unchanged; and a value comes from a record whose
rank lies at most `percent` percent of the records away.

## Adversary
Knows some numbers of a person and looks for the record that holds them.

## What it does not protect
**The published values are false for their record: they are another person's.** A recipient who knows `percent` knows
between which ranks the true value lies, and several columns together may leave one record only (Nin, Herranz and Torra,
2008). Correlations between swapped columns, and with all others, become weaker. Columns that are not named are
published as they are.

## Parameters
columns: the columns to swap, each by itself. Numbers and dates.
percent: how far a value may travel, in percent of the records that have one (5 is usual, 15 is strong).

## Worked example
>>> import pyarrow as pa
>>> from sharewell.keys import Key
>>> from sharewell.tables import Table
>>> people = pa.table({"sex": ["F", "M"] * 50, "income": list(range(100))})
>>> table = Table.of(people, quasi=["sex"], sensitive=["income"])
>>> swapped = RankSwapping(["income"], 5).protect(table, must=[], key=Key(b"an example key of enough bytes.."))
>>> after = swapped.data.arrow["income"].to_pylist()
>>> sorted(after) == list(range(100)), max(abs(a - b) for a, b in zip(after, range(100))) <= 5, swapped.details.moved
(True, True, {'income': 100})

## Why it is safe
It is as safe as the criteria that are checked afterwards, and no safer. Partners are drawn by the secret key, the
parameters and the table itself, so that no two releases share them. Equal values stand next to each other in rank, in
an order that depends on the content of their rows alone.

## Cost
O(n log n) time for n rows and each column: about a second for a million rows.

## Source
Dalenius and Reiss, 1982 (swapping); Moore, 1996 (by rank).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from annotated_types import Interval, MinLen

from sharewell.algorithm import Criteria, Declared, Key, Mechanism, Protected
from sharewell.tables.data import Indices, Table
from sharewell.tables.engine.protection.partitioning.preconditions import refuse_false_cells, refuse_unfit
from sharewell.tables.engine.protection.perturbation.cell_writer import NO_TREE, generator, recoded
from sharewell.tables.engine.protection.perturbation.number_columns import (
    any_column,
    number_column,
    released_if_holding,
)
from sharewell.tables.engine.protection.row_order import by_content
from sharewell.wing import ColumnFacts

_TRIES = 20
"""Draws of a partner that is taken already, before the free ones are listed."""


@dataclass(frozen=True)
class RankSwappingDetails:
    percent: float
    moved: dict[str, int]
    """Records that took another one's value."""

    @property
    def dictionary(self) -> dict[str, ColumnFacts]:
        facts = {"falsified": "swapped with a value of near rank", "percent_of_ranks": self.percent, **NO_TREE}
        return {name: dict(facts) for name in self.moved}


@dataclass(frozen=True)
class RankSwapping(Declared, Mechanism[Table]):
    """Pairs of records within a window of ranks exchange their values."""

    columns: Annotated[Sequence[str], MinLen(1)]
    percent: Annotated[float, Interval(gt=0, le=100)] = 5.0

    engine: ClassVar[str] = "check"
    falsifies: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(set(self.columns)) < len(self.columns):
            raise ValueError("columns must list each column once")

    def protect(self, data: Table, must: Criteria[Table], key: Key | None = None) -> Protected[Table]:
        refuse_unfit(self.name, data)
        refuse_false_cells(self.name, data, self.columns, must)
        secret, order = key or Key.fresh(), by_content(data)
        written, moved = [], {}
        for name in sorted(self.columns):
            column, (_, array) = number_column(self.name, data, name).column, any_column(self.name, data, name)
            known = order[column.codes[order] < column.known]
            ranked = known[np.argsort(column.codes[known], kind="stable")]
            window = max(1, math.floor(len(ranked) * self.percent / 100))
            partner = _partners(len(ranked), window, generator(secret, self, data, [name]))
            codes = column.codes.copy()  # codes rather than numbers, so that every value comes out as it was written
            codes[ranked] = column.codes[ranked[partner]]
            written.append((name, recoded(column, data.schema.roles[name], array, codes)))
            moved[name] = int((partner != np.arange(len(ranked))).sum())
        out = released_if_holding(
            self.name, data, written, must, ["a larger percent, or a mechanism that makes classes"]
        )
        details = RankSwappingDetails(self.percent, moved)
        return Protected(out, details, np.arange(data.rows), reproducible=key is not None)


def _partners(count: int, window: int, rng: np.random.Generator) -> Indices:
    """With whom each rank exchanges: from the lowest on, with a free one among the next `window`; else with nobody."""
    partner = np.arange(count).tolist()
    free = [True] * count
    drawn = rng.random(count * 3).tolist()
    at = 0
    for rank in range(count - 1):
        if not free[rank]:
            continue
        reach = min(window, count - 1 - rank)
        other = rank
        for _ in range(_TRIES):
            if at == len(drawn):
                drawn, at = rng.random(count).tolist(), 0
            other = rank + 1 + int(drawn[at] * reach)
            at += 1
            if free[other]:
                break
        else:
            left = [r for r in range(rank + 1, rank + reach + 1) if free[r]]
            other = left[int(drawn[at - 1] * len(left))] if left else rank
        if other != rank:
            partner[rank], partner[other] = other, rank
            free[rank] = free[other] = False
    return np.array(partner, dtype=np.intp)
