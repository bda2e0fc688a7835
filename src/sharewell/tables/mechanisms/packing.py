"""Packing: rows are ordered along a space-filling curve and packed into leaves of k, to which newcomers can be added.

## Guarantee
Every required criterion holds in every published class, or `Infeasible` is raised. Published cells are tight. After
`append` the criteria hold in the later release, and among the newcomers by themselves: nobody who subtracts any earlier
release from any later one finds newcomers for whom they do not hold (see `append-safe`). Criteria that compare with the
whole table (t-closeness, β-likeness, δ-disclosure) promise this of consecutive releases only, unless they are given a
fixed reference: the newcomers of two rounds, taken together, are another whole than those of each.

## Adversary
That of the criteria; after `append`, one who holds every release, and knows the target's quasi values and after which
release the target joined.

## What it does not protect
Nothing beyond the criteria. Leaves depend on the data, as in every partitioning method, and their boxes may overlap.
Appending is for new persons only: whose records change, or are to be taken out, needs a release from scratch to people
who do not have the earlier one.

## Parameters
curve: "hilbert" suits columns of many ordered values, "serpentine" columns of few values; "best" (default) tries both.

## Worked example
>>> import pyarrow as pa
>>> from sharewell.tables import KAnonymity, Table
>>> people = pa.table({"age": [20, 23, 25, 27, 28, 29], "sex": ["M", "F", "M", "F", "F", "F"]})
>>> first = Packing().protect(Table.of(people, quasi=["age", "sex"]), must=[KAnonymity(2)])
>>> first.data.arrow.to_pydict()["age"]
['[20-25]', '[23-27]', '[20-25]', '[23-27]', '[28-29]', '[28-29]']

Three people join, and then one, who has to wait.

>>> joined = pa.table({"age": [21, 45, 47], "sex": ["F", "M", "F"]})
>>> second = Packing().append(first.data, Table.of(joined, quasi=["age", "sex"]), must=[KAnonymity(2)])
>>> second.data.arrow.to_pydict()["age"][6:]
['[21-47]', '[21-47]', '[21-47]']
>>> one = Table.of(pa.table({"age": [33], "sex": ["F"]}), quasi=["age", "sex"])
>>> third = Packing().append(second.data, one, must=[KAnonymity(2)])
>>> third.data.rows, third.details.waiting
(9, 1)

## Why it is safe
Leaves in which a criterion fails are merged with a neighbour on the curve, at the latest until all rows are one leaf,
in which every criterion must hold. Leaves that publish equal cells are one class to a reader; for criteria that such a
union may break (`union_safe` is False) the published classes are looked at once more and merged where they fail.
`append` publishes every earlier row again as it was, and packs the newcomers among themselves. The later release then
follows from the earlier one and a release of newcomers that satisfies the criteria itself, and so tells no more than
the two. Where a union may break a criterion, newcomers never share a class with earlier rows. Newcomers for whom not
even one class of all of them satisfies the criteria are held back; give them again with the next ones.

## Cost
O(q · n · (log n + 32)) time for q quasi columns and n rows, O(q · n) memory. `append` costs that of the newcomers, and
O(q · n) for copying the rows that are there. How much is lost depends on the data: less than Mondrian where columns
hang together, as in census data, more where they are independent of each other.

## Source
Iwuchukwu and Naughton, 2007 (anonymisation as spatial indexing, incremental releases); Ghinita, Karras, Kalnis and
Mamoulis, 2007 (cuts along a curve by dynamic programming); Skilling, 2004 (Hilbert's curve). An index that moves
earlier records to other leaves when newcomers arrive, as the first does, gives newcomers away by the difference.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from sharewell.algorithm import DataError, Declared, Infeasible, Key, Mechanism, Protected, refuse_failing
from sharewell.spelling import fold
from sharewell.tables.data import Bools, Classes, Table
from sharewell.tables.engine.checks.class_criterion import ClassCriteria, all_hold
from sharewell.tables.engine.protection.clustering.blocks import least_records
from sharewell.tables.engine.protection.clustering.optimal_runs import cut, merge, merge_until
from sharewell.tables.engine.protection.clustering.space_filling_curves import CURVES, Curve, along
from sharewell.tables.engine.protection.partitioning.preconditions import root_class
from sharewell.tables.engine.published_cells import publish
from sharewell.tables.engine.release_versions import append_rows

Cells = set[tuple[str, ...]]
"""What classes show, column by column."""


@dataclass(frozen=True)
class PackingDetails:
    classes: int
    smallest: int
    curve: str
    earlier: int = 0
    """Records that an earlier release had."""
    waiting: int = 0
    """Records of newcomers who are too few, or too alike, to be published yet."""


@dataclass(frozen=True)
class Packing(Declared, Mechanism[Table]):
    """Local recoding along a curve over any list of class criteria, with incremental releases."""

    curve: Literal["best", "hilbert", "serpentine"] = "best"

    engine: ClassVar[str] = "worst"

    def protect(self, data: Table, must: ClassCriteria, key: Key | None = None) -> Protected[Table]:
        root = root_class(self.name, data, must)
        released, curve = self._packed(data, root, must, set())
        sizes = released.classes.sizes
        return Protected(released, PackingDetails(len(sizes), int(sizes.min()), curve), np.arange(data.rows))

    def append(
        self,
        earlier: Table | Protected[Table],
        newcomers: Table,
        must: ClassCriteria,
        key: Key | None = None,
    ) -> Protected[Table]:
        """The earlier release, unchanged, and after its rows those of the newcomers who need not wait.

        `rows` counts the rows of the earlier release first and then the newcomers: row i is newcomer
        rows[i] − earlier.rows where that is not negative.
        """
        before = earlier.data if isinstance(earlier, Protected) else earlier
        released, curve = _nobody(newcomers), "none"
        _refuse_known_persons(before, newcomers)
        try:
            root = root_class(self.name, newcomers, must)
        except Infeasible:  # all of them wait
            pass
        else:
            taken = set() if all(criterion.union_safe for criterion in must) else _shown(before)
            packed, curve = self._packed(newcomers, root, must, taken)
            released = packed if not taken & _shown(packed) else released
        after = append_rows(before, released)
        # As a reader sees the later release: a reference may have moved, or the earlier release never held.
        problem = "the earlier rows, which stay as they were, and the newcomers fail together"
        helps = ["give the criterion a fixed reference, or release the newcomers by themselves"]
        refuse_failing(self.name, after, must, helps, problem)
        sizes, waiting = after.classes.sizes, newcomers.rows - released.rows
        details = PackingDetails(len(sizes), int(sizes.min(initial=0)), curve, before.rows, waiting)
        return Protected(after, details, np.arange(after.rows))

    def _packed(self, data: Table, root: Classes, criteria: ClassCriteria, taken: Cells) -> tuple[Table, str]:
        """All rows as they are published, and the curve that was better; `taken` cells are kept clear of."""
        curves: Sequence[Curve] = tuple(CURVES) if self.curve == "best" else (self.curve,)
        lines = {curve: along(curve, data) for curve in (curves if data.quasi else curves[:1])}
        cuts = {curve: cut(data, line, least_records(criteria)) for curve, line in lines.items()}
        best = min(cuts, key=lambda curve: cuts[curve][1])
        leaves = Classes(lines[best], cuts[best][0], root.columns, root.subject)
        leaves = merge_until(data, leaves, criteria)
        released, _ = publish(data, leaves)
        unsure = [criterion for criterion in criteria if not criterion.union_safe]
        while unsure and leaves.count > 1:
            bad = _unfit(released, leaves, unsure, taken)
            if not bad.any():
                break
            failing = np.bincount(leaves.class_of, weights=bad[leaves.order], minlength=leaves.count) > 0
            leaves = merge_until(data, merge(data, leaves, failing), criteria)
            released, _ = publish(data, leaves)
        return released, best


def _unfit(released: Table, leaves: Classes, unsure: ClassCriteria, taken: Cells) -> Bools:
    """Rows whose published class fails a criterion, or shows what another release shows."""
    shown = released.classes
    judged = Classes(shown.order, shown.starts, leaves.columns, leaves.subject)
    holds = all_hold(unsure, judged)
    if taken:
        holds &= np.array([cells not in taken for cells in _each_shown(released)])
    bad = np.zeros(released.rows, dtype=bool)
    bad[shown.order] = ~np.repeat(holds, shown.sizes)
    return bad


def _each_shown(table: Table) -> list[tuple[str, ...]]:
    """The cells of each class."""
    first = table.classes.order[table.classes.starts[:-1]]
    texts = [[column.texts[code] for code in column.codes[first].tolist()] for column in table.quasi]
    return list(zip(*texts, strict=True)) if texts else [()] * len(first)


def _shown(table: Table) -> Cells:
    return set(_each_shown(table))


def _nobody(newcomers: Table) -> Table:
    """A release of none of them."""
    none = np.zeros(0, dtype=np.intp)
    if newcomers.published:
        raise DataError("packing — the newcomers are published cells already — give their original values")
    return newcomers.released({column.name: column.take(none) for column in newcomers.quasi}, none)


def _refuse_known_persons(earlier: Table, newcomers: Table) -> None:
    """Somebody who is there already is no newcomer."""
    if earlier.subject is None or newcomers.subject is None:
        return
    both_sides = (earlier.subject, newcomers.subject)
    old, new = ({fold(side.texts[code]) for code in np.unique(side.codes)} - {""} for side in both_sides)
    if both := len(old & new):
        problem = f"{both} of {len(new)} newcomer(s) own records in the earlier release"
        raise DataError(f"packing — {problem} — append new persons only, or release everything from scratch")
