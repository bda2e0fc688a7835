"""Report loss: by how many levels, weighted, the release publishes less than was proposed.

## What it does not protect
Not a privacy measure. Levels are counted, not what readers do with the figures.

## Parameters
weights: what one level of a measure is worth, such as {rows.center: 2}; 1 where nothing is said.

## Worked example
Means of rows in bins instead of exact, and no deviation of columns: one level and two.

>>> from sharewell.reports import Levels, Publication, Report
>>> report = Report.of({"A": {"x": 60, "y": 20}, "B": {"x": 70, "y": 31}}, domain=(0, 100))
>>> before = Publication.of(report, Levels(center=3), Levels(center=3, dispersion=3))
>>> after = Publication.of(report, Levels(center=2), Levels(center=3))
>>> print(ReportLoss().score(before, after))
report-loss = 3 levels
>>> print(ReportLoss({"rows.center": 2}).score(before, after))
report-loss = 4 levels

## Why it is safe
It reads levels alone.

## Cost
O(1).

## Source
Boyens, Krishnan and Padman, 2004 (three levels of central tendency, dispersion and order, weighted by preference).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from sharewell.algorithm import Declared, Finding, Measure, PolicyError
from sharewell.reports.figures.data import Publication
from sharewell.reports.figures.engine.alternatives import PLACES, Place, Utility, levels_shown, place_named
from sharewell.reports.figures.engine.numbers import exact


@dataclass(frozen=True)
class LevelsLost:
    """Levels lowered, by measure."""

    levels: Mapping[str, int]


@dataclass(frozen=True)
class ReportLoss(Declared, Measure[Publication]):
    """Levels lost, weighted."""

    weights: Mapping[str, object] = field(default_factory=dict)

    def score(self, before: Publication, after: Publication) -> Finding:
        was, now = (Utility(levels_shown(one, "rows"), levels_shown(one, "columns")) for one in (before, after))
        lowered = {".".join(place): was.level(place) - now.level(place) for place in was.places}
        loss = self.lost(was, now)
        value = loss.numerator if loss.denominator == 1 else float(loss)
        return Finding(self.name, value, unit="levels", details=LevelsLost(lowered))

    def lost(self, before: Utility, after: Utility) -> Fraction:
        """Levels that are shown beyond what was proposed gain nothing."""
        weights = self._weights()
        lowered = {place: max(before.level(place) - after.level(place), 0) for place in PLACES}
        return sum((weights.get(place, Fraction(1)) * levels for place, levels in lowered.items()), Fraction(0))

    def _weights(self) -> dict[Place, Fraction]:
        weights = {}
        for name, weight in self.weights.items():
            try:
                number = exact(weight)
            except ValueError:
                number = Fraction(-1)
            if number < 0:
                raise PolicyError(f"weights — {name} — must be a number, 0 or more")
            weights[place_named(name, "weights")] = number
        return weights
