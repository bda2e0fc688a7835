"""Is a table possible? Every figure is computed anew from the cells, in fractions, by its definition alone.

This shares no code with the search for tables: to check a witness, one can read these few lines, or rewrite them.

>>> from sharewell.reports.figures.data import Levels, Publication, Report
>>> report = Report.of({"A": {"x": 60}, "B": {"x": 70}}, domain=(0, 100))
>>> shown = Publication.of(report, columns=Levels(center=3))
>>> [str(one) for one in broken(shown, report.values)]
[]
>>> [str(one) for one in broken(shown, {("A", "x"): Fraction(60), ("B", "x"): Fraction(71)})]
['mean of column x']
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from statistics import median

from sharewell.reports.figures.data import Cell, Figure, Publication


def broken(publication: Publication, table: Mapping[Cell, Fraction]) -> Iterator[Figure]:
    """The figures that a table contradicts."""
    for figure in publication.figures:
        lines = [
            [table[cell] for cell in publication.frame.line(figure.axis, name, figure.within)] for name in figure.lines
        ]
        means = [sum(line) / Fraction(len(line)) for line in lines]
        low, high, shown = figure.low, figure.high, means[0]
        if figure.measure == "order":
            low, high = None, means[1]
        elif figure.measure == "median":
            shown = median(lines[0])
        elif figure.measure == "spread":
            shown = max(lines[0]) - min(lines[0])
        elif figure.measure == "sigma":  # compared by squares, for roots are not fractions
            shown = sum((x - means[0]) ** 2 for x in lines[0]) / Fraction(len(lines[0]) - figure.ddof)
            low, high = None if low is None else low * low, None if high is None else high * high
        if (low is not None and shown < low) or (high is not None and shown > high):
            yield figure


def is_possible(publication: Publication, known: Mapping[Cell, Fraction], table: Mapping[Cell, Fraction]) -> bool:
    """Does the table agree with the domain, with itself, with what is known, and with every figure?"""
    frame = publication.frame
    within_domain = all(frame.domain(cell)[0] <= table[cell] <= frame.domain(cell)[1] for cell in frame.cells)
    agrees = all(table[cell] == value for cell, value in known.items())
    return within_domain and agrees and _adds_up(publication, table) and not any(broken(publication, table))


def _adds_up(publication: Publication, table: Mapping[Cell, Fraction]) -> bool:
    """Is the value of every unit that is made of others their mean, or their sum?"""
    frame = publication.frame
    for cell in frame.cells if frame.nesting is not None else ():
        below = [table[one] for one in frame.members(cell)]
        number = 1 if frame.nesting is not None and frame.nesting.roll_up == "sum" else len(below)
        if below and table[cell] * number != sum(below):
            return False
    return True
