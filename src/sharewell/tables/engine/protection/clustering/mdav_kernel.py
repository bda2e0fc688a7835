"""The compiled twin of `mdav_groups.form_twin`. Imported only when the work is large: see `sharewell.compiled`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sharewell.compiled import jit

Ints = NDArray[np.integer]


@jit
def form(points: Ints, names: Ints, weights: Ints, k: int) -> NDArray[np.int64]:
    total = len(points)
    group = np.full(total, -1, np.int64)
    left = np.arange(total)
    size, count = total, 0
    sums = np.zeros(points.shape[1], np.int64)
    for row in range(total):
        for j in range(points.shape[1]):
            sums[j] += points[row, j]
    widest = 1
    for j in range(names.shape[1]):
        widest = max(widest, names[:, j].max() + 1)
    tally = np.zeros((names.shape[1], widest), np.int64)
    for row in range(total):
        for j in range(names.shape[1]):
            tally[j, names[row, j]] += 1
    centre, usual = np.empty(points.shape[1], np.int64), np.empty(names.shape[1], np.int64)
    near, apart = np.empty(k, np.int64), np.empty(k, np.int64)
    while size >= 2 * k:
        for j in range(points.shape[1]):
            centre[j] = sums[j] // size
        for j in range(names.shape[1]):
            usual[j] = np.argmax(tally[j])
        seed = _farthest(points, names, weights, left, size, centre, usual)
        several = size >= 3 * k
        size = _gather(points, names, weights, left, size, seed, k, near, apart, group, count, sums, tally)
        count += 1
        if several:
            other = _farthest(points, names, weights, left, size, points[seed], names[seed])
            size = _gather(points, names, weights, left, size, other, k, near, apart, group, count, sums, tally)
            count += 1
    for i in range(size):
        group[left[i]] = count
    return group


@jit
def _farthest(points: Ints, names: Ints, weights: Ints, left: Ints, size: int, centre: Ints, usual: Ints) -> int:
    best = -1
    at: int = left[0]
    for i in range(size):
        row = left[i]
        distance = _distance(points, names, weights, row, centre, usual)
        if distance > best:
            best, at = distance, row
    return at


@jit
def _distance(points: Ints, names: Ints, weights: Ints, row: int, centre: Ints, usual: Ints) -> int:
    total = 0
    for j in range(points.shape[1]):
        step = points[row, j] - centre[j]
        total += step * step
    for j in range(names.shape[1]):
        if names[row, j] != usual[j]:
            total += weights[j]
    return total


@jit
def _gather(
    points: Ints,
    names: Ints,
    weights: Ints,
    left: Ints,
    size: int,
    seed: int,
    k: int,
    near: Ints,
    apart: Ints,
    group: Ints,
    count: int,
    sums: Ints,
    tally: Ints,
) -> int:
    """Close the group of a seed and its nearest points; `left` keeps its order. Returns how many are left."""
    filled = 0
    for i in range(size):
        row = left[i]
        distance = -1 if row == seed else _distance(points, names, weights, row, points[seed], names[seed])
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
        for j in range(points.shape[1]):
            sums[j] -= points[row, j]
        for j in range(names.shape[1]):
            tally[j, names[row, j]] -= 1
    kept = 0
    for i in range(size):
        if group[left[i]] < 0:
            left[kept] = left[i]
            kept += 1
    return kept
