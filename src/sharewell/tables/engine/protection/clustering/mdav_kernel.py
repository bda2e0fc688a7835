"""The compiled twin of `mdav_groups.form_twin`. Imported only when the work is large: see `sharewell.compiled`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sharewell.compiled import jit
from sharewell.tables.engine.protection.clustering.mdav_groups import Points

Ints = NDArray[np.integer]


@jit
def form(data: Points, k: int) -> NDArray[np.int64]:
    total = len(data.points)
    group = np.full(total, -1, np.int64)
    left = np.arange(total)
    size, count = total, 0
    sums = data.points.sum(axis=0)
    widest = 1
    for j in range(data.names.shape[1]):
        widest = max(widest, data.names[:, j].max() + 1)
    tally = np.zeros((data.names.shape[1], widest), np.int64)
    for row in range(total):
        for j in range(data.names.shape[1]):
            tally[j, data.names[row, j]] += 1
    usual = np.empty(data.names.shape[1], np.int64)
    while size >= 2 * k:
        for j in range(len(usual)):
            usual[j] = np.argmax(tally[j])
        seed = _farthest(data, left, size, sums // size, usual)
        several = size >= 3 * k
        size = _gather(data, left, size, seed, k, group, count, sums, tally)
        count += 1
        if several:
            other = _farthest(data, left, size, data.points[seed], data.names[seed])
            size = _gather(data, left, size, other, k, group, count, sums, tally)
            count += 1
    for i in range(size):
        group[left[i]] = count
    return group


@jit
def _farthest(data: Points, left: Ints, size: int, centre: Ints, usual: Ints) -> int:
    best = -1
    at: int = left[0]
    for i in range(size):
        row = left[i]
        distance = _distance(data, row, centre, usual)
        if distance > best:
            best, at = distance, row
    return at


@jit
def _distance(data: Points, row: int, centre: Ints, usual: Ints) -> int:
    total = 0
    for j in range(data.points.shape[1]):
        step = data.points[row, j] - centre[j]
        total += step * step
    for j in range(data.names.shape[1]):
        if data.names[row, j] != usual[j]:
            total += data.weights[j]
    return total


@jit
def _gather(
    data: Points, left: Ints, size: int, seed: int, k: int, group: Ints, count: int, sums: Ints, tally: Ints
) -> int:
    """Close the group of a seed and its nearest points; `left` keeps its order. Returns how many are left."""
    near, apart = np.empty(k, np.int64), np.empty(k, np.int64)
    filled = 0
    for i in range(size):
        row = left[i]
        distance = -1 if row == seed else _distance(data, row, data.points[seed], data.names[seed])
        if filled == k and distance >= apart[k - 1]:
            continue
        place = filled if filled < k else k - 1
        while place > 0 and apart[place - 1] > distance:
            apart[place], near[place] = apart[place - 1], near[place - 1]
            place -= 1
        apart[place], near[place] = distance, row
        filled = min(k, filled + 1)
    for i in range(filled):
        row = near[i]
        group[row] = count
        sums -= data.points[row]
        for j in range(data.names.shape[1]):
            tally[j, data.names[row, j]] -= 1
    kept = 0
    for i in range(size):
        if group[left[i]] < 0:
            left[kept] = left[i]
            kept += 1
    return kept
