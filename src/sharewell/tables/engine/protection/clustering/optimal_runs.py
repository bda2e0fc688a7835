"""Leaves: a line of rows cut into runs of k to 2k, so that the whole loses as little as any such cuts allow.

The best cuts before each place follow from those before earlier places (dynamic programming). What a run loses grows
with it, column by column: of numbers the span counts, of a tree the widest step from a row to the next (the lowest
common ancestor of a run is the highest of those of its neighbours), of a set how many rows have a value that does not
come again in the run. Losses are whole numbers, so that sums are exact and ties are ties.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sharewell.compiled import numba_or_numpy
from sharewell.tables.data import Table
from sharewell.tables.engine.array_types import Bools, Floats, Ints
from sharewell.tables.engine.checks.class_criterion import ClassCriterion, all_hold
from sharewell.tables.engine.classes import Classes
from sharewell.tables.engine.columns import Column
from sharewell.tables.engine.protection.clustering.cluster_space import Rows

FULL = 1 << 20
"""The loss of a suppressed cell."""
FINEST = 16
"""For leaves larger than 16 rows, cut points are tried only every least/16 rows."""
COMPILED_FROM = 8_000
"""Rows from which loading the compiled twin takes less time than it saves."""
_TOGETHER = 1 << 15
"""Pieces that are handled at a time: what they need fits into the processor's cache."""
_NEVER = np.iinfo(np.int64).max


