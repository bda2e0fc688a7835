"""A table of owners and measures, and what is published about it: figures, each the interval that it denotes.

>>> report = Report.of({"A": {"x": 60, "y": 20}, "B": {"x": 70, "y": 31}}, domain=(0, 100))
>>> shown = Publication.of(report, rows=Levels(center=3), columns=Levels(center=2, order=3))
>>> for figure in shown.figures:
...     print(figure, figure.low and float(figure.low), figure.high and float(figure.high))
mean of row A 39.95 40.05
mean of row B 50.45 50.55
mean of column x 65.0 70.0
mean of column y 25.0 30.0
order of columns y and x None None

Numbers are fractions throughout: what is decided about them is decided exactly.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

from sharewell.errors import PolicyError
from sharewell.reports.figures.engine.figure_intervals import figures
from sharewell.reports.figures.engine.report_table import (
    NOTHING,
    USUAL,
    Axis,
    Cell,
    Convention,
    Domain,
    Figure,
    Frame,
    Levels,
    Measure,
    Metric,
    Report,
    Sigma,
    bounds_of,
    exact,
    is_exact,
)
from sharewell.roles import did_you_mean

if TYPE_CHECKING:
    from sharewell.reports.figures.engine.bounds import Inference
    from sharewell.reports.figures.engine.written_witnesses import Proof

__all__ = [
    "Axis",
    "Cell",
    "Convention",
    "Domain",
    "Figure",
    "Frame",
    "Knowledge",
    "Levels",
    "Measure",
    "Metric",
    "NOTHING",
    "Publication",
    "READINGS",
    "Reading",
    "Report",
    "Sigma",
    "USUAL",
    "bounds_of",
    "exact",
    "is_exact",
]

Reading = Literal["rounding", "seed-002"]
READINGS: tuple[Reading, ...] = ("rounding", "seed-002")


@dataclass(frozen=True)
class Knowledge:
    """What a snooper knows beside the publication: all cells of some rows, or nothing."""

    name: str
    rows: tuple[str, ...] = ()
    cells: Mapping[Cell, Fraction] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, eq=False)
class Publication:
    """All figures about a table. `truth` holds the true cells as far as the steward knows them: never published."""

    frame: Frame
    figures: tuple[Figure, ...]
    truth: Mapping[Cell, Fraction] = field(default_factory=dict, repr=False)
    row_levels: Levels | None = None
    column_levels: Levels | None = None
    convention: Convention = USUAL
    reading: Reading = "rounding"
    proof: Proof | None = field(default=None, repr=False)
    """Witnesses that were written down, for whoever checks a release with its internal folder."""
    inferences: dict[tuple[str, ...], Inference] = field(default_factory=dict, repr=False, init=False)
    """What was already inferred for the owners of these rows; kept so that several criteria ask once."""

    @classmethod
    def of(
        cls,
        report: Report,
        rows: Levels = NOTHING,
        columns: Levels = NOTHING,
        convention: Convention = USUAL,
    ) -> Publication:
        """What a table shows of itself at these levels."""
        shown = (*figures(report, "rows", rows, convention), *figures(report, "columns", columns, convention))
        return cls(report.frame, shown, report.values, rows, columns, convention)

    @property
    def content(self) -> str:
        """A digest of the true cells and of what would be published. Confidential."""
        cells = sorted((str(cell), str(value)) for cell, value in self.truth.items())
        told = (sorted(self.frame.rows), sorted(self.frame.columns), cells)
        return hashlib.sha256(repr(told).encode()).hexdigest()

    @property
    def rows(self) -> int:
        """Records of the file in which the figures are published: one a figure, and one for each rank."""
        ranked = {(one.axis, name) for one in self.figures if one.measure == "order" for name in one.lines}
        return sum(one.measure != "order" for one in self.figures) + len(ranked)

    def read_as(self, reading: Reading) -> Publication:
        """The same figures, understood another way.

        rounding: every figure is the interval that it denotes. seed-002: means and spreads are exact, a sigma is a
        sample sigma and an upper bound, and the mean of the last row is left out.
        """
        if reading not in READINGS:
            raise PolicyError(f"no reading '{reading}' — {did_you_mean(reading, READINGS) or ', '.join(READINGS)}")
        if reading == self.reading:
            return self
        if self.reading != "rounding":
            raise PolicyError("a publication that was read one way cannot be read another — start from the figures")
        last = ("mean", "rows", (self.frame.rows[-1],))
        kept = [_taken_at_its_word(f) for f in self.figures if (f.measure, f.axis, f.lines) != last]
        return replace(self, figures=tuple(kept), reading=reading)

    def knowledge(self, *rows: str) -> Knowledge:
        """What the owners of these rows know together; no row: an outsider."""
        for row in rows:
            if row not in self.frame.rows:
                hint = did_you_mean(row, self.frame.rows) or f"rows: {', '.join(self.frame.rows)}"
                raise PolicyError(f"no row '{row}' — {hint}")
        cells = {cell: self.truth.get(cell) for row in rows for cell in self.frame.line("rows", row)}
        if None in cells.values():
            unknown = sorted({row for (row, _), value in cells.items() if value is None})
            raise PolicyError(f"snooper {'+'.join(rows)} — the cells of {', '.join(unknown)} are not given — add them")
        return Knowledge("+".join(rows) or "outsider", rows, {c: v for c, v in cells.items() if v is not None})


def _taken_at_its_word(figure: Figure) -> Figure:
    if figure.value is None or figure.measure == "order":
        return figure
    low = None if figure.measure == "sigma" else figure.value
    return replace(figure, low=low, high=figure.value, ddof=1)
