"""PRAM: each category is published unchanged with a known probability, otherwise as another category.

## Guarantee
None about classes or persons: a criterion that is asked for is checked on what would be published, and `Infeasible` is
raised if it fails. What is promised is about the data. Plain: the recipient, who is told the probability, can undo the
effect on counts. Invariant: the expected counts are the true ones already, and need no correction.

## Adversary
Reads a category in the record of a person. It is the true one with the published probability on average; a
frequent category is more likely to be true than that, and a rare one less (Bayes).

## What it does not protect
**The published values are false** for a share of the records, and combinations may appear that cannot be (a pregnant
man). With a high `stay` most values are true. Relations between a changed column and all others become weaker. Columns
that are not named are published as they are; missing values stay missing.

## Parameters
columns: column → probability to stay. Any column with a role quasi, sensitive or keep.
invariant: a second draw leads back to the true distribution in expectation (two-stage invariant PRAM). Each
value then stays with a probability of its own.

## Worked example
A recipient corrects a count: with probability p to stay, m values and n records, a value seen t times stands for
(t − n·q) / (p − q) records in expectation, where q = (1 − p)/(m − 1).

>>> import pyarrow as pa
>>> from sharewell.keys import Key
>>> from sharewell.tables import Table
>>> people = pa.table({"age": ["40"] * 10000, "smokes": ["yes"] * 3000 + ["no"] * 7000})
>>> table = Table.of(people, quasi=["age"], sensitive=["smokes"])
>>> changed = PRAM({"smokes": 0.8}).protect(table, must=[], key=Key(b"an example key of enough bytes.."))
>>> seen = changed.data.arrow["smokes"].to_pylist().count("yes")
>>> round(seen, -2), round((seen - 10000 * 0.2) / (0.8 - 0.2), -2)
(3800, 3100.0)

## Why it is safe
It is as safe as the criteria that are checked afterwards, and no safer. Draws derive from the secret key, the
parameters and the table itself, so that no two releases share them. Equal values of one person take the same draw, so
that repeated records do not vote for the truth. Invariance: let P be the matrix of the first draw, λ the true shares,
and Q the second draw, from k to l with probability λₗ·Pₗₖ / (λP)ₖ. Then (λPQ)ₗ = Σₖ (λP)ₖ · λₗ·Pₗₖ / (λP)ₖ = λₗ, for
the rows of P sum to one.

## Cost
O(n log n) time for n rows and each column; no matrix is built.

## Source
Gouweleeuw, Kooiman, Willenborg and de Wolf, 1998; Kooiman, Willenborg and Gouweleeuw, 1997 (invariant PRAM).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from annotated_types import Interval, MinLen, Unit

from sharewell.algorithm import Criteria, Declared, Key, Mechanism, Protected
from sharewell.tables.data import Column, Floats, Ints, Table
from sharewell.tables.engine.protection.partitioning.preconditions import refuse_false_cells, refuse_unfit
from sharewell.tables.engine.protection.perturbation.cell_writer import draws, generator, recoded
from sharewell.tables.engine.protection.perturbation.number_columns import any_column, released_if_holding
from sharewell.wing import ColumnFacts


@dataclass(frozen=True)
class PramColumn:
    """What a recipient may know of one column; `changed` stays inside."""

    stay: float
    values: int
    changed: int


@dataclass(frozen=True)
class PramDetails:
    columns: dict[str, PramColumn]
    invariant: bool

    @property
    def dictionary(self) -> dict[str, ColumnFacts]:
        how = "post-randomised, counts true in expectation" if self.invariant else "post-randomised"
        stays = "probability_to_stay_in_the_first_draw" if self.invariant else "probability_to_stay"
        return {
            name: {"falsified": how, stays: facts.stay, "number_of_values": facts.values}
            for name, facts in self.columns.items()
        }


@dataclass(frozen=True)
class PRAM(Declared, Mechanism[Table]):
    """The post-randomisation method."""

    columns: Annotated[dict[str, Annotated[float, Interval(gt=0, lt=1)]], MinLen(1), Unit("probability to stay")]
    invariant: bool = False

    engine: ClassVar[str] = "check"
    falsifies: ClassVar[bool] = True

    def protect(self, data: Table, must: Criteria[Table], key: Key | None = None) -> Protected[Table]:
        refuse_unfit(self.name, data)
        refuse_false_cells(self.name, data, self.columns, must)
        secret = key or Key.fresh()
        written, facts = [], {}
        for name in sorted(self.columns):
            column, array = any_column(self.name, data, name)
            codes = self._changed(column, data, secret)
            written.append((name, recoded(column, data.schema.roles[name], array, codes)))
            facts[name] = PramColumn(self.columns[name], len(_occurring(column)), int((codes != column.codes).sum()))
        out = released_if_holding(
            self.name, data, written, must, ["a lower probability to stay, or a mechanism that makes classes"]
        )
        return Protected(out, PramDetails(facts, self.invariant), np.arange(data.rows), reproducible=key is not None)

    def _changed(self, column: Column, table: Table, key: Key) -> Ints:
        """The codes to publish. A missing value, and the only value of a column, stay."""
        values = _occurring(column)
        known = len(values)
        codes = np.searchsorted(values, column.codes)  # a missing value comes after all others
        draw, count = draws(table, [column])
        rng = generator(key, self, table, [column.name])
        stay = self.columns[column.name]
        first, other, back, target = (rng.random(count)[draw] for _ in range(4))
        if known < 2:
            return column.codes.astype(np.int64)
        drawn = np.where(first < stay, codes, _another(codes, other, known))
        if self.invariant:
            shares = np.bincount(codes[codes < known], minlength=known) / max(1, int((codes < known).sum()))
            drawn = _returned(drawn, back, target, shares, stay)
        return np.where(codes < known, values[np.minimum(drawn, known - 1)], column.codes)


def _occurring(column: Column) -> Ints:
    """The known values that some row has: a part of a table keeps the domain of the whole."""
    codes: Ints = np.unique(column.codes[column.codes < column.known]).astype(np.int64)
    return codes


def _another(codes: Ints, drawn: Floats, known: int) -> Ints:
    """One of the other values, all equally likely."""
    step = 1 + (drawn * (known - 1)).astype(np.int64)
    return np.asarray((codes + step) % known, dtype=np.int64)


def _returned(codes: Ints, drawn: Floats, target: Floats, shares: Floats, stay: float) -> Ints:
    """The second draw: from k to k in proportion to λₖ·p, to any other l in proportion to λₗ·(1−p)/(m−1)."""
    leave = (1 - stay) / (len(shares) - 1)
    safe = np.minimum(codes, len(shares) - 1)
    own_share = shares[safe]
    remains = stay * own_share / np.maximum(stay * own_share + leave * (1 - own_share), 1e-300)
    upto = np.cumsum(shares)
    # A point of the line of shares with the own stretch cut out.
    point = target * (1 - own_share)
    point = np.where(point < upto[safe] - own_share, point, point + own_share)
    moved = np.minimum(np.searchsorted(upto, point, side="right"), len(shares) - 1)
    return np.where(drawn < remains, codes, moved)
