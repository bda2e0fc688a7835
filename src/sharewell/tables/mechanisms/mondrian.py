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

from sharewell.protocols import Protected
from sharewell.subjects import Key
from sharewell.tables.classes import Classes
from sharewell.tables.criteria.by_class import ByClass
from sharewell.tables.dataset import Table
from sharewell.tables.mechanisms.cuts import Cuts
from sharewell.tables.mechanisms.feasible import refuse_merged, whole
from sharewell.tables.mechanisms.partitioning import partition
from sharewell.tables.mechanisms.trimming import trim
from sharewell.tables.publishing import publish, withheld


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
        root = whole(self.name, data, must)
        classes, depth = partition(data, root, must, self._preference)
        if self.suppress:
            classes = trim(data, classes, must, most_persons=int(self.suppress * data.persons))
        released, rows = publish(data, classes)
        refuse_merged(self.name, released, must)
        gone = withheld(data, rows)
        details = MondrianDetails(classes.count, int(classes.sizes.min()), depth, data.rows - len(rows), gone)
        return Protected(released, details, rows)

    def _preference(self, found: Sequence[Cuts], active: Classes) -> NDArray[np.float64]:
        """By gain, or by width with equal widths going to more distinct values; then in column order."""
        if self.split == "gain":
            return np.stack([cuts.gain for cuts in found])
        distinct = np.stack([cuts.distinct for cuts in found])
        width = np.stack([np.round(cuts.loss, 12) for cuts in found])
        tie: NDArray[np.float64] = 1e-13 * distinct / (1 + distinct.max())
        return width + tie
