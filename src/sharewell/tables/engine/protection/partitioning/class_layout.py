"""Rows laid out class after class, with their codes beside them: what partitioning works on.

A cut moves rows within their class, in place. Small work is done in numpy for all columns at once; large work in
compiled code (`cuts_kernel`) on packed rows, which threads run for several classes at a time. Both do the same moves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from sharewell.compiled import numba_or_numpy, seconds_in_numpy
from sharewell.io.operating_system import processors
from sharewell.tables.data import Bools, Column, Indices, Table
from sharewell.tables.engine.classes import Classes, LazyClasses
from sharewell.tables.engine.protection.partitioning import cuts
from sharewell.tables.engine.protection.partitioning.cuts import CandidateCuts, Ints, positions
from sharewell.tables.engine.protection.partitioning.packed_rows import PackedClasses, PackedRows
from sharewell.tables.engine.protection.partitioning.value_counts import ValueCounts

LARGE = 5_000_000
"""Cells of a table (rows × quasi columns) from which compiled code pays for its import."""
COMPILING_PAYS_FROM = 30_000_000
"""Cells from which it pays for its compilation, too."""
Item = TypeVar("Item")
_KERNEL = "sharewell.tables.engine.protection.partitioning.cuts_kernel"


def everything(table: Table) -> Classes:
    """All rows of a table as one class."""
    nothing = table.as_classes(np.zeros(0, np.intp), np.zeros(1, np.intp))
    return LazyClasses.of(nothing, np.array([table.rows]), lambda: np.arange(table.rows), everything=True)


@dataclass(frozen=True, eq=False)
class ChosenCuts:
    """One cut for each of some classes, which lie at begins … ends of the layout."""

    begins: Ints
    ends: Ints
    place: Ints
    """Which quasi column is cut."""
    at: Ints
    left: Ints
    tie: Ints
    """Rows with code = at go left only if their tuple's number is not above this."""

    def take(self, which: Ints | Bools) -> ChosenCuts:
        return ChosenCuts(
            self.begins[which], self.ends[which], self.place[which], self.at[which], self.left[which], self.tie[which]
        )

    @property
    def sizes(self) -> Ints:
        """The sizes of the halves, left and right in turn."""
        middle = self.begins + self.left
        return np.stack([middle - self.begins, self.ends - middle], axis=1).ravel()


