"""Curves through the space of quasi values: one line on which rows that are near each other are alike.

Hilbert's curve goes through cells of equal size and never jumps, which suits columns of many ordered values. The
serpentine goes through the values of the column with the fewest, then the next column's, back and forth, which suits
columns of few values. Rows come in the order of their content, so that the order of the source does not matter.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np

from sharewell.tables.data import Table
from sharewell.tables.engine.array_types import Ints
from sharewell.tables.engine.columns import Column
from sharewell.tables.engine.protection.clustering.cluster_space import Rows
from sharewell.tables.engine.protection.row_order import quasi_first

Curve = Literal["hilbert", "serpentine"]
_BITS = 62
"""Of a place on the curve."""


def along(curve: Curve, table: Table) -> Rows:
    """The rows as they lie on the curve; rows in one place, by content. O(q · n log n) for q columns and n rows"""
    order = quasi_first(table)
    columns = [column for column in table.quasi if column.size > 1]
    return order[np.argsort(CURVES[curve](columns, order), kind="stable")] if columns else order


def _serpentine(columns: Sequence[Column], order: Rows) -> Ints:
    """Every second value of what comes before turns the direction round."""
    place, most = np.zeros(len(order), dtype=np.int64), 1
    for column in sorted(columns, key=lambda column: column.size):
        if most * column.size >= 1 << _BITS:
            _, place = np.unique(place, return_inverse=True)
            most = len(order)
        code = column.codes[order].astype(np.int64)
        place = place * column.size + np.where(place & 1, column.size - 1 - code, code)
        most *= column.size
    return place


def _hilbert(columns: Sequence[Column], order: Rows) -> Ints:
    """The place of each row, for as many columns as there are bits, those of the most values first."""
    columns = sorted(columns, key=lambda column: -column.size)[:_BITS]
    bits = min(_BITS // len(columns), max(column.size - 1 for column in columns).bit_length())
    cells = [(column.codes[order].astype(np.int64) << bits) // column.size for column in columns]
    return _interleaved(hilbert(np.stack(cells), bits), bits)


def hilbert(cells: Ints, bits: int) -> Ints:
    """Coordinates [dimension, point] of `bits` bits as the transposed place on Hilbert's curve (Skilling, 2004)."""
    axes = cells.copy()
    for bit in range(bits - 1, 0, -1):
        lower = (1 << bit) - 1
        for axis in axes:
            turned = (axis >> bit) & 1 == 1
            swapped = np.where(turned, 0, (axes[0] ^ axis) & lower)
            axes[0] ^= np.where(turned, lower, swapped)
            axis ^= swapped
    for i in range(1, len(axes)):
        axes[i] ^= axes[i - 1]
    undone = np.zeros_like(axes[0])
    for bit in range(bits - 1, 0, -1):
        undone ^= np.where((axes[-1] >> bit) & 1 == 1, (1 << bit) - 1, 0)
    axes ^= undone
    return axes


def _interleaved(axes: Ints, bits: int) -> Ints:
    place = np.zeros(axes.shape[1], dtype=np.int64)
    for bit in range(bits - 1, -1, -1):
        for axis in axes:
            place = place << 1 | (axis >> bit) & 1
    return place


CURVES: dict[Curve, Callable[[Sequence[Column], Rows], Ints]] = {"hilbert": _hilbert, "serpentine": _serpentine}
