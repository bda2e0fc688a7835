"""Figures as constraints on the cells that a snooper does not know: plain records that belong to no solver.

`Equalities` solves the exact equations among them once, in fractions. A point of a solver is rounded in its free cells
alone; the cells that follow are computed, so that equations hold to the last digit.

>>> from sharewell.reports.figures.data import Levels, Publication, Report
>>> report = Report.of({"A": {"x": 60}, "B": {"x": 70}}, domain=(0, 100))
>>> shown = Publication.of(report, columns=Levels(center=3, dispersion=3))
>>> for one in constraints(shown, shown.knowledge("A")).linear:
...     print(one.cells, one.weights, one.low, one.high)
(0,) (Fraction(1, 1),) 699/10 701/10
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from sharewell.errors import DataError
from sharewell.reports.figures.data import Cell, Figure, Knowledge, Publication

Bound = Fraction | None


@dataclass(frozen=True)
class Linear:
    """low ≤ Σ weight · cell ≤ high, over cells by number."""

    cells: tuple[int, ...]
    weights: tuple[Fraction, ...]
    low: Bound
    high: Bound
    figure: Figure | None
    """None: no figure, but how a unit's value follows from those below it."""


@dataclass(frozen=True)
class OfLine:
    """low ≤ some measure ≤ high, over cells and values that are known."""

    cells: tuple[int, ...]
    known: tuple[Fraction, ...]
    low: Bound
    high: Bound
    figure: Figure


class Deviation(OfLine):
    """The measure is Σ (value − mean of all values)²."""


class Spread(OfLine):
    """The measure is greatest − least."""


class Median(OfLine):
    """The measure is the middle value, or the mean of the two middle ones, of three values or more."""


@dataclass(frozen=True)
class Constraints:
    """All that a snooper can conclude from. Cells are numbered as in `unknown`."""

    unknown: tuple[Cell, ...]
    box: tuple[tuple[Fraction, Fraction], ...]
    linear: tuple[Linear, ...]
    deviations: tuple[Deviation, ...]
    spreads: tuple[Spread, ...]
    medians: tuple[Median, ...] = ()

    @property
    def all(self) -> tuple[Linear | OfLine, ...]:
        return (*self.linear, *self.deviations, *self.spreads, *self.medians)

    @property
    def figures(self) -> tuple[Figure, ...]:
        return tuple(dict.fromkeys(one.figure for one in self.all if one.figure is not None))


def constraints(publication: Publication, knowledge: Knowledge) -> Constraints:
    """What the figures say about the cells that are not known."""
    frame, known = publication.frame, knowledge.cells
    unknown = tuple(cell for cell in frame.cells if cell not in known)
    number = {cell: i for i, cell in enumerate(unknown)}
    linear: list[Linear] = []
    deviations: list[Deviation] = []
    spreads: list[Spread] = []
    medians: list[Median] = []
    for figure in publication.figures:
        lines = [frame.line(figure.axis, name, figure.within) for name in figure.lines]
        if figure.measure in ("mean", "order") or (figure.measure == "median" and len(lines[0]) < 3):
            linear.append(_linear(figure, lines, number, known))
            continue
        cells = tuple(number[cell] for cell in lines[0] if cell in number)
        values = tuple(known[cell] for cell in lines[0] if cell in known)
        if figure.measure == "spread":
            spreads.append(Spread(cells, values, figure.low, figure.high, figure))
            continue
        if figure.measure == "median":
            medians.append(Median(cells, values, figure.low, figure.high, figure))
            continue
        free = len(lines[0]) - figure.ddof
        if free <= 0:
            raise DataError(f"{figure} — is not defined for {len(lines[0])} cell(s) — take it out")
        low, high = (None if end is None else free * end * end for end in (figure.low, figure.high))
        deviations.append(Deviation(cells, values, low, high, figure))
    linear += [_rolled_up(publication, cell, number, known) for cell in frame.cells if frame.members(cell)]
    box = tuple(frame.domain(cell) for cell in unknown)
    return Constraints(unknown, box, tuple(linear), tuple(deviations), tuple(spreads), tuple(medians))


