"""Several tables of the same people as one system: all their cells in a row, and all that adds up or must agree.

Two tables agree in what they share: the counts by their common columns. If the tables hang together like a tree (every
two share no more than those between them do), that is all: tables of whole numbers that agree so are always tables of
one and the same set of people. Where they go round in a circle (a × b, b × c, c × a), this is not enough, and a further
table, of all those columns and wholly hidden, is added, of which each is a total.

>>> from sharewell.reports.counts.data import CountTable
>>> ab = CountTable.of_cells({("x", "u"): 3, ("y", "u"): 4, ("y", "v"): 1}, ["a", "b"])
>>> bc = CountTable.of_cells({("u", "p"): 6, ("u", "q"): 1, ("v", "q"): 1}, ["b", "c"])
>>> system = linked({"ab": ab, "bc": bc})
>>> system.view.relations.count - ab.relations.count - bc.relations.count
2
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, combinations, product

import numpy as np

from sharewell.errors import DataError
from sharewell.reports.counts.data import HIDDEN, CountTable
from sharewell.reports.counts.engine.dimensions import Categories, Dimension
from sharewell.reports.counts.engine.record_counts import RecordCounts
from sharewell.reports.counts.engine.relations import NO_LIMIT, Ints
from sharewell.reports.counts.engine.table_readers import View

MOST_CELLS = 20_000
"""Of all tables together, the further one included."""
MOST_IN_CIRCLE = 2_500
"""Of that further table, whose whole numbers are dear."""
WHO = "\x00who"
"""A column that no file has: in which of the tables a person is."""
Equation = tuple[Sequence[int], Sequence[int]]
"""Cells whose sum is that of other cells."""


def too_large(most: int = MOST_CELLS) -> DataError:
    """What to say where the steps would not suffice."""
    what = f"more than {most:,} cells to judge together"
    return DataError(f"the tables — {what} — publish one table of all dimensions, leave one out, or make them coarser")


@dataclass(frozen=True, eq=False)
class Equations:
    """Σ sign · cell = 0, over cells of several tables."""

    row: Ints = field(repr=False)
    cell: Ints = field(repr=False)
    sign: Ints = field(repr=False)
    count: int

    @property
    def entries(self) -> tuple[Ints, Ints, Ints]:
        return self.row, self.cell, self.sign

    def broken(self, table: Ints) -> int:
        left = np.zeros(self.count, np.int64)
        np.add.at(left, self.row, self.sign * table[self.cell])
        return int(np.count_nonzero(left))


@dataclass(frozen=True, eq=False)
class LinkedTables:
    """Where the cells of each table begin, and what a reader of all of them is told."""

    starts: Mapping[str, int]
    view: View
    columns: Mapping[str, Categories]


@dataclass(eq=False)
class _Builder:
    starts: dict[str, int] = field(default_factory=dict)
    tables: dict[str, CountTable] = field(default_factory=dict)
    bounds: list[tuple[Ints, Ints, Ints, Ints, Ints]] = field(default_factory=list)
    equations: list[Equation] = field(default_factory=list)
    size: int = 0

    def add(self, name: str, table: CountTable, known: tuple[Ints, Ints] | None = None) -> None:
        low, high = table.bounds()
        zero_low, zero_high = table.zero_pattern()
        if known is not None:
            low, high = np.maximum(low, known[0]), np.minimum(high, known[1])
            zero_low, zero_high = np.maximum(zero_low, known[0]), np.minimum(zero_high, known[1])
        self.starts[name], self.tables[name] = self.extend(low, high, zero_low, zero_high, table.jumps()), table

    def extend(self, low: Ints, high: Ints, zero_low: Ints, zero_high: Ints, jumps: Ints | None = None) -> int:
        start = self.size
        self.size += len(low)
        if self.size > MOST_CELLS:
            raise too_large()
        self.bounds.append((low, high, zero_low, zero_high, np.zeros_like(low) if jumps is None else jumps))
        return start

    def view(self) -> View:
        rows, cells, signs, count = [], [], [], 0
        for name, table in self.tables.items():
            row, cell, sign = table.relations.entries
            rows.append(row + count)
            cells.append(cell + self.starts[name])
            signs.append(sign)
            count += table.relations.count
        for left, right in self.equations:
            rows.append(np.full(len(left) + len(right), count))
            cells.append(np.array([*left, *right], dtype=np.int64))
            signs.append(np.array([1] * len(left) + [-1] * len(right), dtype=np.int64))
            count += 1
        equations = Equations(np.concatenate(rows), np.concatenate(cells), np.concatenate(signs), count)
        low, high, zero_low, zero_high, jumps = (np.concatenate(part) for part in zip(*self.bounds, strict=True))
        return View(equations, low, high, (zero_low, zero_high), jumps)


def linked(
    tables: Mapping[str, CountTable],
    records: Mapping[str, RecordCounts] | None = None,
    people: Mapping[str, frozenset[str]] | None = None,
    known: Mapping[str, tuple[Ints, Ints]] | None = None,
) -> LinkedTables:
    """The system of all tables. What cannot be judged together is a DataError.

    people: the files that each one's people come from, tables and records; None: the same people in all.
    known: bounds that readers have besides, of all cells of a table.
    """
    columns = columns_of(tables.values())
    build = _Builder()
    for name, table in tables.items():
        build.add(name, table, (known or {}).get(name))
    for name, one in (records or {}).items():
        hidden = _hidden([columns[column].finest for column in one.shared or [*columns][:1]])
        build.add(name, hidden)
        _flow(build, name, hidden, one)
    _link(build, columns, {} if people is None else people)
    return LinkedTables(build.starts, build.view(), columns)


def columns_of(tables: Iterable[CountTable]) -> dict[str, Categories]:
    """Every column of some tables."""
    named: dict[str, list[Dimension]] = {}
    for table in tables:
        for one in table.dimensions:
            named.setdefault(one.name, []).append(one)
    return {name: Categories(name, dimensions) for name, dimensions in named.items()}


def _hidden(dimensions: Sequence[Dimension], most: int = MOST_CELLS) -> CountTable:
    size = 1
    for one in dimensions:
        size *= len(one.codes)
        if size > most:
            raise too_large(most)
    return CountTable(tuple(dimensions), np.full(size, HIDDEN, np.int64), zeros_shown=False)


def _flow(build: _Builder, name: str, hidden: CountTable, records: RecordCounts) -> None:
    """Every record stands for a person of one of the cells that it may be of; other persons were withheld."""
    at = build.starts[name]
    if records.persons is not None:
        all_of_them, nothing = np.array([records.persons]), np.zeros(1, np.int64)
        build.equations.append(([at], [build.extend(all_of_them, all_of_them, nothing, nothing + NO_LIMIT)]))
    parts: dict[int, list[int]] = {}
    for places, many in records.sorts.items() if records.shared else ():
        within = [int(np.ravel_multi_index(one, hidden.shape)) for one in product(*places)]
        count = np.array([many], np.int64)
        nothing, endless = np.zeros(1, np.int64), np.full(1, NO_LIMIT)
        total = build.extend(count, count, nothing, endless)
        pieces = [total]
        if len(within) > 1:
            zeros = np.zeros(len(within), np.int64)
            start = build.extend(zeros, zeros + NO_LIMIT, zeros, zeros + NO_LIMIT)
            pieces = [*range(start, start + len(within))]
            build.equations.append(([total], pieces))
        for cell, piece in zip(within, pieces, strict=True):
            parts.setdefault(cell, []).append(piece)
    for cell, pieces in parts.items():
        withheld = build.extend(*(np.array([bound], np.int64) for bound in (0, NO_LIMIT, 0, NO_LIMIT)))
        build.equations.append(([at + cell], [*pieces, withheld]))


Attributes = frozenset[tuple[str, int]]


def _link(build: _Builder, columns: Mapping[str, Categories], people: Mapping[str, frozenset[str]]) -> None:
    """Equations among tables, along a tree; or through a table of all columns."""
    attributes = {name: _attributes(table, columns) for name, table in build.tables.items()}
    patterns = _patterns(people)
    if len(patterns) > 1:
        _through_all(build, columns, [*build.tables], patterns)
        return
    pairs, circle = tree(attributes)
    for one, other in pairs:
        shared = _coarsest(attributes[one] & attributes[other])
        build.equations += _agreeing(build, columns, one, other, shared)
    if circle:
        _through_all(build, columns, circle, [])


def _attributes(table: CountTable, columns: Mapping[str, Categories]) -> Attributes:
    """A column by ward is one by department too: the levels of a column, from the coarsest to a table's own."""
    return frozenset((one.name, level) for one in table.dimensions for level in range(columns[one.name].level(one) + 1))


