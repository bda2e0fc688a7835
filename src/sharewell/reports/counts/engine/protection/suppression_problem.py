"""Which cells to hide beside the unsafe ones: what is asked for, and how far hidden and shown cells may move.

In every line a hidden cell needs others to move with it. Hidden cells may move between bounds, shown ones (unless they
are rounded) may not; so for each unsafe cell and side there must be a way to move all cells together, keeping every
sum, by which this cell comes far enough. By linear programming such a way exists, or a set of cells is found of which
more must be hidden (a cut).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sharewell.reports.counts.data import CountTable, Rounding
from sharewell.reports.counts.engine.primary_cells import UnsafeCells
from sharewell.reports.counts.engine.relations import NO_LIMIT, Floats, Ints
from sharewell.reports.counts.engine.table_readers import OUTSIDER, ReaderKnowledge, View

Mask = NDArray[np.bool_]
ENOUGH = 1e-9, 1e-6
"""A cell has moved far enough if no more than these parts of what is asked for, and these units, are missing."""


@dataclass(frozen=True, eq=False)
class Problem:
    """A true table, its unsafe cells, and how hidden and shown cells will be published."""

    table: CountTable
    needs: UnsafeCells
    weights: Floats = field(repr=False)
    marks: Ints = field(repr=False)
    """What is published for a hidden cell: HIDDEN, or −k."""
    rounding: Rounding | None = None
    _last: list[tuple[ReaderKnowledge, Floats, Floats]] = field(default_factory=list, repr=False)

    @property
    def values(self) -> Ints:
        assert self.table.truth is not None
        return self.table.truth.values

    @cached_property
    def must(self) -> Mask:
        mask = np.zeros(self.table.size, dtype=bool)
        mask[self.needs.cells] = True
        return mask

    @cached_property
    def may(self) -> Mask:
        """Cells that can be hidden at all: a 0 is shown wherever zeros are no secret."""
        if self.table.is_count and not self.table.zeros_shown:
            return np.ones(self.table.size, dtype=bool)
        return self.values > 0

    @property
    def many_readers(self) -> bool:
        """Are persons in the table thought to read it who know more of it than that they are in?"""
        return self.needs.insiders and not self.table.is_count

    def published(self, hidden: Mask) -> CountTable:
        shown = self.values if self.rounding is None else self.rounding.of(self.values)
        return self.table.showing(np.where(hidden, self.marks, shown), self.rounding)

    @cached_property
    def shown_room(self) -> tuple[Ints, Ints]:
        """How far down and up a shown cell may move."""
        low, high = self.published(np.zeros(self.table.size, dtype=bool)).bounds()
        return self.values - low, high - self.values

    def hidden_room(self, knowledge: ReaderKnowledge = OUTSIDER) -> tuple[Ints, Ints]:
        """How far down and up a reader may take a hidden cell to lie; without a limit, a number that is as good."""
        low, high = self.published(np.ones(self.table.size, dtype=bool)).bounds()
        low, high = knowledge.applied(low, high, self.values)
        most = self.room
        down, up = np.minimum(self.values - low, most), np.minimum(high - self.values, most)
        shown = self.shown_room
        known = np.zeros(self.table.size, dtype=bool)
        known[knowledge.alone] = True
        return tuple(np.where(known, 0, np.maximum(r, s)) for r, s in zip((down, up), shown, strict=True))  # type: ignore[return-value]

    @cached_property
    def room(self) -> int:
        """No cell need ever move further than this."""
        values = self.values[self.needs.cells]
        reach = np.maximum(self.needs.high - values, values - self.needs.low)
        return min(NO_LIMIT - 1, 8 * int(reach.max(initial=1)))

    def doubts(self, knowledge: ReaderKnowledge = OUTSIDER) -> tuple[Floats, Floats]:
        """How far down and how far up each unsafe cell must move, for a reader; cached for the next question."""
        if not self._last or self._last[0][0] is not knowledge:
            low, high = knowledge.asked(View.of(self.published(self.must)), self.needs)
            values = self.values[self.needs.cells]
            self._last[:] = [(knowledge, (values - low).astype(np.float64), (high - values).astype(np.float64))]
        return self._last[0][1:]

    def wanted(self, number: int, side: int, knowledge: ReaderKnowledge = OUTSIDER) -> int:
        """How far the unsafe cell of this number must move, for a reader."""
        return int(self.doubts(knowledge)[0 if side < 0 else 1][number])

    @cached_property
    def number(self) -> dict[int, int]:
        """The number of every unsafe cell, by its place in the table."""
        return {int(cell): i for i, cell in enumerate(self.needs.cells)}

    @cached_property
    def sides(self) -> list[tuple[int, int]]:
        return [(number, side) for number in range(self.needs.count) for side in (-1, 1)]


@dataclass(frozen=True)
class Cut:
    """More of these cells must be hidden: Σ weight · hidden ≥ 1."""

    cells: Ints
    weights: Floats
