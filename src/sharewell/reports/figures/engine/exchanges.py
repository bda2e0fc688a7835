"""Possible tables without a solver: two rows of the true table exchange their values in some of the columns.

A mean, median, standard deviation or spread of a column does not say whose value is whose, so an exchange changes no
figure of a column. Those of the two rows hold if what a row gains in some columns it loses in others. Which columns
these are is a question of adding up: the sums that can be reached are the bits of one number. One such table serves
every snooper but the owners of the two rows, and shows another value of many cells at once. Each is kept only if the
independent check accepts it.

>>> from sharewell.reports.figures.data import Levels, Report
>>> values = {"A": {"x": 60, "y": 20, "z": 9}, "B": {"x": 70, "y": 10, "z": 7}, "C": {"x": 55, "y": 15, "z": 8}}
>>> shown = Publication.of(Report.of(values, domain=(0, 100)), Levels(center=3), Levels(center=3, dispersion=3))
>>> exchanges = Exchanges(shown)
>>> exchanges.seek(("A", "x"), hidden={"A", "B", "C"}, sign=-1)
True
>>> [table] = exchanges.tables
>>> [int(table.cells["A", column]) for column in "xyz"], [int(table.cells["B", column]) for column in "xyz"]
([70, 10, 9], [60, 20, 7])
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from sharewell.reports.figures.data import Cell, Publication
from sharewell.reports.figures.engine.table_check import is_possible

PARTNERS = 3
"""Rows with which a cell's row tries an exchange, those farthest away in the cell's column first."""
FRUITLESS = 12
"""Exchanges in a row that the check rejects, after which no more are tried: some figure of rows forbids them."""
_STEPS = 20_000
"""Steps into which sums are divided at most."""


@dataclass(frozen=True)
class Exchanged:
    """A possible table, and which two rows of it are not the true ones."""

    cells: Mapping[Cell, Fraction]
    rows: tuple[str, str]
    point: NDArray[np.float64]
    """The cells as floats, in the order of the frame."""


class Exchanges:
    """The exchanges between rows that were tried for one publication, whose true table is possible."""

    def __init__(self, publication: Publication) -> None:
        self.publication = publication
        self.tables: list[Exchanged] = []
        self._tried: set[tuple[str, str, str]] = set()
        self._rejected = 0
        frame = publication.frame
        self._values = {cell: float(value) for cell, value in publication.truth.items()}
        self._columns = {
            column: [row for row in frame.rows if (row, column) in publication.truth] for column in frame.columns
        }
        self._room = {row: self._row_room(row) for row in frame.rows}

    def seek(self, cell: Cell, hidden: Collection[str], sign: int) -> bool:
        """Try to make a cell small (sign 1) or great (sign −1) by an exchange with a hidden row."""
        row, column = cell
        by_value = sorted(self._columns[column], key=lambda other: sign * self._values[other, column])
        partners = [other for other in by_value if other in hidden and other != row][:PARTNERS]
        for partner in partners:
            if self._rejected >= FRUITLESS:
                return False
            if (row, partner, column) in self._tried:
                continue
            self._tried |= {(row, partner, column), (partner, row, column)}
            gain = self._values[partner, column] - self._values[row, column]
            if sign * gain < 0 and self._exchange(row, partner, column):
                return True
        return False

    def _exchange(self, row: str, partner: str, column: str) -> bool:
        shared = [one for one in self.publication.frame.columns if {row, partner} <= set(self._columns[one])]
        gains = np.array([self._values[partner, one] - self._values[row, one] for one in shared])
        (low, high), (other_low, other_high) = self._room[row], self._room[partner]
        chosen = subset(gains, shared.index(column), max(low, -other_high), min(high, -other_low))
        if chosen is None:
            return False
        cells = dict(self.publication.truth)
        for number in chosen:
            one, other = (row, shared[number]), (partner, shared[number])
            cells[one], cells[other] = cells[other], cells[one]
        if not is_possible(self.publication, {}, cells):
            self._rejected += 1
            return False
        self._rejected = 0
        for number in chosen:
            self._tried |= {(row, partner, shared[number]), (partner, row, shared[number])}
        point = np.array([float(cells[one]) for one in self.publication.frame.cells])
        self.tables.append(Exchanged(cells, (row, partner), point))
        return True

    def _row_room(self, row: str) -> tuple[float, float]:
        """By how much the sum of a row may change and still agree with the published mean."""
        line = self.publication.frame.line("rows", row)
        total = sum(self._values[cell] for cell in line)
        low, high = -math.inf, math.inf
        for figure in self.publication.figures:
            if figure.measure == "mean" and figure.axis == "rows" and figure.lines == (row,):
                low = low if figure.low is None else max(low, float(figure.low) * len(line) - total)
                high = high if figure.high is None else min(high, float(figure.high) * len(line) - total)
        return low, high


def subset(gains: NDArray[np.float64], must: int, low: float, high: float) -> Sequence[int] | None:
    """Some of the gains, that one among them, which add up to between low and high; great ones where there is a choice.

    >>> subset(np.array([5.0, -3.0, -2.5, 8.0]), 0, -0.5, 0.5)
    (0, 1, 2)
    >>> subset(np.array([5.0, -3.0, -2.5, 8.0]), 0, -0.2, 0.2) is None
    True
    >>> subset(np.array([5.0, -3.0]), 0, -np.inf, 4.0)
    (0, 1)
    """
    if not (math.isfinite(low) or math.isfinite(high)):
        return (must,)
    span = float(np.abs(gains).sum())
    low, high = max(low, -span - 1), min(high, span + 1)
    step = max((high - low) / 32, span / _STEPS)
    if step <= 0:
        return None
    whole = np.rint(gains / step).astype(int).tolist()
    order = sorted((n for n in range(len(gains)) if n != must and whole[n]), key=lambda n: (abs(whole[n]), n))
    zero = sum(map(abs, whole)) + 1
    sums = [1 << (zero + whole[must])]
    for number in order:
        before, by = sums[-1], whole[number]
        sums.append(before | (before << by if by > 0 else before >> -by))
    first, last = (min(max(round(end / step), -zero), zero) for end in (low, high))
    middle = (first + last) // 2
    for total in sorted(range(first, last + 1), key=lambda at: abs(at - middle)):
        if sums[-1] >> (zero + total) & 1:
            chosen, left = [must], total
            for number, before in zip(reversed(order), reversed(sums[:-1]), strict=True):
                if before >> (zero + left - whole[number]) & 1:
                    chosen.append(number)
                    left -= whole[number]
            if low <= float(gains[chosen].sum()) <= high:
                return tuple(sorted(chosen))
    return None
