"""Cells of DNA that an attacker may look for: columns of what every record shows, and the rarest combination of them.

A value that is known of a person stands for the cell that the person's record shows, and counts the records that show
the same one: a wider cell may hold the value, but whoever knows how it came about need not believe that. A combination
is one cell at each of `size` different places. Every record shows some cell at every place, so that whoever is found by
fewer is found by exactly as many as are asked for, too.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sharewell.joint.engine.code_combinations import Combinations

if TYPE_CHECKING:
    from sharewell.joint.engine.snp_cells import SnpCells

Ints = NDArray[np.int64]
Floats = NDArray[np.float32]
MOST_STEPS = 100_000_000_000
"""Products that are added up at most; a question beyond that is left undecided."""
_EXACT = 1 << 24
"""Whole numbers up to here are exact in single precision."""
_AT_ONCE = 50_000
"""Records that are multiplied at a time."""


@dataclass(frozen=True, eq=False)
class KnownValues:
    """Records × cells that occur: does the record show the cell?"""

    holds: NDArray[np.bool_]
    place: Ints
    """The place of each column, rising."""

    @classmethod
    def of(cls, dna: SnpCells) -> KnownValues:
        """A cell that no record shows at a place is left out."""
        shown = [np.unique(dna.sets[:, place]) for place in range(dna.places)]
        place = np.repeat(np.arange(dna.places, dtype=np.int64), [len(one) for one in shown])
        return cls(dna.sets[:, place] == np.concatenate(shown), place)

    @property
    def places(self) -> int:
        return len(np.unique(self.place))

    def steps(self, among: Combinations, size: int) -> int:
        """About how many products it takes to count all combinations of this many cells."""
        size = min(size, self.places)
        return len(among.rows) * math.prod([len(self.place)] * size) // math.factorial(max(1, size - 1))

    def fewest(self, among: Combinations, size: int) -> int | None:
        """The fewest records, but not none, of one combination of codes that show `size` cells; None: nobody."""
        size = min(size, self.places)
        if size == 0 or not among.count:
            return int(among.sizes.min()) if among.count else None
        if size == 1:
            return _least(among.supports(self.holds[:, i]) for i in range(len(self.place)))
        least: int | None = None
        for first, last in zip(among.starts[:-1].tolist(), among.starts[1:].tolist(), strict=True):
            result = self._inside(self.holds[among.rows[first:last]], self.place, size)
            least = result if least is None or (result is not None and result < least) else least
            if least == 1:
                break
        return least

    def _inside(self, holds: NDArray[np.bool_], place: Ints, size: int) -> int | None:
        if size == 2:
            both = _products(holds)
            both[place[:, None] == place] = 0
            return _least([both])
        results = []
        for column in range(len(place)):
            later = place > place[column]
            rows = holds[:, column]
            if rows.any() and later.any():
                results.append(self._inside(holds[rows][:, later], place[later], size - 1))
        return min((one for one in results if one is not None), default=None)


def _products(holds: NDArray[np.bool_]) -> NDArray[np.float32] | NDArray[np.float64]:
    """How many records show both cells, for every two columns."""
    total = np.zeros((holds.shape[1], holds.shape[1]), dtype=np.float32 if len(holds) < _EXACT else np.float64)
    for first in range(0, len(holds), _AT_ONCE):
        part: Floats = holds[first : first + _AT_ONCE].astype(np.float32)
        total += part.T @ part
    return total


def _least(counts: Iterable[NDArray[Any]]) -> int | None:
    """The least count above 0 in some arrays."""
    return min((int(one[one > 0].min()) for one in counts if (one > 0).any()), default=None)