def cut(table: Table, order: Rows, least: int) -> tuple[Rows, int]:
    """Where the leaves of at least this many rows begin, one more at the end, and what they lose in all."""
    rows = len(order)
    piece = max(1, least // FINEST)
    fewest = -(-least // piece)
    pieces = -(-rows // piece)
    padded = np.concatenate([order, np.repeat(order[-1:], pieces * piece - rows)])  # the last row again loses nothing
    ends = np.minimum(np.arange(pieces + 1) * piece, rows)
    windows = [_Windows.of(column, padded, piece) for column in table.quasi]
    cost = np.full(pieces + 1, _NEVER)
    cost[0] = 0
    back = np.zeros(pieces + 1, dtype=np.int64)
    kernel = "sharewell.tables.engine.protection.clustering.optimal_runs_kernel:best_cuts"
    step = numba_or_numpy(rows >= COMPILED_FROM, kernel, best_cuts)
    for first in range(0, pieces, _TOGETHER):
        last = min(first + _TOGETHER, pieces)
        loss = np.zeros((fewest + 1, last - first), dtype=np.int64)
        for window in windows:
            window.add(loss, first, last, fewest)
        step(loss, first, fewest, least, ends, cost, back)
    cuts = [pieces]
    while cuts[-1]:
        cuts.append(int(back[cuts[-1]]))
    return ends[cuts[::-1]].astype(np.intp), int(cost[-1])


def best_cuts(loss: Ints, first: int, fewest: int, least: int, ends: Ints, cost: Ints, back: Ints) -> None:
    """For each piece from `first` on: the cheapest cuts up to its end, the last leaf being `fewest` pieces or more.

    loss[i, t] is what a row loses in the leaf that ends with piece first + t and has fewest + i pieces.
    """
    for t in range(loss.shape[1]):
        end = first + t + 1
        begins = np.arange(end - fewest, max(-1, end - fewest - len(loss)), -1)
        size = ends[end] - ends[begins]
        usable = np.flatnonzero((size >= least) & (cost[begins] < _NEVER))
        if len(usable):
            total = cost[begins[usable]] + size[usable] * loss[usable, t]
            best = int(total.argmin())
            cost[end], back[end] = total[best], begins[usable[best]]


class _Windows:
    """What runs of pieces lose in one column."""

    def __init__(self, pieces: Sequence[Ints], scale: int) -> None:
        self.pieces, self.scale = pieces, scale

    @classmethod
    def of(cls, column: Column, order: Rows, piece: int) -> _Windows:
        codes = column.codes[order].astype(np.int64)
        every = np.arange(column.size, dtype=np.int64)
        if column.style == "set":
            return _SetWindows([_next(codes).reshape(-1, piece)], FULL // max(1, column.size - 1))
        if column.style == "node":
            low, high = np.minimum(codes[1:], codes[:-1]), np.maximum(codes[1:], codes[:-1])
            shaped = np.append(0, whole_numbers(column.range_loss(low, high))).reshape(-1, piece)
            return _TreeWindows([shaped[:, 0], shaped[:, 1:].max(axis=1, initial=0)], 1)
        places = whole_numbers(column.range_loss(np.zeros_like(every), every))
        if column.has_missing:
            places[-1] = 2 * FULL
        shaped = places[codes].reshape(-1, piece)
        return _RangeWindows([shaped.min(axis=1), shaped.max(axis=1)], 1)

    def add(self, loss: Ints, first: int, last: int, fewest: int) -> None:
        """Add the losses of all runs that end in one of these pieces; callers ignore runs that begin too early."""
        raise NotImplementedError


class _RangeWindows(_Windows):
    def add(self, loss: Ints, first: int, last: int, fewest: int) -> None:
        lowest, highest = (kept[first:last].copy() for kept in self.pieces)
        for pieces in range(1, fewest + len(loss)):
            low, high = (_back(kept, first, last, pieces - 1) for kept in self.pieces)
            np.minimum(lowest, low, out=lowest)
            np.maximum(highest, high, out=highest)
            if pieces >= fewest:
                loss[pieces - fewest] += np.minimum(highest - lowest, FULL)


class _TreeWindows(_Windows):
    def add(self, loss: Ints, first: int, last: int, fewest: int) -> None:
        before, within = self.pieces
        widest = within[first:last].copy()
        for pieces in range(1, fewest + len(loss)):
            if pieces > 1:
                np.maximum(widest, _back(before, first, last, pieces - 2), out=widest)
                np.maximum(widest, _back(within, first, last, pieces - 1), out=widest)
            if pieces >= fewest:
                loss[pieces - fewest] += widest


class _SetWindows(_Windows):
    def add(self, loss: Ints, first: int, last: int, fewest: int) -> None:
        (again,) = self.pieces
        ends = (np.arange(first, last) + 1) * again.shape[1]
        values = np.zeros(last - first, dtype=np.int64)
        for pieces in range(1, fewest + len(loss)):
            for place in again.T:
                values += _back(place, first, last, pieces - 1) >= ends
            if pieces >= fewest:
                loss[pieces - fewest] += (values - 1) * self.scale


def _back(kept: Ints, first: int, last: int, by: int) -> Ints:
    """The same pieces this many places earlier; before the first one, the first."""
    if first >= by:
        return kept[first - by : last - by]
    return np.concatenate([np.repeat(kept[:1], min(by - first, last - first)), kept[: max(0, last - by)]])


def _next(codes: Ints) -> Ints:
    """The place where each row's value comes next; beyond all places if it does not."""
    by_value = np.argsort(codes, kind="stable")
    following = np.full(len(codes), _NEVER)
    same = np.flatnonzero(codes[by_value[1:]] == codes[by_value[:-1]])
    following[by_value[same]] = by_value[same + 1]
    return following


def whole_numbers(losses: Floats) -> Ints:
    """Shares of a cell as whole numbers."""
    rounded: Ints = np.rint(losses * FULL).astype(np.int64)
    return rounded


def merge_until(table: Table, leaves: Classes, criteria: Sequence[ClassCriterion]) -> Classes:
    """Leaves in which a criterion fails are merged with a neighbour on the line, until none fails or one is left."""
    while leaves.count > 1:
        holds = all_hold(criteria, leaves)
        if holds.all():
            break
        leaves = merge(table, leaves, ~holds)
    return leaves


def merge(table: Table, leaves: Classes, failing: Bools) -> Classes:
    """Each failing leaf wants to merge with the neighbour with which it loses less; no leaf merges twice at a time."""
    cost = np.full(leaves.count + 1, np.inf)  # of doing without the boundary before each leaf
    for parity in (0, 1):
        pairs = np.append(leaves.starts[parity:-1:2], leaves.starts[-1])
        together = Classes(leaves.order[pairs[0] :], pairs - pairs[0], leaves.columns, leaves.subject)
        of_pairs = (loss_per_row(table, together) * together.sizes)[: (leaves.count - parity) // 2]
        cost[parity + 1 : leaves.count : 2] = of_pairs
    left, right = cost[:-1], cost[1:]
    wanted = np.zeros(leaves.count + 1, dtype=bool)
    wanted[:-1] |= failing & (left <= right)
    wanted[1:] |= failing & (right < left)
    price = np.where(wanted, cost, np.inf)
    merged = wanted & (price < np.append(np.inf, price[:-1])) & (price <= np.append(price[1:], np.inf))
    return Classes(leaves.order, leaves.starts[~merged], leaves.columns, leaves.subject)


def loss_per_row(table: Table, leaves: Classes) -> Floats:
    """What a row of each leaf loses, summed over columns."""
    total = np.zeros(leaves.count)
    for column in table.quasi:
        codes = column.codes[leaves.order].astype(np.int64)
        if column.style == "set":
            owners = np.unique(leaves.class_of * column.size + codes) // column.size
            total += (np.bincount(owners, minlength=leaves.count) - 1) / max(1, column.size - 1)
        else:
            low, high = (f.reduceat(codes, leaves.starts[:-1]) for f in (np.minimum, np.maximum))
            total += column.range_loss(low, high)
    return total
