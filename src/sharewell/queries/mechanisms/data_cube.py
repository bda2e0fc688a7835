"""Data cube: publishes cross-tabulations of every set of columns, with noise on a few chosen ones, which all add up.

## Guarantee
ε-differential privacy for every person: with or without the rows of any one person (or with them replaced, where the
policy says so), any release is equally likely up to a factor of e^ε. With a budget in ρ it is ρ-zero-concentrated
differential privacy instead, in which the factor may be exceeded with a small probability δ: ε is then ρ + 2√(ρ ln
1/δ). This holds for all tables together, whatever else the attacker knows. The claim is attested: no file shows how the
noise was drawn.

## Adversary
Knows everybody's rows but one person's, the public values and ranges, and how the noise is drawn.

## What it does not protect
**The published counts are false.** Tables that are summed from many noisy cells have more noise than tables that got
noise of their own. The mechanism keeps the worst count accurate at the expense of the largest tables, which share the
budget with the small ones: if you need only the largest, use noisy-marginals. Counts may be negative or fractional.
Losses of further releases about the same people add up. What is true of people in general is not protected.

## Parameters
epsilon: the budget ε.
rho: the budget ρ instead, under zero-concentrated privacy; the noise is then normal, and smaller where a row counts in
  many numbers.
columns: the columns of the cube; all with public values or a range, unless given.
ways: a table has at most this many columns; unless given, any number.
limit: the largest variance of a published count. With it, as many tables as possible are published within the limit,
  and the others left out; without it, all tables are, and the largest variance is kept small.

## Worked example
Two columns of two values each, and ε = 1. Noise on all four tables would split the budget four ways, with a variance of
32 in each. Noise on the largest table alone gives it a variance of 2, and the tables summed from it 4, 4 and 8: the
mechanism chooses this. (The example uses ranges of two bins, because a list of values always has *other* as one more.)

>>> import pyarrow as pa
>>> from sharewell.io.sources import Source
>>> from sharewell.queries.data import ConfidentialTable, Range
>>> people = pa.table({"old": [0, 1, 1, 1], "ill": [0, 0, 1, 1]})
>>> table = ConfidentialTable(Source.of(people), {"old": Range(0, 1, bins=2), "ill": Range(0, 1, bins=2)})
>>> released = DataCube(epsilon=1.0).protect(table, must=[])
>>> released.details.noised, released.details.variances
((('old', 'ill'),), {'': 8.0, 'old': 4.0, 'ill': 4.0, 'old ill': 2.0})

## Why it is safe
A row is counted once in each of the s chosen tables, so a person who adds or changes r rows moves all of them together
by s·r. opendp draws discrete Laplace noise whose scale is that distance divided by ε, and states the loss. The choice
of tables depends only on the public numbers of values of the columns. Sums and least squares use only the noisy counts.

## Cost
O(c²) to choose among c tables, one draw per cell of the chosen ones, and O(2^d) sums for d columns.

## Source
Ding, Winslett, Han and Li, "Differentially private data cubes: optimizing noise sources and consistency", 2011. Least
squares are solved separately for each main effect and interaction. Noise by opendp.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sharewell.algorithm import Count, Criteria, Infeasible, Key, Positive, Protected
from sharewell.opendp_noise import VectorNoise
from sharewell.queries.data import ConfidentialTable, NoisyTable
from sharewell.queries.engine.protection.budget_terms import Term, noisy, spent_on
from sharewell.queries.engine.protection.cuboids import (
    Choice,
    Floats,
    choose,
    choose_within,
    columns_in,
    consistent,
    least_summed,
    size_of,
)
from sharewell.queries.engine.protection.publication import (
    MOST_CELLS,
    Publication,
    PublicationDetails,
    cells_of_marginals,
    columns_of,
    published,
    refuse_many,
)

MOST_COLUMNS = 10
"""Of a cube: every further column doubles the tables."""


@dataclass(frozen=True, kw_only=True)
class DataCubeDetails(PublicationDetails):
    """The loss, the tables that got noise, and how large the noise of each table is before they are made to agree."""

    noised: tuple[tuple[str, ...], ...]
    published: int
    """Tables."""
    left_out: int
    """Tables beyond the limit."""
    variances: dict[str, float]
    """Columns of a table → about the variance of its counts, when summed from the nearest source."""


@dataclass(frozen=True)
class DataCube(Publication):
    """Noise on chosen cuboids; the others by summing, and all made consistent."""

    columns: tuple[str, ...] | None = None
    ways: Count | None = None
    limit: Positive | None = None

    def protect(
        self, data: ConfidentialTable, must: Criteria[NoisyTable], key: Key | None = None
    ) -> Protected[NoisyTable]:
        columns = columns_of(self.name, data, self.columns)
        shape = [len(data.domains[name].labels) for name in columns]
        wanted = self._wanted(shape)
        choice = self._choice(data, wanted, shape)
        price = self.share(len(choice.sources))
        drawn: dict[int, Floats] = {}
        terms: list[Term] = []
        for source in choice.sources:
            names = [columns[axis] for axis in columns_in(source, shape)]
            sentence = f"table of {' and '.join(names) or 'all rows'}"
            table, term = noisy(data.counts(names), price, data.changed_rows, data.changed_length, sentence)
            drawn[source] = table.astype(np.float64)
            terms.append(term)
        tables = consistent(drawn, choice.within, shape)
        noised = tuple(tuple(columns[axis] for axis in columns_in(source, shape)) for source in choice.sources)
        spent = spent_on(self.name, data, terms, noised=[list(names) for names in noised])
        marginals = [[columns[axis] for axis in columns_in(one, shape)] for one in tables]
        counts = np.concatenate([table.ravel() for table in tables.values()])
        released = NoisyTable(cells_of_marginals(data, columns, marginals), counts, spent)
        variance = self._variance(terms[0].scale)
        summed = {one: least_summed(choice.sources, one, shape) for one in choice.within}
        return published(
            self.name,
            released,
            must,
            DataCubeDetails,
            noised=noised,
            published=len(tables),
            left_out=len(wanted) - len(tables),
            variances={
                " ".join(columns[axis] for axis in columns_in(one, shape)): variance * cells
                for one, cells in summed.items()
            },
        )

    def _wanted(self, shape: Sequence[int]) -> list[int]:
        """All tables of at most this many columns, the number of whose cells is refused if it is too large."""
        if len(shape) > MOST_COLUMNS:
            what = f"{len(shape)} columns have {2 ** len(shape):,} tables, and a cube at most {MOST_COLUMNS} columns"
            raise Infeasible(f"{self.name} — {what}", relaxations=["fewer columns"])
        most = len(shape) if self.ways is None else self.ways
        wanted = [cuboid for cuboid in range(1 << len(shape)) if cuboid.bit_count() <= most]
        refuse_many(self.name, sum(size_of(one, shape) for one in wanted), ["fewer bins", "fewer columns", "ways: 2"])
        return wanted

    def _choice(self, data: ConfidentialTable, wanted: Sequence[int], shape: Sequence[int]) -> Choice:
        """Which tables get noise, wanted or not; chosen by public sizes alone."""
        possible = [one for one in range(1 << len(shape)) if size_of(one, shape) <= MOST_CELLS]
        power = 2 if self.rho is None else 1
        if self.limit is None:
            return choose(wanted, possible, shape, power)
        alone = self._variance(VectorNoise.within(self.price, data.changed_rows, data.changed_length).scale)
        choice = choose_within(wanted, possible, shape, self.limit / alone, power)
        if not choice.within:
            what = f"a table with its own noise has a variance of {alone:g}, and the limit is {self.limit:g}"
            raise Infeasible(f"{self.name} — {what}", relaxations=["a larger limit", "a larger budget"])
        return choice

    def _variance(self, scale: float) -> float:
        """The variance of Laplace's noise of this scale; where rho is the budget, of normal noise."""
        return (2 if self.rho is None else 1) * scale**2
