"""Which cells may not be told, by which rule, and between which numbers a reader must be left in doubt.

threshold: fewer than this many persons. Counts must stay open over all counts that the rule calls unsafe (1 to t − 1),
or over so much below and above as is asked for; sums over a share of their value. At least two numbers always stay
possible: under a threshold of 2 the counts 1 and 2.
dominance (n, k): the n largest contributions make more than k % of the cell. A reader may not come so close that the
rule would not hold of what they know: (100 / k) · (sum of the n largest) − value, on either side.
p: the second largest contributor, knowing their own part, comes within p % of the largest. p % of the largest − the
rest of the cell, on either side. Of coalitions of two, the second and the third largest together.

>>> needed_dominance(np.array([100]), np.array([[70, 20, 10]]), 1, 60)
array([17])
>>> needed_p(np.array([100]), np.array([[70, 25, 5]]), 10)
array([2])
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sharewell.errors import DataError
from sharewell.reports.counts.data import Contributions, CountTable, TrueCells
from sharewell.reports.counts.engine.relations import NO_LIMIT, Ints

if TYPE_CHECKING:
    from sharewell.reports.counts.criteria.cell_protection import CellProtection


@dataclass(frozen=True)
class UnsafeCells:
    """Cells by place, and how low and how high some table must reach in each."""

    cells: Ints
    low: Ints
    high: Ints
    insiders: bool = True
    """Against persons in the table too, or against outsiders alone."""
    together: int = 1
    """The number of persons who put together what they know."""
    zeros: bool = False
    """Are zeros secrets? Then they must not lessen the required doubt."""

    @property
    def count(self) -> int:
        return len(self.cells)

    def without(self, cells: Sequence[int]) -> UnsafeCells:
        """The others."""
        kept = ~np.isin(self.cells, cells)
        return replace(self, cells=self.cells[kept], low=self.low[kept], high=self.high[kept])


def unsafe_cells(table: CountTable, rules: CellProtection) -> UnsafeCells:
    """The unsafe cells of the true table."""
    values, zeros = _truth(table).values, rules.zeros == "protect"
    if table.is_count:
        if rules.dominance is not None or rules.p is not None:
            raise DataError(
                "the table — dominance and p are about contributions, and a count has none — name a measure"
            )
        unsafe, down, up = _small(values, rules)
        least = int(table.zeros_shown and not zeros)
    else:
        top, persons = largest(table, max(1 + rules.coalitions, 0 if rules.dominance is None else rules.dominance[0]))
        unsafe, down = _few(values, persons, rules)
        doubts = []
        if rules.dominance is not None:
            doubts.append(needed_dominance(values, top, *rules.dominance))
        if rules.p is not None:
            doubts.append(needed_p(values, top, rules.p, rules.coalitions))
        for needed in doubts:
            broken = (needed > 0) & (persons > 0)
            unsafe |= broken
            down = np.where(broken, np.maximum(down, needed), down)
        up, least = down, 0
    cells = np.flatnonzero(unsafe)
    low = np.maximum(values[cells] - down[cells], least)
    high = np.maximum(values[cells] + up[cells], low + 1)  # whatever is asked for: a number that is known is no secret
    return UnsafeCells(cells, low, high, rules.readers == "all", rules.coalitions, zeros)


def _truth(table: CountTable) -> TrueCells:
    if table.truth is None:
        raise DataError("the table — its true cells are missing — only the steward can check this")
    return table.truth


def _small(values: Ints, rules: CellProtection) -> tuple[NDArray[np.bool_], Ints, Ints]:
    limit, zeros = rules.threshold or 0, rules.zeros == "protect"
    unsafe = (values < limit) & ((values > 0) | zeros)
    least = 0 if zeros else 1
    down = values - least if rules.below is None else np.full_like(values, rules.below)
    up = np.maximum(limit - 1 - values, 0) if rules.above is None else np.full_like(values, rules.above)
    return unsafe, np.maximum(down, 0), up


def _few(values: Ints, persons: Ints, rules: CellProtection) -> tuple[NDArray[np.bool_], Ints]:
    limit = rules.threshold or 0
    unsafe = (persons < limit) & (persons > 0)
    share = Fraction(str(rules.share)) / 100
    return unsafe, np.where(unsafe, _share_beyond(share, values, np.zeros_like(values)), 0)


def needed_dominance(values: Ints, top: Ints, n: int, k: float) -> Ints:
    """How far doubt must reach; 0 or less where the rule holds."""
    return _share_beyond(100 / Fraction(str(k)), top[:, :n].sum(axis=1), values)


def needed_p(values: Ints, top: Ints, p: float, together: int = 1) -> Ints:
    """How far doubt must reach; 0 or less where the rule holds. The next largest, `together` of them, collude."""
    return _share_beyond(Fraction(str(p)) / 100, top[:, 0], values - top[:, : 1 + together].sum(axis=1))


def _share_beyond(share: Fraction, whole: Ints, rest: Ints) -> Ints:
    """share · whole − rest, exactly and rounded up. More than no cell can reach fails as well, however much more."""
    above, below = share.numerator, share.denominator
    most = max(int(np.abs(whole).max(initial=0)), int(np.abs(rest).max(initial=0)), 1)
    fits = most * (above + below) < 1 << 62
    cells, others = (whole, rest) if fits else (whole.astype(object), rest.astype(object))
    needed = -((below * others - above * cells) // below)
    return np.clip(needed, -2 * NO_LIMIT, 2 * NO_LIMIT).astype(np.int64)


def largest(table: CountTable, n: int) -> tuple[Ints, Ints]:
    """For every cell, totals too, its n largest contributions by person, and how many persons contribute."""
    contributions = _truth(table).given
    if contributions is None:
        raise DataError("the table — who contributes to its sums is not known — name the subject")
    top, persons = np.zeros((table.size, n), np.int64), np.zeros(table.size, np.int64)
    spread = spread_over_totals(table, contributions)
    order = np.lexsort((-spread.amount, spread.cell))
    cell, amount = spread.cell[order], spread.amount[order]
    starts = np.searchsorted(cell, np.arange(table.size))
    rank = np.arange(len(cell)) - starts[cell]
    kept = rank < n
    top[cell[kept], rank[kept]] = amount[kept]
    np.add.at(persons, cell, 1)
    return top, persons


def spread_over_totals(table: CountTable, contributions: Contributions) -> Contributions:
    """What each person adds to each cell, with one entry a person and cell, in totals too."""
    where = np.array(np.unravel_index(contributions.cell, table.shape))
    person, amount = contributions.person, contributions.amount
    for axis, dimension in enumerate(table.dimensions):
        wheres, persons, amounts = [where], [person], [amount]
        parents = np.array(dimension.parents)
        step = where[axis]
        keep = np.ones(len(step), dtype=bool)
        while True:
            step = np.where(keep, parents[step], 0)
            keep = keep & (step >= 0)
            if not keep.any():
                break
            moved = where.copy()
            moved[axis] = step
            wheres.append(moved[:, keep])
            persons.append(person[keep])
            amounts.append(amount[keep])
        where, person, amount = np.concatenate(wheres, axis=1), np.concatenate(persons), np.concatenate(amounts)
    cell = np.ravel_multi_index(tuple(where), table.shape).astype(np.int64)
    people = int(person.max(initial=0)) + 1
    keys, inverse = np.unique(cell * people + person, return_inverse=True)
    total = np.zeros(len(keys), np.int64)
    np.add.at(total, inverse, amount)
    return Contributions(keys // people, keys % people, total)
