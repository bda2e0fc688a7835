"""MDAV microaggregation: records gather in groups of at least k neighbours, and each group publishes its average.

## Guarantee
Every group has at least k persons, and all of them publish the same value in every column named: if those are all
quasi columns, k-anonymity holds. It is checked, like every required criterion, on what would be published;
`Infeasible` is raised if one fails. Means of numbers are kept (up to rounding), within groups and over all.

## Adversary
That of the criteria: knows quasi values of a person who is in the data.

## What it does not protect
**The published values are false: they are averages over other people too.** The spread within groups is lost, so that
variances shrink and correlations grow. Nothing is promised about sensitive columns: a group may share one disease. A
column that is not named is published as it is.

## Parameters
k: persons in a group; by default the largest k of the k-anonymity required criteria.
columns: the columns to average; by default all quasi columns. Sensitive and kept columns may be named too.
block: how many points are compared with each other; larger tables are first cut into blocks at medians.

## Worked example
>>> import pyarrow as pa
>>> from sharewell.tables import KAnonymity, Table
>>> people = pa.table({"age": [20, 22, 24, 60, 63, 66], "weight": [50, 52, 54, 80, 83, 86]})
>>> released = MDAV().protect(Table.of(people, quasi=["age", "weight"]), must=[KAnonymity(3)])
>>> released.data.arrow.to_pydict()
{'age': ['22', '22', '22', '63', '63', '63'], 'weight': ['52', '52', '52', '83', '83', '83']}

## Why it is safe
The point farthest from the centre takes its k − 1 nearest points into a group, then the point farthest from it does the
same, until fewer than 2k are left, which form the last group. So every group has k to 2k − 1 points. A point is a
person: where a person owns several records, it is their mean. Distances are whole numbers on a fine grid, and equal
ones are decided by content, so that the result does not depend on the order of rows.

Numbers and dates are standardised and published as the mean of the group's records, with two decimals more than the
column has. For any other column two values are either equal or apart, by a weight that makes every column count the
same on average, and the most frequent value is published, the first in the column's order among equals. A missing value
counts as the mean, and is published as the group's.

## Cost
O(c · n² / k) time for n points and c columns up to `block` points, then O(c · n · block / k): 30,000 records with five
columns in about a second, a million in about half a minute. The groups of a table cut into blocks are a little wider.

## Source
Domingo-Ferrer and Mateo-Sanz, 2002; Domingo-Ferrer and Torra, 2005 (MDAV, and its form for categories).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from annotated_types import Ge, MinLen
from numpy.typing import NDArray

from sharewell.algorithm import Criteria, Declared, Infeasible, Key, Mechanism, PolicyError, Protected, Role
from sharewell.tables.criteria.k_anonymity import KAnonymity
from sharewell.tables.data import Floats, Indices, Ints, Table
from sharewell.tables.engine.columns import ArrowColumn, Column
from sharewell.tables.engine.protection.clustering.mdav_groups import grouped, mismatch_weight, standardised
from sharewell.tables.engine.protection.partitioning.preconditions import refuse_false_cells, refuse_unfit
from sharewell.tables.engine.protection.perturbation.cell_writer import NO_TREE, WrittenColumn, recoded
from sharewell.tables.engine.protection.perturbation.number_columns import (
    NumberColumn,
    any_column,
    number_column,
    released_if_holding,
)
from sharewell.tables.engine.protection.row_order import by_content
from sharewell.wing import ColumnFacts


@dataclass(frozen=True)
class MdavDetails:
    groups: int
    smallest: int
    """Persons in the smallest group."""
    averaged: tuple[str, ...]
    most_frequent: tuple[str, ...]
    filled: int
    """Missing cells that were published as their group's value."""

    @property
    def dictionary(self) -> dict[str, ColumnFacts]:
        mean: ColumnFacts = {"falsified": "the mean of a group", **NO_TREE}
        means = dict.fromkeys(self.averaged, mean)
        return means | {name: {"falsified": "the most frequent value of a group"} for name in self.most_frequent}


