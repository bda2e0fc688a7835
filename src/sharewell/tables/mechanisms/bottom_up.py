"""Bottom-up clustering: the two groups that lose least together are merged, until every criterion holds in all.

## Guarantee
Every required criterion holds in every published class, or `Infeasible` is raised. Published ranges, nodes and sets
are tight: they cover the values of their class and no more than the column's style makes them.

## Adversary
That of the criteria.

## What it does not protect
Nothing beyond the criteria. Groups depend on the data, as in every partitioning method, and their boxes overlap: a
value may fit the cells of several classes.

## Parameters
block: how many records a block has at most, about (default: 1000, or 20 times the least class). Groups are formed
inside blocks of a coarse Mondrian; larger blocks take longer.

## Worked example
27 and 28 (or 28 and 29, which is the same in the end) come together first, then the third, then the two men; 23 joins
the other women, and these four, being 2k, are cut in two.

>>> import pyarrow as pa
>>> from sharewell.tables import KAnonymity, Table
>>> people = pa.table({"age": [20, 23, 25, 27, 28, 29], "sex": ["M", "F", "M", "F", "F", "F"]})
>>> released = BottomUp().protect(Table.of(people, quasi=["age", "sex"]), must=[KAnonymity(2)])
>>> released.data.arrow.to_pydict()["age"]
['[20-25]', '[23-27]', '[20-25]', '[23-27]', '[28-29]', '[28-29]']

## Why it is safe
It ends when every criterion holds in every group, at the latest when a block is one group, for every criterion holds
in every block; a group is cut only if every criterion holds in both halves. Groups that publish equal cells are one
class to a reader; for criteria that such a union may break (`union_safe` is False) the published classes are looked at
once more and merged where they fail. Ties are broken by the content of records, never by their place in the source.

## Cost
O(q · n · block) time for q quasi columns and n records, after a coarse Mondrian; O(block²) memory for each block that
is handled at a time.

## Source
Xu, Wang, Pei, Wang, Shi and Fu, 2006. They go through small groups in the order of records; here the best pair of a
whole block is merged, and a group is cut as soon as it has 2k records, which makes the result the same in any order.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sharewell.algorithm import Count, Declared, Key, Mechanism, Protected
from sharewell.tables.data import Classes, Table
from sharewell.tables.engine.checks.class_criterion import ClassCriteria
from sharewell.tables.engine.protection.clustering.blocks import cluster
from sharewell.tables.engine.protection.clustering.cluster_space import ClusterSpace, Rows
from sharewell.tables.engine.protection.clustering.pair_merges import PairMerges

_PAIRS = 1 << 24
"""Pairs of groups that are kept in memory at a time."""


@dataclass(frozen=True)
class BottomUp(Declared, Mechanism[Table]):
    """Local recoding by merging groups over any list of class criteria."""

    block: Count | None = None

    engine: ClassVar[str] = "worst"

    def protect(self, data: Table, must: ClassCriteria, key: Key | None = None) -> Protected[Table]:
        return cluster(self.name, data, must, self.block, _form)


def _form(space: ClusterSpace, criteria: ClassCriteria) -> tuple[Rows, Rows]:
    """As many blocks together as memory allows."""
    largest = int(space.blocks.sizes.max())
    together = max(1, _PAIRS // largest**2)
    every_block = Classes(np.arange(len(space.rows)), space.starts, {})
    parts = []
    for first in range(0, every_block.count, together):
        some = np.arange(first, min(first + together, every_block.count))
        parts.append(PairMerges(space, every_block.select(some), criteria).groups())
    groups = every_block.join(parts)
    return groups.order, groups.starts
