"""Figures as constraints on the cells that a snooper does not know: plain records that belong to no solver.

>>> from sharewell.reports.figures.data import Levels, Publication, Report
>>> report = Report.of({"A": {"x": 60}, "B": {"x": 70}}, domain=(0, 100))
>>> shown = Publication.of(report, columns=Levels(center=3, dispersion=3))
>>> for one in constraints(shown, shown.knowledge("A")).linear:
...     print(one.cells, one.weights, one.low, one.high)
(0,) (Fraction(1, 1),) 699/10 701/10
"""

from __future__ import annotations

from collections.abc import Mapping
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
    figure: Figure


@dataclass(frozen=True)
class Deviation:
    """low ≤ Σ (value − mean of all values)² ≤ high, over cells and values that are known."""

    cells: tuple[int, ...]
    known: tuple[Fraction, ...]
    low: Bound
    high: Bound
    figure: Figure


@dataclass(frozen=True)
class Spread:
    """low ≤ greatest − least ≤ high, over cells and values that are known."""

    cells: tuple[int, ...]
    known: tuple[Fraction, ...]
    low: Bound
    high: Bound
    figure: Figure


@dataclass(frozen=True)
class Constraints:
    """All that a snooper can conclude from. Cells are numbered as in `unknown`."""

    unknown: tuple[Cell, ...]
    box: tuple[tuple[Fraction, Fraction], ...]
    linear: tuple[Linear, ...]
    deviations: tuple[Deviation, ...]
    spreads: tuple[Spread, ...]

    @property
    def figures(self) -> tuple[Figure, ...]:
        every: tuple[Linear | Deviation | Spread, ...] = (*self.linear, *self.deviations, *self.spreads)
        return tuple(dict.fromkeys(one.figure for one in every))


def constraints(publication: Publication, knowledge: Knowledge) -> Constraints:
    """What the figures say about the cells that are not known."""
    frame, known = publication.frame, knowledge.cells
    unknown = tuple(cell for cell in frame.cells if cell not in known)
    number = {cell: i for i, cell in enumerate(unknown)}
    linear: list[Linear] = []
    deviations: list[Deviation] = []
    spreads: list[Spread] = []
    for figure in publication.figures:
        lines = [frame.line(figure.axis, name) for name in figure.lines]
        if figure.measure in ("mean", "order"):
            linear.append(_linear(figure, lines, number, known))
            continue
        cells = tuple(number[cell] for cell in lines[0] if cell in number)
        values = tuple(known[cell] for cell in lines[0] if cell in known)
        if figure.measure == "spread":
            spreads.append(Spread(cells, values, figure.low, figure.high, figure))
            continue
        free = len(lines[0]) - figure.ddof
        if free <= 0:
            raise DataError(f"{figure} — is not defined for {len(lines[0])} cell(s) — take it out")
        low, high = (None if end is None else free * end * end for end in (figure.low, figure.high))
        deviations.append(Deviation(cells, values, low, high, figure))
    box = tuple(frame.domain(cell) for cell in unknown)
    return Constraints(unknown, box, tuple(linear), tuple(deviations), tuple(spreads))


def _linear(
    figure: Figure, lines: list[tuple[Cell, ...]], number: Mapping[Cell, int], known: Mapping[Cell, Fraction]
) -> Linear:
    """A mean between its ends, times n; or one mean less the other at most 0."""
    if figure.measure == "mean":
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
