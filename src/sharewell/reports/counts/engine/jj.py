"""JJ files, in which tools of statistical disclosure control hand tables to each other: cells, protection, equations.

    0
    number of cells
    place value weight status low high lower upper sliding      one line a cell; status u unsafe, s safe, z never hidden
    number of equations
    right number of terms : place (sign) place (sign) …         one line an equation

`to_jj` writes a table with the doubt that its criteria ask for, so that another tool can choose what to hide. `read_jj`
reads any such file, of whatever shape, and audits a choice of hidden cells: which of them are bounded too tightly?

>>> from sharewell.reports.counts.criteria.cell_protection import CellProtection
>>> from sharewell.reports.counts.data import CountTable
>>> table = CountTable.of_cells({("m",): 30, ("f",): 3, ("x",): 20}, ["sex"])
>>> text = to_jj(table, [CellProtection(threshold=11)])
>>> print(text.splitlines()[2], "|", text.splitlines()[-1])
0 53 53 s 1 540 0 0 0 | 0 4 : 1 (1) 2 (1) 3 (1) 0 (-1)
>>> result = read_jj(text)
>>> result.unsafe.tolist(), result.too_tight([1]), result.too_tight([1, 2])
([1], [1], [])
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from sharewell.errors import DataError
from sharewell.reports.counts.criteria.cell_protection import CellProtection
from sharewell.reports.counts.data import CountTable
from sharewell.reports.counts.engine.intervals import intervals
from sharewell.reports.counts.engine.relations import NO_LIMIT, Equations, Ints, by_row

_TERM = re.compile(r"(\d+)\s*\(\s*([+-]?1)\s*\)")
_CELL = re.compile(r"(\d+)\s+(-?\d+)\s+(-?[\d.]+)\s+([usz])" + r"\s+(-?\d+)" * 5)
_EQUATION = re.compile(r"(-?\d+)\s+(\d+)\s*:\s*(.*)")


def to_jj(table: CountTable, must: Sequence[CellProtection]) -> str:
    """A true table, the cells that criteria call unsafe, and how far doubt about each must reach. Confidential."""
    if table.truth is None:
        raise DataError("JJ — needs the true cells")
    values = table.truth.values
    lower, upper, unsafe = np.zeros_like(values), np.zeros_like(values), np.zeros(table.size, dtype=bool)
    for one in must:
        needs = one.unsafe(table)
        unsafe[needs.cells] = True
        lower[needs.cells] = np.maximum(lower[needs.cells], values[needs.cells] - needs.low)
        upper[needs.cells] = np.maximum(upper[needs.cells], needs.high - values[needs.cells])
    least = int(table.is_count and table.zeros_shown)
    most = 10 * int(values[0]) + 10  # as good as no bound, and not too large for others
    lines = ["0", str(table.size)]
    for place, value in enumerate(values.tolist()):
        status = "u" if unsafe[place] else "z" if value == 0 else "s"
        low = 0 if value == 0 else least
        lines.append(f"{place} {value} {max(value, 1)} {status} {low} {most} {lower[place]} {upper[place]} 0")
    lines.append(str(table.relations.count))
    starts, cells, signs = by_row(table.relations.entries, table.relations.count)
    for begin, end in pairwise(starts.tolist()):
        terms = [f"{cell} ({sign:g})" for cell, sign in zip(cells[begin:end], signs[begin:end], strict=True)]
        lines.append(f"0 {len(terms)} : {' '.join(terms)}")
    return "\n".join(lines) + "\n"


@dataclass(frozen=True, eq=False)
class JJ:
    """Cells and equations of a file, in any shape."""

    values: Ints = field(repr=False)
    status: str = field(repr=False)
    """One letter a cell."""
    low: Ints = field(repr=False)
    high: Ints = field(repr=False)
    lower: Ints = field(repr=False)
    upper: Ints = field(repr=False)
    sliding: Ints = field(repr=False)
    equations: Equations = field(repr=False)

    @property
    def unsafe(self) -> Ints:
        return np.array([place for place, one in enumerate(self.status) if one == "u"], dtype=np.int64)

    def too_tight(self, hidden: Sequence[int]) -> list[int]:
        """Unsafe cells that are shown, or that equations bound too tightly, if these cells are hidden.

        By linear programs, which forget that cells are whole: what is named is too tight, what is not may still be.
        """
        low, high = self.values.copy(), self.values.copy()
        where = np.asarray(hidden, dtype=np.int64)
        low[where], high[where] = self.low[where], self.high[where]
        reached_low, reached_high = low.copy(), high.copy()
        if (low < high).any():
            bounds = intervals(self.equations, low, high)
            reached_low[bounds.cells], reached_high[bounds.cells] = bounds.low, bounds.high
        down, up = self.values - reached_low, reached_high - self.values
        good = (down >= self.lower) & (up >= self.upper) & (down + up >= self.sliding)
        shown = low == high
        return [int(place) for place in self.unsafe if shown[place] or not good[place]]


def read_jj(text: str) -> JJ:
    """Cells and equations; numbers must be whole, and the true ones must fulfil every equation."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    try:
        size = int(lines[1])
        cells = [_CELL.fullmatch(line) for line in lines[2 : 2 + size]]
        count = int(lines[2 + size])
        sums = [_EQUATION.fullmatch(line) for line in lines[3 + size :]]
        if lines[0] != "0" or None in cells or None in sums or len(sums) != count or len(cells) != size:
            raise ValueError
        table = [[int(cell[i]) for i in (1, 2, 5, 6, 7, 8, 9)] for cell in cells if cell]
        numbers = np.array(table, np.int64).reshape(-1, 7)
        rows = [[(int(place), int(sign)) for place, sign in _TERM.findall(one[3])] for one in sums if one]
        sizes, rights = [int(one[2]) for one in sums if one], [int(one[1]) for one in sums if one]
    except (ValueError, IndexError, OverflowError):
        raise DataError("JJ — not a file of cells and equations of whole numbers, with signs 1 and −1") from None
    every = [(row, place, sign) for row, terms in enumerate(rows) for place, sign in terms]
    row, place, sign = (np.array([one[i] for one in every], np.int64) for i in range(3))
    if numbers[:, 0].tolist() != list(range(size)) or sizes != [len(terms) for terms in rows] or any(rights):
        raise DataError("JJ — places are not 0, 1, 2, …, or an equation has other terms than it says, or a right side")
    if len(place) and place.max() >= size:
        raise DataError("JJ — an equation names a cell that is not there")
    values = numbers[:, 1]
    equations = Equations(row, place, sign, count)
    if broken := equations.broken(values):
        raise DataError(f"JJ — {broken} equation(s) do not hold of the values")
    low, high = numbers[:, 2], np.minimum(numbers[:, 3], NO_LIMIT)
    status = "".join(one[4] for one in cells if one)
    return JJ(values, status, low, high, numbers[:, 4], numbers[:, 5], numbers[:, 6], equations)
