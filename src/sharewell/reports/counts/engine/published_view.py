"""What one or several published tables tell every reader: bounds of all cells, and what adds up to what."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from sharewell.reports.counts.data import CountTable
from sharewell.reports.counts.engine.relations import Ints, Open, Sums


def implied(relations: Sums, low: Ints, high: Ints) -> tuple[Ints, Ints]:
    """Bounds of all cells that follow from these, one sum at a time."""
    low, high = low.copy(), high.copy()
    system = Open.of(relations, low, high)
    found = system.consequences()
    if found is not None:
        low[system.cells], high[system.cells] = found
    return low, high


@dataclass(frozen=True, eq=False)
class View:
    """Cells between bounds, in one row; the true ones are the steward's."""

    relations: Sums
    low: Ints = field(repr=False)
    high: Ints = field(repr=False)
    zeros: tuple[Ints, Ints] = field(repr=False)
    """Bounds that zeros alone tell."""
    jumps: Ints = field(repr=False)
    """Of cells that are 0 or at least so much, with nothing between: how much; 0 of all others."""
    truth: Ints | None = field(default=None, repr=False)

    @classmethod
    def of(cls, table: CountTable) -> View:
        values = None if table.truth is None else table.truth.values
        return cls(table.relations, *table.bounds(), table.zero_pattern(), table.jumps(), values)

    @property
    def size(self) -> int:
        return len(self.low)

    @cached_property
    def values(self) -> Ints:
        assert self.truth is not None
        return self.truth

    @cached_property
    def by_zeros(self) -> tuple[Ints, Ints]:
        """What the zeros alone tell of every cell: a total of three cells that are not 0 is 3 or more."""
        return implied(self.relations, *self.zeros)

    def allows(self, table: Ints) -> bool:
        """Does each number of a table, by itself, agree with what is published?"""
        inside = (table >= self.low) & (table <= self.high)
        return bool((inside & ((table <= 0) | (table >= self.jumps))).all())

    def fits(self, table: Ints) -> bool:
        """Does a table of whole numbers agree with all that is published?"""
        return self.allows(table) and not self.relations.broken(table)
