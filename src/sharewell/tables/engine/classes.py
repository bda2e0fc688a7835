"""Equivalence classes: the rows that publish the same quasi values. All that a table criterion sees."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sharewell.content_order import stable_order
from sharewell.distinct_numbers import counted, distinct
from sharewell.tables.engine.array_types import Indices, Ints

if TYPE_CHECKING:
    from sharewell.tables.engine.columns import Codes, Column


@dataclass(frozen=True, eq=False)
class Classes:
    """Class c holds the rows order[starts[c] : starts[c + 1]]."""

    order: Indices
    starts: Indices
    columns: Mapping[str, Column]
    """The sensitive columns and the subject, as codes."""
    subject: str | None = None
    """The column that identifies persons; None where every record is another person."""

    @property
    def count(self) -> int:
        return len(self.starts) - 1

    @property
    def short_order(self) -> NDArray[np.integer]:
        """`order`, in shorter numbers where classes have them."""
        return self.order

    @cached_property
    def sizes(self) -> Indices:
        """Records in each class."""
        return np.diff(self.starts)

    @cached_property
    def class_of(self) -> Indices:
        """The class of each place of `order`."""
        return np.repeat(np.arange(self.count), self.sizes)

    @cached_property
    def persons(self) -> Indices:
        """Distinct persons in each class."""
        return self.sizes if self.subject is None else self.distinct(self.columns[self.subject])

    def as_one(self) -> Classes:
        """All rows in one class."""
        return Classes(self.order, np.array([0, len(self.order)]), self.columns, self.subject)

    def codes(self, column: Column) -> Codes:
        """The codes of a column of the same table, place by place of `order`."""
        return column.codes.take(self.order)

    def let_go(self) -> None:
        """Free the memory of codes that are at hand: whoever asks for some again has them looked up."""

    def extremes(self, column: Column) -> tuple[Ints, Ints]:
        """The lowest and the highest code of a column in each class."""
        codes, begins = self.codes(column), self.starts[:-1]
        low, high = np.minimum.reduceat(codes, begins), np.maximum.reduceat(codes, begins)
        return low.astype(np.int64), high.astype(np.int64)

    def bits(self, column: Column) -> Ints:
        """The codes that occur in each class, a bit for each, of a column with fewer than 63."""
        bit = np.int64(1) << np.arange(column.size)
        return np.bitwise_or.reduceat(bit.take(self.codes(column)), self.starts[:-1])

    def join(self, parts: Sequence[Classes]) -> Classes:
        """The classes of several partitions of the same table, one after the other."""
        if len(parts) == 1:
            return parts[0]
        order = np.concatenate([part.order for part in parts] or [self.order[:0]])
        sizes = np.concatenate([part.sizes for part in parts] or [self.sizes[:0]])
        return Classes(order, np.concatenate([[0], np.cumsum(sizes)]), self.columns, self.subject)

    def select(self, which: Indices) -> Classes:
        """Some of the classes, their rows laid end to end."""
        if len(which) == self.count and (np.diff(which) > 0).all():
            return self
        sizes = self.sizes[which]
        starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.intp)
        inside = np.arange(starts[-1]) - np.repeat(starts[:-1], sizes)
        return Classes(self.order[np.repeat(self.starts[which], sizes) + inside], starts, self.columns, self.subject)

    def distinct(self, column: Column) -> Indices:
        """How many distinct values of a column each class holds; missing ones do not count."""
        codes = column.codes[self.order].astype(np.int64)
        keys = self.class_of * column.size + codes
        if column.has_missing:
            keys = keys[codes != column.size - 1]
        return np.bincount(distinct(keys) // max(1, column.size), minlength=self.count)

    def counts(self, column: Column, by_person: bool = True) -> tuple[Ints, ...]:
        """(class, code, count) of every value that a class holds, in that order; a missing value is one of them.

        By person, each of a class's persons counts once for each of its values there, and a record without a person
        counts by itself. O(n log n); O(n) where records are counted and the domain is small.
        """
        size = max(1, column.size)
        keys = self.class_of * size + column.codes[self.order]
        if by_person and self.subject is not None:
            keys = self._once_a_person(keys)
        occurring, times = counted(keys)
        return occurring // size, occurring % size, times

    def owners(self, unnamed_as_one: bool = False) -> tuple[Ints, int]:
        """The person of each place of `order` as a number, and a bound on these numbers.

        A record without a person is a person's of its own; `unnamed_as_one` takes all of them for one person's.
        """
        if self.subject is None:
            return np.arange(len(self.order)), len(self.order)
        subject = self.columns[self.subject]
        persons = subject.codes[self.order].astype(np.int64)
        size = subject.size
        if subject.has_missing and not unnamed_as_one:
            nobody = np.flatnonzero(persons == size - 1)
            persons[nobody] = size + np.arange(len(nobody))
            size += len(nobody)
        return persons, size

    def _once_a_person(self, keys: Ints) -> Ints:
        """The keys of all rows, without repetitions by one person."""
        persons, size = self.owners()
        every, numbers = np.unique(keys, return_inverse=True)
        return np.asarray(every[distinct(numbers * size + persons) // max(1, size)])


class LazyClasses(Classes):
    """Classes whose rows are computed on first use: a criterion about sizes needs none of them."""

    @classmethod
    def of(
        cls, like: Classes, sizes: NDArray[np.integer], rows: Callable[[], Indices], *, everything: bool = False
    ) -> LazyClasses:
        """Columns and subject are those of `like`. `everything`: the rows are all rows of a table, in its order."""
        made = cls.__new__(cls)
        made.__dict__.update(sizes=sizes, columns=like.columns, subject=like.subject, rows=rows, everything=everything)
        return made

    @property
    def count(self) -> int:
        return len(self.sizes)

    @cached_property
    def starts(self) -> Indices:
        return np.concatenate([[0], np.cumsum(self.sizes)]).astype(np.intp)

    @cached_property
    def order(self) -> Indices:
        return np.asarray(self.__dict__["rows"]())


def group(codes: Iterable[NDArray[np.integer]], rows: int) -> tuple[Indices, Indices]:
    """Rows with equal codes in every column, together: (order, starts). O(columns · n); ties keep row order."""
    key = np.zeros(rows, dtype=np.int64)
    distinct = 1
    for column in codes:
        size = int(column.max(initial=0)) + 1
        if distinct * size > 2**62:
            _, key = np.unique(key, return_inverse=True)
            distinct = int(key.max(initial=0)) + 1
        key *= size
        key += column
        distinct *= size
    order = stable_order(key)
    key = key[order]
    ends = np.flatnonzero(key[1:] != key[:-1]) + 1
    starts = np.concatenate([[0], ends, [rows]]) if rows else np.zeros(1, dtype=np.intp)
    return order, starts.astype(np.intp)


def combination_numbers(codes: Iterable[NDArray[np.integer]], rows: int) -> Ints:
    """One number for each combination of codes, in their order. O(columns · n)"""
    order, starts = group(codes, rows)
    numbers = np.empty(rows, dtype=np.int64)
    numbers[order] = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    return numbers


def distinct_rows(*columns: NDArray[np.generic]) -> Ints:
    """A number for each distinct row of some columns of any numbers or texts, from 0. O(columns · n log n)"""
    return combination_numbers([np.unique(one, return_inverse=True)[1] for one in columns], len(columns[0]))


def known_codes(column: Column) -> Indices:
    """The codes of a column, −1 for a missing value."""
    codes = column.codes.astype(np.intp)
    return np.where(codes == column.size - 1, -1, codes) if column.has_missing else codes
