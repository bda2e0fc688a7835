"""The table at any node of the lattice: distinct tuples with counts, grouped from a lower node where one is known.

A class is kept as one of its distinct tuples and a number of records, so that grouping a node again at a higher level
(*roll-up*) costs as much as the lower node has classes, not as much as the table has rows. Histograms of other columns
are kept and rolled up alike: a value is one more label of a tuple, and is never generalised.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from sharewell.tables.data import Table
from sharewell.tables.engine.array_types import Indices, Ints
from sharewell.tables.engine.classes import Classes, LazyClasses
from sharewell.tables.engine.columns import Column
from sharewell.tables.engine.generalization_levels import Ladder

Node = tuple[int, ...]
Kept = TypeVar("Kept", bound=np.generic)
_REMEMBERED = 4_000_000
"""Classes kept in memory over all remembered nodes."""
_DENSE = 8
"""Keys in a row of that many times their number are counted in place rather than sorted."""
_JOINED = 4_000_000
"""Labels of several columns at once that are kept in memory."""
_COMBINATIONS = 64
"""The most combinations of levels in a bundle of columns, so that most are used again."""


@dataclass(frozen=True, eq=False)
class Grouping:
    """The classes of a node, in the order of their keys: one distinct tuple of each, and its number of records."""

    node: Node
    tuples: Ints
    records: Ints
    owners: Ints | None = None
    """Of a histogram: the class of each (class, value)."""

    @property
    def count(self) -> int:
        return len(self.tuples)


class Tuples:
    """Distinct tuples with counts, and their classes at nodes of the lattice."""

    def __init__(
        self, labels: Sequence[Sequence[NDArray[np.integer]]], sizes: Sequence[Sequence[int]], records: Ints
    ) -> None:
        self.labels, self.sizes, self.records = labels, sizes, records
        """labels[column][level][tuple] are numbers below sizes[column][level]."""
        self._large = int(records.sum()) >= 2**53
        """Too large for a floating-point number."""
        by_labels = sorted(range(len(sizes)), key=lambda j: -sizes[j][0])
        self._telling = frozenset(by_labels[: (len(sizes) + 1) // 2])
        self._bundles = list(_bundles(sizes))
        self._joined: dict[tuple[int, Node], NDArray[np.integer]] = {}
        self._times_asked: Counter[tuple[int, Node]] = Counter()
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
        for bundle in self._bundles:
            for label, size in self._labelled(bundle, node[bundle.start : bundle.stop]):
                if size > 1:
                    labels.append(label if tuples is None else label.take(tuples))
                    sizes.append(size)
        return joined_labels(labels, sizes, len(self.records) if tuples is None else len(tuples))

    def _labelled(self, bundle: range, levels: Node) -> list[tuple[NDArray[np.integer], int]]:
        """The labels of some columns at their levels: all in one number where that is asked for again and again."""
        sizes = [self.sizes[j][level] for j, level in zip(bundle, levels, strict=True)]
        place = (bundle.start, levels)
        if place in self._joined:
            return [(self._joined[place], math.prod(sizes))]
        labels = [self.labels[j][level] for j, level in zip(bundle, levels, strict=True)]
        self._times_asked[place] += 1
        room = (len(self._joined) + 1) * len(self.records) <= _JOINED
        if len(bundle) > 1 and self._times_asked[place] > 2 and room:
            joined, space = joined_labels(labels, sizes, len(self.records))
            self._joined[place] = joined.astype(np.int32)
            return [(self._joined[place], space)]
        return list(zip(labels, sizes, strict=True))

    def _grouped(self, node: Node, source: Grouping | None) -> Grouping:
        tuples = None if source is None else source.tuples
        records = self.records if source is None else source.records
        places, totals, keys = _grouped(*self.keys(node, tuples), records, self._large)
        grouping = self._kept(node, places if tuples is None else tuples.take(places), totals, keys)
        self._remember(grouping)
        return grouping

    def _kept(self, node: Node, tuples: Ints, records: Ints, keys: Ints) -> Grouping:
        return Grouping(node, tuples, records)

    def _below(self, node: Node) -> Grouping | None:
        known = len(self._known)
        lower = self._nodes[:, :known] <= np.array(node, dtype=np.int16)[:, None]
        fitting = np.flatnonzero(lower.all(axis=0))
        return self._known[fitting[self._counts[fitting].argmin()]] if len(fitting) else None

    def _remember(self, grouping: Grouping) -> None:
        known = len(self._known)
        self._total += grouping.count
        if self._total > _REMEMBERED:
            return
        if known == len(self._counts):
            self._nodes = np.hstack([self._nodes, np.zeros_like(self._nodes)])
            self._counts = np.append(self._counts, np.zeros_like(self._counts))
        self._known.append(grouping)
        self._nodes[:, known], self._counts[known] = grouping.node, grouping.count


class Histogram(Tuples):
    """How often each class of a node holds each value of one more column."""

    def __init__(self, space: TableTuples, column: Column) -> None:
        size = max(1, column.size)
        keys = space.tuple_of_row.astype(np.int64) * size + space.of_rows(column.codes)
        _, records, pairs = _grouped(keys, len(space.records) * size, None)
        tuples, codes = np.divmod(pairs, size)
        labels = [[label.take(tuples) for label in levels] for levels in space.labels]
        super().__init__([*labels, [codes]], [*space.sizes, (size,)], records)
        self._size, self._codes = size, codes

    def of(self, node: Node) -> tuple[Ints, Ints, Ints]:
        """(class, code, count) of every value that a class holds, in that order."""
        grouping = self.at((*node, 0))
        assert grouping.owners is not None
        return grouping.owners, self._codes.take(grouping.tuples), grouping.records

    def _kept(self, node: Node, tuples: Ints, records: Ints, keys: Ints) -> Grouping:
        classes = keys // self._size  # the value is the last label, so that classes keep their order
        owners = np.zeros(len(keys), dtype=np.int64)
        np.cumsum(classes[1:] != classes[:-1], out=owners[1:])
        return Grouping(node, tuples, records, owners)


class TableTuples(Tuples):
    """The distinct tuples of a table."""

    def __init__(self, table: Table, ladders: Sequence[Ladder]) -> None:
        self.table, self.ladders = table, ladders
        labels = [ladder.groups[0][ladder.column.codes] for ladder in ladders]
        keys, space = joined_labels(labels, [ladder.sizes[0] for ladder in ladders], table.rows)
        rows, records, _ = _grouped(keys, space, None)
        self._histograms: dict[str, Histogram] = {}
        self.rows: Indices | None = None
        """The rows of the table that are in it; None if all are."""
        self.tuple_of_row = _key_numbers(keys, space)
        self.codes = [ladder.column.codes[rows] for ladder in ladders]
        distinct = [
            [group[codes] for group in ladder.groups] for ladder, codes in zip(ladders, self.codes, strict=True)
        ]
        super().__init__(distinct, [ladder.sizes for ladder in ladders], records)

    def part(self, which: Indices) -> TableTuples:
        """Some of the tuples, with their rows, as a space of its own."""
        part = object.__new__(TableTuples)
        number = np.full(len(self.records), -1, dtype=np.int32)
        number[which] = np.arange(len(which))
        places = np.flatnonzero(number[self.tuple_of_row] >= 0)
        part.table, part.ladders, part._histograms = self.table, self.ladders, {}
        part.rows = places if self.rows is None else self.rows[places]
        part.tuple_of_row = number[self.tuple_of_row[places]]
        part.codes = [codes[which] for codes in self.codes]
        labels = [[label[which] for label in levels] for levels in self.labels]
        Tuples.__init__(part, labels, self.sizes, self.records[which])
        return part

    def of_rows(self, values: NDArray[Kept]) -> NDArray[Kept]:
        """The values of this space's rows, given those of all rows of the table."""
        return values if self.rows is None else values[self.rows]

    def class_of_tuple(self, node: Node) -> NDArray[np.int32]:
        """The class of every distinct tuple. O(distinct tuples)"""
        return _key_numbers(*self.keys(node, None))

    def class_of_row(self, node: Node) -> NDArray[np.int32]:
        """The class of every row. O(distinct tuples + rows)"""
        return self.class_of_tuple(node)[self.tuple_of_row]

    def classes(self, grouping: Grouping) -> NodeClasses:
        """The node's classes of rows, as criteria want them; rows are put in order only if a criterion asks."""
        return NodeClasses(self, grouping, None)

    def histogram(self, column: Column) -> Histogram:
        if column.name not in self._histograms:
            self._histograms[column.name] = Histogram(self, column)
        return self._histograms[column.name]


