"""Cells that follow from others: the exact equations among the constraints, solved once in fractions.

A point of a solver is rounded in its free cells alone; the cells that follow are computed, so that equations hold to
the last digit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from sharewell.reports.figures.engine.constraints import Constraints, Deviation, Spread

GRID = 10**6
"""Free cells are rounded to multiples of 1 / GRID."""
Row = tuple[dict[int, Fraction], Fraction]


@dataclass(frozen=True)
class Equalities:
    """Rows in reduced form: cell `pivot` + Σ weight · free cell = right side. `consistent`: can all hold at once?"""

    rows: tuple[tuple[int, dict[int, Fraction], Fraction], ...]
    consistent: bool

    @classmethod
    def of(cls, constraints: Constraints) -> Equalities:
        reduced: dict[int, Row] = {}
        consistent = True
        for weights, right in _equations(constraints):
            left, right = _without(weights, right, reduced)
            if not left:
                consistent = consistent and right == 0
                continue
            pivot = min(left, key=lambda cell: (abs(left[cell]) != 1, cell))
            scale = left.pop(pivot)
            new: Row = ({cell: w / scale for cell, w in left.items()}, right / scale)
            for other, row in list(reduced.items()):
                reduced[other] = _without(*row, {pivot: new}) if pivot in row[0] else row
            reduced[pivot] = new
        return cls(tuple((pivot, *row) for pivot, row in reduced.items()), consistent)

    def completed(self, point: Sequence[float], box: Sequence[tuple[Fraction, Fraction]]) -> list[Fraction]:
        """The point with free cells rounded into their box, and the others as they follow."""
        found = [
            min(max(Fraction(round(value * GRID), GRID), low), high)
            for value, (low, high) in zip(point, box, strict=True)
        ]
        for pivot, weights, right in self.rows:
            found[pivot] = right - sum((w * found[cell] for cell, w in weights.items()), Fraction(0))
        return found


def _equations(constraints: Constraints) -> list[Row]:
    """Figures that are one number, and lines without any deviation or spread."""
    found: list[Row] = []
    for one in constraints.linear:
        if one.cells and one.low is not None and one.low == one.high:
            found.append((dict(zip(one.cells, one.weights, strict=True)), one.low))
    lines: tuple[Deviation | Spread, ...] = (*constraints.deviations, *constraints.spreads)
    for flat in lines:
        if flat.high == 0 and flat.cells:
            first = flat.cells[0]
            found += [({cell: Fraction(1), first: Fraction(-1)}, Fraction(0)) for cell in flat.cells[1:]]
            found += [({first: Fraction(1)}, value) for value in flat.known]
    return found


def _without(weights: dict[int, Fraction], right: Fraction, reduced: dict[int, Row]) -> Row:
    """An equation in which the pivots of others are replaced by what they follow from."""
    left = dict(weights)
    for pivot in [cell for cell in left if cell in reduced]:
        factor = left.pop(pivot)
        others, value = reduced[pivot]
        right -= factor * value
        for cell, w in others.items():
            left[cell] = left.get(cell, Fraction(0)) - factor * w
    return {cell: w for cell, w in left.items() if w}, right
