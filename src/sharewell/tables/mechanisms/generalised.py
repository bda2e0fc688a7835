"""The table at any node of the lattice: distinct tuples with counts, grouped from a lower node where one is known.

A class is kept as one of its distinct tuples and a number of records, so that grouping a node again at a higher level
(*roll-up*) costs as much as the lower node has classes, not as much as the table has rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sharewell.tables.classes import Classes
from sharewell.tables.dataset import Table
from sharewell.tables.ladders import Ladder

Ints = NDArray[np.int64]
Node = tuple[int, ...]
_REMEMBERED = 4_000_000
"""Classes kept in memory over all remembered nodes."""


@dataclass(frozen=True, eq=False)
class Grouping:
    """The classes of a node, in the order of their keys: one distinct tuple of each, and its number of records."""

    node: Node
    tuples: Ints
    records: Ints

    @property
    def count(self) -> int:
        return len(self.tuples)


class Tuples:
    """Distinct tuples with counts, and their classes at nodes of the lattice."""

    def __init__(self, labels: Sequence[Sequence[Ints]], sizes: Sequence[Sequence[int]], records: Ints) -> None:
        self.labels, self.sizes, self.records = labels, sizes, records
        """labels[column][level][tuple] are numbers below sizes[column][level]."""
        by_labels = sorted(range(len(sizes)), key=lambda j: -sizes[j][0])
        self._telling = frozenset(by_labels[: (len(sizes) + 1) // 2])
        self._known: list[Grouping] = []
        self._nodes = np.zeros((len(sizes), 1024), dtype=np.int16)
        self._counts = np.zeros(1024, dtype=np.int64)
        self._total = 0

    def at(self, node: Node) -> Grouping:
        """The classes of a node, from the smallest lower node that is remembered. O(m log m) for its m classes."""
        source = self._below(node)
        if source is not None and source.node == node:
            return source
        if source is None or 2 * source.count > len(self.records):
            # The columns with the most labels alone make most of the difference, and many nodes agree in them.
            halfway = tuple(level if j in self._telling else 0 for j, level in enumerate(node))
            if any(halfway) and halfway != node:
                source = self._grouped(halfway, self._below(halfway))
        return self._grouped(node, source)

    def keys(self, node: Node, tuples: Ints | None) -> tuple[Ints, int]:
        """One number for the labels of each tuple at a node, and a bound on these numbers."""
        labels, sizes = [], []
        for column, level, size in zip(self.labels, node, self.sizes, strict=True):
            if size[level] > 1:
                labels.append(column[level] if tuples is None else column[level].take(tuples))
                sizes.append(size[level])
        return _keys(labels, sizes, len(self.records) if tuples is None else len(tuples))

    def _grouped(self, node: Node, source: Grouping | None) -> Grouping:
        tuples = None if source is None else source.tuples
        records = self.records if source is None else source.records
        firsts, totals = _grouped(*self.keys(node, tuples), records)
        found = Grouping(node, firsts if tuples is None else tuples.take(firsts), totals)
        self._remember(found)
        return found

    def _below(self, node: Node) -> Grouping | None:
        known = len(self._known)
        lower = self._nodes[:, :known] <= np.array(node, dtype=np.int16)[:, None]
        fitting = np.flatnonzero(lower.all(axis=0))
        return self._known[fitting[self._counts[fitting].argmin()]] if len(fitting) else None

    def _remember(self, found: Grouping) -> None:
        known = len(self._known)
        self._total += found.count
        if self._total > _REMEMBERED:
            return
        if known == len(self._counts):
            self._nodes = np.hstack([self._nodes, np.zeros_like(self._nodes)])
            self._counts = np.append(self._counts, np.zeros_like(self._counts))
        self._known.append(found)
        self._nodes[:, known], self._counts[known] = found.node, found.count


class Generalised(Tuples):
    """The distinct tuples of a table."""

    def __init__(self, table: Table, ladders: Sequence[Ladder]) -> None:
        self.table, self.ladders = table, ladders
        labels = [ladder.groups[0][ladder.column.codes] for ladder in ladders]
        keys, space = _keys(labels, [ladder.sizes[0] for ladder in ladders], table.rows)
        rows, records = _grouped(keys, space, None)
        self.tuple_of_row = _numbered(keys, space)
        self.codes = [ladder.column.codes[rows] for ladder in ladders]
        distinct = [
            [group[codes].astype(np.int64) for group in ladder.groups]
            for ladder, codes in zip(ladders, self.codes, strict=True)
        ]
        super().__init__(distinct, [ladder.sizes for ladder in ladders], records)

    def class_of_tuple(self, node: Node) -> NDArray[np.int32]:
        """The class of every distinct tuple. O(distinct tuples)"""
        return _numbered(*self.keys(node, None))

    def class_of_row(self, node: Node) -> NDArray[np.int32]:
        """The class of every row. O(distinct tuples + rows)"""
        return self.class_of_tuple(node)[self.tuple_of_row]

    def classes(self, grouping: Grouping) -> Classes:
        """The node's classes of rows, as criteria want them; rows are put in order only if a criterion asks."""
        return NodeClasses(self, grouping)


