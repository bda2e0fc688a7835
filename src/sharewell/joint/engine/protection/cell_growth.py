"""Cells of DNA that grow until every combination of codes and values is in no record, or in k.

A cell only ever gains values, so that the support of what is known only grows; in the end all cells of a class could
stand for anything, and every combination of its codes has k records. What is in too few records is added to those
records of the same codes that need it for most other combinations and bring it to fewest that did not have it yet.

Places are protected one after the other. Of several values known together, the cells of a later place grow among the
records that may have the value of the earlier one; that is repeated until nothing changes.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sharewell.joint.engine.code_combinations import Combinations

if TYPE_CHECKING:
    from sharewell.joint.engine.snp_cells import SnpCells

Ints = NDArray[np.int64]
MOST_STEPS = 8_000_000_000
"""Records that are looked at, in one round, for all combinations of values; a task beyond that is not begun."""


def steps(among: Combinations, columns: int, known: int) -> int:
    """About how many records one round looks at."""
    return len(among.rows) * math.prod([columns] * known)


class CellGrowth:
    """Grows the cells of some persons, in place."""

    def __init__(self, dna: SnpCells, rank: Ints, k: int) -> None:
        """`rank`: the persons in an order that depends on their content alone."""
        self.dna, self.cells, self.rank, self.k = dna, dna.sets.copy(), rank, k

    def grown(self, among: Combinations, known: int) -> SnpCells:
        """Until each `known` values are in none of a combination's records, or in k of them."""
        known = min(known, self.dna.places)
        while self._round(among, known, 0):
            pass
        return self.dna.shown_as(self.cells)

    def _round(self, among: Combinations, known: int, first: int) -> bool:
        changed = False
        for place, bit in self._columns(first):
            changed |= self._grow(among, place, bit)
        if known > 1:
            for place, bit in self._columns(first):
                changed |= self._grow(among, place, bit)  # cells of an earlier place may have brought it here
                inside = among.within((self.cells[:, place] & bit) != 0)
                if inside.count and place + 1 < self.dna.places:
                    changed |= self._round(inside, known - 1, place + 1)
        return changed

    def _columns(self, first: int) -> Iterator[tuple[int, np.uint8]]:
        for place in range(first, self.dna.places):
            for value in range(self.dna.full.bit_length()):
                yield place, np.uint8(1 << value)

    def _grow(self, among: Combinations, place: int, bit: np.uint8) -> bool:
        """One value at one place: until it is in none of a combination's records, or in k."""
        assert among.sizes.min(initial=self.k) >= self.k, "too few records for any cell to help"
        changed = False
        while True:
            holds = (self.cells[:, place] & bit) != 0
            supports = among.supports(holds)
            lacking = np.where((supports > 0) & (supports < self.k), self.k - supports, 0)
            if not lacking.any():
                return changed
            grow = self._chosen(among, holds, supports, lacking)
            self.cells[grow, place] = self.dna.whole(self.cells[grow, place] | bit)
            changed = True

    def _chosen(self, among: Combinations, holds: NDArray[np.bool_], supports: Ints, lacking: Ints) -> Ints:
        """Half of the records that each combination lacks, and one at least: combinations share many of them."""
        number, people = among.number_of, len(holds)
        short = (lacking[number] > 0) & ~holds[among.rows]
        helps = np.bincount(among.rows[short], minlength=people)
        spoils = np.bincount(among.rows[supports[number] == 0], minlength=people)
        row, of = among.rows[short], number[short]
        order = np.lexsort((self.rank[row], spoils[row] - helps[row], of))
        row, of = row[order], of[order]
        begins = np.flatnonzero(np.append(True, of[1:] != of[:-1]))
        turn = np.arange(len(of)) - np.repeat(begins, np.diff(np.append(begins, len(of))))
        return np.unique(row[turn < (lacking[of] + 1) // 2])
