"""Compiled twins of `node_boxes`."""

from __future__ import annotations

import numpy as np

from sharewell.compiled import jit
from sharewell.tables.engine.array_types import Bools, Codes, Floats, Ints


@jit
def mark(flags: Bools, number: int, upwards: bool, value: bool, sizes: Ints, strides: Ints) -> None:
    """Set the flags of a box."""
    place, dimensions, lengths, steps, passed = _box(number, upwards, sizes, strides)
    while place >= 0:
        for i in range(lengths[dimensions]):
            flags[place + i * steps[dimensions]] = value
        place = _next(place, dimensions, lengths, steps, passed)


@jit
def count_both(flags: Bools, others: Bools, number: int, sizes: Ints, strides: Ints) -> int:
    """How many nodes at or below a node have both flags."""
    place, dimensions, lengths, steps, passed = _box(number, False, sizes, strides)
    total = 0
    while place >= 0:
        for i in range(lengths[dimensions]):
            at = place + i * steps[dimensions]
            total += flags[at] and others[at]
        place = _next(place, dimensions, lengths, steps, passed)
    return total


@jit
def raise_floors(
    raised: Floats, is_open: Bools, number: int, upwards: bool, floors: Floats, best: float, sizes: Ints, strides: Ints
) -> None:
    """Raise the floors of a box to those given, in its order, or to a single one; close nodes whose floor exceeds the
    best loss."""
    place, dimensions, lengths, steps, passed = _box(number, upwards, sizes, strides)
    done, each = 0, 1 if len(floors) > 1 else 0
    while place >= 0:
        for i in range(lengths[dimensions]):
            at, floor = place + i * steps[dimensions], floors[done]
            done += each
            if floor > raised[at]:
                raised[at] = floor
            if raised[at] > best:
                is_open[at] = False
        place = _next(place, dimensions, lengths, steps, passed)


@jit
def _box(number: int, upwards: bool, sizes: Ints, strides: Ints) -> tuple[int, int, Ints, Ints, Ints]:
    """A box's first node, and the columns in which its nodes differ: the place of the last one, levels and strides."""
    lengths, steps = np.ones(len(sizes) + 1, np.int64), np.zeros(len(sizes) + 1, np.int64)
    dimensions = 0
    for j in range(len(sizes)):
        level = number // strides[j] % sizes[j]
        length = sizes[j] - level if upwards else level + 1
        if length > 1:
            lengths[dimensions], steps[dimensions] = length, strides[j]
            dimensions += 1
    last = max(0, dimensions - 1)
    return (number if upwards else 0), last, lengths, steps, np.zeros(len(sizes) + 1, np.int64)


@jit
def _next(place: int, last: int, lengths: Ints, steps: Ints, passed: Ints) -> int:
    """The next node that differs in another than the last column; −1 after all of them."""
    for d in range(last - 1, -1, -1):
        passed[d] += 1
        place += steps[d]
        if passed[d] < lengths[d]:
            return place
        place -= steps[d] * lengths[d]
        passed[d] = 0
    return -1


@jit
def counts_below(flags: Bools, sizes: Ints, strides: Ints) -> Floats:
    """Of each node: how many at or below it have the flag."""
    counts = flags.astype(np.float64)
    for j in range(len(sizes)):
        size, stride = sizes[j], strides[j]
        for box in range(0, len(flags), size * stride):
            for i in range(box + stride, box + size * stride):
                counts[i] += counts[i - stride]
    return counts


@jit
def group_counts(
    flags: Bools, others: Bools, groups: Codes, kinds: int, number: int, sizes: Ints, strides: Ints
) -> Ints:
    """How many nodes at or below a node have both flags, by the group they are in."""
    place, dimensions, lengths, steps, passed = _box(number, False, sizes, strides)
    totals = np.zeros(kinds, np.int64)
    while place >= 0:
        for i in range(lengths[dimensions]):
            at = place + i * steps[dimensions]
            totals[groups[at]] += flags[at] and others[at]
        place = _next(place, dimensions, lengths, steps, passed)
    return totals


@jit
def group_counts_below(flags: Bools, groups: Codes, kinds: int, sizes: Ints, strides: Ints) -> Floats:
    """Of each node: how many at or below it have the flag, by the group they are in."""
    counts = np.zeros((len(flags), kinds), np.float64)
    for i in range(len(flags)):
        counts[i, groups[i]] = flags[i]
    for j in range(len(sizes)):
        size, stride = sizes[j], strides[j]
        for box in range(0, len(flags), size * stride):
            for i in range(box + stride, box + size * stride):
                for kind in range(kinds):
                    counts[i, kind] += counts[i - stride, kind]
    return counts


@jit
def box_products(interesting: Bools, closers: Bools, sizes: Ints, strides: Ints) -> Floats:
    """Of each closer: the interesting nodes at or below it times the closers at or above it; 0 for all other nodes."""
    nodes = len(interesting)
    below, above = interesting.astype(np.int64), closers.astype(np.int64)
    for j in range(len(sizes)):
        size, stride = sizes[j], strides[j]
        for box in range(0, nodes, size * stride):
            for i in range(box + stride, box + size * stride):
                below[i] += below[i - stride]
            for i in range(box + (size - 1) * stride - 1, box - 1, -1):
                above[i] += above[i + stride]
    products = np.zeros(nodes, np.float64)
    for i in range(nodes):
        if closers[i]:
            products[i] = float(below[i]) * float(above[i])
    return products
