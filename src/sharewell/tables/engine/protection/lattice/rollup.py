"""The table at any node of the lattice: distinct tuples with counts, grouped from a lower node where one is known.

A class is kept as one of its distinct tuples and a number of records, so that grouping a node again at a higher level
(*roll-up*) costs as much as the lower node has classes, not as much as the table has rows. Histograms of other columns
are rolled up alike. Where these columns have few values, each class keeps a row of counts, and rows are added up; else
a value is one more label of a tuple, and is never generalised.

Large work is done by compiled code (`node_kernel`), which can judge classes as well. Their order means nothing.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from sharewell.compiled import numba_or_none, numba_or_numpy
from sharewell.tables.data import Column, Table
from sharewell.tables.engine.array_types import Codes, Floats, Indices, Ints, Judges, Tally, Values, Verdicts
from sharewell.tables.engine.classes import Classes, LazyClasses
from sharewell.tables.engine.generalization_levels import Ladder

Node = tuple[int, ...]
Kept = TypeVar("Kept", bound=np.generic)
_REMEMBERED = 4_000_000
"""Classes kept in memory over all remembered nodes, and as many counts of values times 8."""
_DENSE = 8
"""Keys in a row of that many times their number are counted in place."""
_JOINED = 4_000_000
"""Labels of several columns at once that are kept in memory."""
_COMBINATIONS = 64
"""The most combinations of levels in a bundle of columns, so that most are used again."""
_LARGE = 2_000_000
"""Distinct tuples times nodes from which on compiled code is quicker, if it is loaded."""
_LOADING_PAYS_FROM = 1_000_000_000
_COMPILING_PAYS_FROM = 10_000_000_000
_VALUES = 128
"""The most values, over all counted columns, of which each class keeps a row of counts."""
_CELLS = 32_000_000
"""Distinct tuples times values up to which it does."""
KERNEL = "sharewell.tables.engine.protection.lattice.rollup_kernel"
NODE_KERNEL = "sharewell.tables.engine.protection.lattice.node_kernel"
_NONE, _FLAGS, _ROWS, _STACK = (np.zeros((0, *width), dtype=np.int64) for width in ((), (3,), (1,), (1, 1)))
_NO_JUDGES: Judges = _NONE, _NONE, _FLAGS, _ROWS, _STACK, _STACK.astype(np.int32), _STACK.astype(np.float64), _NONE
"""To group and count alone."""


@dataclass(frozen=True, eq=False)
class Grouping:
    """The classes of a node: one distinct tuple of each, and its number of records."""

    node: Node
    tuples: Ints
    records: Ints
    owners: Ints | None = None
    """Of a histogram: the class of each (class, value)."""
    values: Values | None = None
    """How many records of each class have each value of the counted columns, if these are few."""

    @property
    def count(self) -> int:
        return len(self.tuples)


class CheckedNode(NamedTuple):
    """What the kernel says of a node."""

    grouping: Grouping
    own: int
    """So many of the first classes are the table's; the others hold nobody but people of a population."""
    verdicts: Verdicts
    certain: Ints
    """How many records of each class are withheld at every lower node."""
    tally: Tally


