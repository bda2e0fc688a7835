"""k-member: the nearest records are clustered, one cluster after the other, within blocks of similar records.

## Guarantee
Every required criterion holds in every published class, or `Infeasible` is raised. Published ranges, nodes and sets
are tight: they cover the values of their class and no more than the column's style makes them.

## Adversary
That of the criteria.

## What it does not protect
Nothing beyond the criteria. Clusters depend on the data, as in every partitioning method, and their boxes overlap: a
value may fit the cells of several classes.

## Parameters
block: how many records a block has at most, about (default: 1000, or 20 times the least class). Larger blocks lose
less information and take longer.

## Worked example
>>> import pyarrow as pa
>>> from sharewell.tables import KAnonymity, Table
>>> people = pa.table({"age": [20, 23, 25, 27, 28, 29], "sex": ["M", "F", "M", "F", "F", "F"]})
>>> released = KMember().protect(Table.of(people, quasi=["age", "sex"]), must=[KAnonymity(2)])
>>> released.data.arrow.to_pydict()["age"]
['[20-25]', '[23-27]', '[20-25]', '[23-27]', '[28-29]', '[28-29]']

## Why it is safe
A cluster is closed only when every criterion holds in it; a record left over joins a cluster only if every criterion
still holds there, and what nothing can take is merged with its neighbours until everything holds: at the latest when
the whole block is one class, for every criterion holds in every block. Clusters that publish equal cells are one class
to a reader; for criteria that such a union may break (`union_safe` is False) the published classes are looked at once
more and merged where they fail. Ties are broken by the content of records, never by their place in the source.

## Cost
O(n · block · q) time at the worst for n records and q quasi columns, after a coarse Mondrian; O(q · n) memory. Work on
many records is compiled.

## Source
Byun, Kamra, Bertino and Li, 2007. There the seed is the record farthest from the last seed; here it is the one that
would widen the last cluster most.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sharewell.algorithm import Count, Declared, Key, Mechanism, Protected
from sharewell.compiled import numba_or_numpy, seconds_in_numpy
from sharewell.progress import counter
from sharewell.tables.data import Bools, Ints, Table
from sharewell.tables.engine.checks.class_criterion import ClassCriteria
from sharewell.tables.engine.protection.clustering.blocks import cluster, least_records
from sharewell.tables.engine.protection.clustering.cluster_space import ClusterSpace, Rows
from sharewell.tables.engine.protection.clustering.k_member_growth import Growth, grow
from sharewell.tables.engine.protection.clustering.leftover_rows import join_leftovers
from sharewell.tables.engine.protection.partitioning.cuts import positions

COMPILED_FROM = 8_000
"""Rows from which the compiled twin takes much less time, once it is loaded."""
LOADING_PAYS_FROM = 40_000
"""Rows from which loading it takes less time than it saves."""
COMPILING_PAYS_FROM = 120_000
"""Rows from which compiling it takes less time, too."""


@dataclass(frozen=True)
class KMember(Declared, Mechanism[Table]):
    """Local recoding by greedy clusters over any list of class criteria."""

    block: Count | None = None

    engine: ClassVar[str] = "worst"

    def protect(self, data: Table, must: ClassCriteria, key: Key | None = None) -> Protected[Table]:
        return cluster(self.name, data, must, self.block, _form)


def _form(space: ClusterSpace, criteria: ClassCriteria) -> tuple[Rows, Rows]:
    """In compiled code where that pays."""
    kernel = "sharewell.tables.engine.protection.clustering.k_member_kernel:grow"
    rows = space.table.rows
    pays, loads = rows >= COMPILING_PAYS_FROM, rows >= LOADING_PAYS_FROM
    step = numba_or_numpy(rows >= COMPILED_FROM, kernel, grow, pays, loads)
    with seconds_in_numpy(kernel, step is grow and rows >= COMPILED_FROM):
        return _grown(space, criteria, step)


def _grown(space: ClusterSpace, criteria: ClassCriteria, step: Callable[..., None]) -> tuple[Rows, Rows]:
    """In every block at once: one cluster after the other, until too few rows are left."""
    state, least = Growth.begin(space), least_records(criteria)
    free = np.diff(space.starts)
    closed: list[tuple[Ints, Ints]] = []
    number, count = 0, counter("rows", int(free.sum()))
    while len(blocks := np.flatnonzero(free >= least)):
        numbers = number + np.arange(len(blocks))
        number += len(blocks)
        targets = np.full(len(blocks), least)
        open_ = np.arange(len(blocks))
        holds = np.zeros(len(blocks), dtype=bool)
        while len(open_):
            step(blocks[open_], numbers[open_], targets[open_], state)
            holds[open_] = _closed(space, state, blocks[open_], criteria)
            open_ = open_[~holds[open_] & (state.size[blocks[open_]] < free[blocks[open_]])]
            size = state.size[blocks[open_]]
            targets[open_] = np.minimum(size + np.maximum(1, size // 8), free[blocks[open_]])
        before = int(free[blocks].sum())
        free[blocks[holds]] -= state.size[blocks[holds]]
        free[blocks[~holds]] = 0  # all that was left does not do together: it joins what there is
        if not holds.all():
            state.owner[np.isin(state.owner, numbers[~holds])] = -1
        count(before - int(free[blocks].sum()))
        state.size[blocks] = 0
        closed.append((blocks[holds], numbers[holds]))
    return join_leftovers(space, *_in_block_order(state.owner, closed), criteria)


def _closed(space: ClusterSpace, state: Growth, blocks: Ints, criteria: ClassCriteria) -> Bools:
    """Does everything hold in the growing clusters of these blocks?"""
    size, begins = state.size[blocks], state.starts[blocks]
    return space.holds(state.joined[positions(begins, begins + size)], np.concatenate([[0], np.cumsum(size)]), criteria)


def _in_block_order(owner: Ints, closed: list[tuple[Ints, Ints]]) -> tuple[Rows, int]:
    """Clusters numbered anew, block by block, and how many there are."""
    blocks, numbers = (np.concatenate(parts) for parts in zip(*closed, strict=True))
    new = np.full(int(numbers.max()) + 1, -1)
    new[numbers[np.argsort(blocks, kind="stable")]] = np.arange(len(numbers))
    return np.where(owner >= 0, new[owner], -1), len(numbers)
