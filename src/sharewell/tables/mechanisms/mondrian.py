"""Mondrian: cut the table into ever smaller boxes as long as every criterion holds in both halves.

Guarantee
---------
Every criterion asked for holds in every published class, or `Infeasible` is raised. Published ranges, nodes and sets
are tight: they cover the values of their class and no more than the column's style makes them.

Adversary
---------
That of the criteria.

What it does not protect
------------------------
Nothing beyond the criteria. Cuts depend on the data, as in every partitioning method.

Parameters
----------
split: "gain" (default) takes the column whose cut lowers the normalised certainty penalty most; "width" the column
with the widest normalised range (the classic), equal widths going to more distinct values, then to column order.
suppress: the share of persons whose outlying records may be withheld so that the others keep more detail.

Worked example
--------------
>>> import pyarrow as pa
>>> from sharewell.tables import KAnonymity, Table
>>> people = pa.table({"age": [20, 23, 25, 27, 28, 29], "sex": ["M", "F", "M", "F", "F", "F"]})
>>> released = Mondrian(split="width").protect(Table.of(people, quasi=["age", "sex"]), must=[KAnonymity(2)])
>>> released.data.arrow.to_pydict()["age"]
['[20-25]', '[20-25]', '[20-25]', '[27-29]', '[27-29]', '[27-29]']

Why it is safe
--------------
The root class must satisfy every criterion. A cut is taken only if both halves do, so by induction every class does.
Rows that publish equal cells although they lie in two boxes form one class to a reader. Most criteria hold for the
union of two classes in which they hold; where one does not (`union_safe` is False) the published classes are looked at
once more, and `Infeasible` is raised if a union fails. The verifier groups published cells anew in any case.

Cost
----
O(q · n log n · depth) time for q quasi columns and n rows, depth about log2(n/k); O(q · n) memory. All classes of one
depth are handled together, so that the number of Python steps is O(q² · depth) whatever n.

Source
------
LeFevre, DeWitt and Ramakrishnan, 2006. Their test must read |left| ≥ k *and* |right| ≥ k.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from sharewell.errors import Infeasible, PolicyError
from sharewell.findings import show
from sharewell.protocols import Protected
from sharewell.subjects import Key
from sharewell.tables.classes import Classes
from sharewell.tables.criteria.by_class import ByClass
from sharewell.tables.dataset import Table
from sharewell.tables.mechanisms.cuts import Cuts, find_cuts
from sharewell.tables.mechanisms.trimming import trim
from sharewell.tables.publishing import publish, withheld

Rows = NDArray[np.intp]


@dataclass(frozen=True)
class MondrianDetails:
    classes: int
    smallest: int
    depth: int
    suppressed_records: int
    suppressed_persons: int


@dataclass(frozen=True)
class Mondrian:
    """Multidimensional partitioning over any list of class criteria."""

    split: Literal["gain", "width"] = "gain"
    suppress: float = 0.0

    name: ClassVar[str] = "mondrian"
    engine: ClassVar[str] = "worst"
    refuses: ClassVar[tuple[str, ...]] = ()

    def __post_init__(self) -> None:
        if not 0 <= self.suppress < 1:
            raise ValueError("suppress is a share of persons: 0 or more, less than 1")

    def protect(self, data: Table, must: Sequence[ByClass], key: Key | None = None) -> Protected[Table]:
        """No random choice is made, so the key is not used and the result is always reproducible."""
        if data.published:
            raise PolicyError("mondrian — the table holds published cells already — start from the original")
        root = data.as_classes(np.arange(data.rows), np.array([0, data.rows]))
        _refuse_hopeless(root, must, data)
        partition, depth = self._partition(data, root, must)
        if self.suppress:
            partition = trim(data, partition, must, most_persons=int(self.suppress * data.persons))
        released, rows = publish(data, partition)
        _refuse_merged(released, must)
        gone = withheld(data, rows)
        details = MondrianDetails(partition.count, int(partition.sizes.min()), depth, data.rows - len(rows), gone)
        return Protected(released, details, rows)

    def _partition(self, table: Table, root: Classes, must: Sequence[ByClass]) -> tuple[Classes, int]:
        """Depth by depth; finished classes are set aside, the others cut again."""
        codes = (
            np.stack([column.codes for column in table.quasi]) if table.quasi else np.zeros((0, table.rows), np.int32)
        )
        least = max((criterion.least_records for criterion in must), default=1)
        finished: list[Classes] = [] if table.quasi else [root]
        active, depth = root, 0
        while active.count and table.quasi:
            cut = self._cut_all(table, codes, active, must, least)
            small = cut.children.sizes < 2 * least
            finished.append(active.select(np.flatnonzero(cut.uncut)))
            finished.append(cut.children.select(np.flatnonzero(small)))
            active = cut.children.select(np.flatnonzero(~small))
            depth += 1
        return root.join(finished), depth

    def _cut_all(
        self, table: Table, codes: NDArray[np.int32], active: Classes, must: Sequence[ByClass], least: int
    ) -> _Cut:
        """Try each class's columns from best to worst until a cut leaves two classes in which everything holds."""
        found = [find_cuts(codes[j][active.order], active.class_of, active.sizes, c) for j, c in enumerate(table.quasi)]
        score = self._scores(found, active, least)
        cut_at, goes_left = np.stack([f.at for f in found]), np.stack([f.left for f in found])
        uncut = np.ones(active.count, dtype=bool)
        parts: list[Classes] = []
        pending = np.flatnonzero(score.max(axis=0) > -np.inf)
        while len(pending):
            best = score[:, pending].argmax(axis=0)
            children = _halves(active.select(pending), codes, best, cut_at[best, pending], goes_left[best, pending])
            fine = np.ones(children.count, dtype=bool)
            for criterion in must:
                fine &= criterion.holds(children)
            both = fine[0::2] & fine[1::2]
            uncut[pending[both]] = False
            parts.append(children.select(np.flatnonzero(np.repeat(both, 2))))
            failed = pending[~both]
            score[best[~both], failed] = -np.inf
            pending = failed[score[:, failed].max(axis=0) > -np.inf]
        return _Cut(active.join(parts), uncut)

    def _scores(self, found: list[Cuts], active: Classes, least: int) -> NDArray[np.float64]:
        """One score for each column and class; −∞ where no cut can do."""
        score = np.stack([f.gain if self.split == "gain" else f.loss for f in found])
        tie = np.stack([f.distinct for f in found]) / (1 + max(int(f.distinct.max()) for f in found))
        score = np.round(score, 12) if self.split == "width" else score
        order = np.lexsort((tie, score), axis=0)  # rank, so that ties are broken exactly and argmax takes the first
        ranks = np.empty_like(score)
        np.put_along_axis(
            ranks, order, np.arange(len(found), dtype=np.float64)[:, None] + np.zeros(active.count), axis=0
        )
        impossible = np.stack([~f.possible | (f.left < least) | (active.sizes - f.left < least) for f in found])
        return np.where(impossible, -np.inf, ranks)