class Tuples:
    """Distinct tuples with counts, and their classes at nodes of the lattice."""

    bits = 0
    """The last bits of a number of records, in which people are counted."""

    def __init__(
        self,
        labels: Sequence[Sequence[NDArray[np.integer]]],
        sizes: Sequence[Sequence[int]],
        records: Ints,
        values: Values | None = None,
    ) -> None:
        self.sizes, self.records, self.values = sizes, records, values
        self._bundles = list(_bundles(sizes))
        self.row = np.append(0, np.cumsum([len(levels) for levels in sizes])).astype(np.int64)
        joined = min(_JOINED // max(1, len(records)), len(self._bundles) * _COMBINATIONS)
        self.stack = np.empty((int(self.row[-1]) + joined, len(records)), dtype=np.int32)
        """stack[row[column] + level, tuple] are labels, numbers below sizes[column][level]; then those of bundles."""
        for j, levels in enumerate(labels):
            for level, label in enumerate(levels):
                self.stack[self.row[j] + level] = label
        self.labels: list[list[NDArray[np.integer]]] = [
            list(self.stack[begin:end]) for begin, end in zip(self.row[:-1], self.row[1:], strict=True)
        ]
        nodes, fits = math.prod(map(len, sizes)), math.prod(max(1, *level) for level in sizes) < 2**62
        work = len(records) * nodes
        large = work >= _LARGE and fits and len(sizes) > 0
        pays, loads = work >= _COMPILING_PAYS_FROM, work >= _LOADING_PAYS_FROM
        self._check = numba_or_none(large, f"{NODE_KERNEL}:check", pays, loads)
        self.replaces_kernels = large and not self.compiled
        self._smallest_below = numba_or_numpy(self.compiled, f"{KERNEL}:smallest_below", smallest_below)
        self._large = int(records.sum()) >= 2**53
        """Too large for a floating-point number."""
        by_labels = sorted(range(len(sizes)), key=lambda j: -sizes[j][0])
        self.ours = len(records)
        """Tuples from here on are those of a population."""
        self._telling = frozenset(by_labels[: (len(sizes) + 1) // 2])
        self._joined: list[dict[Node, list[tuple[int, int]]]] = [{} for _ in self._bundles]
        self._free = int(self.row[-1])
        """The next row of `stack` for labels of a bundle."""
        self._times_asked: Counter[tuple[int, Node]] = Counter()
        self._known: list[Grouping] = []
        self._nodes = np.zeros((1024, len(sizes)), dtype=np.int32)
        self._counts = np.zeros(1024, dtype=np.int64)
        self._total = 0

    @property
    def compiled(self) -> bool:
        return self._check is not None

    def at(self, node: Node) -> Grouping:
        """The classes of a node, from the smallest lower node that is remembered. O(m log m) for its m classes."""
        source = self._source(node)
        return source if source is not None and source.node == node else self._grouped(node, source)

    def checked(self, node: Node, judges: Judges, bounds: bool, most: int) -> CheckedNode:
        """The same, and what compiled judges say of its classes."""
        source = self._source(node)
        checked = self._by_kernel(node, source or self._all, judges, bounds, most)
        if source is None or source.node != node:
            self._remember(checked.grouping)
        return checked

    def _source(self, node: Node) -> Grouping | None:
        """A lower node from which to group; None if there is none but the tuples themselves."""
        source = self._below(node)
        if source is not None and source.node == node:
            return source
        if source is None or 2 * len(source.tuples) > len(self.records):
            # The columns with the most labels alone make most of the difference, and many nodes agree in them.
            halfway = tuple([level if j in self._telling else 0 for j, level in enumerate(node)])
            if any(halfway) and halfway != node:
                source = self._grouped(halfway, self._below(halfway))
        return source

    def keys(self, node: Node, tuples: Ints | None) -> tuple[Ints, int]:
        """One number for the labels of each tuple at a node, and a bound on these numbers."""
        rows = self._rows(node)
        labels = [self.stack[row] if tuples is None else self.stack[row].take(tuples) for row, _ in rows]
        return joined_labels(labels, [size for _, size in rows], len(self.records) if tuples is None else len(tuples))

    def _rows(self, node: Node) -> list[tuple[int, int]]:
        """The rows of `stack` that tell the classes of a node apart, and how many labels each has."""
        rows: list[tuple[int, int]] = []
        for bundle, joined in zip(self._bundles, self._joined, strict=True):
            levels = node[bundle.start : bundle.stop]
            rows += joined.get(levels) or self._labelled(bundle, levels, joined)
        return [row for row in rows if row[1] > 1]

    def _labelled(
        self, bundle: range, levels: Node, joined: dict[Node, list[tuple[int, int]]]
    ) -> list[tuple[int, int]]:
        """The labels of some columns at their levels: all in one number where that is asked for again and again."""
        sizes = [self.sizes[j][level] for j, level in zip(bundle, levels, strict=True)]
        rows = [int(self.row[j]) + level for j, level in zip(bundle, levels, strict=True)]
        place, free = (bundle.start, levels), self._free
        self._times_asked[place] += 1
        if len(bundle) > 1 and self._times_asked[place] > 2 and free < len(self.stack):
            label = self.stack[free]  # a bundle's numbers fit it, see `_bundles`
            label[:] = self.stack[rows[0]]
            for row, size in zip(rows[1:], sizes[1:], strict=True):
                label *= size
                label += self.stack[row]
            joined[levels] = [(free, math.prod(sizes))]
            self._free += 1
            return joined[levels]
        return list(zip(rows, sizes, strict=True))

    def _grouped(self, node: Node, source: Grouping | None) -> Grouping:
        if self.compiled:
            grouping = self._by_kernel(node, source or self._all, _NO_JUDGES, False, 0).grouping
        else:
            tuples = None if source is None else source.tuples
            records = self.records if source is None else source.records
            places, totals, keys = _grouped(*self.keys(node, tuples), records, self._large)
            grouping = self._kept(node, places if tuples is None else tuples.take(places), totals, keys)
        self._remember(grouping)
        return grouping

    @cached_property
    def _all(self) -> Grouping:
        values = np.zeros((len(self.records), 0), dtype=np.int32) if self.values is None else self.values
        return Grouping((0,) * len(self.sizes), np.arange(len(self.records)), self.records, values=values)

    def _by_kernel(self, node: Node, source: Grouping, judges: Judges, bounds: bool, most: int) -> CheckedNode:
        assert self._check is not None
        assert source.values is not None
        which, factors, space = [], [], 1
        for row, size in self._rows(node):
            which.append(row)
            factors.append(space)
            space *= size
        rows = np.array([which, factors], dtype=np.int64)
        lower = source.tuples, source.records, source.values
        tuples, records, values, own, verdicts, certain, tally = self._check(
            self.stack, rows, space, lower, self.ours, self.bits, judges, bounds, most
        )
        return CheckedNode(Grouping(node, tuples, records, values=values), own, verdicts, certain, tally)

    def _kept(self, node: Node, tuples: Ints, records: Ints, keys: Ints) -> Grouping:
        return Grouping(node, tuples, records)

    def _below(self, node: Node) -> Grouping | None:
        place = self._smallest_below(self._nodes, self._counts, len(self._known), np.array(node, dtype=np.int32))
        return None if place < 0 else self._known[place]

    def _remember(self, grouping: Grouping) -> None:
        known, count = len(self._known), len(grouping.tuples)
        self._total += count + (0 if grouping.values is None else grouping.values.size // 8)
        if self._total > _REMEMBERED:
            return
        if known == len(self._counts):
            self._nodes = np.vstack([self._nodes, np.zeros_like(self._nodes)])
            self._counts = np.append(self._counts, np.zeros_like(self._counts))
        self._known.append(grouping)
        self._nodes[known], self._counts[known] = grouping.node, count


def smallest_below(nodes: Codes, counts: Ints, known: int, node: Codes) -> int:
    """The node with the fewest classes among those at or below a node; −1 if there is none."""
    fitting = np.flatnonzero((nodes[:known] <= node).all(axis=1))
    return int(fitting[counts[fitting].argmin()]) if len(fitting) else -1


class Histogram(Tuples):
    """How often each class of a node holds each value of one more column."""

    def __init__(self, space: TableTuples, column: Column) -> None:
        size = max(1, column.size)
        keys = space.tuple_of_row.astype(np.int64) * size + space.of_rows(column.codes)
        _, records, pairs = _grouped(keys, len(space.records) * size, None)
        tuples, codes = np.divmod(pairs, size)
        labels = [[label.take(tuples) for label in levels] for levels in space.labels]
        super().__init__([*labels, [codes]], [*space.sizes, (size,)], records)
        self._check = None  # classes must keep the order of their keys
        self._space, self._size, self._codes = space, size, codes

    def of(self, classes: Grouping) -> tuple[Ints, Ints, Ints]:
        """(class, code, count) of every value that a class holds, in that order."""
        grouping = self.at((*classes.node, 0))
        assert grouping.owners is not None
        owner, code, count = grouping.owners, self._codes.take(grouping.tuples), grouping.records
        by_key = np.argsort(self._space.keys(classes.node, classes.tuples)[0], kind="stable")
        if (np.diff(by_key) > 0).all():
            return owner, code, count
        owner = by_key[owner]
        order = np.argsort(owner, kind="stable")
        return owner[order], code[order], count[order]

    def _kept(self, node: Node, tuples: Ints, records: Ints, keys: Ints) -> Grouping:
        classes = keys // self._size  # the value is the last label, so that classes keep their order
        owners = np.zeros(len(keys), dtype=np.int64)
        np.cumsum(classes[1:] != classes[:-1], out=owners[1:])
        return Grouping(node, tuples, records, owners)


class TableTuples(Tuples):
    """The distinct tuples of a table."""

    def __init__(self, table: Table, ladders: Sequence[Ladder], counted: Sequence[Column] = ()) -> None:
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
        self.subject = table.schema.subject if table.several_records else None
        self.counted = self._countable(counted, len(records))
        """The first place of each counted column in a row of counts."""
        super().__init__(distinct, [ladder.sizes for ladder in ladders], records, self._values(len(records)))

    def _countable(self, columns: Sequence[Column], tuples: int) -> dict[str, int]:
        begins = np.append(0, np.cumsum([column.size for column in columns])).tolist()
        if begins[-1] > _VALUES or begins[-1] * tuples > _CELLS:
            return {}
        return {column.name: begin for column, begin in zip(columns, begins, strict=False)}

    def _values(self, tuples: int) -> Values | None:
        if not self.counted:
            return None
        columns = [self.table.columns[name] for name in self.counted]
        parts = [
            np.bincount(
                self.tuple_of_row.astype(np.int64) * column.size + column.codes, minlength=tuples * column.size
            ).reshape(tuples, column.size)
            for column in columns
        ]
        return np.hstack(parts).astype(np.int32)

    def part(self, which: Indices) -> TableTuples:
        """Some of the tuples, with their rows, as a space of its own."""
        part = object.__new__(TableTuples)
        number = np.full(len(self.records), -1, dtype=np.int32)
        number[which] = np.arange(len(which))
        places = np.flatnonzero(number[self.tuple_of_row] >= 0)
        part.table, part.ladders, part._histograms = self.table, self.ladders, {}
        part.subject, part.counted = self.subject, self.counted
        part.rows = places if self.rows is None else self.rows[places]
        part.tuple_of_row = number[self.tuple_of_row[places]]
        part.codes = [codes[which] for codes in self.codes]
        labels = [[label[which] for label in levels] for levels in self.labels]
        Tuples.__init__(
            part, labels, self.sizes, self.records[which], None if self.values is None else self.values[which]
        )
        return part

    def of_rows(self, values: NDArray[Kept]) -> NDArray[Kept]:
        """The values of this space's rows, given those of all rows of the table."""
        return values if self.rows is None else values[self.rows]

    def class_of_tuple(self, grouping: Grouping) -> NDArray[np.int32]:
        """The class of every distinct tuple. O(distinct tuples)"""
        by_key = _key_numbers(*self.keys(grouping.node, None))
        number = np.empty(grouping.count, dtype=np.int32)
        number[by_key[grouping.tuples]] = np.arange(grouping.count, dtype=np.int32)
        return number[by_key]

    def class_of_row(self, grouping: Grouping) -> NDArray[np.int32]:
        """The class of every row. O(distinct tuples + rows)"""
        return self.class_of_tuple(grouping)[self.tuple_of_row]

    @cached_property
    def leaves(self) -> tuple[Ints, Ints]:
        """How many leaves of the domain each label covers, row after row of `stack`; and where each row begins."""
        rows = [np.zeros(0, dtype=np.int64)]
        for ladder in self.ladders:
            for group, leaves, size in zip(ladder.groups, ladder.leaves, ladder.sizes, strict=True):
                row = np.zeros(size, dtype=np.int64)
                row[group] = leaves
                rows.append(row)
        return np.concatenate(rows), np.cumsum([len(row) for row in rows], dtype=np.int64)

    @cached_property
    def open_leaves(self) -> Callable[[Codes, Ints, Ints, Ints, Ints, Ints], Floats]:
        return numba_or_numpy(self.compiled, f"{KERNEL}:open_leaves", open_leaves)

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
    grouping: Grouping
    which: Indices | None

    def __init__(self, space: TableTuples, grouping: Grouping, which: Indices | None) -> None:
        sizes = grouping.records if which is None else grouping.records[which]
        self.__dict__.update(sizes=sizes, _space=space, grouping=grouping, which=which)
        self.__dict__.update(columns=space.table.columns, subject=space.subject)

    @cached_property
    def order(self) -> Indices:
        of_row, count = self._space.class_of_row(self.grouping), self.grouping.count
        narrow: NDArray[np.integer] = of_row.astype(np.uint16) if count < 2**16 else of_row
        order = np.argsort(narrow, kind="stable")
        order = order if self._space.rows is None else self._space.rows[order]
        if self.which is None:
            return order
        starts = np.concatenate([[0], np.cumsum(self.grouping.records)])
        return Classes(order, starts, self.columns).select(self.which).order

    def select(self, which: Indices) -> Classes:
        """Some of the classes, still counted and not put in order."""
        return NodeClasses(self._space, self.grouping, which if self.which is None else self.which[which])

    def counts(self, column: Column, by_person: bool = True) -> tuple[Ints, ...]:
        """Rolled up from a lower node, unless persons own several records."""
        if by_person and self.subject is not None:
            return super().counts(column, by_person)
        values = self.grouping.values
        if values is not None and column.name in self._space.counted:
            begin = self._space.counted[column.name]
            own = values[:, begin : begin + column.size]
            own = own if self.which is None else own[self.which]
            owner, code = own.nonzero()
            return owner, code, own[owner, code].astype(np.int64)
        owner, code, count = self._space.histogram(column).of(self.grouping)
        if self.which is None:
            return owner, code, count
        place = np.full(self.grouping.count, -1)
        place[self.which] = np.arange(self.count)
        places = place[owner]
        kept = places >= 0
        owner, code, count = places[kept], code[kept], count[kept]
        if (np.diff(self.which) < 0).any():
            order = np.argsort(owner, kind="stable")
            owner, code, count = owner[order], code[order], count[order]
        return owner, code, count

    def distinct(self, column: Column) -> Indices:
        """From the counts, which need no person."""
        owner, code, _ = self.counts(column, by_person=False)
        known = owner[code < column.size - 1] if column.has_missing else owner
        return np.bincount(known, minlength=self.count)


def open_leaves(labels: Codes, rows: Ints, leaves: Ints, begins: Ints, tuples: Ints, records: Ints) -> Floats:
    """Leaves of the domain that suppressed records would leave open, row by row of the labels; whole numbers."""
    return np.array([float(leaves[begins[row] + labels[row].take(tuples)] @ records) for row in rows.tolist()])


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
