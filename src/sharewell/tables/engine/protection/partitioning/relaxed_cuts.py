"""Cuts that run through a value: of the rows that have it, some go left and some go right.

A class whose rows mostly share one value cannot be cut in the middle between two values. Here its rows are ordered by
the value and then by their tuple of quasi values, and cut between two tuples: rows with equal quasi values are never
parted, so that neither the order of the input nor anything but quasi values says who goes where.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from sharewell.tables.data import Table
from sharewell.tables.engine.classes import Classes, combination_numbers
from sharewell.tables.engine.protection.partitioning.cuts import CandidateCuts, Cuts, Ints


def tuple_numbers(table: Table) -> NDArray[np.int32]:
    """The tuple of quasi values of each row, numbered in the order of their content."""
    return combination_numbers([column.codes for column in table.quasi], table.rows).astype(np.int32)


def cuts_through_values(middles: CandidateCuts, active: Classes, tuples: NDArray[np.int32]) -> list[Cuts]:
    """For every class and column the cut through its middle value; `tuples` numbers the tuple of each row.

    The rows of each class must come in the order of their tuples. O(q · n log n).
    """
    numbers = tuples[active.order]
    return [_cut_through_value(cuts, active, numbers) for cuts in middles]


def _cut_through_value(cuts: Cuts, active: Classes, tuples: Ints) -> Cuts:
    size, sizes, owner, begins = cuts.column.size, active.sizes, active.class_of, active.starts[:-1]
    codes = cuts.column.codes[active.order]
    keys = owner * size + codes
    keys.sort()
    middle = begins + (sizes - 1) // 2
    at = keys[middle] - np.arange(active.count) * size
    differs = np.cumsum(np.concatenate([[True], keys[1:] != keys[:-1]]))
    below = np.bincount(owner[codes < at[owner]], minlength=active.count)
    left, tie = _nearest(np.flatnonzero(codes == at[owner]), owner, tuples, below, sizes)
    distinct_left = differs[middle] - differs[begins] + 1
    return replace(cuts, at=at, after=at, left=left, distinct_left=distinct_left, tie=tie, worth=None, shared=True)


def _nearest(equal: Ints, owner: Ints, tuples: Ints, below: Ints, sizes: Ints) -> tuple[Ints, Ints]:
    """(rows that go left, the last tuple of the middle value among them); 0 rows where it has one tuple only."""
    classes, numbers = owner[equal], tuples[equal]
    first = np.searchsorted(classes, np.arange(len(sizes)))
    ends = np.flatnonzero((classes[1:] == classes[:-1]) & (numbers[1:] != numbers[:-1]))  # of a tuple, not of the value
    which = classes[ends]
    left = below[which] + ends - first[which] + 1
    off = np.abs(2 * left - sizes[which])
    best = np.lexsort((left, off, which))
    best = best[np.concatenate([[True], which[best][1:] != which[best][:-1]])[: len(best)]]
    rows_left, tie = np.zeros(len(sizes), dtype=np.int64), np.zeros(len(sizes), dtype=np.int64)
    rows_left[which[best]], tie[which[best]] = left[best], numbers[ends[best]]
    return rows_left, tie
