"""Cell protection: no reader of a table can bound an unsafe cell more tightly than its rule allows.

## Guarantee
Every cell that a rule calls unsafe is hidden or rounded, and for each there are two tables of whole numbers that agree
with everything published, totals and marks included, one low enough and one high enough in this cell. Counts below the
threshold stay open from 1 to threshold − 1, so that all the sums of the table tell no more than "fewer than the
threshold". Nothing that the table itself tells lowers what is asked for: a total of three cells that are not 0 is 3 or
more, and must then stay open as much further up; a mark "1 to 10" that makes a count known counts against the table. No
unsafe cell is ever left with one possible value, whatever `below`, `above` and `share` say.

## Adversary
Reads the whole table, knows its totals, its rules and that counts are whole numbers; where small counts are marked,
knows that an empty cell is no small count; where numbers are rounded, knows how, and that no small count is among those
shown: what is rounded to 0 is 0, or the threshold or more. May be a person in the table, who knows that their cell is
at least their own part, and who knows a cell of sums exactly if they are alone in it.

## What it does not protect
Against more persons in the table who put together what they know than `coalitions` says. Against other tables about the
same people: that is for tables-together. What the choice of cells tells: an algorithm that is known and was run on
other numbers might have hidden others.

## Parameters
threshold: cells of 1 to threshold − 1 persons are unsafe.
dominance: [n, k]: cells of which the n largest contributions make more than k percent are unsafe (sums only).
p: cells in which the second largest contributor comes within p percent of the largest are unsafe (sums only).
zeros: "show" (default): a 0 is no secret and always shown, and readers know that what is hidden is not 0; "protect".
below, above: of counts, how far below and above the true one doubt must reach, instead of over all unsafe counts.
share: of sums of too few persons, how far, in percent of the sum.
rounded: every number shown must be a multiple of this.
readers: "all" (default), or "outsiders": nobody who is in the table is thought to read it.
coalitions: how many persons of the table may put together what they know: 1 (default) or 2, as more are not
simulated. Nothing is claimed of them, and a table with more than 5,000 pairs is refused.

## Worked example
A hospital counts patients by sex and illness, and hides the one count below 11. Its row and column give it away.

>>> import numpy as np
>>> from sharewell.reports.counts.data import HIDDEN, CountTable
>>> cells = {("m", "flu"): 20, ("m", "gout"): 3, ("f", "flu"): 15, ("f", "gout"): 12}
>>> table = CountTable.of_cells(cells, ["sex", "illness"])
>>> alone = table.showing(np.where(table.shown < 11, HIDDEN, table.shown))
>>> print(CellProtection(threshold=11).check(alone))
cell-protection = 1 cells (≤ 0: FAILS)

With all four inner cells hidden, it may be any count from 1 to 14.

>>> four = table.showing(np.where(table.leaves, HIDDEN, table.shown))
>>> print(CellProtection(threshold=11).check(four))
cell-protection = 0 cells (≤ 0: holds)

Ten wards with one patient each of a rare illness, every small count marked as −11, "1 to 10". The total of ten cells
that are not 0 is 10 or more, and with its mark 10: then each of them is 1.

>>> cells = {(f"ward {i}", ill): n for i in range(10) for ill, n in (("rare", 1), ("common", 40))}
>>> wards = CountTable.of_cells(cells, ["ward", "illness"])
>>> small = (wards.shown > 0) & (wards.shown < 11)
>>> marked = np.where(small, -11, np.where(wards.leaves | (wards.shown == 400), HIDDEN, wards.shown))
>>> print(CellProtection(threshold=11).check(wards.showing(marked)))
cell-protection = 11 cells (≤ 0: FAILS)

Without the mark on the total it stays open from 10 to 19 and further, and each ward from 1 to 10.

>>> marked[wards.shown == 10] = HIDDEN
>>> print(CellProtection(threshold=11).check(wards.showing(marked)))
cell-protection = 0 cells (≤ 0: holds)

## Why it is safe
The rules are applied anew to the true cells, which are evidence of the steward's. That the published numbers are those
of the true cells is checked first. A linear program only ever rejects; a cell is accepted on two tables of whole
numbers, found by any means and checked by adding up. What is not decided within the steps allowed fails.

## Cost
At most two linear programs for each unsafe cell and reader; one table usually serves many cells.

## Source
Hundepool et al., Statistical Disclosure Control, 2012 (rules and protection levels); Fischetti and Salazar, 2001 (the
attacker's linear programs); Centers for Medicare & Medicaid Services, Cell Size Suppression Policy; OpenSAFELY
documentation, statistical disclosure control.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

import numpy as np
from annotated_types import Interval, Unit

from sharewell.algorithm import Count, Criteria, Criterion, DataError, Declared, Finding, Infeasible, PolicyError, Sense
from sharewell.reports.counts.data import CountTable
from sharewell.reports.counts.engine.primary_cells import UnsafeCells, unsafe_cells
from sharewell.reports.counts.engine.protection_check import protection
from sharewell.reports.counts.engine.relations import MOST
from sharewell.reports.counts.engine.table_check import as_read, fits


@dataclass(frozen=True)
class CellsProtected:
    """Counts of cells; they do not say which cells."""

    unsafe: int
    shown: int
    """Unsafe cells that the table shows as they are."""
    too_tight: int
    """Unsafe cells that some reader bounds too tightly."""
    undecided: int
    readers: int
    witnesses: int


@dataclass(frozen=True)
class CellProtection(Declared, Criterion[CountTable]):
    """Cells that are not protected as their rule demands: none."""

    threshold: Annotated[int, Interval(ge=2, le=MOST), Unit("contributors")] | None = None
    dominance: tuple[Count, Annotated[float, Interval(gt=0, lt=100), Unit("percent")]] | None = None
    p: Annotated[float, Interval(gt=0, le=1000), Unit("percent")] | None = None
    zeros: Literal["show", "protect"] = "show"
    below: Annotated[int, Interval(ge=0, le=MOST)] | None = None
    above: Annotated[int, Interval(ge=0, le=MOST)] | None = None
    share: Annotated[float, Interval(ge=0, le=1000), Unit("percent")] = 10.0
    rounded: Annotated[int, Interval(ge=2, le=MOST)] | None = None
    readers: Literal["all", "outsiders"] = "all"
    coalitions: Annotated[int, Interval(ge=1, le=2), Unit("persons")] = 1

    packages: ClassVar[tuple[str, ...]] = ("highspy",)
    of_tables: ClassVar[bool] = True
    sense: ClassVar[Sense] = "≤"
    bound: ClassVar[int] = 0
    needs_evidence: ClassVar[bool] = True
    """Which cells are unsafe only the true table tells: a recipient alone cannot check it."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.threshold is None and self.dominance is None and self.p is None:
            raise ValueError("threshold, dominance or p: at least one rule is needed")
        if self.coalitions > 1 and self.readers == "outsiders":
            raise ValueError("coalitions are of persons in the table, and readers: outsiders leaves them out")

    @property
    def relaxes(self) -> str | None:
        """The least number of contributors, or else how closely one of them may be estimated."""
        return "threshold" if self.threshold is not None else "p" if self.p is not None else None

    @property
    def tightens(self) -> Sense:
        return "≥"

    def weaker_than(self, other: CellProtection) -> str:
        """In what this asks for less than another one; empty if in nothing."""
        weak = []
        if other.threshold is not None and (self.threshold or 0) < other.threshold:
            weak.append(f"threshold = {self.threshold}")
        if other.zeros == "protect" and self.zeros == "show":
            weak.append("zeros = show")
        if other.rounded is not None and (self.rounded is None or self.rounded % other.rounded):
            weak.append(f"rounded = {self.rounded}")
        sides = (("below", self.below, other.below), ("above", self.above, other.above))
        for name, amount, other_amount in sides:
            if amount is not None and (other_amount is None or amount < other_amount):
                weak.append(f"{name} = {amount}")
        if other.dominance is not None and self.dominance != other.dominance:
            weak.append(f"dominance = {self.dominance}")
        if other.p is not None and self.p != other.p:
            weak.append(f"p = {self.p}")
        if self.readers == "outsiders" != other.readers:
            weak.append("readers = outsiders")
        if self.coalitions < other.coalitions:
            weak.append(f"coalitions = {self.coalitions}")
        return ", ".join(weak + ([f"share = {self.share}"] if self.share < other.share else []))

    def unsafe(self, table: CountTable) -> UnsafeCells:
        """The cells that the rules call unsafe, with the doubt that each needs."""
        return unsafe_cells(table, self)

    def check(self, data: CountTable) -> Finding:
        """How many unsafe cells lack the doubt they need."""
        if data.truth is None:
            return self._undecided("the true cells are not at hand: only the steward can check this")
        if not data.truth.values.any():
            return self._undecided("the table is empty")
        if data.randomised is not None:
            return self._undecided("answers were drawn: how much they tell is for local-privacy")
        if data.noise is not None:
            return self._undecided("noise was added: how much the sums tell is for sum-privacy")
        if not fits(data, data.truth.values):
            return self._undecided("the published numbers are not those of the true cells")
        if self.rounded is not None and (data.shown[~data.hidden] % self.rounded).any():
            return self._undecided(f"numbers are shown that are not rounded to {self.rounded}")
        data = as_read(data)
        try:
            needs = self.unsafe(data)
        except DataError as error:
            return self._undecided(str(error))
        low, high = data.bounds()
        shown = int(np.count_nonzero(low[needs.cells] == high[needs.cells]))
        result = protection(data, needs, once=True)
        details = CellsProtected(
            needs.count, shown, result.cells, result.undecided, result.readers, len(result.witnesses)
        )
        return self.finding(result.cells, unit="cells", details=details)

    def _undecided(self, note: str) -> Finding:
        return self.finding(None, unit="cells", note=note)


def cell_rules(criteria: Iterable[object]) -> list[CellProtection]:
    """Those of the criteria that call cells unsafe."""
    return [one for one in criteria if isinstance(one, CellProtection)]


def rules_to_keep(mechanism: str, data: CountTable, criteria: Criteria[CountTable]) -> list[CellProtection]:
    """All of the criteria, if the mechanism can start from the table and make each of them hold."""
    if data.truth is None:
        raise DataError(f"{mechanism} — needs the true cells")
    if not data.truth.values.any():
        raise Infeasible("the table has nobody in it", blocking=["no row of the data falls into the table"])
    if other := [one.name for one in criteria if not isinstance(one, CellProtection)]:
        raise PolicyError(f"{mechanism} — cannot make {', '.join(other)} hold — choose another mechanism")
    return cell_rules(criteria)
