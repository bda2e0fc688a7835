"""Who reads a table knowing more than it shows: whoever is in it.

A person in a hidden cell of counts knows that it is 1 or more. Who contributes to a hidden sum knows that it is at
least the own part; and whoever is alone in a cell knows it, and may use that against others in the same lines. Of the
persons who are in one hidden cell only, the one with the largest part knows most; all others are looked at one by one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from sharewell.reports.tables.dataset import CountTable
from sharewell.reports.tables.relations import NO_LIMIT, Ints, Open


@dataclass(frozen=True)
class Knowledge:
    """Bounds on some cells that a reader knows from inside, and the cells that hold nobody else."""

    cells: Ints
    low: Ints
    alone: Ints
    """Cells that this reader knows wholly."""

    def applied(self, low: Ints, high: Ints, values: Ints) -> tuple[Ints, Ints]:
        low, high = low.copy(), high.copy()
        low[self.cells] = np.maximum(low[self.cells], self.low)
        low[self.alone] = high[self.alone] = values[self.alone]
        return low, high

    def by_itself(self, table: CountTable) -> tuple[Ints, Ints]:
        """What this reader knows of every cell without a single number of the table: where zeros are, where a mark
        says "small", and the own part. A total of three cells that are not 0 is 3 or more, whatever is hidden.
        """
        assert table.truth is not None
        shown_low, shown_high = table.bounds()
        low = np.minimum(shown_low, int(table.is_count and table.zeros_shown))
        high = np.where(shown_high == 0, 0, np.where(table.told_small, shown_high, NO_LIMIT))
        low, high = self.applied(low, high, table.truth.values)
        system = Open.of(table.relations, low, high)
        found = system.consequences()
        if found is not None:
            low[system.cells], high[system.cells] = found
        return low, high


OUTSIDER = Knowledge(*(np.zeros(0, np.int64) for _ in range(3)))


def snoopers(table: CountTable) -> Iterator[Knowledge]:
    """The outsider, and everyone inside who may know more about hidden cells than another of these."""
    yield OUTSIDER
    if table.truth is None:
        return
    low, high = table.bounds()
    is_open = low < high
    if table.is_count:
        for place in np.flatnonzero(is_open & table.leaves & (low == 0) & (table.truth.values > 0)).tolist():
            yield Knowledge(np.array([place]), np.array([1]), np.zeros(0, np.int64))
        return
    if table.truth.given is None:
        return
    given = table.truth.given
    kept = is_open[given.cell]
    cell, person, amount = given.cell[kept], given.person[kept], given.amount[kept]
    crowd = np.bincount(given.cell, minlength=table.size)
    order = np.argsort(person, kind="stable")
    cell, person, amount = cell[order], person[order], amount[order]
    starts = np.flatnonzero(np.diff(person, prepend=-1))
    best: dict[int, int] = {}
    for first, end in zip(starts, np.append(starts, len(person))[1:], strict=True):
        if end - first > 1:
            yield _knowing(cell[first:end], amount[first:end], crowd)
        elif amount[first] > best.get(int(cell[first]), -1):
            best[int(cell[first])] = int(amount[first])
    for place in sorted(best):
        yield _knowing(np.array([place]), np.array([best[place]]), crowd)


def _knowing(cells: Ints, amounts: Ints, crowd: Ints) -> Knowledge:
    return Knowledge(cells, amounts, cells[crowd[cells] == 1])