class Layout:
    """`order[i]` is the row at place i.

    In small work codes are looked up by row, in `value_counts`; in large work they move with their row, packed.
    """

    threads: ThreadPoolExecutor
    tallies: ValueCounts
    packed: PackedRows

    def __init__(self, columns: Sequence[Column], root: Classes, tuples: NDArray[np.int32] | None = None) -> None:
        self.columns, self.root = columns, root
        rows = int(root.starts[-1])
        self.large = _is_compiled(rows * len(columns))
        order = None if root.__dict__.get("everything") else root.order
        if tuples is not None:  # rows come in the order of their tuples, and every cut keeps them so
            order = root.order[np.argsort(tuples[root.order], kind="stable")]
            tuples = tuples[order]
        self.tuples = tuples
        """The number of the tuple of the row at each place, for cuts that run through a value."""
        narrow = np.dtype(np.int32 if self.large and rows < 2**31 else np.intp)
        self.order: Ints = np.arange(rows, dtype=narrow) if order is None else order.astype(narrow)
        if self.large:
            self.threads = ThreadPoolExecutor(processors())
            self.packed = PackedRows(columns, order, rows)
        else:
            self.tallies = ValueCounts(columns)

    def find(self, begins: Ints, ends: Ints) -> CandidateCuts:
        """The middle cut of every class in every column."""
        numbers: NDArray[np.signedinteger]
        if self.large:
            numbers = np.empty((len(cuts.FIELDS), len(self.columns), len(begins)), dtype=np.int32)
            self._find(begins, ends, numbers)
        else:
            numbers = self.tallies.find(self.order, begins, ends)
        return CandidateCuts(self.columns, ends - begins, numbers)

    def _find(self, begins: Ints, ends: Ints, numbers: NDArray[np.signedinteger]) -> None:
        """The same in compiled code: some classes at a time, the columns of one word together."""
        kernel, packed = numba_or_numpy(True, f"{_KERNEL}:find", _no_kernel), self.packed
        edges = self._shared(ends - begins)
        shifts, masks = packed.shift.astype(np.uint64), packed.masks

        def of_some(task: tuple[int, int, int]) -> None:
            word, first, last = task
            of = np.flatnonzero(packed.word == word)
            trees = (packed.roots[of], packed.heights[of], packed.nodes)
            kernel(
                packed.words[word],
                begins,
                ends,
                first,
                last,
                of,
                shifts[of],
                masks[of],
                packed.sizes[of],
                *trees,
                numbers,
            )

        self._each(of_some, [(w, *some) for w in range(len(packed.words)) for some in pairwise(edges)])

    def _shared(self, sizes: Ints) -> list[int]:
        """Edges between classes, with about the same number of rows for each thread."""
        threads = min(processors(), len(sizes))
        up_to = np.cumsum(sizes)
        inner = np.searchsorted(up_to, up_to[-1] * np.arange(1, threads) // threads) if len(sizes) else []
        return sorted({0, *(int(edge) for edge in inner), len(sizes)})

    def rows(self, begins: Ints, ends: Ints) -> Classes:
        """These classes as criteria see them."""
        return LazyClasses.of(self.root, ends - begins, lambda: self.order[positions(begins, ends)].astype(np.intp))

    def halves(self, chosen: ChosenCuts) -> Classes:
        """What the cuts would make of their classes: the halves of each, one after the other."""

        def rows() -> Indices:
            places, sources = self._moved(chosen)
            return self.order[places][sources].astype(np.intp)

        return LazyClasses.of(self.root, chosen.sizes, rows)

    def cut(self, chosen: ChosenCuts) -> None:
        """Move the rows of each class so that those that go left come first; both keep their order."""
        moving = [self.order] if self.tuples is None else [self.order, self.tuples]
        if not self.large:
            places, sources = self._moved(chosen)
            for array in moving:
                array[places] = array[places].take(sources)
            self.tallies.cut(chosen.begins, chosen.begins + chosen.left, chosen.ends)
            return
        room = int((chosen.ends - chosen.begins).max(initial=0)) + 1
        if len(self.packed.words) == 1 and self.tuples is None:
            self._part_packed(chosen, room)
            return
        right = self._marked(chosen)
        part = numba_or_numpy(True, f"{_KERNEL}:part", _no_kernel)
        self._each(
            lambda a: part(a, right, chosen.begins, chosen.ends, np.empty(room, a.dtype)),
            [*self.packed.words, *moving],
        )

    def _part_packed(self, chosen: ChosenCuts, room: int) -> None:
        kernel = numba_or_numpy(True, f"{_KERNEL}:part_packed", _no_kernel)
        words, order = self.packed.words[0], self.order
        shifts, masks = self.packed.shift[chosen.place].astype(np.uint64), self.packed.masks[chosen.place]
        at = chosen.at.astype(np.uint64)

        def of_some(first: int, last: int) -> None:
            some = slice(first, last)
            aside = np.empty(room, words.dtype), np.empty(room, order.dtype)
            begins, ends = chosen.begins[some], chosen.ends[some]
            kernel(words, order, shifts[some], masks[some], begins, ends, at[some], *aside)

        self._each(lambda some: of_some(*some), pairwise(self._shared(chosen.ends - chosen.begins)))

    def classes(self, starts: Indices) -> Classes:
        """The classes that begin at these places; of packed rows they know the codes without looking them up."""
        if not self.large:
            return Classes(self.order.astype(np.intp, copy=False), starts, self.root.columns, self.root.subject)
        return PackedClasses.of(self.root, self.order, starts, self.columns, self.packed)

    def counted(self) -> AbstractContextManager[None]:
        """Counts the time of work in numpy that would have been large enough for compiled code."""
        cells = len(self.order) * len(self.columns)
        return seconds_in_numpy(f"{_KERNEL}:find", not self.large and cells >= LARGE)

    def close(self) -> None:
        """End the threads."""
        if self.large:
            self.threads.shutdown()

    def _moved(self, chosen: ChosenCuts) -> tuple[Ints | slice, Ints]:
        """(places of all rows of these classes, for each the number of the place whose row is to stand there)"""
        places = positions(chosen.begins, chosen.ends)
        sizes = chosen.ends - chosen.begins
        if self.large:
            right = self._marked(chosen)[places]
        else:
            values, at = self.tallies.values_of(self.order[places], sizes, chosen.place, chosen.at)
            right = values > at
            if self.tuples is not None:
                right |= (values == at) & (self.tuples[places] > np.repeat(chosen.tie, sizes))
        of_left = np.repeat(np.tile([True, False], len(sizes)), chosen.sizes)
        sources = np.empty(len(right), dtype=np.intp)
        sources[of_left], sources[~of_left] = np.flatnonzero(~right), np.flatnonzero(right)
        return places, sources

    def _marked(self, chosen: ChosenCuts) -> Bools:
        """At the places of these classes: does the row go right? Compiled."""
        mark = numba_or_numpy(True, f"{_KERNEL}:mark", _no_kernel)
        tuples = np.zeros(0, np.int32) if self.tuples is None else self.tuples
        right = np.empty(len(self.order), dtype=np.bool_)

        shifts, masks = self.packed.shift[chosen.place].astype(np.uint64), self.packed.masks[chosen.place]
        word_of = self.packed.word[chosen.place]

        def of_word(word: int) -> None:
            here = np.flatnonzero(word_of == word)
            some = chosen.take(here)
            at = some.at.astype(np.uint64)
            mark(
                self.packed.words[word],
                shifts[here],
                masks[here],
                tuples,
                some.begins,
                some.ends,
                at,
                some.tie,
                right,
            )

        self._each(of_word, range(len(self.packed.words)))
        return right

    def _each(self, work: Callable[[Item], None], items: Iterable[Item]) -> None:
        for _ in self.threads.map(work, items):
            pass


def _is_compiled(cells: int) -> bool:
    """Is work on this many cells done in compiled code?"""
    pays = cells >= COMPILING_PAYS_FROM
    return all(
        numba_or_numpy(cells >= LARGE, f"{_KERNEL}:{name}", _no_kernel, pays) is not _no_kernel
        for name in ("find", "mark", "part", "part_packed", "occurring")
    )


def _no_kernel(*arguments: object) -> None:
    raise AssertionError("only compiled code is called like this")
