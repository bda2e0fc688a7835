"""Compiled twins of functions of `rollup` and `node_losses`: sums over classes."""

from __future__ import annotations

import numpy as np

from sharewell.compiled import jit
from sharewell.tables.engine.array_types import Codes, Floats, Ints


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
