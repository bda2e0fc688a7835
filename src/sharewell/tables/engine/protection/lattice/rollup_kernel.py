"""Compiled twins of functions of `rollup`: grouping, and sums over classes."""

from __future__ import annotations

import numpy as np

from sharewell.compiled import jit
from sharewell.tables.engine.array_types import Codes, Floats, Ints, Values

_DENSE = 8
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)


@jit
def group(
    labels: Codes, rows: Ints, space: int, tuples: Ints, records: Ints, values: Values
) -> tuple[Ints, Ints, Values]:
    """Classes of equal labels in the order in which they occur: (a tuple of each, its records, its values).

    rows[0] are those of `labels` that a node looks at; these times rows[1] add up to a number below `space`.
    """
    places, width = len(tuples), values.shape[1]
    keys = np.zeros(places, np.int64)
    for j in range(rows.shape[1]):
        column, factor = labels[rows[0, j]], rows[1, j]
        if j == 0:
            for i in range(places):
                keys[i] = column[tuples[i]]  # the first factor is 1
        else:
            for i in range(places):
                keys[i] += column[tuples[i]] * factor
    number, firsts = np.empty(places, np.int32), np.empty(places, np.int64)
    count = _numbered(keys, space, number, firsts)
    totals, result = np.zeros(count, np.int64), np.empty(count, np.int64)
    for i in range(places):
        totals[number[i]] += records[i]
    for c in range(count):
        result[c] = tuples[firsts[c]]
    merged = np.zeros((count, width), values.dtype)
    for i in range(places if width else 0):
        c = number[i]
        for v in range(width):
            merged[c, v] += values[i, v]
    return result, totals, merged


@jit
def _numbered(keys: Ints, space: int, number: Codes, firsts: Ints) -> int:
    """Number equal keys alike from 0; in place where keys are few, else by a table with open addresses."""
    places, count = len(keys), 0
    if space <= _DENSE * places + 1024:
        seen = np.full(space, -1, np.int32)
        for i in range(places):
            c = seen[keys[i]]
            if c < 0:
                c = seen[keys[i]] = count
                firsts[count] = i
                count += 1
            number[i] = c
        return count
    bits = 1
    while (1 << bits) < 2 * places:
        bits += 1
    mask, shift = (1 << bits) - 1, np.uint64(64 - bits)
    slots, seen_keys = np.zeros(1 << bits, np.int32), np.full(1 << bits, -1, np.int64)
    for i in range(places):
        key = keys[i]
        slot = np.int64((np.uint64(key) * _MULTIPLIER) >> shift)
        while seen_keys[slot] != key and seen_keys[slot] >= 0:
            slot = (slot + 1) & mask
        if seen_keys[slot] < 0:
            seen_keys[slot] = key
            slots[slot] = count
            firsts[count] = i
            count += 1
        number[i] = slots[slot]
    return count


@jit
def smallest_below(nodes: Codes, counts: Ints, known: int, node: Codes) -> int:
    """The node with the fewest classes among those at or below a node; −1 if there is none."""
    best, least = -1, np.int64(0)
    for i in range(known):
        if best >= 0 and counts[i] >= least:
            continue
        below = True
        for j in range(len(node)):
            if nodes[i, j] > node[j]:
                below = False
                break
        if below:
            best, least = i, counts[i]
    return best


@jit
def size_totals(records: Ints, least: int) -> tuple[int, int, int, int]:
    """Of classes with fewer records than `least`: their number, records and squares of these; and squares of all."""
    number, loose, small_squares, squares = 0, 0, 0, 0
    for c in range(len(records)):
        size = records[c]
        squares += size * size
        if size < least:
            number += 1
            loose += size
            small_squares += size * size
    return number, loose, small_squares, squares


@jit
def open_leaves(labels: Codes, rows: Ints, leaves: Ints, begins: Ints, tuples: Ints, records: Ints) -> Floats:
    """Leaves of the domain that suppressed records would leave open, column by column; whole numbers."""
    totals = np.zeros(len(rows), np.float64)
    for j in range(len(rows)):
        column, begin, total = labels[rows[j]], begins[rows[j]], np.int64(0)
        for i in range(len(tuples)):
            total += leaves[begin + column[tuples[i]]] * records[i]
        totals[j] = total
    return totals
