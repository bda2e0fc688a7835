"""Noise addition: every number moves by a random amount, a chosen share of its column's spread.

## Guarantee
None about classes or persons: a criterion that is asked for is checked on what would be published, and `Infeasible` is
raised if it fails. What is promised is about the data: the noise has mean zero, so means and totals are kept in
expectation, and the variance of a column grows by the factor 1 + a² for the amount a. With `correlated` the noise has
the covariance of the data, times a², so that correlations are kept in expectation.

## Adversary
Knows some numbers of a person to a few digits and looks for the record that holds them.

## What it does not protect
**The published values are false.** Outliers stay outliers: the richest person is still found. A small amount hides
little, and whoever knows many numbers of a person adds up the evidence. This is not differential privacy: the amount is
set by the spread of the data, and nothing bounds what one record can change. Columns that are not named are published
as they are. Two releases can be averaged, under one key too: another release, amount or table draws other noise, since
the same noise under two amounts would give every value (2·(x + ½e) − (x + e) is x). The attack `noise-differencing`
tells how far two files go together. Release newcomers beside what is out already, not everything anew. A constant shift
is no protection, since one known value undoes it, and is not offered.

## Parameters
columns: column → amount of noise, as a share of the column's standard deviation (0.1 is usual).
correlated: one amount for all columns, and noise with the covariance of the data.

## Worked example
>>> import pyarrow as pa
>>> from sharewell.keys import Key
>>> from sharewell.tables import Table
>>> people = pa.table({"sex": ["F", "M"] * 500, "income": [20000 + 31 * i for i in range(1000)]})
>>> table = Table.of(people, quasi=["sex"], sensitive=["income"])
>>> noisy = Noise({"income": 0.1}).protect(table, must=[], key=Key(b"an example key of enough bytes.."))
>>> before, after = people["income"].to_numpy(), noisy.data.arrow["income"].to_numpy()
>>> int((before != after).sum()), f"{after.mean() / before.mean():.2f}", f"{after.std() / before.std():.2f}"
(1000, '1.00', '1.01')

## Why it is safe
It is as safe as the criteria that are checked afterwards, and no safer. The noise derives from the secret key, the
amounts and the table itself; the recipient is told its amount and not its values. Equal values of one person get the
same noise, so that averaging over the person's records gains nothing. With `correlated` this is so only where the
records agree in all columns named: a height that stands beside another weight at every visit has another noise each
time, and its mean comes near the truth.

## Cost
O(n log n) time for n rows; with `correlated` and c columns also O(n · c²).

## Source
Kim, 1986 (noise with the covariance of the data); Brand, 2002. The recipient corrects a variance by dividing it by
1 + a², and a correlation of uncorrelated noise by multiplying it by √((1 + a²)(1 + b²)).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from annotated_types import Interval, MinLen, Unit

from sharewell.algorithm import Criteria, DataError, Declared, Key, Mechanism, Protected
from sharewell.tables.data import Floats, Table
from sharewell.tables.engine.protection.partitioning.preconditions import refuse_false_cells, refuse_unfit
from sharewell.tables.engine.protection.perturbation.cell_writer import NO_TREE, draws, generator
from sharewell.tables.engine.protection.perturbation.number_columns import (
    NumberColumn,
    number_column,
    released_if_holding,
)
from sharewell.wing import ColumnFacts


@dataclass(frozen=True)
class NoiseDetails:
    """Column → amount, and how many cells were published as another value."""

    amounts: dict[str, float]
    changed: dict[str, int]
    correlated: bool

    @property
    def dictionary(self) -> dict[str, ColumnFacts]:
        how = "noise with the covariance of the data" if self.correlated else "independent noise"
        return {
            name: {"falsified": how, "share_of_standard_deviation": amount, **NO_TREE}
            for name, amount in self.amounts.items()
        }


@dataclass(frozen=True)
class Noise(Declared, Mechanism[Table]):
    """Normal noise on numbers and dates."""

    columns: Annotated[dict[str, Annotated[float, Interval(gt=0, le=10)]], MinLen(1), Unit("standard deviations")]
    correlated: bool = False

    engine: ClassVar[str] = "check"
    falsifies: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.correlated and len(set(self.columns.values())) > 1:
            raise ValueError("columns — correlated noise takes one amount for all columns")

    def protect(self, data: Table, must: Criteria[Table], key: Key | None = None) -> Protected[Table]:
        refuse_unfit(self.name, data)
        refuse_false_cells(self.name, data, self.columns, must)
        columns = [number_column(self.name, data, name) for name in sorted(self.columns)]
        secret = key or Key.fresh()
        noise = self._joint(secret, data, columns) if self.correlated else self._apart(secret, data, columns)
        moved = [(one.name, one.written(one.values + part)) for one, part in zip(columns, noise, strict=True)]
        out = released_if_holding(self.name, data, moved, must, ["more noise, or a mechanism that makes classes"])
        # A rounded value may come out as it was: what counts is what a reader sees.
        changed = {one.name: _moved(one, one.values + part) for one, part in zip(columns, noise, strict=True)}
        details = NoiseDetails(dict(sorted(self.columns.items())), changed, self.correlated)
        return Protected(out, details, np.arange(data.rows), reproducible=key is not None)

    def _apart(self, key: Key, table: Table, columns: Sequence[NumberColumn]) -> list[Floats]:
        """Each column by itself."""
        noise = []
        for one in columns:
            draw, count = draws(table, [one.column])
            spread = _spread(one.values)
            drawn = generator(key, self, table, [one.name]).standard_normal(count)
            noise.append(self.columns[one.name] * spread * drawn[draw])
        return noise

    def _joint(self, key: Key, table: Table, columns: Sequence[NumberColumn]) -> list[Floats]:
        """All columns together: standard normals through a root of the correlations of the complete rows."""
        scale = np.array([_spread(one.values) for one in columns])
        values = np.stack([one.values for one in columns])
        correlations = self._correlations(values[:, ~np.isnan(values).any(axis=0)], scale, columns, table.rows)
        weights, axes = np.linalg.eigh(correlations)
        root = axes * np.sqrt(np.maximum(weights, 0)) @ axes.T
        draw, count = draws(table, [one.column for one in columns])
        rng = generator(key, self, table, [one.name for one in columns])
        drawn = rng.standard_normal((count, len(columns)))
        amount = next(iter(self.columns.values()))
        return list((amount * scale[:, None] * (root @ drawn.T))[:, draw])

    def _correlations(self, complete: Floats, scale: Floats, columns: Sequence[NumberColumn], rows: int) -> Floats:
        """Correlations in the rows that have all columns; refused if a column that varies is constant there."""
        number = complete.shape[1]
        complete = complete[:, np.lexsort(complete)]  # what sums round to must not depend on the order of rows
        varies = np.ptp(complete, axis=1) > 0 if number else np.zeros(len(columns), dtype=bool)
        for one, spread, varies_there in zip(columns, scale, varies, strict=True):
            if spread > 0 and not varies_there:  # no noise would come of it, and the truth be published
                problem = f"column {one.name} does not vary in the {number} of {rows} row(s) that have all columns"
                raise DataError(f"{self.name} — {problem} — leave `correlated` out, or name fewer columns")
        standard = np.where(varies, complete.std(axis=1) if number else 1.0, 1.0)
        apart = (complete - complete.mean(axis=1, keepdims=True)) / standard[:, None] if number else complete
        correlations: Floats = apart @ apart.T / max(1, number)
        return correlations


def _spread(values: Floats) -> float:
    known = np.sort(values[~np.isnan(values)])
    return float(known.std()) if len(known) else 0.0


def _moved(one: NumberColumn, values: Floats) -> int:
    both = ~np.isnan(values)
    return int((np.round(values[both], one.decimals) != np.round(one.values[both], one.decimals)).sum())