class NodeClasses(Classes):
    """Classes that are counted already, and whose rows are put in order at the first question about them."""

    def __init__(self, space: Generalised, grouping: Grouping) -> None:
        table = space.table
        several = table.subject is not None and table.persons < table.rows
        self.__dict__.update(sizes=grouping.records, _space=space, _node=grouping.node)
        self.__dict__.update(columns=table.columns, subject=table.schema.subject if several else None)

    @property
    def count(self) -> int:
        return len(self.sizes)

    @cached_property
    def starts(self) -> NDArray[np.intp]:
        return np.concatenate([[0], np.cumsum(self.sizes)])

    @cached_property
    def order(self) -> NDArray[np.intp]:
        of_row = self.__dict__["_space"].class_of_row(self.__dict__["_node"])
        narrow: NDArray[Any] = of_row.astype(np.uint16) if self.count < 2**16 else of_row
        return np.argsort(narrow, kind="stable")


def _keys(labels: Sequence[NDArray[Any]], sizes: Sequence[int], rows: int) -> tuple[Ints, int]:
    """One number for each combination of labels, and a bound on these numbers; renumbered where they grow too large."""
    room = 2**62 >> max(1, rows).bit_length()
    key, space = np.zeros(rows, dtype=np.int64), 1
    for label, size in zip(labels, sizes, strict=True):
        if space * size > room:
            found, key = np.unique(key, return_inverse=True)
            space = len(found)
        key = key * size if space > 1 else key
        key += label
        space *= size
    return key, space


def _grouped(keys: Ints, space: int, records: Ints | None) -> tuple[Ints, Ints]:
    """Equal keys together, in the order of keys: (one place of each, records of each)."""
    places = len(keys)
    if space <= 16 * places + 1024:
        totals = np.bincount(keys, weights=records, minlength=space)
        found = (totals > 0).nonzero()[0]
        place = np.empty(space, dtype=np.int64)
        place[keys] = np.arange(places)
        return place.take(found), totals.take(found).astype(np.int64)
    bits = places.bit_length()
    packed = np.sort((keys << bits) | np.arange(places))
    order, keyed = packed & ((1 << bits) - 1), packed >> bits
    starts = np.flatnonzero(np.append(True, keyed[1:] != keyed[:-1]))
    if records is None:
        return order[starts], np.diff(np.append(starts, places))
    return order.take(starts), np.add.reduceat(records.take(order), starts)


def distinct_tuples(labels: Sequence[NDArray[Any]], sizes: Sequence[int], weights: Ints) -> tuple[Ints, Ints]:
    """One row of every distinct tuple, and the sum of its weights."""
    counted = np.flatnonzero(weights)
    rows, totals = _grouped(*_keys([label[counted] for label in labels], sizes, len(counted)), weights[counted])
    return counted[rows], totals


def _numbered(keys: Ints, space: int) -> NDArray[np.int32]:
    """The number of each key among the distinct ones, in their order."""
    if space <= 4 * len(keys) + 1024:
        occurs = np.zeros(space, dtype=bool)
        occurs[keys] = True
        return (np.cumsum(occurs, dtype=np.int32) - 1)[keys]
    return np.unique(keys, return_inverse=True)[1].astype(np.int32)
