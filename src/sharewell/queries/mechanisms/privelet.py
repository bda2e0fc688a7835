"""Privelet: publishes counts with noise on their wavelets, so that ranges of many cells stay accurate.

## Guarantee
ε-differential privacy for every person: with or without the rows of any one person (or with them replaced, where the
policy says so), any release is equally likely up to a factor of e^ε. With a budget in ρ it is ρ-zero-concentrated
differential privacy instead, in which the factor may be exceeded with a small probability δ: ε is then ρ + 2√(ρ ln
1/δ). This holds for all cells together, whatever else the attacker knows. The claim is attested: no file shows how the
noise was drawn.

## Adversary
Knows everybody's rows but one person's, the public values and ranges, and how the noise is drawn.

## What it does not protect
**The published counts are false**, and single cells are further off than with plain noise. The error of a range grows
with the cube of the logarithm of the number of values rather than with their number, which is worth it for hundreds of
values but not for ten. Counts may be negative or fractional. Losses of further releases about the same people add up.
What is true of people in general is not protected.

## Parameters
epsilon: the budget ε.
rho: the budget ρ instead, under zero-concentrated privacy; the noise is then normal, and smaller where a row counts in
  many numbers.
columns: the columns to publish together; all with public values or a range, unless given.
transformed: the columns whose wavelet is taken; unless given, those of so many values that the paper's bound on the
  error of a range is below that of plain noise (1,024 bins, or 17 values without an order).

## Worked example
One more record in one of eight bins moves the total and three differences by 1 each: 4 in all, which is 1 + log2 8.

>>> import pyarrow as pa
>>> from sharewell.io.sources import Source
>>> from sharewell.queries.data import ConfidentialTable, Range
>>> people = pa.table({"age": [5, 15, 15, 25, 35, 45, 55, 75]})
>>> table = ConfidentialTable(Source.of(people), {"age": Range(0, 80, bins=8)})
>>> released = Privelet(epsilon=0.5, transformed=["age"]).protect(table, must=[])
>>> released.details.generalised_sensitivity, released.details.scale, released.data.rows, released.reproducible
(4, 8.0, 8, False)

## Why it is safe
The mechanism adds noise to wavelet coefficients. Each of them, times its weight, is a whole number: a sum, or the
difference of the sums of two halves. A record is in the total and in one half at each level of the tree, and moves each
of these by 1. For a column of f values without an order, the record moves the total by 1 and the other coefficients by
2f − 2 together, and their noise is larger by that factor. With several columns the factors multiply; they multiply
again by the number of rows that one person may change. opendp draws discrete Laplace noise whose scale is the sum of
these moves divided by ε, and states the loss. Turning coefficients back into counts uses only the noisy coefficients.

## Cost
O(cells) and one draw per cell; a column with an order is padded to a power of two.

## Source
Xiao, Wang and Gehrke, "Differential privacy via wavelet transforms", 2010, with its rule for columns that are better
not transformed. Noise by opendp.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from sharewell.algorithm import Criteria, Key, PolicyError, Protected
from sharewell.queries.data import ConfidentialTable, NoisyTable, Range
from sharewell.queries.engine.protection.budget_terms import Ints, Term, noisy, spent_on
from sharewell.queries.engine.protection.publication import (
    Publication,
    PublicationDetails,
    cells_of,
    columns_of,
    published,
    refuse_many,
)
from sharewell.queries.engine.protection.wavelets import Floats, Nominal, Ordered, Plain, Wavelet, forward, inverse


@dataclass(frozen=True, kw_only=True)
class PriveletDetails(PublicationDetails):
    """The loss, how large the noise is, and of which columns the wavelet was taken."""

    generalised_sensitivity: int
    """How far a person moves all coefficients together, each times its weight."""
    transformed: tuple[str, ...]


@dataclass(frozen=True)
class Privelet(Publication):
    """Noise on the wavelet coefficients of a histogram."""

    columns: tuple[str, ...] | None = None
    transformed: tuple[str, ...] | None = None

    def protect(
        self, data: ConfidentialTable, must: Criteria[NoisyTable], key: Key | None = None
    ) -> Protected[NoisyTable]:
        columns = columns_of(self.name, data, self.columns)
        wavelets = self._wavelets(data, columns)
        cells = math.prod(1 << w.levels if isinstance(w, Ordered) else len(data.domains[c].labels) for c, w in wavelets)
        refuse_many(self.name, cells)
        ways = tuple(way for _, way in wavelets)
        counts, terms = self._noisy(data, forward(data.counts(columns), ways), ways)
        transformed = tuple(name for name, way in wavelets if not isinstance(way, Plain))
        spent = spent_on(self.name, data, terms, transformed=list(transformed))
        released = NoisyTable(cells_of(data, columns), inverse(counts, ways).ravel(), spent)
        moved = data.changed_rows * math.prod(way.factor for way in ways)
        facts = {"generalised_sensitivity": moved, "transformed": transformed}
        return published(self.name, released, must, PriveletDetails, **facts)

    def _wavelets(self, data: ConfidentialTable, columns: Sequence[str]) -> list[tuple[str, Wavelet]]:
        if unknown := [name for name in self.transformed or () if name not in columns]:
            raise PolicyError(f"{self.name} — transformed names {len(unknown)} column(s) that are not published")
        results: list[tuple[str, Wavelet]] = []
        for name in columns:
            domain = data.domains[name]
            size = len(domain.labels)
            way = Ordered(size) if isinstance(domain, Range) else Nominal(size)
            wanted = pays(way) if self.transformed is None else name in self.transformed
            results.append((name, way if wanted else Plain(size)))
        return results

    def _noisy(self, data: ConfidentialTable, coefficients: Ints, ways: Sequence[Wavelet]) -> tuple[Floats, list[Term]]:
        """Coefficients that share a scale are drawn together; each such part has the same share of the budget."""
        noisy_ones = np.zeros(coefficients.shape)
        parts = list(product(*(way.parts for way in ways)))
        price = self.share(len(parts))
        terms = []
        for part in parts:
            place = tuple(one.where for one in part)
            moved = data.changed_rows * math.prod(one.moved for one in part)
            length = data.changed_length * math.sqrt(math.prod(one.squares for one in part))
            noisy_ones[place], term = noisy(coefficients[place], price, moved, length, "wavelet coefficients")
            terms.append(term)
        return noisy_ones, terms


def pays(way: Ordered | Nominal) -> bool:
    """Is the bound on the worst error of a range below that of plain noise on every cell?

    >>> [pays(Ordered(size)) for size in (16, 512, 1024)], [pays(Nominal(size)) for size in (16, 17)]
    ([False, False, True], [False, True])
    """
    spread = 4.0 if isinstance(way, Nominal) else (2 + way.levels) / 2
    return way.size > way.factor**2 * spread
