"""All tables of whole numbers that fit a publication, by trying every one: the oracle for small tables."""

from __future__ import annotations

from itertools import product

import numpy as np

from sharewell.reports.counts.data import CountTable


def every_table(published: CountTable, most: int) -> np.ndarray:
    """One row a table, all cells; inner cells from 0 to `most`, or to the least total that is shown above them."""
    low, high = published.bounds()
    leaves = np.flatnonzero(published.leaves)
    above = covers(published)
    ranges = []
    for leaf in leaves:
        top = min(int(high[leaf]), most, *(int(high[cell]) for cell in range(published.size) if leaf in above[cell]))
        ranges.append(range(max(0, int(low[leaf])), top + 1))
    combinations = np.array(list(product(*ranges)), dtype=np.int64).reshape(-1, len(leaves))
    place = {int(leaf): i for i, leaf in enumerate(leaves)}
    full = np.stack(
        [combinations[:, [place[leaf] for leaf in sorted(above[cell])]].sum(axis=1) for cell in range(published.size)],
        axis=1,
    )
    return full[((full >= low) & (full <= high)).all(axis=1)]


def covers(table: CountTable) -> list[set[int]]:
    """For every cell the inner cells that it adds up, from the dimensions alone."""
    below = []
    for dimension in table.dimensions:
        sets: list[set[int]] = [set() for _ in dimension.codes]
        for leaf in dimension.leaves:
            step = leaf
            while step >= 0:
                sets[step].add(leaf)
                step = dimension.parents[step]
        below.append(sets)
    found = []
    for cell in range(table.size):
        where = np.unravel_index(cell, table.shape)
        inner = product(*(sorted(below[axis][place]) for axis, place in enumerate(where)))
        found.append({int(np.ravel_multi_index(one, table.shape)) for one in inner})
    return found
