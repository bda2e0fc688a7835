"""Does a table fit what is published? A few lines of whole numbers that share nothing with what searches for tables.

>>> from sharewell.reports.counts.data import HIDDEN, CountTable
>>> table = CountTable.of_cells({("m",): 20, ("f",): 3}, ["sex"])
>>> shown = table.showing(np.array([23, HIDDEN, HIDDEN]))
>>> fits(shown, np.array([23, 5, 18])), fits(shown, np.array([23, 5, 17])), fits(shown, np.array([23, 0, 23]))
(True, False, False)
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
from numpy.typing import NDArray

from sharewell.reports.counts.data import CountTable


def fits(published: CountTable, table: NDArray[np.integer]) -> bool:
    """Does every cell agree with what is shown of it, and does every total add up?"""
    cells: NDArray[np.object_] = np.asarray(table, dtype=object).reshape(published.shape)
    low, high = (bound.reshape(published.shape) for bound in published.bounds())
    if not ((cells >= low) & (cells <= high)).all():
        return False
    if ((cells > 0) & (cells < published.jumps().reshape(published.shape))).any():
        return False
    for axis, dimension in enumerate(published.dimensions):
        others = [range(size) for a, size in enumerate(published.shape) if a != axis]
        for rest in product(*others):
            place: tuple[int | slice, ...] = (*rest[:axis], slice(None), *rest[axis:])
            line = cells[place]
            if any(line[total] != sum(line[part] for part in parts) for total, parts in dimension.sums):
                return False
    return True


def as_read(data: CountTable) -> CountTable:
    """The table as readers understand it: they notice if all small counts are marked."""
    if data.marked_below or data.truth is None or not data.marked_small.any():
        return data
    guessed = replace(data, marked_below=-int(data.shown[data.marked_small].max()))
    return guessed if fits(guessed, data.truth.values) else data
