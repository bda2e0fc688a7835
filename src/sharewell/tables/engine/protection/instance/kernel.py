"""The compiled twins of `people` and `widening`, for long lists: see `sharewell.compiled`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sharewell.compiled import jit
from sharewell.tables.engine.array_types import Floats
from sharewell.tables.engine.protection.instance.people import Ladder, Runs

Ints = NDArray[np.integer]


@jit
def _look_up(begin: int, end: int, runs: Runs, table: Ints) -> bool:
    """A table of the runs begin … end − 1, if one fits: number − low[begin] → run, or −1."""
    base = runs.low[begin]
    span = runs.high[end - 1] - base + 1
    if span > len(table):
        return False
    table[:span] = -1
    for run in range(begin, end):
        table[runs.low[run] - base : runs.high[run] - base + 1] = run
    return True


@jit
def _search(number: int, begin: int, end: int, runs: Runs) -> int:
    """The run that holds a number, by bisection; −1 if none does."""
    first, last = begin, end
    while first < last:
        middle = (first + last) // 2
        if runs.low[middle] <= number:
            first = middle + 1
        else:
            last = middle
    return first - 1 if first > begin and number <= runs.high[first - 1] else -1


@jit
def placed(numbers: Ints, columns: Ints, starts: Ints, runs: Runs) -> NDArray[np.int32]:
    run_of = np.full(numbers.shape[1], -1, dtype=np.int32)
    longest = 0
    for c in range(len(starts) - 1):
        longest = max(longest, starts[c + 1] - starts[c])
    room = np.empty(longest, dtype=np.int32)
    for c in range(len(starts) - 1):
        begin, end, row = runs.first[c], runs.first[c + 1], numbers[columns[c]]
        if begin == end:
            continue
        if _look_up(begin, end, runs, room[: starts[c + 1] - starts[c]]):
            base, span = runs.low[begin], runs.high[end - 1] - runs.low[begin] + 1
            for i in range(starts[c], starts[c + 1]):
                at = row[i] - base
                if 0 <= at < span:
                    run_of[i] = room[at]
        else:
            for i in range(starts[c], starts[c + 1]):
                run_of[i] = _search(row[i], begin, end, runs)
    return run_of


@jit
def counted(numbers: Ints, columns: Ints, weights: Ints, starts: Ints, runs: Runs) -> NDArray[np.int64]:
    total = np.zeros(len(runs.low), dtype=np.int64)
    run_of = placed(numbers, columns, starts, runs)
    for i in range(len(run_of)):
        if run_of[i] >= 0:
            total[run_of[i]] += weights[i]
    return total


@jit
def grouped(part: Ints, starts: Ints) -> NDArray[np.int64]:
    order = np.empty(starts[-1], dtype=np.int64)
    after = starts[:-1].copy()
    for i in range(len(part)):
        if part[i] >= 0:
            order[after[part[i]]] = i
            after[part[i]] += 1
    return order


@jit
def climbed(
    numbers: Ints, weights: Ints, starts: Ints, ladder: Ladder, needed: Ints, logs: Floats
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    first = ladder.first
    columns, classes = first.shape[0], len(starts) - 1
    level = np.zeros((columns, classes), dtype=np.int64)
    people = np.zeros(classes, dtype=np.int64)
    longest, most = 0, 1
    for c in range(classes):
        longest = max(longest, starts[c + 1] - starts[c])
        for j in range(columns):
            most = max(most, first[j, c + 1] - first[j, c])
    entry = np.empty((columns, longest), dtype=np.int16)
    fits = np.empty((columns, most), dtype=np.int64)
    for c in range(classes):
        size = starts[c + 1] - starts[c]
        for j in range(columns):
            _enter(numbers[j, starts[c] : starts[c + 1]], first[j, c], first[j, c + 1], ladder, entry[j])
        own_weights = weights[starts[c] : starts[c + 1]]
        now = _fitting(entry, size, own_weights, level[:, c], first[:, c : c + 2], fits)
        while now < needed[c]:
            j, to = _step(level[:, c], first[:, c : c + 2], fits, ladder.loss, now, needed[c], logs)
            if j < 0:
                break
            level[j, c] = to
            now = _fitting(entry, size, own_weights, level[:, c], first[:, c : c + 2], fits)
        while True:
            j, to = _back(level[:, c], first[:, c : c + 2], fits, ladder.loss, needed[c])
            if j < 0:
                break
            level[j, c] = to
            now = _fitting(entry, size, own_weights, level[:, c], first[:, c : c + 2], fits)
        people[c] = now
    return level, people


@jit
def _enter(numbers: Ints, begin: int, end: int, ladder: Ladder, entry: Ints) -> None:
    """The first rung that holds each number; they hold one another, so the search goes outwards."""
    for i in range(len(numbers)):
        rung = begin
        while rung < end - 1 and not (ladder.low[rung] <= numbers[i] <= ladder.high[rung]):
            rung += 1
        entry[i] = rung - begin


@jit
def _fitting(entry: Ints, size: int, weights: Ints, level: Ints, first: Ints, fits: Ints) -> int:
    """fits[column, rung]: how many people fit if this column alone moved to the rung. And how many fit now."""
    columns = len(level)
    now = 0
    fits[:] = 0
    for i in range(size):
        outside, where = 0, -1
        for j in range(columns):
            if entry[j, i] > level[j]:
                outside += 1
                where = j
        if outside == 0:
            now += weights[i]
            for j in range(columns):
                fits[j, entry[j, i]] += weights[i]
        elif outside == 1:
            fits[where, entry[where, i]] += weights[i]
    for j in range(columns):
        for rung in range(1, first[j, 1] - first[j, 0]):
            fits[j, rung] += fits[j, rung - 1]
    return now


@jit
def _step(level: Ints, first: Ints, fits: Ints, loss: Floats, now: int, needed: int, logs: Floats) -> tuple[int, int]:
    """The least added loss per logarithm of people gained; if nobody is gained, the least loss."""
    best, column, rung = np.inf, -1, -1
    for j in range(len(level)):
        begin, rungs = first[j, 0], first[j, 1] - first[j, 0]
        for to in range(level[j] + 1, rungs):
            reached = min(fits[j, to], needed)
            if reached > now:
                price = (loss[begin + to] - loss[begin + level[j]]) / (logs[reached] - logs[now])
                if price < best:
                    best, column, rung = price, j, to
    if column >= 0:
        return column, rung
    for j in range(len(level)):
        begin = first[j, 0]
        if level[j] + 1 < first[j, 1] - begin:
            price = loss[begin + level[j] + 1] - loss[begin + level[j]]
            if price < best:
                best, column, rung = price, j, level[j] + 1
    return column, rung


@jit
def _back(level: Ints, first: Ints, fits: Ints, loss: Floats, needed: int) -> tuple[int, int]:
    """The step back that saves most while enough people fit; −1 if there is none."""
    best, column, rung = -1.0, -1, -1
    for j in range(len(level)):
        for to in range(level[j]):
            if fits[j, to] >= needed:
                saved = loss[first[j, 0] + level[j]] - loss[first[j, 0] + to]
                if saved > best:
                    best, column, rung = saved, j, to
                break
    return column, rung
