"""Where to cut: for every class and column, the cut between two values nearest the middle, and what it would gain.

All classes are looked at together. Their rows are turned into *runs* (class, column, value, count), by counting where
the domain is small (`value_counts`) and by sorting where it is large; a cut lies between two runs of one class.
`cuts_kernel` is the compiled twin, one column at a time. Both give whole numbers alone; losses are computed from these
in one place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sharewell.tables.engine.array_types import Bools, Floats, Indices
from sharewell.tables.engine.columns import Column

Ints = NDArray[np.integer]


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
    def fields(self) -> tuple[Ints, ...]:
        """Its numbers, in the order of FIELDS."""
        return self.low, self.high, self.at, self.after, self.left, self.distinct, self.distinct_left

    @property
    def possible(self) -> Bools:
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
        if self.column.style == "set":
            after = self.distinct - self.distinct_left + self.shared
            values = _values_gone(self.sizes, self.left, self.distinct, self.distinct_left, after)
            shrunk: Floats = values / max(1, self.column.size - 1)
            return shrunk
        loss, right = self.column.range_loss, self.sizes - self.left
        gain = self.sizes * self.loss - self.left * loss(self.low, self.at) - right * loss(self.after, self.high)
        return np.where(self.possible, gain, 0.0)


FIELDS = ("low", "high", "at", "after", "left", "distinct", "distinct_left")
"""The numbers of a cut that both twins find, in this order."""


class CandidateCuts:
    """The middle cut of every column, as numbers[field, column, class], and then further ones."""

    def __init__(self, columns: Sequence[Column], sizes: Ints, numbers: Ints, further: Sequence[Cuts] = ()) -> None:
        self.columns, self.sizes, self.numbers, self.further = columns, sizes, numbers, further

    def __len__(self) -> int:
        return len(self.columns) + len(self.further)

    def __getitem__(self, i: int) -> Cuts:
        if i >= len(self.columns):
            return self.further[i - len(self.columns)]
        return Cuts(i, self.columns[i], self.sizes, *self.numbers[:, i])

    def __iter__(self) -> Iterator[Cuts]:
        return (self[i] for i in range(len(self)))

    def joined(self, further: Sequence[Cuts]) -> CandidateCuts:
        return CandidateCuts(self.columns, self.sizes, self.numbers, [*self.further, *further])

    @property
    def places(self) -> Ints:
        """Which column each cut is of."""
        return np.array([*range(len(self.columns)), *(cuts.place for cuts in self.further)])

    def stacked(self, name: str) -> Ints:
        """One of the FIELDS, as [cut, class]."""
        field = FIELDS.index(name)
        middles: Ints = self.numbers[field]
        return np.concatenate([middles, *([cuts.fields[field]] for cuts in self.further)]) if self.further else middles

    def ties(self) -> Ints | None:
        """The field `tie`, as [cut, class]; None if no cut runs through a value."""
        if all(cuts.tie is None for cuts in self.further):
            return None
        ties = [None] * len(self.columns) + [cuts.tie for cuts in self.further]
        untied = np.full(len(self.sizes), np.iinfo(np.int32).max)
        return np.stack([untied if tie is None else tie for tie in ties])


def gains(candidates: CandidateCuts) -> Floats:
    """[cut, class]: by how much each cut lowers the sum of penalties over the rows; the columns of sets together."""
    left, distinct, before = candidates.numbers[4:]
    gain = np.empty((len(candidates), len(candidates.sizes)))
    most = np.array([[max(1, column.size - 1)] for column in candidates.columns])
    gain[: len(most)] = _values_gone(candidates.sizes, left, distinct, before, distinct - before) / most
    for i, cuts in enumerate(candidates.further, len(most)):
        gain[i] = cuts.gain
    for i, column in enumerate(candidates.columns):
        if column.style != "set":
            gain[i] = candidates[i].gain
    return gain


def _values_gone(sizes: Ints, left: Ints, distinct: Ints, before: Ints, after: Ints) -> Ints:
    """By how many values the sets of all rows shrink together; 0 where there is no cut."""
    left = left.astype(np.int64, copy=False)  # products of compiled code's 32 bits need more
    right = sizes - left
    return np.where((left > 0) & (right > 0), sizes * distinct - left * before - right * after, 0)


def nearest(runs: Runs, sizes: Ints) -> NDArray[np.int64]:
    """The cut nearest the middle of each class, the lower of two equally near."""
    first, last = runs.first[:-1], runs.last
    before = np.cumsum(sizes) - sizes
    up_to = np.cumsum(runs.count)
    upper = np.searchsorted(up_to, before + (sizes + 1) // 2)
    upper = np.maximum(np.minimum(upper, last - 1), first)
    lower = np.maximum(upper - 1, first)
    off_lower = np.abs(2 * (up_to[lower] - before) - sizes)
    off_upper = np.abs(2 * (up_to[upper] - before) - sizes)
    run = np.where(off_lower <= off_upper, lower, upper)
    possible = last > first
    after = np.minimum(run + 1, last)
    fields = np.empty((len(FIELDS), len(sizes)), dtype=np.int64)
    fields[0], fields[1], fields[2], fields[3] = runs.low[first], runs.high[last], runs.high[run], runs.low[after]
    fields[4] = np.where(possible, up_to[run] - before, 0)
    fields[5], fields[6] = last - first + 1, run - first + 1
    return fields


def runs_of(codes: NDArray[np.integer], class_of: Ints, classes: int, column: Column) -> Runs:
    """O(n) by counting, O(n log n) by sorting; memory O(n)."""
    size = column.size
    keys = class_of * size + codes
    if classes * size <= 2 * len(codes) + 1024:
        counts = np.bincount(keys, minlength=classes * size)
        occurring = np.flatnonzero(counts.astype(bool))
        count = counts[occurring]
    else:
        keys.sort()
        begins = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]]))
        occurring, count = keys[begins], np.diff(np.append(begins, len(keys)))
    owner, code = np.divmod(occurring, size)
    first = np.searchsorted(owner, np.arange(classes + 1))
    runs = Runs(first, code, code, count)
    return in_children(runs, owner, column) if column.levels is not None else runs


def in_children(runs: Runs, owner: Ints, column: Column) -> Runs:
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


def positions(begins: Ints, ends: Ints) -> Indices | slice:
    """The places begins … ends − 1 of all classes, one after the other; a slice if nothing lies between them."""
    if not len(begins) or (begins[1:] == ends[:-1]).all():
        return slice(int(begins[0]), int(ends[-1])) if len(begins) else slice(0, 0)
    sizes = ends - begins
    shift = begins - (np.cumsum(sizes) - sizes)
    return np.asarray(np.arange(int(sizes.sum())) + np.repeat(shift, sizes))
