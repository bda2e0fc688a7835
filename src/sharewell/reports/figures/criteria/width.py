"""Width: every snooper is left with an interval of at least this width for every cell.

## Guarantee
For every snooper and every cell there are two possible tables, in agreement with all that is published and known, in
which the cell differs by at least the limit. So nobody can tie it down more closely, by any computation.

## Adversary
Has all published figures, knows the conventions behind them and the domain of the cells, and as an owner its own row;
owners may put their rows together, up to a number that you choose. Computes without limit.

## What it does not protect
The true value may lie at an edge of the interval (see protection). Some values of the interval may be likelier than
others (see entropy). Snoopers who know more: cells of others, earlier reports, or that cells are whole percentages.
That a figure was withheld because of its content may itself tell something.

## Parameters
least: the limit in the units of the table; a cell without any limit is not judged.
cells: limits of their own, by row and column; `default` of a row holds for the rest of it.
outsider, owners, coalitions: who is simulated: a stranger (true), which owners (those whose rows are given, all, or a
list), and how many of them may put their rows together (1).
inside: set by certificates alone, where limits are kept in the internal folder.

## Worked example
Two practices; the mean of each test is published. Each can subtract its own rate.

>>> from sharewell.reports import Levels, Publication, Report
>>> rates = Report.of({"A": {"HbA1c": 80, "eye": 45}, "B": {"HbA1c": 86, "eye": 41}}, domain=(0, 100))
>>> print(Width(5).check(Publication.of(rates, columns=Levels(center=3))))
width = 0.2 points (≥ 5: FAILS)
>>> print(Width(5).check(Publication.of(rates, columns=Levels(center=2))))
width = 10 points (≥ 5: holds)

## Why it is safe
A cell is accepted only on two witnesses: whole tables that an independent check of a few lines accepts in exact
fractions. Bounds and the global solver only ever reject. What stays undecided fails.

## Cost
For each snooper two small cone programs a cell, some hundred for cells whose witnesses are hard to find, and the global
solver for those that stay undecided; limits are counted in steps and nodes.

## Source
Boyens, Krishnan and Padman, 2004 (interval inference from health reports); Li, Wang, Wang and Jajodia, 2002.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from sharewell.findings import Number
from sharewell.reports.figures.data import Cell, Publication
from sharewell.reports.figures.engine.audit import Inferred
from sharewell.reports.figures.engine.checks.cell_limits import ByCell, limit, limits_of, within
from sharewell.reports.figures.engine.needs import Need


@dataclass(frozen=True)
class Width(ByCell):
    """The inferred interval of every cell is at least this wide."""

    least: Fraction | float | int | None = None

    packages: ClassVar[tuple[str, ...]] = ("clarabel", "scipy")

    @property
    def usual(self) -> Number | None:
        return None if self.least is None else limit(self.least, "width")

    def needs(self, publication: Publication) -> dict[Cell, Need]:
        limits = limits_of(publication, self.least, self.cells)
        return {c: Need(within(limit(width, "width"), publication, c, "width")) for c, width in limits}

    def reached(self, cell: Inferred, low: Number, high: Number) -> tuple[Number, Number]:
        return high - low, cell.need.width
