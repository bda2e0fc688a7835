"""Several tables of the same people as one system: all their cells in a row, and all that adds up or must agree.

Two tables agree in what they share: the counts by their common columns. If the tables form a tree (every two share no
more than those between them do), that is all: tables of whole numbers that agree so are always tables of one and the
same set of people. Where they form a circle (a × b, b × c, c × a), this is not enough, and a further table, of all
those columns and entirely hidden, is added, of which each is a total.

>>> from sharewell.reports.counts.data import CountTable
>>> ab = CountTable.of_cells({("x", "u"): 3, ("y", "u"): 4, ("y", "v"): 1}, ["a", "b"])
>>> bc = CountTable.of_cells({("u", "p"): 6, ("u", "q"): 1, ("v", "q"): 1}, ["b", "c"])
>>> system = link_tables({"ab": ab, "bc": bc})
>>> system.view.relations.count - ab.relations.count - bc.relations.count
2
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, combinations, product

import numpy as np

from sharewell.errors import DataError
from sharewell.reports.counts.data import HIDDEN, CountTable
from sharewell.reports.counts.engine.dimensions import Categories, Dimension
from sharewell.reports.counts.engine.record_counts import RecordCounts
from sharewell.reports.counts.engine.relations import NO_LIMIT, Equations, Ints
from sharewell.reports.counts.engine.table_readers import View

MOST_CELLS = 20_000
"""Of all tables together, the further one included."""
MOST_IN_CIRCLE = 2_500
"""Of that further table, for which whole numbers are expensive to find."""
MEMBERSHIP = "\x00membership"
"""A column that no file has: in which of the tables a person is."""
_EVERYTHING = "\x00all"
"""The name of the further table."""
Attributes = frozenset[tuple[str, int]]
"""Columns of a table, each with the levels at which the table divides it."""


def too_large(most: int = MOST_CELLS) -> DataError:
    """What to say where the steps would not suffice."""
    what = f"more than {most:,} cells to judge together"
    return DataError(f"the tables — {what} — publish one table of all dimensions, leave one out, or make them coarser")


class LinkedTables:
    """The tables so far, cells that belong to none of them, and equations between cells of different tables."""

    def __init__(self, columns: Mapping[str, Categories]) -> None:
        self.columns = columns
        self.starts: dict[str, int] = {}
        self.tables: dict[str, CountTable] = {}
        self.bounds: list[tuple[Ints, Ints, Ints, Ints, Ints]] = []
        self.equations: list[tuple[Sequence[int], Sequence[int]]] = []
        """Cells whose sum is that of other cells."""
        self.size = 0

    def add(self, name: str, table: CountTable, known: tuple[Ints, Ints] | None = None) -> None:
        low, high = table.bounds()
        zero_low, zero_high = table.zero_pattern()
        if known is not None:
            low, high = np.maximum(low, known[0]), np.minimum(high, known[1])
            zero_low, zero_high = np.maximum(zero_low, known[0]), np.minimum(zero_high, known[1])
        self.starts[name], self.tables[name] = self._extend(low, high, zero_low, zero_high, table.jumps()), table

    def add_cells(self, count: int, low: int = 0, high: int = NO_LIMIT) -> int:
        """Cells of no table, between these bounds; the place of the first one."""
        zeros = np.zeros(count, np.int64)
        return self._extend(zeros + low, zeros + high, zeros, zeros + NO_LIMIT, zeros)

    def _extend(self, *bounds: Ints) -> int:
        start = self.size
        self.size += len(bounds[0])
        if self.size > MOST_CELLS:
            raise too_large()
        self.bounds.append(bounds)  # type: ignore[arg-type]
        return start

    @cached_property
    def view(self) -> View:
        """What a reader of all of them learns."""
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

    def cells(self, name: str, categories: Mapping[str, frozenset[int]], members: Sequence[int] | None) -> list[int]:
        """Cells of a table that make up one count by shared columns, of these members only."""
        table, places = self.tables[name], []
        for dimension in table.dimensions:
            if dimension.name == MEMBERSHIP:
                places.append([0] if members is None else list(members))
            elif dimension.name in categories:
                places.append(self.columns[dimension.name].places(dimension, categories[dimension.name]))
            else:
                places.append([0])
        return [self.starts[name] + int(np.ravel_multi_index(place, table.shape)) for place in product(*places)]

    def agree(self, one: str, other: str, shared: Mapping[str, int], members: Sequence[int] | None = None) -> None:
        """The counts by shared columns are the same in one table and in the other."""
        for blocks in product(*(self.columns[name].blocks(level) for name, level in shared.items())):
            categories = dict(zip(shared, blocks, strict=True))
            self.equations.append((self.cells(one, categories, None), self.cells(other, categories, members)))


def link_tables(
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
    system = LinkedTables(columns)
    for name, table in tables.items():
        system.add(name, table, (known or {}).get(name))
    for name, counts in (records or {}).items():
        _add_records(system, name, counts)
    _link(system, {} if people is None else people)
    return system


def columns_of(tables: Iterable[CountTable]) -> dict[str, Categories]:
    """Every column of some tables."""
    named: dict[str, list[Dimension]] = {}
    for table in tables:
        for dimension in table.dimensions:
            named.setdefault(dimension.name, []).append(dimension)
    return {name: Categories(name, dimensions) for name, dimensions in named.items()}


def _hidden(dimensions: Sequence[Dimension], most: int = MOST_CELLS) -> CountTable:
    size = math.prod(len(dimension.codes) for dimension in dimensions)
    if size > most:
        raise too_large(most)
    return CountTable(tuple(dimensions), np.full(size, HIDDEN, np.int64), zeros_shown=False)


def _add_records(system: LinkedTables, name: str, records: RecordCounts) -> None:
    """Every record stands for a person of one of the cells that it may be of; other persons were withheld."""
    hidden = _hidden([system.columns[column].finest for column in records.shared or [*system.columns][:1]])
    system.add(name, hidden)
    start = system.starts[name]
    if records.persons is not None:
        system.equations.append(([start], [system.add_cells(1, records.persons, records.persons)]))
    parts: dict[int, list[int]] = {}
    for places, count in records.sorts.items() if records.shared else ():
        covered = [int(np.ravel_multi_index(place, hidden.shape)) for place in product(*places)]
        pieces = [system.add_cells(1, count, count)]
        if len(covered) > 1:
            first = system.add_cells(len(covered))
            total, pieces = pieces, [*range(first, first + len(covered))]
            system.equations.append((total, pieces))
        for cell, piece in zip(covered, pieces, strict=True):
            parts.setdefault(cell, []).append(piece)
    for cell, pieces in parts.items():
        withheld = system.add_cells(1)
        system.equations.append(([start + cell], [*pieces, withheld]))


def _link(system: LinkedTables, people: Mapping[str, frozenset[str]]) -> None:
    """Equations among tables, along a tree; or through a table of all columns."""
    attributes = {name: _attributes(table, system.columns) for name, table in system.tables.items()}
    patterns = _patterns(people)
    if len(patterns) > 1:
        _through_all(system, [*system.tables], patterns)
        return
    pairs, circle = tree(attributes)
    for one, other in pairs:
        finest_shared: dict[str, int] = dict(sorted(attributes[one] & attributes[other]))  # the last level counts
        system.agree(one, other, finest_shared)
    if circle:
        _through_all(system, circle, [])


def _attributes(table: CountTable, columns: Mapping[str, Categories]) -> Attributes:
    """A column by ward is one by department too: the levels of a column, from the coarsest to a table's own."""
    return frozenset((one.name, level) for one in table.dimensions for level in range(columns[one.name].level(one) + 1))


