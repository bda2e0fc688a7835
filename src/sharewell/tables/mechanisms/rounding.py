"""Rounding: numbers are published as multiples of a base.

## Guarantee
None about classes or persons by itself: a criterion that is asked for is checked on what would be published, and
`Infeasible` is raised if it fails. A value moves by at most half the base; with `random`, by less than the base, and
its expectation is the value itself.

## Adversary
Knows a number of a person exactly and looks for the record that holds it.

## What it does not protect
**The published values are false** where they are no multiples. A value that stands far from all others is still alone
after rounding. Columns that are not named are published as they are. A total and its parts, rounded apart, tell more
than each of them.

## Parameters
columns: column → base, such as 5 or 0.5.
random: round up with the probability that keeps the expectation (unbiased), by the secret key; else to the nearest
multiple, and from the middle to the even one.

## Worked example
>>> import pyarrow as pa
>>> from sharewell.tables import KAnonymity, Table
>>> people = Table.of(pa.table({"age": [31, 33, 34, 36, 38, 42]}), quasi=["age"])
>>> Rounding({"age": 10}).protect(people, must=[KAnonymity(3)]).data.arrow.to_pydict()["age"]
['30', '30', '30', '40', '40', '40']

## Why it is safe
It is as safe as the criteria that are checked afterwards. Multiples are computed on decimal numbers, not on binary
ones, so that 0.15 lies exactly in the middle of 0.1 and 0.2. Equal values of one person are rounded alike.

## Cost
O(n + d log d) time for n rows and d distinct values; random rounding O(n log n).

## Source
Nargundkar and Saveland, 1972 (random rounding); Willenborg and de Waal, 2001.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_FLOOR, Decimal, localcontext
from typing import Annotated, ClassVar

import numpy as np
from annotated_types import Gt, MinLen

from sharewell.algorithm import Criteria, DataError, Declared, Key, Mechanism, Protected
from sharewell.tables.data import Column, Floats, Table
from sharewell.tables.engine.protection.partitioning.preconditions import refuse_false_cells, refuse_unfit
from sharewell.tables.engine.protection.perturbation.cell_writer import NO_TREE, draws, generator
from sharewell.tables.engine.protection.perturbation.number_columns import (
    NumberColumn,
    number_column,
    released_if_holding,
)
from sharewell.wing import ColumnFacts


@dataclass(frozen=True)
class RoundingDetails:
    bases: dict[str, float]
    changed: dict[str, int]
    random: bool

    @property
    def dictionary(self) -> dict[str, ColumnFacts]:
        how = (
            "rounded at random to a multiple, true in expectation" if self.random else "rounded to the nearest multiple"
        )
        return {name: {"falsified": how, "base": base, **NO_TREE} for name, base in self.bases.items()}


@dataclass(frozen=True)
class Rounding(Declared, Mechanism[Table]):
    """To the nearest multiple, or at random to one of the two neighbours."""

    columns: Annotated[dict[str, Annotated[float, Gt(0)]], MinLen(1)]
    random: bool = False

    engine: ClassVar[str] = "check"
    falsifies: ClassVar[bool] = True

    def protect(self, data: Table, must: Criteria[Table], key: Key | None = None) -> Protected[Table]:
        refuse_unfit(self.name, data)
        refuse_false_cells(self.name, data, self.columns, must)
        secret = (key or Key.fresh()) if self.random else None
        written, changed = [], {}
        for name in sorted(self.columns):
            one = number_column(self.name, data, name)
            if one.column.kind == "date":
                raise DataError(f"{self.name} — column {name} — holds dates — give it the hierarchy date instead")
            base = Decimal(str(self.columns[name]))
            values = self._rounded(one, base, data, secret)
            finer = max(0, -int(base.normalize().as_tuple().exponent) - one.decimals)
            written.append((name, one.written(values, finer)))
            known = ~np.isnan(values)
            changed[name] = int((np.abs(values[known] - one.values[known]) > 1e-9 * float(base)).sum())
        out = released_if_holding(self.name, data, written, must, ["a larger base, or a mechanism that makes classes"])
        details = RoundingDetails(dict(sorted(self.columns.items())), changed, self.random)
        reproducible = key is not None or not self.random
        return Protected(out, details, np.arange(data.rows), reproducible)

    def _rounded(self, one: NumberColumn, base: Decimal, table: Table, key: Key | None) -> Floats:
        below, share = _multiples(one.column, base)
        if key is None:
            up = (share > 0.5) | ((share == 0.5) & (below % 2 == 1))
            rounded = _times(below + up, base)
            return rounded[one.column.codes]
        draw, count = draws(table, [one.column])
        drawn = generator(key, self, table, [one.name]).random(count)[draw]
        up = drawn < share[one.column.codes]
        return _times(below[one.column.codes] + up, base)


def _multiples(column: Column, base: Decimal) -> tuple[Floats, Floats]:
    """The multiple of the base below each value, and how far towards the next one it lies. Exact."""
    below, share = np.full(column.size, np.nan), np.full(column.size, np.nan)
    with localcontext() as context:
        context.prec = 60
        for code in range(column.known):
            steps = Decimal(column.texts[code]) / base
            multiple = steps.to_integral_value(ROUND_FLOOR)
            below[code], share[code] = int(multiple), float(steps - multiple)
    return below, share


def _times(steps: Floats, base: Decimal) -> Floats:
    """Multiples as the nearest floating-point numbers: one division, so that 3 · 0.1 is 0.3."""
    numerator, denominator = base.as_integer_ratio()
    return steps * numerator / denominator