@dataclass(frozen=True)
class MDAV(Declared, Mechanism[Table]):
    """Maximum distance to average vector, fixed group size."""

    k: Annotated[int, Ge(2)] | None = None
    columns: Annotated[Sequence[str], MinLen(1)] | None = None
    block: Annotated[int, Ge(2)] = 4_096

    engine: ClassVar[str] = "check"
    falsifies: ClassVar[bool] = True

    def protect(self, data: Table, must: Criteria[Table], key: Key | None = None) -> Protected[Table]:
        refuse_unfit(self.name, data)
        k = self._least(must)
        if data.persons < k:
            problem = f"{self.name} — {data.persons} person(s), and a group needs {k}"
            raise Infeasible(problem, blocking=[f"k = {k}"], relaxations=[f"k = {data.persons}"])
        names = self.columns if self.columns is not None else data.schema.quasi
        refuse_false_cells(self.name, data, names, must)
        lines, kinds = _columns(self.name, data, names)
        group = self._groups(data, lines, kinds, k)
        if (smallest := int(_persons(data, group).min())) < k:
            problem = f"records without a person make a group of {smallest} person(s), and a group needs {k}"
            helps = ["name the persons, or leave such records out"]
            raise Infeasible(f"{self.name} — {problem}", blocking=[f"k = {k}"], relaxations=helps)
        written = [
            (one.name, one.written(_means(one.values, group), 0 if one.column.kind == "date" else 2)) for one in lines
        ]
        written += [(c.name, _modes(c, array, data.schema.roles[c.name], group)) for c, array in kinds]
        out = released_if_holding(self.name, data, written, must, ["a larger k", "name all quasi columns"])
        filled = sum(int(np.isnan(one.values).sum()) for one in lines)
        filled += sum(int((c.codes == c.size - 1).sum()) for c, _ in kinds if c.has_missing)
        details = MdavDetails(
            int(group.max()) + 1,
            smallest,
            tuple(one.name for one in lines),
            tuple(column.name for column, _ in kinds),
            filled,
        )
        return Protected(out, details, np.arange(data.rows))

    def _least(self, criteria: Criteria[Table]) -> int:
        sizes = [c.k for c in criteria if isinstance(c, KAnonymity)]
        if self.k is None and max(sizes, default=1) < 2:
            raise PolicyError(f"{self.name} — no group size — set k, or require k-anonymity")
        return max(sizes) if self.k is None else self.k

    def _groups(
        self, table: Table, lines: Sequence[NumberColumn], kinds: Sequence[tuple[Column, ArrowColumn]], k: int
    ) -> Ints:
        """The group of each row: persons are gathered, and their records follow them."""
        order = by_content(table)
        owner = _owners(table, order)
        first = np.unique(owner, return_index=True)[1]
        points = [standardised(_means(one.values, owner)[first]) for one in lines]
        codes = [_usual(column.codes, column.size, owner)[owner[first]] for column, _ in kinds]
        weights = np.array([mismatch_weight(c) for c in codes], dtype=np.int64)
        shape = (len(first), 0)
        groups = grouped(
            np.stack(points, axis=1) if points else np.zeros(shape, dtype=np.int64),
            np.stack(codes, axis=1) if codes else np.zeros(shape, dtype=np.int64),
            weights,
            k,
            self.block,
        )
        return groups[owner]


def _columns(
    mechanism: str, table: Table, names: Sequence[str]
) -> tuple[list[NumberColumn], list[tuple[Column, ArrowColumn]]]:
    """Columns on a line, and all others."""
    lines, kinds = [], []
    for name in dict.fromkeys(names):
        column, array = any_column(mechanism, table, name)
        if column.kind in ("number", "date"):
            lines.append(number_column(mechanism, table, name))
        else:
            kinds.append((column, array))
    return lines, kinds


def _owners(table: Table, order: Indices) -> Ints:
    """Points numbered by content: persons where they are known, else records."""
    place = np.empty(table.rows, dtype=np.int64)
    place[order] = np.arange(table.rows)
    if table.subject is None:
        return place
    person = table.subject.codes.astype(np.int64)
    if table.subject.has_missing:
        nobody = person == table.subject.size - 1
        person[nobody] = table.subject.size + place[nobody]
    earliest = np.full(int(person.max()) + 1, table.rows, dtype=np.int64)
    np.minimum.at(earliest, person, place)
    return np.unique(earliest[person], return_inverse=True)[1].astype(np.int64)


def _persons(table: Table, group: Ints) -> Ints:
    """Persons in each group; a record without one adds none."""
    if table.subject is None:
        return np.bincount(group)
    known = table.subject.codes < table.subject.known
    pairs = np.unique(group[known] * table.subject.size + table.subject.codes[known])
    return np.bincount(pairs // table.subject.size, minlength=int(group.max()) + 1)


def _means(values: Floats, group: Ints) -> Floats:
    """For each row the mean of the known values in its group; NaN if none. Values are added in their order."""
    order = np.lexsort((values, group))  # the sum must not depend on the order of rows
    known = ~np.isnan(values)
    count = np.bincount(group[known], minlength=int(group.max()) + 1)
    kept = order[known[order]]
    total = np.bincount(group[kept], weights=values[kept], minlength=len(count))
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray((total / count)[group])


def _usual(codes: NDArray[np.integer], size: int, group: Ints) -> Ints:
    """The most frequent code of each group, the first of equals."""
    pairs, count = np.unique(group * size + codes, return_counts=True)
    order = np.lexsort((pairs % size, -count, pairs // size))
    first = np.unique(pairs[order] // size, return_index=True)[1]
    return np.asarray(pairs[order][first] % size, dtype=np.int64)


def _modes(column: Column, array: ArrowColumn, role: Role, group: Ints) -> WrittenColumn:
    """Each row shows the most frequent known value of its group; missing only if the group has none."""
    usual = np.full(int(group.max()) + 1, column.size - 1, dtype=np.int64)
    is_known = column.codes < column.known
    if is_known.any():
        groups = np.unique(group[is_known])
        usual[groups] = _usual(column.codes[is_known], column.size, np.searchsorted(groups, group[is_known]))
    return recoded(column, role, array, usual[group])
