"""What the clustering mechanisms share: blocks of similar rows, and the way to a release.

A method gets blocks of similar rows (leaves of a coarse Mondrian in which every criterion holds) and forms groups in
each; no group spans two blocks. Rows come to it in the order of their content, and it breaks ties by that order alone,
so that the order of the source does not matter.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from sharewell.protocols import Protected
from sharewell.tables.criteria.k_anonymity import KAnonymity
from sharewell.tables.data import Table
from sharewell.tables.engine.array_types import Indices
from sharewell.tables.engine.checks.class_criterion import ClassCriterion, all_hold
from sharewell.tables.engine.classes import Classes
from sharewell.tables.engine.protection.clustering.cluster_space import ClusterSpace, Rows
from sharewell.tables.engine.protection.clustering.leftover_rows import merge_failing
from sharewell.tables.engine.protection.partitioning.cuts import gains
from sharewell.tables.engine.protection.partitioning.preconditions import root_class
from sharewell.tables.engine.protection.partitioning.top_down_cuts import partition
from sharewell.tables.engine.protection.row_order import quasi_first
from sharewell.tables.engine.published_cells import publish

Method = Callable[[ClusterSpace, Sequence[ClassCriterion]], tuple[Rows, Rows]]
"""Forms groups of positions, given as (order, starts), in which every criterion holds."""
_TOGETHER = 1 << 16
"""Rows of the blocks that are handled at a time: what they need fits into the processor's cache."""


@dataclass(frozen=True)
class ClusteringDetails:
    classes: int
    smallest: int
    blocks: int
    merged: int
    """Classes given up because groups that publish equal cells failed a criterion together."""


def cluster(
    name: str, data: Table, criteria: Sequence[ClassCriterion], block: int | None, method: Method
) -> Protected[Table]:
    """Blocks, groups, cells. No random choice is made, so the result is always reproducible."""
    root = replace(root_class(name, data, criteria), order=quasi_first(data))
    wanted = max(1000, 20 * least_records(criteria)) if block is None else block
    large = KAnonymity(max(1, wanted // 2), unit="record")
    blocks, _ = partition(data, root, [*criteria, large], lambda candidates, _: gains(candidates))
    parts = []
    batch = blocks.starts[:-1] // _TOGETHER
    for number in np.unique(batch) if data.quasi else ():
        some = blocks.select(np.flatnonzero(batch == number))
        order, starts = method(ClusterSpace(data, some), criteria)
        parts.append(Classes(some.order[order], starts, some.columns, some.subject))
    released, rows, merged = _published(data, root.join(parts) if parts else root, criteria)
    sizes = released.classes.sizes
    return Protected(released, ClusteringDetails(len(sizes), int(sizes.min()), blocks.count, merged), rows)


def least_records(criteria: Sequence[ClassCriterion]) -> int:
    """The fewest records with which a class can meet all criteria."""
    return max((criterion.least_records for criterion in criteria), default=1)


def _published(table: Table, groups: Classes, criteria: Sequence[ClassCriterion]) -> tuple[Table, Indices, int]:
    """Groups that publish equal cells are one class to a reader: where that fails, they join the nearest class."""
    released, rows = publish(table, groups)
    unsure = [criterion for criterion in criteria if not criterion.union_safe]
    merged = 0
    while unsure:
        shown = Classes(rows[released.classes.order], released.classes.starts, groups.columns, groups.subject)
        if all_hold(unsure, shown).all() or shown.count == 1:
            break
        space = ClusterSpace(table, table.as_classes(shown.order, np.array([0, len(shown.order)])))
        order, starts = merge_failing(space, np.arange(len(shown.order)), shown.starts, criteria)
        merged += shown.count - (len(starts) - 1)
        released, rows = publish(table, Classes(shown.order[order], starts, shown.columns, shown.subject))
    return released, rows, merged
