"""Compiled twins of `value_counts.find` (one column at a time) and of the steps of `class_layout`, for large work.

They let go of the interpreter's lock, so that threads run them for several columns at once.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sharewell.compiled import jit
from sharewell.tables.engine.array_types import Bools

Ints = NDArray[np.integer]

_SPARSE = 32
"""A class is sorted rather than counted if its values lie on a stretch of more than so many codes a row."""


@jit
def find(codes: Ints, begins: Ints, ends: Ints, size: int, nodes: Ints, fields: Ints) -> None:
    """found[field, class] for the classes codes[begins[c] : ends[c]]; `nodes` has no rows if there is no tree."""
    counts = np.zeros(size, np.int32)
    values, times = np.empty(size, np.int32), np.empty(size, np.int32)
    buffer = np.empty(size // _SPARSE + 1, codes.dtype)
    for c in range(len(begins)):
        rows = codes[begins[c] : ends[c]]
        low, high = rows[0], rows[0]
        for code in rows:
            low, high = min(low, code), max(high, code)
        if high - low < _SPARSE * len(rows):
            runs = _count(rows, low, high, counts, values, times)
        else:
            for i in range(len(rows)):
                buffer[i] = rows[i]
            runs = _sort(buffer, len(rows), values, times)
        if len(nodes):
            runs = _children(nodes, runs, values, times, fields, c, len(rows))
        else:
            _nearest(runs, values, values, times, fields, c, len(rows))
        fields[0, c], fields[1, c] = low, high


@jit
def _count(rows: Ints, low: int, high: int, counts: Ints, values: Ints, times: Ints) -> int:
    """The values in order, and how often each occurs; `counts` is all zeros before and after."""
    for code in rows:
        counts[code] += 1
    runs = 0
    for code in range(np.int64(low), np.int64(high) + 1):  # one above the highest may not fit its own type
        count = counts[code]
        counts[code] = 0
        values[runs], times[runs] = code, count
        runs += count > 0
    return runs


@jit
def _sort(buffer: Ints, rows: int, values: Ints, times: Ints) -> int:
    """The same by Shell's method, which compiles in a fraction of the time that numpy's own sort takes."""
    gap = 1
    while gap < rows // 3:
        gap = 3 * gap + 1
    while gap:
        for i in range(gap, rows):
            code, j = buffer[i], i
            while j >= gap and buffer[j - gap] > code:
                buffer[j] = buffer[j - gap]
                j -= gap
            buffer[j] = code
        gap //= 3
    runs = -1
    for i in range(rows):
        if i == 0 or buffer[i] != buffer[i - 1]:
            runs += 1
            values[runs], times[runs] = buffer[i], 0
        times[runs] += 1
    return runs + 1


@jit
def _children(nodes: Ints, runs: int, values: Ints, times: Ints, fields: Ints, c: int, rows: int) -> int:
    """Runs under one child of the lowest common ancestor become one."""
    low, high, level = values[0], values[runs - 1], 0
    for step in range(len(nodes)):
        if nodes[step, low] != nodes[step, high]:
            level = step + 1
    level = max(level - 1, 0)
    firsts = np.empty(runs, np.int32)
    joined = 0
    for run in range(runs):
        if run and nodes[level, values[run]] == nodes[level, values[run - 1]]:
            values[joined - 1] = values[run]
            times[joined - 1] += times[run]
        else:
            first, count = values[run], times[run]
            firsts[joined], values[joined], times[joined] = first, first, count
            joined += 1
    _nearest(joined, firsts, values, times, fields, c, rows)
    return joined


@jit
def _nearest(runs: int, firsts: Ints, lasts: Ints, times: Ints, fields: Ints, c: int, rows: int) -> None:
    """The cut nearest the middle, the lower of two equally near."""
    best, left, up_to = 0, 0, 0
    if runs > 1:
        best_off = 2 * rows + 1
        for run in range(runs - 1):
            up_to += times[run]
            off = abs(2 * up_to - rows)
            if off >= best_off:
                break
            best, left, best_off = run, up_to, off
    fields[2, c], fields[3, c] = lasts[best], firsts[min(best + 1, runs - 1)]
    fields[4, c], fields[5, c], fields[6, c] = left, runs, best + 1


@jit
def mark(codes: Ints, tuples: Ints, begins: Ints, ends: Ints, at: Ints, tie: Ints, right: Bools) -> None:
    """Which rows of these classes go right? Without `tuples`, those with a code above `at`."""
    for c in range(len(begins)):
        limit = at[c]
        for i in range(begins[c], ends[c]):
            right[i] = codes[i] > limit
        if len(tuples):
            for i in range(begins[c], ends[c]):
                right[i] |= (codes[i] == limit) & (tuples[i] > tie[c])


@jit
def part(values: Ints, right: Bools, begins: Ints, ends: Ints, aside: Ints) -> None:
    """In each class, rows that go left first; both keep their order. `aside` has room for the largest class."""
    for c in range(len(begins)):
        lefts, rights = begins[c], 0
        for i in range(begins[c], ends[c]):  # no branch: which way a row goes cannot be foreseen
            value, goes = values[i], right[i]
            values[lefts] = value
            aside[rights] = value
            lefts += not goes
            rights += goes
        for i in range(rights):
            values[lefts + i] = aside[i]
