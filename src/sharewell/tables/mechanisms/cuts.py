"""Where to cut: for every class and one column, the cut between two values nearest the middle, and what it would gain.

All classes are looked at together. The rows of all classes are turned into *runs* (class, value, count), by counting
where the domain is small and by sorting where it is large; a cut lies between two runs of one class.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sharewell.tables.columns import Codes, Column

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Runs:
    """The distinct values of each class with their counts; first[c] … first[c+1]−1 are the runs of class c."""

    first: Ints
    low: Ints
    """The smallest code of a run (a run of a tree column is a whole child, so it may span several codes)."""
    high: Ints
    count: Ints

    @property
    def last(self) -> Ints:
        return self.first[1:] - 1


@dataclass(frozen=True, eq=False)
class Cuts:
    """For every class: rows with code ≤ at go left. Where `possible` is False there is no cut at all."""

    possible: NDArray[np.bool_]
    at: Ints
    left: Ints
    """Rows that go left."""
    loss: Floats
    """The class's normalised certainty penalty in this column before the cut."""
    gain: Floats
    """By how much the cut lowers the sum of penalties over the rows."""
    distinct: Ints


def runs_of(codes: Codes, class_of: NDArray[np.intp], classes: int, column: Column) -> Runs:
    """O(n) by counting, O(n log n) by sorting; memory O(n)."""
    size = column.size
    keys = class_of * size + codes
    if classes * size <= 2 * len(codes) + 1024:
        counts = np.bincount(keys, minlength=classes * size)
        found = np.flatnonzero(counts)
        count = counts[found]
    else:
        keys.sort()
        ends = np.flatnonzero(np.diff(keys)) + 1
        begins = np.concatenate([[0], ends])
        found, count = keys[begins], np.diff(np.append(begins, len(keys)))
    owner, code = np.divmod(found, size)
    first = np.searchsorted(owner, np.arange(classes + 1))
    runs = Runs(first, code, code, count)
    return _children(runs, owner, column) if column.levels is not None else runs


def _children(runs: Runs, owner: Ints, column: Column) -> Runs:
    """In a tree a class is cut only between children of its lowest common ancestor: other cuts would gain nothing."""
    tree = column.tree
    low, high = runs.low[runs.first[:-1]], runs.high[runs.last]
    level = np.zeros(len(low), dtype=np.int64)
    for step in range(tree.height + 1):
        level[tree.nodes[step, low] != tree.nodes[step, high]] = step + 1
    child = tree.nodes[np.maximum(level - 1, 0)[owner], runs.low]
    begins = np.flatnonzero(np.concatenate([[True], (np.diff(child) != 0) | (np.diff(owner) != 0)]))
    ends = np.append(begins[1:], len(child)) - 1
    first = np.searchsorted(owner[begins], np.arange(len(low) + 1))
    return Runs(first, runs.low[begins], runs.high[ends], np.add.reduceat(runs.count, begins))


def find_cuts(codes: Codes, class_of: NDArray[np.intp], sizes: NDArray[np.intp], column: Column) -> Cuts:
    """The cut nearest the middle of each class (the lower of two equally near), and its gain."""
    runs = runs_of(codes, class_of, len(sizes), column)
    before = np.cumsum(sizes) - sizes
    up_to = np.cumsum(runs.count)
    possible = runs.last > runs.first[:-1]
    middle = np.searchsorted(up_to, before + sizes / 2, side="left")
    upper = np.clip(middle, runs.first[:-1], np.maximum(runs.last - 1, runs.first[:-1]))
    lower = np.maximum(upper - 1, runs.first[:-1])
    off_lower = np.abs(2 * (up_to[lower] - before) - sizes)
    off_upper = np.abs(2 * (up_to[upper] - before) - sizes)
    run = np.where(off_lower <= off_upper, lower, upper)
    left = np.where(possible, up_to[run] - before, 0)
    low, high, at = runs.low[runs.first[:-1]], runs.high[runs.last], runs.high[run]
    after = np.minimum(run + 1, runs.last)
    distinct = np.diff(runs.first)
    if column.style == "set":
        width = max(1, column.size - 1)
        loss, loss_left = (distinct - 1) / width, (run - runs.first[:-1]) / width
        loss_right = np.maximum(runs.last - after, 0) / width
    else:
        loss, loss_left = column.range_loss(low, high), column.range_loss(low, at)
        loss_right = column.range_loss(runs.low[after], high)
    gain = sizes * loss - left * loss_left - (sizes - left) * loss_right
    return Cuts(possible, at, left, loss, np.where(possible, gain, 0.0), distinct)
