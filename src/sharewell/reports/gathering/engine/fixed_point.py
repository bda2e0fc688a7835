"""Cells as whole numbers: fixed point, within declared bounds, and back.

For every measure an owner adds one (it reports a cell), the cell in its last decimal, and its square. A missing cell
adds nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from sharewell.errors import DataError
from sharewell.reports.figures.engine.numbers import exact
from sharewell.reports.gathering.engine.plan import MODULUS, Plan


@dataclass(frozen=True)
class OwnerRow:
    """One owner's cells in their last decimal; None where nothing is reported. Never shown."""

    cells: tuple[int | None, ...] = field(repr=False)
    given: tuple[Fraction | None, ...] = field(default=(), repr=False)
    """As they were before rounding: what the ledger knows them by, whatever a plan rounds to."""

    @classmethod
    def of(cls, plan: Plan, values: Mapping[str, object]) -> OwnerRow:
        """Rounded to the decimals of the plan. What lies outside the bounds is refused, not cut off."""
        unknown = [name for name in values if name not in plan.measures]
        if unknown:
            raise DataError(f"the row — {len(unknown)} measure(s) that the plan does not name — name them alike")
        cells: list[int | None] = []
        exact_cells: list[Fraction | None] = []
        for measure, (low, high) in plan.measures.items():
            text = values.get(measure)
            try:
                value = None if text is None or text == "" else exact(text)
            except (ValueError, ZeroDivisionError, OverflowError):
                what = "the cell is not a number — leave empty what is not reported"
                raise DataError(f"measure {measure} — {what}") from None
            if value is not None and not low <= value <= high:
                raise DataError(f"measure {measure} — the cell lies outside the range of the plan — correct either")
            exact_cells.append(value)
            cells.append(None if value is None else round(value * 10**plan.decimals))
        if all(cell is None for cell in cells):
            raise DataError("the row — no cell at all — an owner without a value need not take part")
        return cls(tuple(cells), tuple(exact_cells))

    @property
    def present(self) -> str:
        """Which measures are reported, such as 1101. This is announced: it is no secret."""
        return "".join("0" if cell is None else "1" for cell in self.cells)

    def encoded(self, plan: Plan, measures: Sequence[str]) -> list[int]:
        """Count, sum and square of each of these measures."""
        words: list[int] = []
        for cell in self._of(plan, measures):
            words += [0] * plan.words if cell is None else [1, cell, cell * cell][: plan.words]
        return [word % MODULUS for word in words]

    def mean(self, plan: Plan, measures: Sequence[str]) -> Fraction | None:
        """The mean of the row to the plan's decimals; None of fewer than two cells, for it would be a cell."""
        cells = [cell for cell in self._of(plan, measures) if cell is not None]
        return Fraction(round(Fraction(sum(cells), len(cells))), 10**plan.decimals) if len(cells) > 1 else None

    def known(self, plan: Plan, measures: Sequence[str]) -> dict[str, int | float]:
        """The cells themselves, for the owner's own audit."""
        unit, named = 10**plan.decimals, dict(zip(plan.measures, self.cells, strict=True))
        return {name: cell / unit for name in measures if (cell := named[name]) is not None}

    def _of(self, plan: Plan, measures: Sequence[str]) -> list[int | None]:
        names = set(measures)
        return [cell for name, cell in zip(plan.measures, self.cells, strict=True) if name in names]


@dataclass(frozen=True)
class Sums:
    """What is known of one measure: over how many owners, their sum, and the sum of their squares."""

    count: int
    total: Fraction
    squares: Fraction | None

    @property
    def mean(self) -> Fraction:
        return self.total / self.count

    def variance(self, sigma: str) -> Fraction | None:
        """None where squares were not gathered."""
        if self.squares is None:
            return None
        return (self.squares - self.total**2 / self.count) / (self.count - (1 if sigma == "sample" else 0))


def decode_sums(plan: Plan, measures: Sequence[str], words: Sequence[int]) -> dict[str, Sums]:
    """The sums behind unmasked numbers. What no row within the bounds can give is refused."""
    unit, by_measure = Fraction(1, 10**plan.decimals), {}
    for i, measure in enumerate(measures):
        count, total, *squared = words[i * plan.words : (i + 1) * plan.words]
        total = total if total < MODULUS // 2 else total - MODULUS
        sums = Sums(count, total * unit, squared[0] * unit**2 if squared else None)
        low, high = plan.measures[measure]
        fits = 0 < count <= len(plan.owners) and count * low <= sums.total <= count * high
        if fits and sums.squares is not None:
            fits = sums.total**2 / count <= sums.squares <= count * max(low**2, high**2)
        if not fits:
            what = "no cells within the range give these sums"
            raise DataError(f"measure {measure} — {what} — an owner sent false numbers")
        by_measure[measure] = sums
    return by_measure
