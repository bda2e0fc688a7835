"""Noisy sums: noise in every cell of a table of sums hides what any one person contributed.

## Guarantee
ε-differential privacy for every person, or ρ-zCDP (zero-concentrated differential privacy) with Gaussian noise, for the
whole table, all totals included: see sum-privacy. No file shows how the noise was drawn: a steward can only see that
the sums are as far from the true ones as such noise may be, and a recipient cannot see even that.

## Adversary
Knows everything about everybody except one person, and how the noise was drawn.

## What it does not protect
**Every sum is false**, inner cells by about √2·most/ε, totals by more: small groups are lost in the noise. Sums may be
below 0. What a person adds beyond `most` is left out, so that sums of few large amounts come out too low. For two
tables about the same people the ε add up, and no ledger is charged here: a dataset of kind queries has one, and also
publishes noisy counts (noisy-marginals). A person with none of the declared values is counted under "other".

## Parameters
most: what one person may add to all cells together. Fix it in advance, from a tariff or a limit in a contract: taken
from the data, it would disclose the largest amount.
values: for every dimension, the values that it can have, declared in advance. All other values, and missing ones, are
"other".
epsilon: the budget ε; the noise is Laplace.
rho: instead of ε, the budget ρ; the noise is Gaussian.
decimals: decimals of the sums, to which amounts are rounded. 0 if left out.

## Worked example
Forty patients of two wards, with costs of up to 100 each. The noise is different in every run, so only its scale can be
shown here.

>>> from sharewell.reports import CountTable, SumPrivacy
>>> wards = [("north",), ("south",)] * 20
>>> sums = {("north",): 800, ("south",): 1000}
>>> parts = (wards, list(range(40)), [40, 50] * 20)
>>> costs = CountTable.of_cells(sums, ["ward"], given=parts, value="cost")
>>> noisy = NoisySums(most=100, values={"ward": ["north", "south"]}, epsilon=1.0)
>>> released = noisy.protect(costs, must=[SumPrivacy(1.0)])
>>> released.data.arrow.column_names, released.details.scale, released.reproducible
(['ward', 'cost'], 100.0, False)
>>> print(SumPrivacy(1.0).check(released.data))
sum-privacy = 1 epsilon (≤ 1: holds)

## Why it is safe
Each person's amounts are cut off where together they reach `most`, in an order that depends on that person's own
amounts alone. Adding or removing one person therefore changes the inner cells by at most `most` in sum (L1 distance),
and so in length (L2 distance). opendp draws whole-number noise for this distance and states the privacy loss; a loss
above the budget is refused. Totals are added up from noisy cells, and cost no budget. Which cells exist is declared,
not read from the data.

## Cost
O(amounts + cells).

## Source
Dwork, McSherry, Nissim and Smith, 2006; Li, Wang and Jajodia, 2002 (noise against interval inference from sums). Noise
by opendp, as in noisy-marginals.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Annotated, ClassVar

import numpy as np
from annotated_types import Gt, Interval

from sharewell.algorithm import Criteria, DataError, Declared, Key, Mechanism, PolicyError, Protected, refuse_failing
from sharewell.cells import Exact
from sharewell.opendp_noise import LEAST, MOST, Price, VectorNoise
from sharewell.reports.counts.data import Contributions, CountTable, SumNoise
from sharewell.reports.counts.engine.dimensions import Dimension
from sharewell.reports.counts.engine.relations import NO_LIMIT, Ints

OTHER = "other"
"""The category of all that has no declared value."""
_ROOM = 64
"""Noise beyond this many times its scale does not occur."""


@dataclass(frozen=True)
class NoisySumsDetails:
    """The budget that is spent, how large the noise is, and (for the steward) what was left out."""

    epsilon: float | None
    rho: float | None
    noise: str
    scale: float
    """In units of the measure."""
    standard_deviation: float
    """Of the noise in an inner cell, in units of the measure."""
    cells: int
    cut: int
    """Persons of whose amounts a part was left out."""


@dataclass(frozen=True)
class NoisySums(Declared, Mechanism[CountTable]):
    """Sums of every declared cell, with noise."""

    most: Annotated[float, Gt(0)]
    values: Mapping[str, Sequence[str]]
    epsilon: Annotated[float, Interval(ge=LEAST, le=MOST)] | None = None
    rho: Annotated[float, Interval(ge=LEAST, le=MOST)] | None = None
    decimals: Annotated[int, Interval(ge=0, le=6)] = 0

    packages: ClassVar[tuple[str, ...]] = ("opendp",)
    of_tables: ClassVar[bool] = True
    engine: ClassVar[str] = "check"
    falsifies: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        Price.of(self.epsilon, self.rho)
        if not math.isfinite(self.most) or self.units < 1:
            raise ValueError("most — must be at least one unit of the last decimal")
        for name, listed in self.values.items():
            if not listed or len({*listed, OTHER}) < len(listed) + 1:
                raise ValueError(f"values — {name} — give different values, none of them called {OTHER}")

    @property
    def units(self) -> int:
        """What one person may add, in units of the last decimal."""
        return int(Fraction(str(self.most)) * 10**self.decimals)

    def protect(self, data: CountTable, must: Criteria[CountTable], key: Key | None = None) -> Protected[CountTable]:
        """The noise is fresh by nature: no key repeats it."""
        declared = self._declared(data)
        price = Price.of(self.epsilon, self.rho)
        noise = VectorNoise.within(price, self.units, float(self.units))
        if (noise.scale + self.units) * _ROOM * declared.size >= NO_LIMIT:
            raise PolicyError(
                f"{self.name} — sums and noise would be too large to compute with — a larger budget helps"
            )
        assert data.truth is not None
        assert data.truth.given is not None
        given = self._placed(data, data.truth.given, declared)
        kept = clipped(given, self.units)
        inner = np.flatnonzero(declared.leaves)
        sums = np.zeros(declared.size, np.int64)
        np.add.at(sums, given.cell, kept)
        sums[inner] = noise.add(sums[inner])
        truth = declared.with_truth(given.cell, given.amount, given)
        drawn = SumNoise(
            "discrete-laplace" if price.accounting == "pure" else "discrete-gaussian", noise.scale, self.units
        )
        released = replace(truth, shown=truth.added_up(sums), noise=drawn)
        refuse_failing(self.name, released, must, ["a larger epsilon in the criterion", "a smaller one here"])
        pure, unit = price.accounting == "pure", 10**self.decimals
        details = NoisySumsDetails(
            epsilon=noise.loss if pure else None,
            rho=None if pure else noise.loss,
            noise=noise.name,
            scale=noise.scale / unit,
            standard_deviation=noise.standard_deviation / unit,
            cells=declared.size,
            cut=len(np.unique(given.person[kept < given.amount])),
        )
        return Protected(released, details, np.arange(declared.size), reproducible=False)

    def _declared(self, data: CountTable) -> CountTable:
        """An empty table of the declared values."""
        if data.truth is None:
            raise DataError(f"{self.name} — needs the true cells")
        if data.is_count or data.truth.given is None:
            hint = "name a measure; noisy counts are for a dataset of kind queries (noisy-marginals)"
            raise PolicyError(f"{self.name} — the table has counts, and noise is added to sums — {hint}")
        names = [one.name for one in data.dimensions]
        if set(names) != set(self.values) or not all(one.is_flat for one in data.dimensions):
            what = "declares the values of every dimension, and dimensions have no hierarchy"
            raise PolicyError(f"{self.name} — values — {what} — the dimensions are {', '.join(names)}")
        built = tuple(Dimension.flat(name, {*map(str, self.values[name]), OTHER}) for name in names)
        size = math.prod(len(one.codes) for one in built)
        return CountTable(built, np.zeros(size, np.int64), value=data.value, decimals=self.decimals, zeros_shown=False)

    def _placed(self, data: CountTable, given: Contributions, declared: CountTable) -> Contributions:
        """Amounts in units of the last decimal, in declared cells."""
        where = np.unravel_index(given.cell, data.shape)
        columns = []
        for axis, (old, new) in enumerate(zip(data.dimensions, declared.dimensions, strict=True)):
            other = new.place[Exact(OTHER).text]
            known = {Exact(str(value)).text for value in self.values[old.name]}
            place = [new.place[code] if code in known else other for code in old.codes]
            columns.append(np.array(place, dtype=np.int64)[where[axis]])
        cell = np.ravel_multi_index(tuple(columns), declared.shape).astype(np.int64)
        return Contributions(cell, given.person, _rescaled(given.amount, data.decimals, self.decimals))


def _rescaled(amounts: Ints, before: int, after: int) -> Ints:
    """To other decimals, half up."""
    unit = 10 ** abs(after - before)
    if after > before and len(amounts) and int(amounts.max()) * unit >= NO_LIMIT:
        raise DataError("the table — amounts are too large for this many decimals — take fewer")
    rescaled: Ints = amounts * unit if after >= before else (amounts + unit // 2) // unit
    return rescaled


def clipped(given: Contributions, most: int) -> Ints:
    """What counts of each amount, so that no person adds more than `most` to all cells together.

    Cells in their order, until it is used up.

    >>> one = Contributions(np.array([2, 0, 1]), np.array([7, 7, 8]), np.array([60, 70, 30]))
    >>> clipped(one, 100).tolist()
    [30, 70, 30]
    """
    order = np.lexsort((given.amount, given.cell, given.person))
    person, amount = given.person[order], np.minimum(given.amount[order], most)
    before = np.cumsum(amount) - amount
    first = np.searchsorted(person, person)  # where each one's amounts begin
    result = np.zeros(len(amount), np.int64)
    result[order] = np.clip(most - (before - before[first]), 0, amount)
    return result
