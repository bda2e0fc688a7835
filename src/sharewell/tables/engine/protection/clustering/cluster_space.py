"""The boxes that groups of rows would publish, and the loss of each box: what clustering compares.

The rows of some blocks of a table are laid end to end, and the values that occur in a block are numbered within it
(*slots*). The loss of a cell then follows from the gaps between neighbouring slots: of numbers they add up, of a tree
the widest counts (that of the lowest common ancestor), and of a set each further value costs the same. Losses are whole
numbers of 2⁻³² of a fully generalised cell, so that sums are exact and ties are ties.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sharewell.distinct_numbers import numbered
from sharewell.tables.data import Table
from sharewell.tables.engine.array_types import Bools, Indices, Ints
from sharewell.tables.engine.checks.class_criterion import ClassCriterion, all_hold
from sharewell.tables.engine.classes import Classes
from sharewell.tables.engine.columns import Column

Rows = Indices
FULL = 1 << 32
"""The loss of a suppressed cell."""
RANGE, TREE, SET = 0, 1, 2
_ENDS = (np.minimum, np.maximum)
_KINDS = {"range": RANGE, "node": TREE, "set": SET}


@dataclass(frozen=True, eq=False)
class Boxes:
    """One box for each group: lowest and highest slot in ordered columns, a bit set of values in the others."""

    low: NDArray[np.int32]
    high: NDArray[np.int32]
    bits: NDArray[np.uint64]
    """[word, group]; a set column has as many words as its values in a block need."""

    def take(self, groups: Rows) -> Boxes:
        return Boxes(self.low.take(groups, axis=1), self.high.take(groups, axis=1), self.bits.take(groups, axis=1))

    def union(self, other: Boxes) -> Boxes:
        """The boxes that cover both, one by one."""
        return Boxes(np.minimum(self.low, other.low), np.maximum(self.high, other.high), self.bits | other.bits)

    def put(self, groups: Rows, other: Boxes) -> None:
        """Replace some boxes in place."""
        self.low[:, groups], self.high[:, groups], self.bits[:, groups] = other.low, other.high, other.bits


class ClusterSpace:
    """The rows of some blocks, in which a method forms groups. `rows[position]` is the row of the table."""

    def __init__(self, table: Table, blocks: Classes) -> None:
        self.table, self.blocks = table, blocks
        self.rows, self.starts = blocks.order, blocks.starts
        self.kinds = np.array([_KINDS[column.style] for column in table.quasi], dtype=np.int64)
        by_column = [_slots(column, blocks) for column in table.quasi]
        sizes = [len(gaps) for _, _, gaps in by_column]
        before = np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)])
        self.slots = np.empty((len(by_column), len(self.rows)), dtype=np.int32)
        """slots[column, position]"""
        for line, (slot, _, _), b in zip(self.slots, by_column, before, strict=False):
            np.add(slot, b, out=line, casting="unsafe")
        self.first = np.array([first + b for (_, first, _), b in zip(by_column, before, strict=False)], dtype=np.int64)
        """first[column, block] is its first slot there; one more at the end."""
        self.gaps = np.concatenate([gaps for _, _, gaps in by_column] or [np.zeros(0, dtype=np.int64)])
        """The loss of a cell that joins a slot with the next one."""
        most = np.diff(self.first, axis=1).max(axis=1, initial=1)
        self.words = np.concatenate([[0], np.cumsum(np.where(self.kinds == SET, (most + 63) // 64, 0))])
        """words[column] is its first word among the bits of a box; one more at the end."""

    def boxes(self, order: Rows, starts: Rows) -> Boxes:
        """The boxes of groups of positions; no group is empty."""
        slots, begins = self.slots[:, order], starts[:-1]
        lined = slots[self.kinds != SET]
        low, high = (
            (lined, lined.copy()) if len(begins) == len(order) else (f.reduceat(lined, begins, axis=1) for f in _ENDS)
        )
        owner = np.repeat(np.arange(len(begins)), np.diff(starts))
        blocks = self.blocks.class_of[order]
        bits = np.zeros((int(self.words[-1]), len(begins)), dtype=np.uint64)
        for j in np.flatnonzero(self.kinds == SET).tolist():
            local = slots[j] - self.first[j][blocks]
            np.bitwise_or.at(
                bits, (self.words[j] + (local >> 6), owner), np.uint64(1) << (local & 63).astype(np.uint64)
            )
        return Boxes(low, high, bits)

    def each(self, positions: Rows) -> Boxes:
        """The boxes of single positions."""
        return self.boxes(positions, np.arange(len(positions) + 1))

    def loss(self, boxes: Boxes) -> Ints:
        """The loss of one row of each box, summed over columns."""
        total = np.zeros(boxes.bits.shape[1], dtype=np.int64)
        counts, row = np.bitwise_count(boxes.bits), 0
        for j, kind in enumerate(self.kinds.tolist()):
            if kind == SET:
                first, last = self.words[j], self.words[j + 1]
                count = counts[first] if last == first + 1 else counts[first:last].sum(axis=0, dtype=np.int64)
                total += (count - np.int64(1)) * self.gaps[self.first[j, 0]]
                continue
            low, high = boxes.low[row], boxes.high[row]
            row += 1
            if kind == RANGE:
                total += np.minimum(self.places[high] - self.places[low], FULL)
            else:
                total += self._widest(j, low, high)
        return total

    @cached_property
    def places(self) -> Ints:
        """Sum of the gaps before each slot."""
        return np.concatenate([[0], np.cumsum(self.gaps)[:-1]]) if len(self.gaps) else self.gaps

    @cached_property
    def _tables(self) -> dict[int, list[Ints]]:
        """For tree columns: the widest of the 2^i gaps from each slot on."""
        tables = {}
        for j in np.flatnonzero(self.kinds == TREE).tolist():
            level = [self.gaps[self.first[j, 0] : self.first[j, -1]]]
            longest = int(np.diff(self.first[j]).max(initial=1))
            while 1 << len(level) < longest:
                half, step = level[-1], 1 << (len(level) - 1)
                level.append(np.maximum(half, np.concatenate([half[step:], np.zeros(min(step, len(half)), np.int64)])))
            tables[j] = level
        return tables

    def _widest(self, j: int, low: NDArray[np.int32], high: NDArray[np.int32]) -> Ints:
        """The widest gap of each run of slots: two overlapping powers of two cover it."""
        low, span = low - self.first[j, 0], (high - low).astype(np.int64)
        widest = np.zeros(len(low), dtype=np.int64)
        for i, table in enumerate(self._tables[j]):
            fits = (span >> i) == 1
            begin = low[fits]
            widest[fits] = np.maximum(table[begin], table[begin + span[fits] - (1 << i)])
        return widest

    def holds(self, order: Rows, starts: Rows, criteria: Sequence[ClassCriterion]) -> Bools:
        """Does every criterion hold, group by group?"""
        groups = Classes(self.rows[order], starts, self.blocks.columns, self.blocks.subject)
        return all_hold(criteria, groups)


def _slots(column: Column, blocks: Classes) -> tuple[Ints, Ints, Ints]:
    """Slots of one column counted from 0: by position, the first of each block, and the gaps between neighbours."""
    codes, starts = blocks.codes(column), blocks.starts[:-1]
    low, high = np.minimum.reduceat(codes, starts), np.maximum.reduceat(codes, starts)
    edges = np.concatenate([[0], np.cumsum(high - low + 1, dtype=np.int64)])
    before = edges[:-1] - low  # codes of one block after those of another, without gaps between blocks
    keys = np.repeat(before, blocks.sizes) + codes
    occurring, slot = numbered(keys)
    first = np.searchsorted(occurring, edges)
    code = occurring - np.repeat(before, np.diff(first))
    return slot, first, _gaps(column, code)


def _gaps(column: Column, code: Ints) -> Ints:
    """The loss from each slot to the next. The gap after the last slot of a block is never used."""
    if column.style == "set":
        return np.full(len(code), FULL // max(1, column.size - 1), dtype=np.int64)
    after = np.maximum(np.append(code[1:], code[-1:]), code)
    gaps: Ints = np.round(column.range_loss(code, after) * FULL).astype(np.int64)
    if column.levels is not None:
        return np.where(after > code, gaps, 0)
    places = np.round(column.range_loss(np.zeros_like(code), code) * FULL).astype(np.int64)
    gaps = np.maximum(np.append(places[1:], places[-1:]) - places, 0)
    if column.has_missing:
        gaps[(after == column.size - 1) & (code < after)] = 2 * FULL
    return gaps