def _coarsest(attributes: Attributes) -> dict[str, int]:
    """The finest level that two tables share of each column."""
    found: dict[str, int] = {}
    for name, level in sorted(attributes):
        found[name] = max(level, found.get(name, 0))
    return found


def tree(attributes: Mapping[str, Attributes]) -> tuple[list[tuple[str, str]], list[str]]:
    """Tables taken off one by one, each with one that shares all it shares with any; and those that go in a circle.

    >>> sets = {"ab": "ab", "bc": "bc", "cd": "cd"}
    >>> tree({name: frozenset((one, 0) for one in names) for name, names in sets.items()})
    ([('ab', 'bc'), ('bc', 'cd')], [])
    >>> tree({name: frozenset((one, 0) for one in names) for name, names in {**sets, "ad": "ad"}.items()})
    ([], ['ab', 'bc', 'cd', 'ad'])
    """
    left = dict(attributes)
    pairs: list[tuple[str, str]] = []
    while len(left) > 1:
        found = next((pair for pair in _ears(left)), None)
        if found is None:
            return pairs, [*left]
        pairs.append(found)
        del left[found[0]]
    return pairs, []


def _ears(left: Mapping[str, Attributes]) -> Iterable[tuple[str, str]]:
    for name, own in left.items():
        others = {other: its for other, its in left.items() if other != name}
        shared = own & frozenset(chain.from_iterable(others.values()))
        for other, its in others.items():
            if shared <= its:
                yield name, other