@dataclass(frozen=True, eq=False)
class _Cut:
    children: Classes
    uncut: NDArray[np.bool_]


def _halves(
    classes: Classes, codes: NDArray[np.int32], column: Rows, at: NDArray[np.int64], left: NDArray[np.int64]
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


def _refuse_merged(released: Table, must: Sequence[ByClass]) -> None:
    """Boxes that publish the same cells are one class to a reader: look again where a union may fail."""
    for criterion in must:
        if not criterion.union_safe and not criterion.holds(released.classes).all():
            failing = int((~criterion.holds(released.classes)).sum())
            what = f"{criterion.name} fails in {failing} published class(es) that several boxes share"
            raise Infeasible(f"mondrian — {what} — publish finer columns", blocking=[criterion.name])


def _refuse_hopeless(root: Classes, must: Sequence[ByClass], table: Table) -> None:
    """If the whole table as one class fails, nothing finer can hold."""
    if table.rows == 0:
        raise Infeasible("mondrian — the table has no rows — there is nothing to release")
    blocking, relaxations = [], []
    for criterion in must:
        reached = criterion.worst(root)[0].item()
        if not criterion.holds(root)[0]:
            asked = f"{criterion.name} {criterion.sense} {show(criterion.bound)}"
            blocking.append(f"{asked}: all rows as one class reach {show(reached)}")
            if reached:
                relaxations.append(f"{criterion.name} with bound {show(reached)}")
    if blocking:
        raise Infeasible(
            "mondrian — not even the table as one class meets the criteria", blocking=blocking, relaxations=relaxations
        )
