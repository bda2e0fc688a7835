"""How often each value occurs in each class: one half of every cut is counted, the other is known by subtraction.

The values of all columns stand in one line, those of the columns with fewest values first. The columns worth counting
are then always the first ones; the others are sorted, class by class. `cuts_kernel` is the twin for large work.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sharewell.tables.engine.columns import Column
from sharewell.tables.engine.protection.partitioning.cuts import (
    FIELDS,
    Ints,
    Runs,
    in_children,
    nearest,
    positions,
    runs_of,
)

_ALWAYS_FEW = 1 << 16
"""Up to this number of cells, counting is always cheaper than sorting."""


@dataclass(frozen=True, eq=False)
class _CutClasses:
    """Classes that the last step cut; counts[which[c]] are the value counts of class c before the cut."""

    begins: Ints
    middles: Ints
    ends: Ints
    counts: NDArray[np.int64]
    which: Ints


class ValueCounts:
    """For rows that lie class by class; `order[i]` is the row at place i."""

    def __init__(self, columns: Sequence[Column]) -> None:
        self.columns = columns
        sizes = np.array([column.size for column in columns])
        self.places = np.argsort(sizes, kind="stable")
        """The columns from the fewest values to the most."""
        self.sizes = sizes[self.places]
        self.edges = np.concatenate([[0], np.cumsum(self.sizes)])
        """Where the values of each begin in the line."""
        self.slots = np.argsort(self.places, kind="stable")
        kind = np.min_scalar_type(self.edges[-1])
        places = zip(self.places, self.edges[:-1], strict=True)
        self.values = np.stack([columns[place].codes.astype(kind) + kind.type(edge) for place, edge in places], axis=1)
        """The values of each row, by their place in the line."""
        self._last: tuple[Ints, NDArray[np.int64]] | None = None
        self._halved: _CutClasses | None = None

    def find(self, order: Ints, begins: Ints, ends: Ints) -> NDArray[np.int64]:
        """[field, column, class] of the middle cuts. O(q · n), or O(q · n log n) for large domains."""
        counts = self._counts(order, begins, ends)
        self._last = begins, counts
        sizes = ends - begins
        fields = np.empty((len(FIELDS), len(self.columns), len(sizes)), dtype=np.int64)
        few = int(np.searchsorted(self.edges, counts.shape[1]))
        if few:
            fields[:, self.places[:few]] = _middles(counts, self.edges[:few], sizes)
        for slot, place in enumerate(self.places):
            column, begin, end = self.columns[place], self.edges[slot], self.edges[slot + 1]
            if slot >= few:
                codes = self.values[order[positions(begins, ends)], slot] - begin
                owner = np.repeat(np.arange(len(sizes)), sizes)
                fields[:, place] = nearest(runs_of(codes, owner, len(sizes), column), sizes)
            elif column.levels is not None:
                fields[:, place] = nearest(_runs(counts[:, begin:end], column), sizes)
        return fields

    def cut(self, begins: Ints, middles: Ints, ends: Ints) -> None:
        """Keep the counts of the classes that were cut: one half is counted next, the other follows by subtraction."""
        self._halved = None
        if self._last is not None and len(begins):
            before, counts = self._last
            self._halved = _CutClasses(begins, middles, ends, counts, np.searchsorted(before, begins))

    def values_of(self, rows: Ints, sizes: Ints, place: Ints, at: Ints) -> tuple[Ints, Ints]:
        """For rows that lie class by class: the value in the column of their class, and the one that means `at`."""
        slots = self.slots[place]
        values = self.values.ravel().take(rows * len(self.slots) + np.repeat(slots, sizes))
        return values, np.repeat((self.edges[slots] + at).astype(values.dtype), sizes)

    def _counts(self, order: Ints, begins: Ints, ends: Ints) -> NDArray[np.int64]:
        """[class, value] for the columns that are worth counting."""
        rows = int((ends - begins).sum())
        slots = int(np.searchsorted(self.sizes * len(begins), rows + _ALWAYS_FEW, side="right"))
        span, cut = int(self.edges[slots]), self._halved
        if cut is None or rows * slots < 2 * len(begins) * span:  # to count is less work than to subtract
            return self._counted(order, begins, ends, span)
        of = np.searchsorted(cut.begins, begins, side="right") - 1
        right = begins == cut.middles[of]
        if not np.where(right, ends == cut.ends[of], (begins == cut.begins[of]) & (ends == cut.middles[of])).all():
            return self._counted(order, begins, ends, span)
        first = np.concatenate([[True], of[1:] != of[:-1]])
        number, of = np.cumsum(first) - 1, of[first]
        begins, middles, ends = cut.begins[of], cut.middles[of], cut.ends[of]
        fewer = ends - middles < middles - begins  # on the right: those are counted
        span = min(span, cut.counts.shape[1])
        counted = self._counted(order, np.where(fewer, middles, begins), np.where(fewer, ends, middles), span)
        others = cut.counts[:, :span].take(cut.which[of], axis=0)
        others -= counted
        known = np.concatenate([counted, others])
        return known.take(np.where(right == fewer[number], number, number + len(of)), axis=0)

    def _counted(self, order: Ints, begins: Ints, ends: Ints, span: int) -> NDArray[np.int64]:
        slots, count = int(np.searchsorted(self.edges, span)), len(begins)
        rows = order[positions(begins, ends)]
        values = self.values.take(rows, axis=0) if span == self.edges[-1] else self.values[rows, :slots]
        keys = values.ravel()
        if count > 1:
            keys = np.repeat(np.arange(count) * span, (ends - begins) * slots)
            keys += values.ravel()
        counts: NDArray[np.int64] = np.bincount(keys, minlength=count * span)
        return counts.reshape(count, span)


def _middles(counts: NDArray[np.int64], edges: Ints, sizes: Ints) -> NDArray[np.int64]:
    """[field, column, class] of the middle cuts; `edges` says where the values of each column begin."""
    count, span = counts.shape
    cells = counts.ravel()
    filled = np.flatnonzero(cells != 0)
    begins = (np.arange(0, count * span, span)[:, None] + edges).ravel()
    first = np.append(np.searchsorted(filled, begins), len(filled))
    fields = nearest(Runs(first, filled, filled, cells[filled]), np.repeat(sizes, len(edges)))
    fields[:4] -= begins
    return fields.reshape(len(FIELDS), count, len(edges)).transpose(0, 2, 1)


def _runs(counts: NDArray[np.int64], column: Column) -> Runs:
    """The runs of a column with a tree."""
    filled = np.flatnonzero(counts.ravel() != 0)
    owner, code = np.divmod(filled, column.size)
    first = np.searchsorted(owner, np.arange(len(counts) + 1))
    return in_children(Runs(first, code, code, counts[owner, code]), owner, column)