class NodeClasses(LazyClasses):
    """Classes that are counted already, or some of them; rows are put in order at the first question about them."""

    _space: TableTuples
    _grouping: Grouping
    _which: Indices | None

    def __init__(self, space: TableTuples, grouping: Grouping, which: Indices | None) -> None:
        table = space.table
        sizes = grouping.records if which is None else grouping.records[which]
        self.__dict__.update(sizes=sizes, _space=space, _grouping=grouping, _which=which)
        self.__dict__.update(columns=table.columns, subject=table.schema.subject if table.several_records else None)

    @cached_property
    def order(self) -> Indices:
        of_row, count = self._space.class_of_row(self._grouping.node), self._grouping.count
        narrow: NDArray[np.integer] = of_row.astype(np.uint16) if count < 2**16 else of_row
        order = np.argsort(narrow, kind="stable")
        order = order if self._space.rows is None else self._space.rows[order]
        if self._which is None:
            return order
        starts = np.concatenate([[0], np.cumsum(self._grouping.records)])
        return Classes(order, starts, self.columns).select(self._which).order

    def select(self, which: Indices) -> Classes:
        """Some of the classes, still counted and not put in order."""
        return NodeClasses(self._space, self._grouping, which if self._which is None else self._which[which])

    def counts(self, column: Column, by_person: bool = True) -> tuple[Ints, ...]:
        """Rolled up from a lower node, unless persons own several records."""
        if by_person and self.subject is not None:
            return super().counts(column, by_person)
        owner, code, count = self._space.histogram(column).of(self._grouping.node)
        if self._which is None:
            return owner, code, count
        place = np.full(self._grouping.count, -1)
        place[self._which] = np.arange(self.count)
        places = place[owner]
        kept = places >= 0
        owner, code, count = places[kept], code[kept], count[kept]
        if (np.diff(self._which) < 0).any():
            order = np.argsort(owner, kind="stable")
            owner, code, count = owner[order], code[order], count[order]
        return owner, code, count

    def distinct(self, column: Column) -> Indices:
        """From the counts, which need no person."""
        owner, code, _ = self.counts(column, by_person=False)
        known = owner[code < column.size - 1] if column.has_missing else owner
        return np.bincount(known, minlength=self.count)


