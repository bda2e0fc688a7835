"""The codes of several columns packed into words of 64 bits: a row is moved, and its columns are counted, at one go."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sharewell.compiled import numba_or_none
from sharewell.tables.engine.array_types import Indices, Ints
from sharewell.tables.engine.classes import Classes
from sharewell.tables.engine.columns import Codes, Column

_WORD = 64
_AT_ONCE = 1 << 16
"""Rows packed at a time, so that they stay near the processor."""
Words = NDArray[np.uint64]
Numbers = NDArray[np.int64]
Order = NDArray[np.integer]
_KERNEL = "sharewell.tables.engine.protection.partitioning.cuts_kernel:occurring"
_NO_TREE = np.zeros((0, 0), dtype=np.int32)


class PackedRows:
    """`words[w][i]` holds, for the row at place i, the code of each column j whose `word[j]` is w, from bit `shift[j]`.

    Every column has as many bits as its highest code needs, so no code is lost.
    """

    def __init__(self, columns: Sequence[Column], order: Indices | None, rows: int) -> None:
        self.sizes: Numbers = np.array([column.size for column in columns], dtype=np.int64)
        self.word, self.shift = _laid_out(self.sizes)
        self.words: list[Words] = [np.zeros(rows, dtype=np.uint64) for _ in range(int(self.word.max()) + 1)]
        for column, word, shift in zip(columns, self.word, self.shift, strict=True):
            _put(column.codes, order, int(shift), self.words[word])
        trees = [_numbered(column.tree.nodes) if column.levels is not None else _NO_TREE for column in columns]
        self.heights: Numbers = np.array([len(nodes) for nodes in trees], dtype=np.int64)
        """Levels of the tree of each column, 0 where it has none."""
        lengths = np.array([nodes.size for nodes in trees], dtype=np.int64)
        self.roots: Numbers = np.cumsum(lengths) - lengths
        """Where the nodes of each column begin in `nodes`, level after level."""
        self.nodes: NDArray[np.int32] = np.concatenate([nodes.ravel() for nodes in trees])
        """The node of each code, counted from 0 within its level, as the codes rise."""

    def codes(self, column: int, kind: np.dtype[Any]) -> Codes:
        """The codes of a column, place by place, in numbers of this kind."""
        words, codes = self.words[self.word[column]], np.empty(len(self.words[0]), dtype=kind)
        shift, mask = np.uint64(self.shift[column]), np.uint64((1 << _bits(int(self.sizes[column]))) - 1)
        for begin in range(0, len(codes), _AT_ONCE):
            codes[begin : begin + _AT_ONCE] = (words[begin : begin + _AT_ONCE] >> shift) & mask
        return codes

    def part(self, rows: slice) -> PackedRows:
        """Some rows that follow each other, in the same memory."""
        some = copy(self)
        some.words = [words[rows] for words in self.words]
        return some

    def codes_at(self, places: Order, kinds: Sequence[np.dtype[Any]]) -> list[Codes]:
        """The codes of every column at some places, which may repeat, in numbers of these kinds."""
        results = [np.empty(len(places), dtype=kind) for kind in kinds]
        each = list(zip(results, self.word.tolist(), self.shift.astype(np.uint64), self.masks, strict=True))
        for begin in range(0, len(places), _AT_ONCE):
            some = slice(begin, begin + _AT_ONCE)
            words = [one.take(places[some]) for one in self.words]
            for codes, word, shift, mask in each:
                codes[some] = (words[word] >> shift) & mask
        return results

    @property
    def masks(self) -> Words:
        """The bits of each column, moved down to the lowest."""
        return np.array([(1 << _bits(int(size))) - 1 for size in self.sizes], dtype=np.uint64)


class PackedClasses(Classes):
    """Classes whose rows lie packed in the order of the classes. Of many rows, `order` is longer than what they hold:
    it is made when it is asked for."""

    quasi: Sequence[Column]
    packed: PackedRows | None
    """None once it was let go."""

    @classmethod
    def of(
        cls, like: Classes, order: Order, starts: Indices, quasi: Sequence[Column], packed: PackedRows
    ) -> PackedClasses:
        """Columns and subject are those of `like`."""
        made = cls.__new__(cls)
        made.__dict__.update(starts=starts, columns=like.columns, subject=like.subject)
        made.__dict__.update(_order=order, quasi=quasi, packed=packed)
        return made

    @property
    def short_order(self) -> Order:
        order: Order = self.__dict__["_order"]
        return order

    @cached_property
    def order(self) -> Indices:
        return self.short_order.astype(np.intp, copy=False)

    def select(self, which: Indices) -> Classes:
        """Neighbouring classes stay packed."""
        if self.packed is None or not len(which) or (np.diff(which) != 1).any():
            return super().select(which)
        starts = self.starts[which[0] : which[-1] + 2]
        rows = slice(int(starts[0]), int(starts[-1]))
        return PackedClasses.of(self, self.short_order[rows], starts - starts[0], self.quasi, self.packed.part(rows))

    def let_go(self) -> None:
        self.__dict__.pop("_occurring", None)
        self.__dict__["packed"] = None

    def codes(self, column: Column) -> Codes:
        place = self._place(column)
        if place is None or self.packed is None:
            return super().codes(column)
        return self.packed.codes(place, column.codes.dtype)

    def extremes(self, column: Column) -> tuple[Ints, Ints]:
        place = self._place(column)
        if place is None or self._occurring is None:
            return super().extremes(column)
        low, high, _ = self._occurring
        return low[place].astype(np.int64), high[place].astype(np.int64)

    def bits(self, column: Column) -> Ints:
        place = self._place(column)
        if place is None or self._occurring is None:
            return super().bits(column)
        bits: Ints = self._occurring[2][place].view(np.int64)
        return bits

    def _place(self, column: Column) -> int | None:
        return next((j for j, one in enumerate(self.quasi) if one is column), None)

    @cached_property
    def _occurring(self) -> tuple[NDArray[np.int32], NDArray[np.int32], Words] | None:
        """For all columns at once, in compiled code."""
        kernel, packed = numba_or_none(True, _KERNEL), self.packed
        if kernel is None or packed is None or not self.count:
            return None
        shape = len(self.quasi), self.count
        low, high, bits = np.empty(shape, np.int32), np.empty(shape, np.int32), np.empty(shape, np.uint64)
        shifts = packed.shift.astype(np.uint64)
        for word, words in enumerate(packed.words):
            of = np.flatnonzero(packed.word == word)
            kernel(words, self.starts, shifts[of], packed.masks[of], of, low, high, bits)
        return low, high, bits


def _numbered(nodes: NDArray[np.int32]) -> NDArray[np.int32]:
    """The nodes of a level numbered from 0 in the order of their codes; each covers a run of them."""
    numbers = np.zeros(nodes.shape, dtype=np.int32)
    np.cumsum(nodes[:, 1:] != nodes[:, :-1], axis=1, out=numbers[:, 1:])
    return numbers


def _bits(size: int) -> int:
    return max(1, (size - 1).bit_length())


def _laid_out(sizes: Numbers) -> tuple[Numbers, Numbers]:
    """(the word of each column, its lowest bit there): each goes into the first word with room for it."""
    words, shifts, used = [], [], [0]
    for bits in map(_bits, sizes.tolist()):
        word = next((w for w, taken in enumerate(used) if taken + bits <= _WORD), len(used))
        used += [0] * (word == len(used))
        words.append(word)
        shifts.append(used[word])
        used[word] += bits
    return np.array(words, dtype=np.int64), np.array(shifts, dtype=np.int64)


def _put(codes: NDArray[np.integer], order: Indices | None, shift: int, words: Words) -> None:
    for begin in range(0, len(words), _AT_ONCE):
        some = slice(begin, begin + _AT_ONCE)
        part = (codes[some] if order is None else codes.take(order[some])).astype(np.uint64)
        part <<= np.uint64(shift)
        words[some] |= part
