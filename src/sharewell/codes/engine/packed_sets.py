"""Many small sets of numbers in two arrays: set r holds items[starts[r] : starts[r + 1]], rising, each once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sharewell.compiled import numba_or_numpy, seconds_in_numpy

Ints = NDArray[np.int64]
Key = TypeVar("Key", bound=np.generic)
Packed = tuple[Ints, NDArray[np.int32]]
_KERNEL = "sharewell.codes.engine.packed_sets_kernel"
_LARGE = 500_000
"""Items beyond which compiled loops pay."""
_PAYS = 10_000_000
"""Items beyond which it pays to compile or load them for one use."""


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
        return cls.of_lengths([len(row) for row in listed], [item for row in listed for item in row])

    @classmethod
    def of_lengths(cls, lengths: ArrayLike, items: ArrayLike) -> Sets:
        """From the length of each set, and the items of one set after the other."""
        return cls(np.append(0, np.cumsum(lengths)).astype(np.int64), np.asarray(items, dtype=np.int32))

    @classmethod
    def of_tables(cls, tables: Sequence[Ints]) -> Sets:
        """From arrays with one set a row; sets of one array have the same length."""
        lengths = np.concatenate([np.zeros(0, np.int64), *(np.full(len(rows), rows.shape[1]) for rows in tables)])
        return cls.of_lengths(lengths, np.concatenate([np.zeros(0, np.int64), *(rows.ravel() for rows in tables)]))

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

    @property
    def longest(self) -> int:
        """The largest number of items in a set."""
        return int(self.lengths.max(initial=0))

    @cached_property
    def row_of(self) -> Ints:
        """The row of each item."""
        return np.repeat(np.arange(self.count), self.lengths)

    def row(self, number: int) -> NDArray[np.int32]:
        return self.items[self.starts[number] : self.starts[number + 1]]

    def take(self, rows: NDArray[np.integer]) -> Sets:
        """Some of the sets, in the given order."""
        lengths = self.lengths[rows]
        starts = np.append(0, np.cumsum(lengths)).astype(np.int64)
        places = np.arange(starts[-1]) - np.repeat(starts[:-1] - self.starts[rows], lengths)
        return Sets(starts, self.items[places])

    def tuples(self) -> list[tuple[int, ...]]:
        """Each set as a tuple of its items."""
        items, starts = self.items.tolist(), self.starts.tolist()
        return [tuple(items[start:end]) for start, end in pairwise(starts)]

    def composed_with(self, other: Sets) -> Sets:
        """Each set with every item replaced by the items of `other`'s set of that number."""
        widths = other.lengths[self.items]
        spread = other.take(self.items)
        return Sets.of_pairs(np.repeat(self.row_of, widths), spread.items, self.count)

    def renumbered(self, number: NDArray[np.integer]) -> Sets:
        """Each item under its new number; −1 leaves it out, equal numbers become one item."""
        return Sets(*self._fastest(_renumbered, number.astype(np.int32, copy=False)))

    def supports(self, universe: int) -> Ints:
        """In how many sets each item occurs."""
        return np.bincount(self.items, minlength=universe).astype(np.int64)

    def by_support(self, names: Sequence[str]) -> tuple[Sets, list[int]]:
        """Items renumbered by falling support, equals by name: (the sets, the old number of each new item).

        Items that no set holds are left out.
        """
        support = self.supports(len(names))
        order = sorted(np.flatnonzero(support).tolist(), key=lambda item: (-support[item], names[item]))
        return self.renumbered(numbering(order, len(names))), order

    def transposed(self, universe: int) -> Sets:
        """For each item the sets it occurs in. Kept, for a mechanism that begins anew asks again."""
        if universe not in self._by_item:
            self._by_item[universe] = Sets(*self._fastest(_transposed, universe))
        return self._by_item[universe]

    def _fastest(self, work: Callable[..., Packed], *given: Any) -> Packed:
        """The starts and items that some work makes of these sets; compiled where they are large."""
        large, pays = len(self.items) > _LARGE, len(self.items) > _PAYS
        kernel = f"{_KERNEL}:{work.__name__.removeprefix('_')}"
        chosen = numba_or_numpy(large, kernel, work, pays=pays, loads=pays)
        with seconds_in_numpy(kernel, large and chosen is work):
            return chosen(self.starts, self.items, *given)

    @cached_property
    def _by_item(self) -> dict[int, Sets]:
        return {}

    def holding(self, wanted: Sequence[int], by_item: Sets) -> NDArray[np.int32]:
        """The sets that hold all of the wanted items, given the transposed."""
        return common([by_item.row(item) for item in wanted]) if wanted else np.arange(self.count, dtype=np.int32)

    def keys(self) -> list[bytes]:
        """What each set holds, as text that sorts as its items do: ties are broken by it, not by the order of rows."""
        data, offsets = self.items.astype(">i4").tobytes(), (self.starts * 4).tolist()
        return [data[offsets[row] : offsets[row + 1]] for row in range(self.count)]

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


def _renumbered(starts: Ints, items: NDArray[np.int32], number: NDArray[np.int32]) -> Packed:
    sets = Sets(starts, items)
    kept = number[items] >= 0
    result = Sets.of_pairs(sets.row_of[kept], number[items[kept]], sets.count)
    return result.starts, result.items


def _transposed(starts: Ints, items: NDArray[np.int32], universe: int) -> Packed:
    sets = Sets(starts, items)
    result = Sets.of_lengths(sets.supports(universe), sets.row_of[np.argsort(items, kind="stable")])
    return result.starts, result.items


def common(lists: Iterable[NDArray[Key]]) -> NDArray[Key]:
    """The numbers that are in each of some rising lists; the shortest is looked at first."""
    result, *others = sorted(lists, key=len)
    for other in others:
        result = result[among(result, other)]
    return result


def numbering(order: Sequence[int] | Ints, universe: int) -> Ints:
    """The place of each number in an order; −1 for a number that is not in it."""
    place = np.full(universe, -1, dtype=np.int64)
    place[order] = np.arange(len(order))
    return place


def among(some: NDArray[np.generic], rising: NDArray[np.generic]) -> NDArray[np.bool_]:
    """Which of some numbers occur in a rising list. O(some · log rising)"""
    if not len(rising):
        return np.zeros(len(some), dtype=bool)
    places = np.minimum(np.searchsorted(rising, some), len(rising) - 1)
    return np.asarray(rising[places] == some)


def counted(keys: NDArray[Key]) -> tuple[NDArray[Key], Ints]:
    """Each key once, rising, and how often it came. Sorts in place."""
    keys.sort()
    last = np.flatnonzero(np.append(keys[1:] != keys[:-1], True)[: len(keys)])
    return keys[last], np.diff(last, prepend=-1)
