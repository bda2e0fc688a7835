"""What the mediator holds in the end: sums over the owners who stayed, exactly; and the report to be made of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import isqrt

from sharewell.errors import PolicyError
from sharewell.reports.figures.data import Cell
from sharewell.reports.figures.engine.figure_intervals import rounded_to
from sharewell.reports.gathering.engine.fixed_point import Sums
from sharewell.reports.gathering.engine.plan import MOST_DECIMALS, Plan
from sharewell.reports.gathering.engine.proposed_report import Proposed


@dataclass(frozen=True)
class Gathered:
    """All that the mediator may know. `absent` cells were announced as not reported."""

    plan: Plan
    owners: tuple[str, ...]
    sums: Mapping[str, Sums] = field(repr=False)
    row_means: Mapping[str, Fraction] = field(default_factory=dict, repr=False)
    absent: frozenset[Cell] = frozenset()

    @property
    def measures(self) -> tuple[str, ...]:
        return tuple(self.sums)

    @property
    def dropped(self) -> tuple[str, ...]:
        """Owners of the plan who are in no sum."""
        return tuple(name for name in self.plan.owners if name not in self.owners)

    @property
    def left_out(self) -> tuple[str, ...]:
        """Measures that fewer owners report than the threshold."""
        return tuple(name for name in self.plan.measures if name not in self.measures)

    def proposed(self, decimals: int | None = None) -> Proposed:
        """The report, its figures rounded to so many decimals (the plan's). More than those: as the mediator sees it.

        An owner whose only measures were left out has no row.
        """
        digits = self.plan.decimals if decimals is None else decimals
        if not 0 <= digits <= MOST_DECIMALS:
            raise PolicyError(f"decimals — must be from 0 to {MOST_DECIMALS}")
        rows = tuple(owner for owner in self.owners if any((owner, m) not in self.absent for m in self.measures))
        variances = {name: one.variance(self.plan.sigma) for name, one in self.sums.items()}
        return Proposed(
            self.plan,
            digits,
            rows,
            {name: rounded_to(one.mean, digits) for name, one in self.sums.items()},
            {name: _root(variance, digits) for name, variance in variances.items() if variance is not None},
            {name: rounded_to(mean, digits) for name, mean in self.row_means.items()},
            frozenset(cell for cell in self.absent if cell[0] in rows),
        )

    def to_json(self) -> dict[str, object]:
        """Everything, exactly: for the mediator alone."""
        return {
            "report": self.plan.name,
            "plan": self.plan.fingerprint,
            "owners": list(self.owners),
            "dropped": list(self.dropped),
            "left_out": list(self.left_out),
            "threshold": self.plan.threshold,
            "columns": {
                name: {
                    "count": one.count,
                    "sum": str(one.total),
                    "squares": None if one.squares is None else str(one.squares),
                }
                for name, one in self.sums.items()
            },
            "row_means": {name: str(mean) for name, mean in self.row_means.items()},
            "absent": sorted(map(list, self.absent)),
        }


def _root(variance: Fraction, digits: int) -> Fraction:
    """The square root to the nearest last digit, by integers alone."""
    return Fraction((isqrt(int(variance * 4 * 100**digits)) + 1) // 2, 10**digits)
