"""Consistent tree: publishes counts of one ordered column from a noisy tree of sums that is made consistent.

## Guarantee
ε-differential privacy for every person: with or without the rows of any one person (or with them replaced, where the
policy says so), any release is equally likely up to a factor of e^ε. With a budget in ρ it is ρ-zero-concentrated
differential privacy instead, in which the factor may be exceeded with a small probability δ: ε is then ρ + 2√(ρ ln
1/δ). This holds for all cells together, whatever else the attacker knows. The claim is attested: no file shows how the
noise was drawn.

## Adversary
Knows everybody's rows but one person's, the public range, and how the noise is drawn.

## What it does not protect
**The published counts are false.** Ranges of many values are more accurate than with noise on every value, single
values less so. Counts may be negative or fractional. Losses of further releases about the same people add up. What is
true of people in general is not protected.

## Parameters
epsilon: the budget ε.
rho: the budget ρ instead, under zero-concentrated privacy; the noise is then normal, and smaller where a row counts in
  many numbers.
column: the column with a public range; the only one of its kind, unless given.
branches: how many children a node has; unless given, as many as opendp advises for the number of values.

## Worked example
A tree in which every node has two children has four layers over eight bins, and a record is counted once in each layer.

>>> import pyarrow as pa
>>> from sharewell.io.sources import Source
>>> from sharewell.queries.data import ConfidentialTable, Range
>>> people = pa.table({"age": [5, 15, 15, 25, 35, 45, 55, 75]})
>>> table = ConfidentialTable(Source.of(people), {"age": Range(0, 80, bins=8)})
>>> released = ConsistentTree(epsilon=0.5, branches=2).protect(table, must=[])
>>> released.details.layers, released.details.scale, released.data.rows, released.reproducible
(4, 8.0, 8, False)

## Why it is safe
opendp sums the counts layer by layer, and states how far a changed row moves all sums together: by 1 in each layer. It
draws discrete Laplace noise whose scale is the number of layers times the rows that one person may change, divided by
ε, and states the loss. Least squares then make the sums agree; they use only the noisy sums.

## Cost
O(values), and one draw per node of the tree.

## Source
Hay, Rastogi, Miklau and Suciu, "Boosting the accuracy of differentially private histograms through consistency", 2010;
Qardaji, Yang and Li, 2013, on the number of branches. Tree, noise and consistency by opendp.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from annotated_types import Interval

from sharewell.algorithm import Criteria, Key, PolicyError, Protected
from sharewell.opendp_noise import opendp
from sharewell.queries.data import ConfidentialTable, NoisyTable, Range
from sharewell.queries.engine.protection.budget_terms import noisy, spent_on
from sharewell.queries.engine.protection.publication import (
    Publication,
    PublicationDetails,
    cells_of,
    columns_of,
    published,
    refuse_many,
)


@dataclass(frozen=True, kw_only=True)
class ConsistentTreeDetails(PublicationDetails):
    """The loss, how large the noise on each sum is, and the shape of the tree."""

    column: str
    branches: int
    layers: int


@dataclass(frozen=True)
class ConsistentTree(Publication):
    """Noise on every sum of a tree over an ordered column."""

    column: str | None = None
    branches: Annotated[int, Interval(ge=2, le=1000)] | None = None

    def protect(
        self, data: ConfidentialTable, must: Criteria[NoisyTable], key: Key | None = None
    ) -> Protected[NoisyTable]:
        column = self._column(data)
        bins = len(data.domains[column].labels)
        refuse_many(self.name, 2 * bins, ["fewer bins"])
        dp = opendp()
        branches = self.branches or max(2, int(dp.t.choose_branching_factor(bins)))
        space = dp.vector_domain(dp.atom_domain(T="i64")), dp.l1_distance(T="i64")
        tree = dp.t.make_b_ary_tree(*space, leaf_count=bins, branching_factor=branches)
        moved = int(tree.map(data.changed_rows))
        sums = np.array(tree(data.counts([column]).tolist()), dtype=np.int64)
        layers = moved // data.changed_rows
        length = data.changed_length * math.sqrt(layers)
        drawn, term = noisy(sums, self.price, moved, length, "sums of a tree")
        agreed = dp.t.make_consistent_b_ary_tree(branches)(drawn.tolist())
        spent = spent_on(self.name, data, [term], branches=branches)
        released = NoisyTable(cells_of(data, [column]), np.array(agreed[:bins], dtype=np.float64), spent)
        shape = {"column": column, "branches": branches, "layers": layers}
        return published(self.name, released, must, ConsistentTreeDetails, **shape)

    def _column(self, data: ConfidentialTable) -> str:
        ranges = [name for name, domain in data.domains.items() if isinstance(domain, Range)]
        if self.column is None and len(ranges) != 1:
            raise PolicyError(f"{self.name} — {len(ranges)} columns have a range, and it publishes one — name it")
        [column] = columns_of(self.name, data, [self.column or ranges[0]])
        if column not in ranges:
            raise PolicyError(f"{self.name} — column {column} has no order — choose one with a public range")
        return column
