"""Mondrian: the table is cut into ever smaller boxes as long as every criterion holds in both halves.

## Guarantee
Every required criterion holds in every published class, or `Infeasible` is raised. Published ranges, nodes and sets
are tight: they cover the values of their class and no more than the column's style makes them.

## Adversary
That of the criteria.

## What it does not protect
Nothing beyond the criteria. Cuts depend on the data, as in every partitioning method. With `split="label"` on a
sensitive column they depend on sensitive values: somebody who knows the method can ask why a class was cut here and not
there, and every answer reveals a little about labels (Wong et al., 2007, on minimality). Choose a label that may be
known, or a criterion that leaves room.

## Parameters
split: "gain" (default) takes the column whose cut lowers the normalised certainty penalty most; "width" the column
with the widest normalised range (the classic), equal widths going to more distinct values, then to column order;
"label" the cut that is most informative about the label; "queries" the cut on the border of a query after which fewest
records lie in boxes that a query overlaps but does not hold. Where no cut is worth anything to the label or to the
queries, or none of those leaves classes in which everything holds, the gain decides.
label: for "label", a sensitive or kept column: information gain if it is categorical, the reduction of squared
deviation if it is a number.
queries: for "queries", a list as the measure `query-error` takes it: `[{age: "[20-40]", sex: F}]`.
relaxed: also cut through a value where cuts between values leave nothing better. Boxes may then overlap.
suppress: the share of persons whose outlying records may be withheld so that the others keep more detail.

## Worked example
>>> import pyarrow as pa
>>> from sharewell.tables import KAnonymity, Table
>>> people = pa.table({"age": [20, 23, 25, 27, 28, 29], "sex": ["M", "F", "M", "F", "F", "F"]})
>>> released = Mondrian(split="width").protect(Table.of(people, quasi=["age", "sex"]), must=[KAnonymity(2)])
>>> released.data.arrow.to_pydict()["age"]
['[20-25]', '[20-25]', '[20-25]', '[27-29]', '[27-29]', '[27-29]']

## Why it is safe
The root class must satisfy every criterion. A cut is taken only if both halves do, so by induction every class does.
Rows that publish equal cells although they lie in two boxes form one class to a reader. Most criteria hold for the
union of two classes in which they hold; where one does not (`union_safe` is False) the published classes are looked at
once more, and `Infeasible` is raised if a union fails. The verifier groups published cells anew in any case.

Relaxed cuts never part rows with equal quasi values: who goes where follows from quasi values alone, not from the order
of the input and not from anything sensitive. A target may fit several boxes then, and an attacker must weigh their
union; so a criterion that may fail for unions is refused together with `relaxed`.

## Cost
O(q · n log n · depth) time for q quasi columns and n rows, depth about log2(n/k); O(q · n) memory. All classes of one
depth are handled together, so that the number of Python steps is O(q² · depth) for every million rows. Large tables
are cut by compiled code in O(q · n · depth). A query workload adds O(classes · borders · queries) for each depth.

## Source
LeFevre, DeWitt and Ramakrishnan, ICDE 2006 (strict and relaxed partitioning; their test must read |left| ≥ k *and*
|right| ≥ k). LeFevre, DeWitt and Ramakrishnan, KDD 2006 and TODS 2008 (label: information gain, with the median as
default; selections as a workload). That a record in doubt counts by the share it is of a query's answer is ours: the
error that counts is relative.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from sharewell.algorithm import Declared, Key, Mechanism, Protected, ShareBelowOne
from sharewell.exact_shares import part_of
from sharewell.tables.data import Classes, Floats, Table
from sharewell.tables.engine.checks.class_criterion import ClassCriteria
from sharewell.tables.engine.protection.partitioning.cuts import CandidateCuts, gains
from sharewell.tables.engine.protection.partitioning.outliers import trim
from sharewell.tables.engine.protection.partitioning.preconditions import refuse_merged, refuse_unions, root_class
from sharewell.tables.engine.protection.partitioning.relaxed_cuts import cuts_through_values, tuple_numbers
from sharewell.tables.engine.protection.partitioning.top_down_cuts import Proposal, partition
from sharewell.tables.engine.published_cells import persons_withheld, publish


@dataclass(frozen=True)
class MondrianDetails:
    classes: int
    smallest: int
    depth: int
    suppressed_records: int
    suppressed_persons: int


@dataclass(frozen=True)
class Mondrian(Declared, Mechanism[Table]):
    """Multidimensional partitioning over any list of class criteria."""

    split: Literal["gain", "width", "label", "queries"] = "gain"
    suppress: ShareBelowOne = 0.0
    relaxed: bool = False
    label: str | None = None
    queries: Sequence[Mapping[str, str]] = ()

    engine: ClassVar[str] = "worst"

    def __post_init__(self) -> None:
        super().__post_init__()
        if (self.label is not None) != (self.split == "label"):
            raise ValueError("split: label and a label go together")
        if bool(self.queries) != (self.split == "queries"):
            raise ValueError("split: queries and a list of queries go together")
        if any(not isinstance(part, str) for query in self.queries for part in (*query, *dict(query).values())):
            raise ValueError('queries name columns with cells as text, such as {age: "[20-40]", sex: F}')

    def protect(self, data: Table, must: ClassCriteria, key: Key | None = None) -> Protected[Table]:
        classes, depth = self.classes(data, must)
        released, rows = publish(data, classes)
        refuse_merged(self.name, released, must)
        withheld_persons = persons_withheld(data, rows)
        details = MondrianDetails(
            classes.count, int(classes.sizes.min()), depth, data.rows - len(rows), withheld_persons
        )
        return Protected(released, details, rows)

    def classes(self, data: Table, criteria: ClassCriteria) -> tuple[Classes, int]:
        """The classes in which every criterion holds, and how many cuts lie above the deepest one."""
        root = root_class(self.name, data, criteria)
        if self.relaxed:
            refuse_unions(f"{self.name} — relaxed", criteria, root)
        tuples = tuple_numbers(data) if self.relaxed else None
        propose = self._proposals(data, criteria, tuples)
        classes, depth = partition(data, root, criteria, self._preference, propose=propose, tuples=tuples)
        if self.suppress:
            classes = trim(data, classes, criteria, most_persons=part_of(self.suppress, data.persons))
        return classes, depth

    def _proposals(self, data: Table, criteria: ClassCriteria, tuples: NDArray[np.int32] | None) -> Sequence[Proposal]:
        """Which cuts are looked at besides the middle one of each column."""
        proposals: list[Proposal] = []
        least = max((criterion.least_records for criterion in criteria), default=1)
        if self.split in ("label", "queries"):
            from sharewell.tables.engine.protection.partitioning.workload_cuts import LabelCuts, QueryCuts

            if self.label is not None:
                proposals.append(LabelCuts.of(data, self.label, least))
            else:
                proposals.append(QueryCuts.of(data, self.queries, least))
        if tuples is not None:
            proposals.append(lambda middles, active: cuts_through_values(middles, active, tuples))
        return proposals

    def _preference(self, candidates: CandidateCuts, active: Classes) -> Floats:
        """By gain, or by width with equal widths going to more distinct values; then in column order.

        What is worth something to a workload comes first.
        """
        if self.split == "width":
            distinct = np.stack([cuts.distinct for cuts in candidates])
            width = np.stack([np.round(cuts.loss, 12) for cuts in candidates])
            tie: Floats = 1e-13 * distinct / (1 + distinct.max())
            return width + tie
        gain = gains(candidates)
        if self.split == "gain":
            return gain
        gain /= 1 + gain.max(initial=0.0)
        for score, cuts in zip(gain, candidates, strict=True):
            if cuts.worth is not None:
                score[:] = np.where(cuts.worth > 0, 1 + cuts.worth, -np.inf)
        return gain
