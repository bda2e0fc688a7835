"""Entropy: at a given grain, at least this many bits of every cell stay uncertain.

## Guarantee
The interval that a snooper infers about a cell has at least 2^bits parts of the width of the grain: log2(width / grain)
≥ bits.

## Adversary
As for width: all published figures, conventions and domain, as an owner its own row, or the rows of a coalition.

## What it does not protect
Bits are counted over the interval, as if all its parts were equally likely. A snooper who believes that all possible
tables are equally likely has fewer.

## Parameters
bits: the least number of bits.
grain: the width of one part, in the units of the table.
cells: bits of their own, by row and column; `default` of a row holds for the rest of it.
outsider, owners, coalitions: who is simulated: a stranger (true), which owners (those whose rows are given, all, or a
list), and how many of them may put their rows together (1).
inside: set by certificates alone, where limits are kept in the internal folder.

## Worked example
>>> from sharewell.reports import Levels, Publication, Report
>>> rates = Report.of({"A": {"HbA1c": 80}, "B": {"HbA1c": 84}}, domain=(0, 100))
>>> shown = Publication.of(rates, columns=Levels(center=2))
>>> print(Entropy(bits=6, grain=0.1).check(shown))
entropy = 6.644 bits (≥ 6: holds)
>>> print(Entropy(bits=7, grain=0.1).check(shown))
entropy = 6.644 bits (≥ 7: FAILS)

## Why it is safe
It is a width, grain · 2^bits, and judged as one: exactly, on witnesses. Bits that are not a whole number are rounded
up, to a width in billionths.

## Cost
As for width.

## Source
Boyens, Krishnan and Padman, 2004 (minimum information entropy as a limit of disclosure).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from sharewell.algorithm import Number, PolicyError
from sharewell.reports.figures.data import Cell, Publication
from sharewell.reports.figures.engine.audit import Inferred
from sharewell.reports.figures.engine.checks.cell_limits import ByCell, limit, limits_of, within
from sharewell.reports.figures.engine.needs import Need

_BILLION = 10**9


@dataclass(frozen=True)
class Entropy(ByCell):
    """The inferred interval of every cell has at least 2^bits parts."""

    bits: Fraction | float | int | None = None
    grain: Fraction | float | int = Fraction(1, 10)

    packages: ClassVar[tuple[str, ...]] = ("clarabel", "scipy")
    unit_name: ClassVar[str] = "bits"

    @property
    def kept_inside(self) -> tuple[str, ...]:
        """Where single owners set their own bits, the grain is theirs too."""
        return ("cells", "grain") if self.bits is None else ("cells",)

    @property
    def usual(self) -> Number | None:
        return None if self.bits is None else limit(self.bits, "bits")

    def needs(self, publication: Publication) -> dict[Cell, Need]:
        if limit(self.grain, "grain") == 0:
            raise PolicyError("grain must be more than 0")
        limits = limits_of(publication, self.bits, self.cells)
        return {c: Need(within(self._width(limit(bits, "bits")), publication, c, "entropy")) for c, bits in limits}

    def reached(self, cell: Inferred, low: Number, high: Number) -> tuple[Number, Number]:
        grain = float(limit(self.grain, "grain"))
        bits = math.log2((high - low) / grain) if high > low else -math.inf
        required = math.log2(float(cell.need.width) / grain)
        return bits, round(required) if abs(required - round(required)) < 1e-9 else required

    def _width(self, bits: Fraction) -> Fraction:
        grain = limit(self.grain, "grain")
        if bits > 64:
            raise PolicyError("bits must be 64 at most")
        if bits.denominator == 1:
            return grain * Fraction(2) ** bits.numerator
        return Fraction(math.ceil(float(grain) * 2 ** float(bits) * _BILLION) + 1, _BILLION)
