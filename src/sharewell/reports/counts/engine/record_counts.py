"""Published records beside tables of counts: how many of each sort there are, in the categories of the tables.

A record shows a value, or something that covers several (`[20-29]`, a label of a hierarchy, `*`): it stands for a
person of one of the cells that it covers. Persons who were withheld are in no record.

>>> import pyarrow as pa
>>> from sharewell.reports.counts.engine.dimensions import Dimension
>>> age = Categories("age", [Dimension.flat("age", ["20", "25", "31"])])
>>> table = pa.table({"age": ["[20-29]", "[20-29]", "31"]})
>>> count_records(PublishedRecords(table, {"age": {"role": "quasi"}}, one_row_each=True), {"age": age})
RecordCounts(shared=('age',), sorts={((1, 2),): 2, ((3,),): 1}, persons=None)
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from sharewell import cells
from sharewell.errors import DataError
from sharewell.hierarchy.levels import Hierarchy
from sharewell.reports.counts.engine.dimensions import Categories

if TYPE_CHECKING:
    import pyarrow as pa

    from sharewell.wing import ColumnFacts

_NUMBER = re.compile(r"[-+]?\d{1,18}(\.\d{1,18})?")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_LITERAL = ("sensitive", "keep")
"""Roles whose cells are the values themselves, whatever they look like."""


@dataclass(frozen=True, eq=False)
class PublishedRecords:
    """A table of records as it was written, one row a record."""

    table: pa.Table = field(repr=False)
    columns: Mapping[str, ColumnFacts]
    """What the dictionary says of each column."""
    one_row_each: bool
    """Does every person have one row, or none?"""
    perturbed: frozenset[str] = frozenset()
    """Columns whose cells are not true: drawn, swapped, shifted. They are not used."""
    trees: Mapping[str, Hierarchy] = field(default_factory=dict, repr=False)
    """Hierarchies of columns whose labels no table has as categories."""
    withheld: int | None = None
    """How many persons have no record, where a reader can know that."""


@dataclass(frozen=True)
class RecordCounts:
    """How many records cover the same places of the columns that the tables have too."""

    shared: tuple[str, ...]
    sorts: Mapping[tuple[tuple[int, ...], ...], int] = field(default_factory=dict)
    persons: int | None = None
    """All persons, with or without a record, where that number is known."""


def count_records(records: PublishedRecords, columns: Mapping[str, Categories]) -> RecordCounts:
    """DataError if some cell cannot be read in the categories of the tables."""
    shared = [name for name in records.table.column_names if name in columns and name not in records.perturbed]
    split = [facts["of"] for facts in records.columns.values() if isinstance(facts.get("of"), str)]
    if odd := sorted({*split} & {*columns}):
        raise _unreadable(odd[0])
    if shared and not records.one_row_each:
        what = "records of persons with several rows, beside counts of the same people"
        raise DataError(f"{what} — they cannot be judged together — publish one of the two")
    texts = [records.table[name].cast("string").to_pylist() for name in shared]
    readers = [_Reader(columns[name], records.columns.get(name, {}), records.trees.get(name)) for name in shared]
    counts: dict[tuple[tuple[int, ...], ...], int] = {}
    rows = Counter(zip(*texts, strict=True)) if shared else Counter({(): records.table.num_rows})
    for row, count in rows.items():
        if cells.SUPPRESSED in row:
            continue  # a withheld person
        places = tuple(reader.places(text) for reader, text in zip(readers, row, strict=True))
        counts[places] = counts.get(places, 0) + count
    known = records.withheld is not None and records.one_row_each
    return RecordCounts(tuple(shared), counts, sum(counts.values()) + (records.withheld or 0) if known else None)


class _Reader:
    """Which categories a cell covers, as places of the finest table."""

    def __init__(self, column: Categories, facts: ColumnFacts, tree: Hierarchy | None) -> None:
        self.column, self.tree, self.dimension = column, tree, column.finest
        if facts.get("style") == "mean":
            raise _unreadable(column.name)
        self.literal = facts.get("role") in _LITERAL
        self.nodes = "hierarchy" in facts
        self.values = {leaf: _value(self.dimension.codes[leaf]) for leaf in self.dimension.leaves}
        self.known: dict[str | None, tuple[int, ...]] = {}

    def places(self, text: str | None) -> tuple[int, ...]:
        if text not in self.known:
            self.known[text] = self._covered(text)
            if not self.known[text]:
                raise _unreadable(self.column.name)
        return self.known[text]

    def _covered(self, text: str | None) -> tuple[int, ...]:
        if not text:
            return self._leaves(lambda value: value is None)
        cell = cells.Exact(text) if self.literal else cells.parse(text, nodes=self.nodes)
        match cell:
            case cells.Any():
                return self.dimension.leaves
            case cells.Exact(value) | cells.Node(value):
                return self._named(value)
            case cells.Set(members):
                return tuple(sorted({place for member in members for place in self._named(member)}))
            case cells.Prefix(start):
                return self._named(f"{start}*") or self._leaves(lambda value: (value or "").startswith(start))
            case cells.Interval(low, high):
                return self._between(low, high)
        return ()

    def _named(self, name: str) -> tuple[int, ...]:
        """A value, or a label above some."""
        if self.tree is not None and not self.literal:
            tree = self.tree
            return self._leaves(lambda value: value is not None and name in tree.chain(value))
        leaves = self._leaves(lambda value: value == name)
        if leaves or self.literal:
            return leaves
        place = self.dimension.place.get(cells.labelled(name).text)
        return () if place is None else tuple(sorted(self.dimension.below[place]))

    def _between(self, low: str, high: str) -> tuple[int, ...]:
        texts = [low, high, *(value for value in self.values.values() if value is not None)]
        if all(_NUMBER.fullmatch(one) for one in texts):
            return self._leaves(lambda v: v is not None and Fraction(low) <= Fraction(v) <= Fraction(high))
        if all(_DATE.fullmatch(one) for one in texts):
            return self._leaves(lambda v: v is not None and low <= v <= high)
        return ()

    def _leaves(self, covers: Callable[[str | None], bool]) -> tuple[int, ...]:
        return tuple(leaf for leaf, value in self.values.items() if covers(value))


def _value(code: str | None) -> str | None:
    """The value in the data behind a published category."""
    if code is None:
        return None
    cell = cells.parse(code)
    return cell.value if isinstance(cell, cells.Exact) else code


def _unreadable(name: str) -> DataError:
    what = "published records show it in a form that is not made of the categories of the tables"
    return DataError(f"column {name} — {what} — publish the tables or the records, or use the same hierarchy in both")
