"""Many small sets of numbers in two arrays: set r holds items[starts[r] : starts[r + 1]], rising, each once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Key = TypeVar("Key", bound=np.generic)


@dataclass(frozen=True, eq=False)
class Sets:
    """Compressed rows.

    >>> sets = Sets.of([[2, 0], [], [1]])
    >>> sets.count, sets.lengths.tolist(), sets.row_of.tolist(), sets.items.tolist()
    (3, [2, 0, 1], [0, 0, 2], [0, 2, 1])
    """

    starts: Ints
    items: NDArray[np.int32]

    @classmethod
    def of(cls, rows: Iterable[Iterable[int]]) -> Sets:
        listed = [sorted(set(row)) for row in rows]
        starts = np.concatenate([[0], np.cumsum([len(row) for row in listed])]).astype(np.int64)
        return cls(starts, np.array([item for row in listed for item in row], dtype=np.int32))

    @classmethod
    def of_pairs(cls, rows: Ints, items: NDArray[np.integer], count: int) -> Sets:
        """From (row, item) pairs in any order, some perhaps twice. O(pairs log pairs)"""
        width = int(items.max()) + 1 if len(items) else 1
        keys = rows.astype(np.int64) * width + items
        keys.sort()  # quicker than np.unique, which hashes first
        keys = keys[np.append(True, keys[1:] != keys[:-1])[: len(keys)]]
        owner, item = np.divmod(keys, width)
        return cls(np.searchsorted(owner, np.arange(count + 1)).astype(np.int64), item.astype(np.int32))

    @property
    def count(self) -> int:
        return len(self.starts) - 1

    @property
    def lengths(self) -> Ints:
        return np.diff(self.starts)

    @cached_property
    def row_of(self) -> Ints:
        """The row of each item."""
        return np.repeat(np.arange(self.count), self.lengths)

    def row(self, number: int) -> NDArray[np.int32]:
        return self.items[self.starts[number] : self.starts[number + 1]]

    def take(self, rows: NDArray[np.integer]) -> Sets:
        """Some of the sets, in the order asked for."""
        lengths = self.lengths[rows]
        starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        places = np.arange(starts[-1]) - np.repeat(starts[:-1] - self.starts[rows], lengths)
        return Sets(starts, self.items[places])

    def through(self, other: Sets) -> Sets:
        """Each set with every item replaced by the items of `other`'s set of that number."""
        widths = other.lengths[self.items]
        spread = other.take(self.items)
        return Sets.of_pairs(np.repeat(self.row_of, widths), spread.items, self.count)

    def renumbered(self, number: NDArray[np.integer]) -> Sets:
        """Each item under its new number; −1 leaves it out, equal numbers become one item."""
        kept = number[self.items] >= 0
        return Sets.of_pairs(self.row_of[kept], number[self.items[kept]], self.count)

    def supports(self, universe: int) -> Ints:
        """In how many sets each item occurs."""
        return np.bincount(self.items, minlength=universe).astype(np.int64)

    def transposed(self, universe: int) -> Sets:
        """For each item the sets it occurs in."""
        order = np.argsort(self.items, kind="stable")
        starts = np.concatenate([[0], np.cumsum(self.supports(universe))]).astype(np.int64)
        return Sets(starts, self.row_of[order].astype(np.int32))

    def holding(self, wanted: Sequence[int], by_item: Sets) -> NDArray[np.int32]:
        """The sets that hold all of the wanted items, given the transposed; the rarest is looked at first."""
        if not wanted:
            return np.arange(self.count, dtype=np.int32)
        lists = sorted((by_item.row(item) for item in wanted), key=len)
        found = lists[0]
        for other in lists[1:]:
            found = found[among(found, other)]
        return found

    def keys(self) -> list[bytes]:
        """What each set holds, as text that sorts as its items do: ties are broken by it, not by the order of rows."""
        data, ends = self.items.astype(">i4").tobytes(), (self.starts * 4).tolist()
        return [data[ends[row] : ends[row + 1]] for row in range(self.count)]

    def by_content(self) -> Ints:
        """The rows in an order that follows from what they hold."""
        return np.array(sorted(range(self.count), key=self.keys().__getitem__), dtype=np.int64)

    def equal(self) -> tuple[Ints, Ints]:
        """(number of the distinct set that each row is, how many rows are that set)."""
        keys: dict[bytes, int] = {}
        number = np.empty(self.count, dtype=np.int64)
        for row, key in enumerate(self.keys()):
            number[row] = keys.setdefault(key, len(keys))
        return number, np.bincount(number, minlength=len(keys)).astype(np.int64)


def among(some: NDArray[np.generic], rising: NDArray[np.generic]) -> NDArray[np.bool_]:
    """Which of some numbers occur in a rising list. O(some · log rising)"""
    if not len(rising):
        return np.zeros(len(some), dtype=bool)
    places = np.minimum(np.searchsorted(rising, some), len(rising) - 1)
    return np.asarray(rising[places] == some)


def counted(keys: NDArray[Key]) -> tuple[NDArray[Key], Ints]:
    """Each key once, rising, and how often it came. Sorts in place."""
    keys.sort()
    ends = np.flatnonzero(np.append(keys[1:] != keys[:-1], True)[: len(keys)])
    return keys[ends], np.diff(ends, prepend=-1)
