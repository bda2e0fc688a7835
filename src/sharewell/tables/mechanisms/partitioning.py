"""Top-down partitioning: all classes of one depth are cut together, as long as every criterion holds in both halves.

What differs between mechanisms is which column they prefer to cut; that is a function from the cuts found to a score
for each column and class, the highest first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sharewell.tables.classes import Classes
from sharewell.tables.criteria.by_class import ByClass
from sharewell.tables.dataset import Table
from sharewell.tables.mechanisms.cuts import Cuts, find_cuts

Preference = Callable[[Sequence[Cuts], Classes], NDArray[np.float64]]
Allowed = Callable[[Classes, Classes], NDArray[np.bool_]]
"""(parents, their halves) → may each parent be cut so? Besides what the criteria say."""


def partition(
    table: Table, root: Classes, must: Sequence[ByClass], prefer: Preference, allowed: Allowed | None = None
) -> tuple[Classes, int]:
    """Depth by depth; finished classes are set aside, the others cut again. The classes, and how deep it went."""
    if not table.quasi:
        return root, 0
    codes = np.stack([column.codes for column in table.quasi])
    least = max((criterion.least_records for criterion in must), default=1)
    finished: list[Classes] = []
    active, depth = root, 0
    while active.count:
        cut = _cut_all(table, codes, active, must, least, prefer, allowed)
        small = cut.children.sizes < 2 * least
        finished.append(active.select(np.flatnonzero(cut.uncut)))
        finished.append(cut.children.select(np.flatnonzero(small)))
        active = cut.children.select(np.flatnonzero(~small))
        depth += 1
    return root.join(finished), depth


@dataclass(frozen=True, eq=False)
class _Cut:
    children: Classes
    uncut: NDArray[np.bool_]


def _cut_all(
    table: Table,
    codes: NDArray[np.int32],
    active: Classes,
    must: Sequence[ByClass],
    least: int,
    prefer: Preference,
    allowed: Allowed | None,
) -> _Cut:
    """Try each class's columns from best to worst until a cut leaves two classes in which everything holds."""
    found = [find_cuts(codes[j][active.order], active.class_of, active.sizes, c) for j, c in enumerate(table.quasi)]
    score = prefer(found, active)
    impossible = np.stack([~f.possible | (f.left < least) | (active.sizes - f.left < least) for f in found])
    score[impossible] = -np.inf
    cut_at, goes_left = np.stack([f.at for f in found]), np.stack([f.left for f in found])
    uncut = np.ones(active.count, dtype=bool)
    parts: list[Classes] = []
    pending = np.flatnonzero(score.max(axis=0) > -np.inf)
    while len(pending):
        best = score[:, pending].argmax(axis=0)  # the first of equal ones: column order
        parents = active.select(pending)
        children = halves(parents, codes, best, cut_at[best, pending], goes_left[best, pending])
        fine = np.ones(children.count, dtype=bool)
        for criterion in must:
            fine &= criterion.holds(children)
        both = fine[0::2] & fine[1::2]
        if allowed is not None:
            both &= allowed(parents, children)
        uncut[pending[both]] = False
        parts.append(children.select(np.flatnonzero(np.repeat(both, 2))))
        failed = pending[~both]
        score[best[~both], failed] = -np.inf
        pending = failed[score[:, failed].max(axis=0) > -np.inf]
    return _Cut(active.join(parts), uncut)


def halves(
    classes: Classes,
    codes: NDArray[np.int32],
    column: NDArray[np.intp],
    at: NDArray[np.int64],
    left: NDArray[np.int64],
) -> Classes:
    """Each class as two: rows with code ≤ at first. Stable, so that the result does not depend on how we got here."""
    owner = classes.class_of
    right = codes[column[owner], classes.order] > at[owner]
    starts = classes.starts[:-1]
    rights = np.cumsum(right)
    rights_before = np.concatenate([[0], rights])[starts]
    rank_right = rights - 1 - rights_before[owner]
    rank_left = np.arange(len(owner)) - starts[owner] - (rights - rights_before[owner])
    target = starts[owner] + np.where(right, left[owner] + rank_right, rank_left)
    order = np.empty_like(classes.order)
    order[target] = classes.order
    edges = np.empty(2 * classes.count + 1, dtype=np.intp)
    edges[0::2], edges[1::2] = classes.starts, starts + left
    return Classes(order, edges, classes.columns, classes.subject)
