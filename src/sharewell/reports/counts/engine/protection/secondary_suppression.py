"""Choosing which further cells to hide: one problem, asked cell by cell how far doubt reaches, and at what price.

In every line a hidden cell needs others to move with it. Hidden cells may move between bounds, shown ones (unless they
are rounded) may not; so for each unsafe cell and side there must be a way to move all cells together, keeping every
sum, by which this cell comes far enough. By linear programming such a way exists, or a set of cells is found of which
more must be hidden (a cut).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sharewell.reports.counts.data import CountTable, Rounding
from sharewell.reports.counts.engine.primary_cells import UnsafeCells
from sharewell.reports.counts.engine.relations import NO_LIMIT, Floats, Ints, by_row
from sharewell.reports.counts.engine.solvers.highs import LinearProgram
from sharewell.reports.counts.engine.table_readers import OUTSIDER, ReaderKnowledge, View

Mask = NDArray[np.bool_]
_TINY = 1e-7


@dataclass(frozen=True, eq=False)
class Problem:
    """A true table, its unsafe cells, and how hidden and shown cells will be published."""

    table: CountTable
    needs: UnsafeCells
    weights: Floats = field(repr=False)
    marks: Ints = field(repr=False)
    """What a hidden cell shows: HIDDEN, or −k."""
    rounding: Rounding | None = None
    _last: list[tuple[ReaderKnowledge, Ints, Ints]] = field(default_factory=list, repr=False)

    @property
    def values(self) -> Ints:
        assert self.table.truth is not None
        return self.table.truth.values

    @cached_property
    def must(self) -> Mask:
        found = np.zeros(self.table.size, dtype=bool)
        found[self.needs.cells] = True
        return found

    @cached_property
    def may(self) -> Mask:
        """Cells that can be hidden at all: a 0 is shown wherever zeros are no secret."""
        if self.table.is_count and not self.table.zeros_shown:
            return np.ones(self.table.size, dtype=bool)
        return self.values > 0

    def published(self, hidden: Mask) -> CountTable:
        shown = self.values if self.rounding is None else self.rounding.of(self.values)
        return self.table.showing(np.where(hidden, self.marks, shown), self.rounding)

    @cached_property
    def shown_room(self) -> tuple[Ints, Ints]:
        """How far down and up a shown cell may move."""
        low, high = self.published(np.zeros(self.table.size, dtype=bool)).bounds()
        return self.values - low, high - self.values

    def hidden_room(self, knowledge: ReaderKnowledge = OUTSIDER) -> tuple[Ints, Ints]:
        """The same of hidden cells, for a reader; without limit up to a number that is as good."""
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
        reach = np.maximum(
            self.needs.high - self.values[self.needs.cells], self.values[self.needs.cells] - self.needs.low
        )
        return min(NO_LIMIT - 1, 8 * int(reach.max(initial=1)))

    def wanted(self, number: int, side: int, knowledge: ReaderKnowledge = OUTSIDER) -> int:
        """How far the unsafe cell of this number must move, for a reader."""
        low, high = self._asked(knowledge)
        value = int(self.values[self.needs.cells[number]])
        return value - int(low[number]) if side < 0 else int(high[number]) - value

    def _asked(self, knowledge: ReaderKnowledge) -> tuple[Ints, Ints]:
        """How low and high a reader must be left in doubt, kept for the next question."""
        if not self._last or self._last[0][0] is not knowledge:
            self._last[:] = [(knowledge, *knowledge.asked(View.of(self.published(self.must)), self.needs))]
        _, low, high = self._last[0]
        return low, high

    @property
    def sides(self) -> list[tuple[int, int]]:
        return [(number, side) for number in range(self.needs.count) for side in (-1, 1)]


@dataclass(frozen=True)
class Cut:
    """Of these cells so many must be hidden: Σ weight · hidden ≥ right."""

    cells: Ints
    weights: Floats
    right: float


class Moves:
    """How far unsafe cells can be moved while some cells, perhaps only in part, are hidden."""

    def __init__(self, problem: Problem, knowledge: ReaderKnowledge = OUTSIDER) -> None:
        self.problem, self.knowledge = problem, knowledge
        self.down, self.up = (room.astype(np.float64) for room in problem.hidden_room(knowledge))
        self.least = tuple(room.astype(np.float64) for room in problem.shown_room)
        size = problem.table.size
        relations = problem.table.relations
        zero = np.zeros(relations.count)
        self.program = LinearProgram(
            by_row(relations.entries, relations.count), (zero, zero), np.zeros(size), np.zeros(size)
        )
        self.all = np.arange(size)
        self.used: Mask = np.zeros(size, dtype=bool)
        """Which cells the last move that came far enough moves, beyond what shown cells may."""

    def set(self, hidden: Floats) -> None:
        """Which cells are hidden, from 0 (shown) to 1."""
        self.low = -(self.least[0] + hidden * (self.down - self.least[0]))
        self.high = self.least[1] + hidden * (self.up - self.least[1])
        self.program.bounds(self.all, self.low, self.high)

    def missing(self, number: int, side: int) -> tuple[float, Cut] | None:
        """What is missing to the move wanted, and what must be hidden for it; None if the cell comes far enough."""
        wanted = self.problem.wanted(number, side, self.knowledge)
        if wanted <= 0:
            return None
        cell = int(self.problem.needs.cells[number])
        ends = (-wanted, self.high[cell]) if side < 0 else (self.low[cell], wanted)
        self.program.bounds([cell], [max(ends[0], self.low[cell])], [min(ends[1], self.high[cell])])
        found = self.program.least([cell], [-float(side)])
        self.program.bounds([cell], [self.low[cell]], [self.high[cell]])
        reached = -found.value if found.outcome == "solved" else 0.0
        if reached >= wanted * (1 - 1e-9) - 1e-6:
            self.used = (found.point > self.least[1] + 1e-6) | (-found.point > self.least[0] + 1e-6)
            return None
        slopes = -found.slopes if found.outcome == "solved" else np.zeros(len(self.all))
        slopes[np.abs(slopes) < _TINY] = 0.0
        full = np.maximum(slopes, 0) * self.up + np.maximum(-slopes, 0) * self.down
        base = np.maximum(slopes, 0) * self.least[1] + np.maximum(-slopes, 0) * self.least[0]
        right = wanted - float(base.sum())
        gain = np.minimum(full - base, right)
        cells = np.flatnonzero(gain > _TINY * wanted)
        return wanted - reached, Cut(cells, gain[cells] / right, 1.0)

    def cuts(self, hidden: Floats, sides: Sequence[tuple[int, int]]) -> list[Cut]:
        self.set(hidden)
        found = [self.missing(number, side) for number, side in sides]
        return [one[1] for one in found if one is not None]


class Paths:
    """The cheapest way to move one unsafe cell as far as it must: cells that move must be hidden."""

    def __init__(self, problem: Problem, knowledge: ReaderKnowledge = OUTSIDER) -> None:
        self.problem, self.knowledge = problem, knowledge
        down, up = problem.hidden_room(knowledge)
        allowed = problem.may | problem.must
        shown = problem.shown_room
        self.up = np.where(allowed, up, shown[1]).astype(np.float64)
        self.down = np.where(allowed, down, shown[0]).astype(np.float64)
        self.free = (shown[0] > 0) | (shown[1] > 0)
        size = problem.table.size
        relations = problem.table.relations
        starts, index, value = by_row(relations.entries, relations.count)
        both = np.stack([index, index + size], axis=1).ravel()
        doubled = (2 * starts, both, np.repeat(value, 2) * np.tile([1.0, -1.0], len(value)))
        zero = np.zeros(relations.count)
        self.program = LinearProgram(doubled, (zero, zero), np.zeros(2 * size), np.concatenate([self.up, self.down]))
        self.size = size

    def find(self, hidden: Mask, number: int, side: int, extra: int = 0) -> Mask | None:
        """Cells to be hidden besides; None if nothing helps."""
        wanted = self.problem.wanted(number, side, self.knowledge)
        if wanted <= 0:
            return np.zeros(self.size, dtype=bool)
        wanted += extra
        cell = int(self.problem.needs.cells[number])
        price = np.where(hidden, 0.0, self.problem.weights / np.clip(np.maximum(self.up, self.down), 1, wanted))
        self.program.costs(np.arange(2 * self.size), np.concatenate([price, price]))
        way, back = (cell, cell + self.size) if side > 0 else (cell + self.size, cell)
        room = (self.up if side > 0 else self.down)[cell]
        if room < wanted:
            return None
        self.program.bounds([way, back], [wanted, 0], [wanted, 0])
        found = self.program.solve()
        self.program.bounds([cell, cell + self.size], [0, 0], [self.up[cell], self.down[cell]])
        if found.outcome != "solved":
            return None
        moved = (found.point[: self.size] - found.point[self.size :]).round(6)
        room_low, room_high = self.problem.shown_room
        beyond = (moved > room_high + 1e-6) | (-moved > room_low + 1e-6)
        return beyond & ~hidden
