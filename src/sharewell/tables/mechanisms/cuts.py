"""Where to cut: for every class and column, the cut between two values nearest the middle, and what it would gain.

All classes are looked at together. Their rows are turned into *runs* (class, column, value, count), by counting where
the domain is small and by sorting where it is large; a cut lies between two runs of one class. `cuts_kernel` is the
compiled twin, one column at a time. Both give whole numbers alone; losses are computed from these in one place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sharewell.tables.columns import Column

Ints = NDArray[np.integer]
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
    """For every class, one cut in one column: rows with code ≤ at go left."""

    place: int
    """Which of the table's quasi columns."""
    column: Column
    sizes: Ints
    """Rows of each class."""
    low: Ints
    high: Ints
    at: Ints
    after: Ints
    """The smallest code that goes right."""
    left: Ints
    """Rows that go left."""
    distinct: Ints
    """Runs of the class, and those that go left."""
    distinct_left: Ints
    tie: Ints | None = None
    """Rows with code = at go left only if their tuple's number is not above this: see `through`."""
    worth: Floats | None = None
    """What the cut is worth to a workload; None for a cut that looks at no workload."""
    shared: bool = False
    """Does the value `at` occur on both sides?"""

    @property
    def possible(self) -> NDArray[np.bool_]:
        """False where there is no cut at all."""
        return np.asarray((self.left > 0) & (self.left < self.sizes))

    @cached_property
    def loss(self) -> Floats:
        """The class's normalised certainty penalty in this column before the cut."""
        if self.column.style == "set":
            loss: Floats = (self.distinct - 1) / max(1, self.column.size - 1)
            return loss
        return self.column.range_loss(self.low, self.high)

    @property
    def gain(self) -> Floats:
        """By how much the cut lowers the sum of penalties over the rows."""
        return np.asarray(gains([self])[0])


def gains(found: Sequence[Cuts]) -> Floats:
    """[cut, class]: by how much each cut lowers the sum of penalties over the rows; columns of sets together."""
    sizes, left = found[0].sizes, np.stack([cuts.left for cuts in found])
    right = sizes - left
    gain = np.empty(left.shape)
    sets = [i for i, cuts in enumerate(found) if cuts.column.style == "set"]
    if sets:
        distinct, before = (np.stack([getattr(found[i], name) for i in sets]) for name in ("distinct", "distinct_left"))
        after = distinct - before + np.array([[found[i].shared] for i in sets])
        values = sizes * (distinct - 1) - left[sets] * (before - 1) - right[sets] * np.maximum(after - 1, 0)
        gain[sets] = values / np.array([[max(1, found[i].column.size - 1)] for i in sets])
    for i, cuts in enumerate(found):
        if cuts.column.style != "set":
            loss = cuts.column.range_loss
            gain[i] = sizes * cuts.loss - left[i] * loss(cuts.low, cuts.at) - right[i] * loss(cuts.after, cuts.high)
    gain[(left == 0) | (right == 0)] = 0.0
    return gain


_ALWAYS_FEW = 1 << 16
"""Counting so many values costs less than thinking about it."""
FIELDS = ("low", "high", "at", "after", "left", "distinct", "distinct_left")
"""The numbers of a cut that both twins find, in this order."""


def find(codes: NDArray[np.integer], starts: Ints, columns: Sequence[Column]) -> NDArray[np.int64]:
    """[field, column, class] for codes[row, column] of rows that lie class by class.

    O(q · n), or O(q · n log n) for large domains.
    """
    sizes = np.diff(starts)
    found = np.empty((len(FIELDS), len(columns), len(sizes)), dtype=np.int64)
    flat = [j for j, column in enumerate(columns) if column.levels is None]
    if flat:
        found[:, flat] = _cuts(codes, sizes, columns, flat).reshape(len(FIELDS), len(flat), len(sizes))
    for j, column in enumerate(columns):
        if column.levels is not None:
            found[:, j] = _nearest(
                runs_of(codes[:, j], np.repeat(np.arange(len(sizes)), sizes), len(sizes), column), sizes
            )
    return found


def _cuts(codes: NDArray[np.integer], sizes: Ints, columns: Sequence[Column], flat: Sequence[int]) -> NDArray[np.int64]:
    """Columns without a tree as if they were one with so many times the classes."""
    count, parts = len(sizes), []
    for number, j in enumerate(flat):
        size = columns[j].size
        keys = np.repeat(np.arange(0, count * size, size), sizes)
        keys += codes[:, j]
        found, times = _counted(keys, count * size, count * size <= 4 * len(codes) + _ALWAYS_FEW)
        of_class, code = np.divmod(found, size)
        parts.append((of_class + number * count, code, times))
    group, code, times = (np.concatenate(part) for part in zip(*parts, strict=True))
    first = np.flatnonzero(np.concatenate([[True], group[1:] != group[:-1], [True]]))
    return _nearest(Runs(first, code, code, times), np.tile(sizes, len(flat)))


def _counted(keys: Ints, domain: int, few: bool) -> tuple[Ints, Ints]:
    """The distinct keys in order, and how often each occurs."""
    if few:
        counts = np.bincount(keys, minlength=domain)
        found = np.flatnonzero(counts.astype(bool))
        return found, counts[found]
    keys.sort()
    begins = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]]))
    return keys[begins], np.diff(np.append(begins, len(keys)))


def _nearest(runs: Runs, sizes: Ints) -> NDArray[np.int64]:
    """The cut nearest the middle of each class, the lower of two equally near."""
    first, last = runs.first[:-1], runs.last
    before = np.cumsum(sizes) - sizes
    up_to = np.cumsum(runs.count)
    upper = np.searchsorted(up_to, before + sizes / 2, side="left")
    upper = np.maximum(np.minimum(upper, last - 1), first)
    lower = np.maximum(upper - 1, first)
    off_lower = np.abs(2 * (up_to[lower] - before) - sizes)
    off_upper = np.abs(2 * (up_to[upper] - before) - sizes)
    run = np.where(off_lower <= off_upper, lower, upper)
    possible = last > first
    after = np.minimum(run + 1, last)
    return np.stack(
        [
            runs.low[first],
            runs.high[last],
            runs.high[run],
            runs.low[after],
            np.where(possible, up_to[run] - before, 0),
            last - first + 1,
            run - first + 1,
        ]
    )


def runs_of(codes: NDArray[np.integer], class_of: Ints, classes: int, column: Column) -> Runs:
    """O(n) by counting, O(n log n) by sorting; memory O(n)."""
    size = column.size
    found, count = _counted(class_of * size + codes, classes * size, classes * size <= 2 * len(codes) + 1024)
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
