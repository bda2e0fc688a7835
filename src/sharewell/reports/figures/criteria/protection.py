"""Protection: every cell stays uncertain by a given amount below and above its true value.

## Guarantee
For every snooper and every cell there is a possible table with the cell at or below a − below, and one with the cell at
or above a + above, where a is its true value; at the ends of the domain, where nothing lies beyond, the end will do.

## Adversary
As for width: all published figures, conventions and domain, as an owner its own row, or the rows of a coalition.

## What it does not protect
Values between the two need not all be possible, nor equally likely. Knowledge beside the report is not modelled.

## Parameters
below, above: the amounts, in the units of the table.
cells: amounts of their own, by row and column, as {below: …, above: …}; `default` of a row holds for the rest of it.
outsider, owners, coalitions: who is simulated: a stranger (true), which owners (those whose rows are given, all, or a
list), and how many of them may put their rows together (1).
inside: set by certificates alone, where limits are kept in the internal folder.

## Worked example
Bins of five points for each test: practice A infers B's rate to within ten points, and the true one is near an edge.

>>> from sharewell.reports import Levels, Publication, Report
>>> rates = Report.of({"A": {"HbA1c": 80}, "B": {"HbA1c": 80}}, domain=(0, 100))
>>> shown = Publication.of(rates, columns=Levels(center=2))
>>> print(Protection(below=3, above=3).check(shown))
protection = -3 points to spare (≥ 0: FAILS)
>>> print(Protection(above=3).check(shown))
protection = 0 points to spare (≥ 0: holds)

## Why it is safe
Accepted only on witnesses that an independent check accepts in exact fractions; undecided fails. It takes the true
cells, so that a steward or the owner checks it: a mediator who never sees them cannot.

## Cost
As for width.

## Source
Upper and lower protection levels of cells, as in Zayatz, 1992; Boyens, Krishnan and Padman, 2004.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from sharewell.algorithm import Number, PolicyError
from sharewell.reports.figures.data import Cell, Publication
from sharewell.reports.figures.engine.audit import Inferred
from sharewell.reports.figures.engine.checks.cell_limits import ByCell, limit, limits_of
from sharewell.reports.figures.engine.needs import Need


@dataclass(frozen=True)
class Protection(ByCell):
    """The inferred interval reaches below and above the true value."""

    below: Fraction | float | int | None = None
    above: Fraction | float | int | None = None

    packages: ClassVar[tuple[str, ...]] = ("clarabel", "scipy")

    @property
    def kept_inside(self) -> tuple[str, ...]:
        """A reader who knew them could subtract them from both ends of an interval: the true value lies no nearer."""
        return ("below", "above", "cells")

    @property
    def usual(self) -> Number | None:
        """None: each side has its own amount, and what counts is how much more is open."""
        return None

    def needs(self, publication: Publication) -> dict[Cell, Need]:
        default = {"below": self.below, "above": self.above}
        usual = default if any(end is not None for end in default.values()) else None
        needs = {}
        for cell, sides in limits_of(publication, usual, self.cells):
            if not isinstance(sides, Mapping):
                raise PolicyError(f"protect — row {cell[0]}, column {cell[1]} — must say below, above, or both")
            below, above = (limit(sides.get(end) or 0, end) for end in ("below", "above"))
            if cell not in publication.truth:
                place = f"protect — row {cell[0]}, column {cell[1]}"
                raise PolicyError(f"{place} — below and above need the true cell — give values, or a width instead")
            low, high = publication.frame.domain(cell)
            true = publication.truth[cell]
            needs[cell] = Need(low_at_most=max(true - below, low), high_at_least=min(true + above, high))
        return needs

    def reached(self, cell: Inferred, low: Number, high: Number) -> tuple[Number, Number]:
        """How much more is open than required, on the side where that is less."""
        lowest, highest = cell.need.low_at_most, cell.need.high_at_least
        spare = [] if lowest is None else [lowest - low]
        spare += [] if highest is None else [high - highest]
        return min(spare), 0