def tree(attributes: Mapping[str, Attributes]) -> tuple[list[tuple[str, str]], list[str]]:
    """Tables taken off one by one, each with one that shares all it shares with any; and those that form a circle.

    >>> sets = {"ab": "ab", "bc": "bc", "cd": "cd"}
    >>> tree({name: frozenset((one, 0) for one in names) for name, names in sets.items()})
    ([('ab', 'bc'), ('bc', 'cd')], [])
    >>> tree({name: frozenset((one, 0) for one in names) for name, names in {**sets, "ad": "ad"}.items()})
    ([], ['ab', 'bc', 'cd', 'ad'])
    """
    remaining = dict(attributes)
    pairs: list[tuple[str, str]] = []
    while len(remaining) > 1:
        pair = next(_ears(remaining), None)
        if pair is None:
            return pairs, [*remaining]
        pairs.append(pair)
        del remaining[pair[0]]
    return pairs, []


def _ears(tables: Mapping[str, Attributes]) -> Iterator[tuple[str, str]]:
    for name, attributes in tables.items():
        others = {other: its for other, its in tables.items() if other != name}
        shared = attributes & frozenset(chain.from_iterable(others.values()))
        yield from ((name, other) for other, its in others.items() if shared <= its)


def _through_all(system: LinkedTables, names: Sequence[str], patterns: Sequence[frozenset[str]]) -> None:
    """A hidden table of all columns, of which each of these is a total."""
    used = {dimension.name for name in names for dimension in system.tables[name].dimensions}
    dimensions = [system.columns[name].finest for name in sorted(used)]
    if patterns:
        dimensions.append(Dimension.flat(MEMBERSHIP, [str(number) for number in range(len(patterns))]))
    system.add(_EVERYTHING, _hidden(dimensions, MOST_IN_CIRCLE))
    for name in names:
        levels = {one.name: system.columns[one.name].level(one) for one in system.tables[name].dimensions}
        members = None
        if patterns:
            place = dimensions[-1].place
            members = [place[str(number)] for number, pattern in enumerate(patterns) if name in pattern]
        system.agree(name, _EVERYTHING, levels, members)


def _patterns(people: Mapping[str, frozenset[str]]) -> list[frozenset[str]]:
    """In which of the tables a person may be, by the files that the person is in.

    >>> [sorted(one) for one in _patterns({"a": frozenset("n"), "b": frozenset("ns")})]
    [['a', 'b'], ['b']]
    """
    files = sorted(frozenset().union(*people.values()))
    if len(files) > 10:
        raise too_large()
    memberships = [set(some) for size in range(1, len(files) + 1) for some in combinations(files, size)]
    patterns = {frozenset(name for name, its in people.items() if its & some) for some in memberships}
    return sorted(patterns, key=lambda one: (-len(one), sorted(one)))
