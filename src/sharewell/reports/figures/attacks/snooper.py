"""Snooper: solves for the cells of others from published figures and, for an owner, its own row.

## Guarantee
None; a measurement. The value is the width of the narrowest interval that is proven to hold a secret cell.

## Adversary
Has every published figure with its conventions (decimals, sigma by n or n − 1, bins), the domain of the cells, and the
cells of some rows: none (an outsider), its own, or those of a coalition.

## What it does not protect
Snoopers with further knowledge infer more: earlier reports, cells of others, the grain of the cells themselves.

## Parameters
rows: whose cells are known; none for an outsider.
exact: prove every bound by the global solver, to within 0.0001.

## Worked example
Four plans, three tests; means and deviations of tests and means of plans are published. Plan 1 knows its own row, and
pins down the lipid profile of plan 2 to little more than a point.

>>> from sharewell.reports import Levels, Publication, Report
>>> cells = [(75.0, 56.0, 43.0), (88.2, 59.8, 46.9), (85.7, 49.8, 44.5), (83.0, 50.8, 47.1)]
>>> tests = ("HbA1c", "lipid", "eye")
>>> rates = Report.of({f"plan {i}": dict(zip(tests, row)) for i, row in enumerate(cells, 1)}, domain=(0, 100))
>>> shown = Publication.of(rates, rows=Levels(center=3), columns=Levels(center=3, dispersion=3))
>>> result = Snooper(rows=("plan 1",), exact=True).mount(shown)
>>> round(result.value, 2), result.details.cells, result.details.row, result.details.column
(1.22, 9, 'plan 2', 'lipid')

## Why it is safe
It returns widths and counts, no interval and no cell; `infer` returns intervals, as confidential as the cells.

## Cost
Two small cone programs a cell; with `exact` the global solver for bounds that witnesses do not reach.

## Source
Boyens, Krishnan and Padman, 2004. Solvers: Clarabel (Goulart and Chen, 2024), SCIP (Bestuzheva and others, 2021).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sharewell.algorithm import Attack, Declared, Finding, PolicyError, Sense, Truth
from sharewell.reports.figures.data import Publication
from sharewell.reports.figures.engine.bounds import Inference, inference

BINS = (0, 1, 2, 5, 10, 20, 50)
"""Where bins of width begin; the last has no end."""


@dataclass(frozen=True)
class WidthBin:
    """How many cells have an interval from `low` up to `high`."""

    low: int
    high: int | None
    cells: int


@dataclass(frozen=True)
class SnooperDetails:
    """How narrow the inferred intervals are, and where the narrowest is."""

    snooper: str
    cells: int
    row: str
    column: str
    widths: tuple[WidthBin, ...]
    mean_error: float | None
    """How far the middles of the intervals are from the true cells, where those are at hand."""


@dataclass(frozen=True)
class Snooper(Declared, Attack[Publication]):
    """Interval inference by one snooper."""

    rows: tuple[str, ...] = ()
    exact: bool = False

    packages: ClassVar[tuple[str, ...]] = ("clarabel", "scipy")
    sense: ClassVar[Sense] = "≥"
    """The wider the narrowest interval, the safer."""

    def infer(self, released: Publication) -> Inference:
        """Everything inferred, intervals and witnesses."""
        inferred = inference(released, released.knowledge(*self.rows))
        for cell in range(len(inferred.cells)) if self.exact else ():
            inferred.explore(cell)
            for sign in (1, -1):
                inferred.settle(cell, sign)
        return inferred

    def mount(self, released: Publication, truth: Truth[Publication] | None = None) -> Finding:
        if not isinstance(released, Publication):
            raise PolicyError("snooper — infers from figures about owners, and this is a table of patients")
        inferred = self.infer(released)
        intervals = [inferred.bounds(cell) for cell in range(len(inferred.cells))]
        widths = [high - low for low, high in intervals]
        least = widths.index(min(widths))
        known = released.truth if truth is None else truth.original.truth
        errors = [
            abs((low + high) / 2 - float(known[cell]))
            for cell, (low, high) in zip(inferred.cells, intervals, strict=True)
            if cell in known
        ]
        highs = (*BINS[1:], None)
        binned = tuple(
            WidthBin(low, high, sum(low <= width and (high is None or width < high) for width in widths))
            for low, high in zip(BINS, highs, strict=True)
        )
        mean = sum(errors) / len(errors) if len(errors) == len(widths) else None
        details = SnooperDetails(inferred.knowledge.name, len(widths), *inferred.cells[least], binned, mean)
        note = "" if self.exact else "bounds by the convex part of the figures: the true widths may be smaller"
        return Finding(self.name, widths[least], unit="points", details=details, note=note)
