"""The classes of a table, divided by what other tables of the same people say of each record.

A reader who knows which records of two tables belong together sees one table with the columns of both. Its classes are
those of the first table, divided by the class that the same record has in the second; a record that is not in the
second is divided from those that are. Nobody who lacks that knowledge sees smaller groups. Where only persons can be
compared, a record belongs together with every record of its person in the other table, and so may be in several groups.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa

from sharewell.tables.data import Table
from sharewell.tables.engine.array_types import Ints
from sharewell.tables.engine.classes import Classes, combination_numbers, group
from sharewell.tables.engine.people_evidence import PeopleEvidence

MOST_PLACES = 20_000_000
"""Places of records in groups; more are not looked at."""
_WITHHELD, _ABSENT = 0, 1
"""Groups of records that show nothing in the other table, and of records that are not in it."""


@dataclass(frozen=True)
class LinkedTable:
    """One published table, and whose each of its records is."""

    title: str
    data: Table = field(repr=False)
    people: PeopleEvidence | None = field(repr=False)


class NotComparable(Exception):
    """Nobody can say which records of two tables belong together; the text says why, without any value."""


def joint_classes(table: LinkedTable, others: Sequence[LinkedTable]) -> Classes:
    """The classes of the table, divided by all others. O(m · n log n) for m others, and the number of places."""
    whole = table.data.classes
    rows, key = whole.order.astype(np.int64), whole.class_of.astype(np.int64)
    for other in others:
        place, of = _links(table, other)
        counts = np.bincount(place, minlength=table.data.rows)[rows]
        if int(counts.sum()) > MOST_PLACES:
            raise NotComparable(f"{table.title} and {other.title} have too many records of the same persons to divide")
        starts = np.searchsorted(place, rows)
        within = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
        theirs = of[np.repeat(starts, counts) + within]
        rows, key = np.repeat(rows, counts), np.repeat(key, counts)
        key = combination_numbers([key, theirs], len(key))
    order, starts = group([key], len(key))
    return table.data.as_classes(rows[order].astype(np.intp), starts)


def divides(joint: Classes, whole: Classes) -> bool:
    """Is any class divided? Each record is in one group, and no class in two, if none is."""
    return joint.count != whole.count or len(joint.order) != len(whole.order)


def _links(table: LinkedTable, other: LinkedTable) -> tuple[Ints, Ints]:
    """(record, group in the other table), each once, by record; every record has at least one."""
    ours, theirs = _comparable(table, other)
    shown = np.full(other.data.rows, _WITHHELD, dtype=np.int64)
    classes = other.data.classes
    shown[classes.order] = classes.class_of + _ABSENT + 1
    size = classes.count + _ABSENT + 1
    number, group_of = np.divmod(np.unique(theirs * size + shown), size)
    first, last = np.searchsorted(number, ours), np.searchsorted(number, ours, side="right")
    counts = np.maximum(last - first, 1)
    record = np.repeat(np.arange(len(ours)), counts)
    within = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
    found = np.repeat(last > first, counts)
    of = np.full(len(record), _ABSENT, dtype=np.int64)
    of[found] = group_of[(np.repeat(first, counts) + within)[found]]
    return record, of


def _comparable(table: LinkedTable, other: LinkedTable) -> tuple[Ints, Ints]:
    """A number for each record of both, equal where they belong together: by the record itself, or by its person."""
    one, two = table.people, other.people
    pair = f"{table.title} and {other.title}"
    if one is None or two is None:
        lacking = table.title if one is None else other.title
        raise NotComparable(f"whose records {lacking} publishes is told by its internal/ folder, which is not at hand")
    if one.file and one.file == two.file:
        return one.records, two.records
    if not one.names or one.names != two.names or one.persons is None or two.persons is None:
        raise NotComparable(f"persons of {pair} are not called by the same column under the same key")
    if one.persons.null_count or two.persons.null_count:
        raise NotComparable(f"records of {pair} lack their person")
    both = pa.concat_arrays([one.persons.cast(pa.string()), two.persons.cast(pa.string())]).dictionary_encode()
    numbers = both.indices.to_numpy(zero_copy_only=False).astype(np.int64)
    return numbers[: len(one.persons)], numbers[len(one.persons) :]
