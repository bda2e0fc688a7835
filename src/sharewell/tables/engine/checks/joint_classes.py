"""The classes of a table, divided by what other tables of the same people say of each record.

A reader who knows which records of two tables belong together sees one table with the columns of both. Its classes are
those of the first table, divided by the class that the same record has in the second; a record that is not in the
second is divided from those that are. Nobody who lacks that knowledge sees smaller groups. Where only persons can be
compared, a record belongs together with every record of its person in the other table, and so may be in several groups.

Where both tables show a sensitive column, a reader may also know that the target's value has not changed: of each group
there is then a second one, of those records alone whose value is the same in all tables, or missing in one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from sharewell.people_evidence import NotComparable, PeopleEvidence, comparable
from sharewell.tables.data import Bools, Ints, Table
from sharewell.tables.engine.classes import Classes, combination_numbers, group, known_codes
from sharewell.tables.engine.columns import Column, meaning

MOST_PLACES = 20_000_000
"""Places of records in groups; more are not looked at."""
_WITHHELD, _ABSENT, _CLASSES = 0, 1, 2
"""Groups of records that show nothing in the other table, and of records that are not in it; then its classes."""


@dataclass(frozen=True)
class LinkedTable:
    """One published table, and whose each of its records is."""

    title: str
    data: Table = field(repr=False)
    people: PeopleEvidence | None = field(repr=False)
    sources: dict[str, str] = field(default_factory=dict, repr=False)
    """Column → its name in the file that it comes from, where that is another one."""
    files: frozenset[int] = frozenset()
    """Labels of the files whose people it is about, copies counted once; empty: of an earlier release."""
    same_identifiers: bool = False
    """Does the policy claim that a person has the same identifier in all files?"""

    @property
    def sensitive(self) -> dict[str, Column]:
        """By the names in the file."""
        return {self.sources.get(column.name, column.name): column for column in self.data.sensitive}


@dataclass(frozen=True, eq=False)
class JointClasses:
    """The classes of a table, divided by all others."""

    groups: Classes
    unchanged: tuple[Classes, ...]
    """For each sensitive column of several tables: the records of each group whose value is the same in all."""
    divided: bool
    """Is any class divided, or has any record another value elsewhere?"""

    @property
    def count(self) -> int:
        return self.groups.count + sum(one.count for one in self.unchanged)


def joint_classes(table: LinkedTable, others: Sequence[LinkedTable]) -> JointClasses:
    """The classes of the table, divided by all others. O(m · n log n) for m others, and the number of places."""
    whole = table.data.classes
    rows, key = whole.order.astype(np.int64), whole.class_of.astype(np.int64)
    same: dict[str, Bools] = {}
    for other in others:
        linked = _links(table, other)
        counts = np.bincount(linked.record, minlength=table.data.rows)[rows]
        if int(counts.sum()) > MOST_PLACES:
            raise NotComparable(f"{table.title} and {other.title} have too many records of the same persons to divide")
        place = np.repeat(np.searchsorted(linked.record, rows), counts) + _within(counts)
        rows, key = np.repeat(rows, counts), np.repeat(key, counts)
        same = {name: np.repeat(one, counts) for name, one in same.items()}
        for name, one in linked.same.items():
            same[name] = one[place] & same.get(name, np.ones(len(rows), dtype=bool))
        key = combination_numbers([key, linked.of[place]], len(key))
    groups = _grouped(table, rows, key)
    changing = [one for one in same.values() if not one.all()]
    unchanged = tuple(_grouped(table, rows[one], key[one]) for one in changing)
    divided = bool(changing) or groups.count != whole.count or len(groups.order) != len(whole.order)
    return JointClasses(groups, unchanged, divided)


@dataclass(frozen=True, eq=False)
class _Links:
    """(record, group in the other table), each once, by record; every record has at least one."""

    record: Ints
    of: Ints
    same: dict[str, Bools]
    """Sensitive column of both → may the value be the same there?"""


def _links(table: LinkedTable, other: LinkedTable) -> _Links:
    ours, theirs = comparable(table, other)
    classes = other.data.classes
    shown = np.full(other.data.rows, _WITHHELD, dtype=np.int64)
    shown[classes.order] = classes.class_of + _CLASSES
    size = classes.count + _CLASSES
    pairs = np.unique(theirs * size + shown)
    number, group_of = np.divmod(pairs, size)
    first, last = np.searchsorted(number, ours), np.searchsorted(number, ours, side="right")
    counts = np.maximum(last - first, 1)
    record = np.repeat(np.arange(len(ours)), counts)
    result = np.repeat(last > first, counts)
    place = (np.repeat(first, counts) + _within(counts))[result]
    of = np.full(len(record), _ABSENT, dtype=np.int64)
    of[result] = group_of[place]
    same = {}
    columns = other.sensitive
    for name, column in table.sensitive.items():
        if name in columns:
            same[name] = np.ones(len(record), dtype=bool)
            mine, yours = same_values(column, columns[name])
            of_theirs = np.searchsorted(pairs, theirs * size + shown)
            same[name][result] = _may_agree(mine[record[result]], place, yours, of_theirs)
    return _Links(record, of, same)


def _may_agree(mine: Ints, place: Ints, yours: Ints, place_of_theirs: Ints) -> Bools:
    """Has a record of the same person and class the same value, or is a value missing?"""
    size = int(max(mine.max(initial=0), yours.max(initial=0))) + 2
    there = np.unique(place_of_theirs * size + yours + 1)
    unknown = np.isin(place * size, there)
    return np.asarray((mine < 0) | unknown | np.isin(place * size + mine + 1, there))


def same_values(one: Column, other: Column) -> tuple[Ints, Ints]:
    """The values of two columns as numbers, equal where they mean the same; −1 for a missing one."""
    known: dict[object, int] = {}
    numbers = []
    for column in (one, other):
        number = np.array([known.setdefault(meaning(text), len(known)) for text in column.texts] or [0], dtype=np.int64)
        codes = known_codes(column)
        numbers.append(np.where(codes < 0, -1, number[np.maximum(codes, 0)]))
    return numbers[0], numbers[1]


def _grouped(table: LinkedTable, rows: Ints, key: Ints) -> Classes:
    order, starts = group([combination_numbers([key], len(key))], len(key))
    return table.data.as_classes(rows[order].astype(np.intp), starts)


def _within(counts: Ints) -> Ints:
    """0, 1, … for each count."""
    return np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