def _bundles(sizes: Sequence[Sequence[int]]) -> Iterator[range]:
    """Neighbouring columns whose levels have few combinations, and whose labels fit one number of 31 bits."""
    begin, levels, labels = 0, 1, 1
    for j, size in enumerate(sizes):
        levels, labels = levels * len(size), labels * max(1, *size)
        if j > begin and (levels > _COMBINATIONS or labels >= 2**31):
            yield range(begin, j)
            begin, levels, labels = j, len(size), max(1, *size)
    if len(sizes):
        yield range(begin, len(sizes))


def joined_labels(labels: Sequence[NDArray[np.integer]], sizes: Sequence[int], rows: int) -> tuple[Ints, int]:
    """One number for each combination of labels, and a bound on these numbers; renumbered where they grow too large."""
    room = 2**62 >> max(1, rows).bit_length()
    key, space = np.zeros(rows, dtype=np.int64), 1
    for label, size in zip(labels, sizes, strict=True):
        if space * size > room:
            distinct, key = np.unique(key, return_inverse=True)
            space = len(distinct)
        if space > 1:
            key *= size
        key += label
        space *= size
    return key, space


def _grouped(keys: Ints, space: int, records: Ints | None, large: bool = False) -> tuple[Ints, Ints, Ints]:
    """Equal keys together, in their order: (the last place of each, records of each, the keys)."""
    places = len(keys)
    if space <= _DENSE * places + 1024 and not large:
        totals = np.bincount(keys, weights=records, minlength=space)
        occurring = (totals > 0).nonzero()[0]
        place = np.empty(space, dtype=np.int64)
        place[keys] = np.arange(places)
        return place.take(occurring), totals.take(occurring).astype(np.int64), occurring
    bits = places.bit_length()
    packed = np.sort((keys << bits) | np.arange(places))
    order, keyed = packed & ((1 << bits) - 1), packed >> bits
    starts = np.flatnonzero(np.append(True, keyed[1:] != keyed[:-1]))
    last = np.append(starts[1:], places)[: len(starts)] - 1
    if records is None:
        return order.take(last), np.diff(np.append(starts, places)), keyed.take(starts)
    return order.take(last), np.add.reduceat(records.take(order), starts), keyed.take(starts)


def distinct_tuples(labels: Sequence[NDArray[np.integer]], sizes: Sequence[int], records: Ints) -> tuple[Ints, Ints]:
    """One place of every distinct tuple that has records, and how many."""
    some, large = np.flatnonzero(records), int(records.sum()) >= 2**53
    places, totals, _ = _grouped(
        *joined_labels([label[some] for label in labels], sizes, len(some)), records[some], large
    )
    return some[places], totals


def _key_numbers(keys: Ints, space: int) -> NDArray[np.int32]:
    """The number of each key among the distinct ones, in their order."""
    if space <= 4 * len(keys) + 1024:
        occurs = np.zeros(space, dtype=bool)
        occurs[keys] = True
        return (np.cumsum(occurs, dtype=np.int32) - 1)[keys]
    return np.unique(keys, return_inverse=True)[1].astype(np.int32)
