"""What a published median says about single cells.

A median of an odd number of values is at least L exactly if more than half of them are at least L. Of an even number,
the two middle values must add up to 2 · L at least: then half of the values are at least L, and one value more is at
least 2 · L less the greatest that the upper of the two can be. These are `counts`: this many of the cells lie beyond a
limit. They hold for every possible table, whoever snoops, but of an even number not only for possible ones: bounds from
them only ever reject.

`Middle` cuts the set of possible tables into convex pieces, one for each ranking of the values: around a point, half
spaces that lie inside the set.

>>> from sharewell.reports.figures.data import Figure
>>> shown = Figure("median", "rows", ("A",))
>>> of_five = Median((0, 1, 2), (Fraction(40), Fraction(90)), Fraction(50), Fraction(52), shown)
>>> for one in counts(of_five, [(Fraction(0), Fraction(100))] * 3):
...     print(one.least, "of cells", one.cells, "at least" if one.side > 0 else "at most", one.limit)
2 of cells (0, 1, 2) at least 50
2 of cells (0, 1, 2) at most 52
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from sharewell.reports.figures.engine.constraints import Median

Floats = NDArray[np.float64]
Box = Sequence[tuple[Fraction, Fraction]]
HalfSpace = tuple[Floats, float]
"""direction · cells ≥ number."""


@dataclass(frozen=True)
class Count:
    """At least this many of the cells are at or above the limit (side 1), or at or below it (side −1)."""

    cells: tuple[int, ...]
    least: int
    limit: Fraction
    side: int


def counts(one: Median, box: Box) -> Iterator[Count]:
    """What must hold of the unknown cells, given the known values and the domain of each cell."""
    for end, side in ((one.low, 1), (one.high, -1)):
        if end is not None:
            for needed, limit in _thresholds(one, box, end, side):
                least = needed - sum(side * value >= side * limit for value in one.known)
                if least > 0 and one.cells:
                    yield Count(one.cells, least, limit, side)


def _thresholds(one: Median, box: Box, end: Fraction, side: int) -> Iterator[tuple[int, Fraction]]:
    """Counts and limits: if the median has reached `end`, so many values at least are at the limit or beyond."""
    n = len(one.cells) + len(one.known)
    half = n // 2
    if n % 2:
        yield half + 1, end
        return
    yield half, end
    furthest = sorted((*(side * box[cell][side > 0] for cell in one.cells), *(side * v for v in one.known)))
    yield half + 1, 2 * end - side * furthest[-half]


@dataclass(frozen=True)
class Middle:
    """One median, for the search for possible tables. Values are cells first, then known values."""

    cells: tuple[int, ...]
    known: tuple[float, ...]
    low: float | None
    high: float | None

    @classmethod
    def of(cls, one: Median) -> Middle:
        low, high = (None if end is None else float(end) for end in (one.low, one.high))
        return cls(one.cells, tuple(float(value) for value in one.known), low, high)

    @property
    def size(self) -> int:
        return len(self.cells) + len(self.known)

    def ranked(self, point: Floats) -> list[int]:
        """The values from the least to the greatest, by number."""
        values = np.concatenate([point[list(self.cells)], self.known])
        return [int(place) for place in np.argsort(values, kind="stable")]

    def half_spaces(self, ranked: Sequence[int], cells: int) -> list[HalfSpace]:
        """Where the values are so ranked, the median is as published: all of it lies inside the set."""
        half, spaces = self.size // 2, list[tuple[dict[int, float], float | None]]()
        if self.size % 2:
            spaces += [({place: 1.0}, self.low) for place in ranked[half:]]
            spaces += [({place: -1.0}, _minus(self.high)) for place in ranked[: half + 1]]
        else:
            lower, upper = ranked[half - 1 : half + 1]
            spaces.append(({lower: 1.0, upper: 1.0}, None if self.low is None else 2 * self.low))
            spaces.append(({lower: -1.0, upper: -1.0}, None if self.high is None else -2 * self.high))
            spaces.append(({upper: 1.0, lower: -1.0}, 0.0))
            spaces += [({lower: 1.0, place: -1.0}, 0.0) for place in ranked[: half - 1]]
            spaces += [({place: 1.0, upper: -1.0}, 0.0) for place in ranked[half + 1 :]]
        results = [self._half_space(terms, number, cells) for terms, number in spaces if number is not None]
        return [one for one in results if one is not None]

    def switched(self, ranked: Sequence[int]) -> Iterator[list[int]]:
        """Rankings in which two values from different sides of the middle have changed places."""
        half = self.size // 2
        middle = {half} if self.size % 2 else {half - 1, half}
        sides = [0 if place in middle else -1 if place < half else 1 for place in range(self.size)]
        for first in range(self.size):
            for other in range(first + 1, self.size):
                if sides[first] != sides[other]:
                    swapped = list(ranked)
                    swapped[first], swapped[other] = swapped[other], swapped[first]
                    yield swapped

    def _half_space(self, terms: dict[int, float], number: float, cells: int) -> HalfSpace | None:
        """None if all of its values are known."""
        towards, needed = np.zeros(cells), number
        for place, weight in terms.items():
            if place < len(self.cells):
                towards[self.cells[place]] += weight
            else:
                needed -= weight * self.known[place - len(self.cells)]
        return (towards, needed) if towards.any() else None


def _minus(end: float | None) -> float | None:
    return None if end is None else -end
