"""Top-down clustering: groups are cut in two around two distant seeds as long as every criterion holds in both halves.

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
The seeds are 20 M and 29 F. The four women are cut into 23 and the others; 23 alone is too few and borrows 27.

>>> import pyarrow as pa
>>> from sharewell.tables import KAnonymity, Table
>>> people = pa.table({"age": [20, 23, 25, 27, 28, 29], "sex": ["M", "F", "M", "F", "F", "F"]})
>>> released = TopDown().protect(Table.of(people, quasi=["age", "sex"]), must=[KAnonymity(2)])
>>> released.data.arrow.to_pydict()["age"]
['[20-25]', '[23-27]', '[20-25]', '[23-27]', '[28-29]', '[28-29]']

## Why it is safe
Every criterion holds in every block. A group is cut only if every criterion holds in both halves, so by induction it
does in every group. Groups that publish equal cells are one class to a reader; for criteria that such a union may break
(`union_safe` is False) the published classes are looked at once more and merged where they fail. Ties are broken by the
content of records, never by their place in the source.

## Cost
O(q · n · depth) time for q quasi columns and n records, depth about log2(block/k), after a coarse Mondrian; O(q · n)
memory.

## Source
Xu, Wang, Pei, Wang, Shi and Fu, 2006. A half that is too small borrows from the other: merging it back, their
alternative, never loses less, because a part's cells are never wider than those of the whole.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sharewell.algorithm import Count, Declared, Key, Mechanism, Protected
from sharewell.tables.data import Classes, Table
from sharewell.tables.engine.checks.class_criterion import ClassCriteria
from sharewell.tables.engine.protection.clustering.blocks import cluster, least_records
from sharewell.tables.engine.protection.clustering.cluster_space import ClusterSpace, Rows
from sharewell.tables.engine.protection.clustering.two_seeds import cut_in_two


@dataclass(frozen=True)
class TopDown(Declared, Mechanism[Table]):
    """Local recoding by cutting groups in two over any list of class criteria."""

    block: Count | None = None

    engine: ClassVar[str] = "worst"

    def protect(self, data: Table, must: ClassCriteria, key: Key | None = None) -> Protected[Table]:
        return cluster(self.name, data, must, self.block, _form)


def _form(space: ClusterSpace, criteria: ClassCriteria) -> tuple[Rows, Rows]:
    """Depth by depth, all groups of all blocks together."""
    least = least_records(criteria)
    active = Classes(np.arange(len(space.rows)), space.starts, {})
    finished = []
    while active.count:
        large = active.sizes >= max(2, 2 * least)
        finished.append(active.select(np.flatnonzero(~large)))
        active = active.select(np.flatnonzero(large))
        done, order, starts = cut_in_two(space, active.order, active.starts, least, criteria)
        finished.append(active.select(np.flatnonzero(~done)))
        active = Classes(order, starts, {})
    groups = active.join(finished)
    return groups.order, groups.starts