def _linear(
    figure: Figure, lines: list[tuple[Cell, ...]], number: Mapping[Cell, int], known: Mapping[Cell, Fraction]
) -> Linear:
    """A mean (or a median of two) between its ends, times n; or one mean less the other at most 0."""
    if figure.measure != "order":
        weight = dict.fromkeys(lines[0], Fraction(1))
        low, high = (None if end is None else end * len(lines[0]) for end in (figure.low, figure.high))
    else:
        weight = {cell: Fraction(1, len(lines[0])) for cell in lines[0]}
        for cell in lines[1]:
            weight[cell] = weight.get(cell, Fraction(0)) - Fraction(1, len(lines[1]))
        low, high = None, Fraction(0)
    fixed = sum((w * known[cell] for cell, w in weight.items() if cell in known), Fraction(0))
    free = {number[cell]: w for cell, w in weight.items() if cell in number and w}
    low, high = (None if end is None else end - fixed for end in (low, high))
    return Linear(tuple(free), tuple(free.values()), low, high, figure)


def _rolled_up(
    publication: Publication, unit: Cell, number: Mapping[Cell, int], known: Mapping[Cell, Fraction]
) -> Linear:
    """A unit's value less the mean, or the sum, of those below it is 0."""
    members, nesting = publication.frame.members(unit), publication.frame.nesting
    share = Fraction(1) if nesting is not None and nesting.roll_up == "sum" else Fraction(1, len(members))
    weight = {unit: Fraction(1), **dict.fromkeys(members, -share)}
    right = -sum((w * known[cell] for cell, w in weight.items() if cell in known), Fraction(0))
    free = {number[cell]: w for cell, w in weight.items() if cell in number}
    return Linear(tuple(free), tuple(free.values()), right, right, None)


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
            terms, right = _without(weights, right, reduced)
            if not terms:
                consistent = consistent and right == 0
                continue
            pivot = min(terms, key=lambda cell: (abs(terms[cell]) != 1, cell))
            scale = terms.pop(pivot)
            new: Row = ({cell: w / scale for cell, w in terms.items()}, right / scale)
            for other, row in list(reduced.items()):
                reduced[other] = _without(*row, {pivot: new}) if pivot in row[0] else row
            reduced[pivot] = new
        return cls(tuple((pivot, *row) for pivot, row in reduced.items()), consistent)

    def completed(self, point: Sequence[float], box: Sequence[tuple[Fraction, Fraction]]) -> list[Fraction]:
        """The point with free cells rounded into their box, and the others as they follow."""
        cells = [
            min(max(Fraction(round(value * GRID), GRID), low), high)
            for value, (low, high) in zip(point, box, strict=True)
        ]
        for pivot, weights, right in self.rows:
            cells[pivot] = right - sum((w * cells[cell] for cell, w in weights.items()), Fraction(0))
        return cells


def _equations(constraints: Constraints) -> list[Row]:
    """Figures that are a single number, and lines without any deviation or spread."""
    rows: list[Row] = []
    for one in constraints.linear:
        if one.cells and one.low is not None and one.low == one.high:
            rows.append((dict(zip(one.cells, one.weights, strict=True)), one.low))
    for flat in (*constraints.deviations, *constraints.spreads):
        if flat.high == 0 and flat.cells:
            first = flat.cells[0]
            rows += [({cell: Fraction(1), first: Fraction(-1)}, Fraction(0)) for cell in flat.cells[1:]]
            rows += [({first: Fraction(1)}, value) for value in flat.known]
    return rows


def _without(weights: dict[int, Fraction], right: Fraction, reduced: dict[int, Row]) -> Row:
    """An equation in which the pivots of others are replaced by what they follow from."""
    terms = dict(weights)
    for pivot in [cell for cell in terms if cell in reduced]:
        factor = terms.pop(pivot)
        others, value = reduced[pivot]
        right -= factor * value
        for cell, w in others.items():
            terms[cell] = terms.get(cell, Fraction(0)) - factor * w
    return {cell: w for cell, w in terms.items() if w}, right