def _agreeing(
    build: _Builder,
    columns: Mapping[str, Categories],
    one: str,
    other: str,
    shared: Mapping[str, int],
    within: Sequence[int] | None = None,
) -> Iterable[Equation]:
    """The counts by shared columns, in one table and in the other."""
    for key in product(*(columns[name].blocks(level) for name, level in shared.items())):
        wanted = dict(zip(shared, key, strict=True))
        yield _cells(build, columns, one, wanted, None), _cells(build, columns, other, wanted, within)


def _cells(
    build: _Builder,
    columns: Mapping[str, Categories],
    name: str,
    wanted: Mapping[str, frozenset[int]],
    within: Sequence[int] | None,
) -> list[int]:
    table = build.tables[name]
    places = []
    for dimension in table.dimensions:
        if dimension.name == WHO:
            places.append([0] if within is None else list(within))
        elif dimension.name in wanted:
            places.append(columns[dimension.name].places(dimension, wanted[dimension.name]))
        else:
            places.append([0])
    start = build.starts[name]
    return [start + int(np.ravel_multi_index(one, table.shape)) for one in product(*places)]


def _through_all(
    build: _Builder, columns: Mapping[str, Categories], names: Sequence[str], patterns: Sequence[frozenset[str]]
) -> None:
    """A hidden table of all columns, of which each of these is a total."""
    used = {one.name for name in names for one in build.tables[name].dimensions}
    dimensions = [columns[name].finest for name in sorted(used)]
    if patterns:
        dimensions.append(Dimension.flat(WHO, [str(number) for number in range(len(patterns))]))
    build.add("\x00all", _hidden(dimensions, MOST_IN_CIRCLE))
    for name in names:
        table = build.tables[name]
        own = {one.name: columns[one.name].level(one) for one in table.dimensions}
        within = None
        if patterns:
            who = dimensions[-1]
            within = [who.place[str(number)] for number, pattern in enumerate(patterns) if name in pattern]
        build.equations += _agreeing(build, columns, name, "\x00all", own, within)


def _patterns(people: Mapping[str, frozenset[str]]) -> list[frozenset[str]]:
    """In which of the tables a person may be, by the files that the person stands in.

    >>> [sorted(one) for one in _patterns({"a": frozenset("n"), "b": frozenset("ns")})]
    [['a', 'b'], ['b']]
    """
    files = sorted(frozenset().union(*people.values()))
    if len(files) > 10:
        raise too_large()
    inside = [set(some) for size in range(1, len(files) + 1) for some in combinations(files, size)]
    found = {frozenset(name for name, own in people.items() if own & some) for some in inside}
    return sorted(found, key=lambda one: (-len(one), sorted(one)))
