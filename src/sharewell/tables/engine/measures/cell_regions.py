"""Regions: the places that a published cell leaves open, for measures that spread a record evenly over them.

A column's values stand on a *line* of whole-numbered places. Numbers and dates without a tree stand at their multiple
of the column's unit (1 for whole numbers, 0.1 where one decimal occurs, a day), so that `[20-25]` has six places
whether or not anybody is 22. The values of any other column (categories, trees, numbers too long to count) stand at
their codes, and a region holds the column's own values alone. A missing value has one place, off the line, which `*`
covers too. A mean stands at the place nearest to it: an estimate, which need not hold any of its records.

>>> import pyarrow as pa
>>> from sharewell.roles import Role
>>> from sharewell.tables.engine.columns import encode
>>> ages = encode("age", Role.QUASI, pa.array([20, 31, 90]))
>>> cells = encode("age", Role.QUASI, pa.array(["[20-25]", "{31,90}", "*"]), kind="cells")
>>> result = regions(ages, cells)
>>> cells.texts, result.volume.tolist(), result.inside(np.array([24]), np.array([31])).round(3).tolist()
(('*', '[20-25]', '{31,90}'), [71, 6, 2], [0.113, 0.333, 0.5])
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sharewell.cells import Any, Cell, Exact, Interval, Mean, Node, Prefix, Set, place_on_line
from sharewell.findings import Finding
from sharewell.hierarchy.categories import Ordered
from sharewell.hierarchy.dates import Dates
from sharewell.hierarchy.intervals import Intervals
from sharewell.tables.data import Bools, Column, Floats, Indices, Ints, Table
from sharewell.tables.engine.cell_matching import Cover
from sharewell.tables.engine.most_detailed import days_in

Places = Ints
Run = tuple[int, int]
MISSING = 2**62
"""The place of a missing value."""
_FARTHEST = 2**61
_WHOLE, _DIGITS = 2.0**53, 30


@dataclass(frozen=True, eq=False)
class Line:
    """Where a column's values can stand: places first … last, and one more for a missing value."""

    first: int
    last: int
    places: Places
    """Of each value, by code."""
    unit: Decimal | None
    """What one place is worth; None where places are codes."""
    has_missing: bool
    kind: str = ""

    @classmethod
    def of(cls, column: Column) -> Line:
        """O(distinct values)."""
        known = column.known
        unit, places = _counted(column, known)
        first, last = (int(places[0]), int(places[-1])) if known else (0, -1)
        places = np.append(places, [MISSING] * column.has_missing)
        return cls(first, last, places, unit, column.has_missing, column.kind)

    @property
    def length(self) -> int:
        """Places in all, the one for a missing value included."""
        return self.last - self.first + 1 + self.has_missing

    def edges(self, bins: int | None) -> Places:
        """The first place of each bin, and one after the last: as many bins as there are places, but not above this."""
        length = max(1, self.last - self.first + 1)
        count = length if bins is None else min(bins, length)
        return np.array([self.first + k * length // count for k in range(count + 1)], dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Regions:
    """Of each distinct published cell, the runs of places low … high that it leaves open; both ends included."""

    cell: Indices
    """The cell of each run."""
    low: Places
    high: Places
    cells: int
    line: Line

    @cached_property
    def volume(self) -> Places:
        """Places of each cell; 0 for one that covers nothing."""
        volume = np.zeros(self.cells, dtype=np.int64)
        np.add.at(volume, self.cell, self.high - self.low + 1)
        return volume

    def inside(self, low: Places, high: Places) -> Floats:
        """The share of each cell that lies in the given runs, which rise and do not touch."""
        filled = np.append(0, np.cumsum(high - low + 1))

        def upto(place: Places) -> Places:
            run = np.searchsorted(low, place, side="right")
            inner = np.minimum(place, high[run - 1]) - low[run - 1] + 1 if len(low) else np.zeros_like(place)
            return np.where(run > 0, filled[np.maximum(run - 1, 0)] + inner, 0)

        covered = (upto(self.high) - upto(self.low - 1)).astype(np.float64)
        return np.bincount(self.cell, weights=covered, minlength=self.cells) / np.maximum(1, self.volume)

    def hold(self, cells: Indices, places: Places) -> Bools:
        """Does each of these cells leave the place beside it open?"""
        if not len(self.cell):
            return np.zeros(len(cells), dtype=bool)
        line = np.unique(self.low)
        keys = self.cell * (len(line) + 1) + np.searchsorted(line, self.low) + 1
        order = np.argsort(keys, kind="stable")
        wanted = cells * (len(line) + 1) + np.searchsorted(line, places, side="right")
        run = order[np.maximum(np.searchsorted(keys[order], wanted, side="right") - 1, 0)]
        return np.asarray((self.cell[run] == cells) & (self.low[run] <= places) & (places <= self.high[run]))

    def spread(self, edges: Places) -> Floats:
        """Cells × bins: the share of each cell in each bin; the last bin is for missing values.

        What lies beyond the line belongs to the outermost bins.
        """
        known = self.low < MISSING
        inner = np.concatenate([[-_FARTHEST], edges[1:-1], [_FARTHEST + 1]])
        ends = np.clip(inner[None, :], self.low[:, None], self.high[:, None] + 1)
        lengths = np.hstack([np.diff(ends), np.zeros((len(ends), 1), dtype=np.int64)])
        lengths[~known] = 0
        lengths[~known, -1] = 1
        result = np.zeros((self.cells, len(edges)))
        np.add.at(result, self.cell, lengths)
        return np.asarray(result / np.maximum(1, self.volume)[:, None])

    def histogram(self, counts: NDArray[np.integer], edges: Places) -> Floats:
        """Records in each bin if those of each cell are spread over it; the last bin is for missing values."""
        weight = (counts / np.maximum(1, self.volume))[self.cell]
        known = self.low < MISSING
        at = np.concatenate([self.low[known], self.high[known] + 1]) - self.line.first
        slope = np.concatenate([weight[known], -weight[known]])
        order = np.argsort(at, kind="stable")
        at, slope = at[order], slope[order]
        below = np.searchsorted(at, edges[1:-1] - self.line.first, side="left")
        steps, moments = np.append(0.0, np.cumsum(slope)), np.append(0.0, np.cumsum(slope * at))
        running = steps[below] * (edges[1:-1] - self.line.first) - moments[below]
        total = float((weight * (self.high - self.low + 1))[known].sum())
        return np.append(np.diff(np.concatenate([[0.0], running, [total]])), weight[~known].sum())

    def middles(self, numbers: Floats) -> Floats:
        """The mean of each cell, given the number of each code; NaN for cells off the line."""
        low, high, cell = (part[self.low < MISSING] for part in (self.low, self.high, self.cell))
        lengths = (high - low + 1).astype(np.float64)
        if self.line.unit is None:
            sums = np.append(0.0, np.cumsum(numbers[: self.line.last + 1]))
            total = sums[high + 1] - sums[low]
        else:
            total = (low / 2 + high / 2) * lengths * float(self.line.unit)
        count = np.bincount(cell, weights=lengths, minlength=self.cells)
        mass = np.bincount(cell, weights=total, minlength=self.cells)
        return np.where(count > 0, mass / np.where(count > 0, count, 1.0), np.nan)


def regions(original: Column, published: Column) -> Regions:
    """What each distinct cell of a published column leaves open of the original's line. Each is read once."""
    line = Line.of(original)
    if published.kind != "cells" and published.values.equals(original.values):  # the original itself, or rows of it
        return Regions(np.arange(published.size), line.places, line.places, published.size, line)
    shown = read_like(original, published)
    runs_of = _reader(line, original, shown)
    runs = [(code, low, high) for code, cell in enumerate(shown.cells) for low, high in runs_of(code, cell)]
    code, low, high = np.array(runs, dtype=np.int64).reshape(-1, 3).T
    return Regions(code.astype(np.intp), low, high, len(shown.cells), line)


def _reader(line: Line, original: Column, shown: Column) -> Callable[[int, Cell], list[Run]]:
    """How the cells of a column are read."""
    cover = None if shown.shows_means else Cover(shown, original)
    literal = shown.kind != "cells" and line.unit is None
    at = {text: code for code, text in enumerate(original.texts)} if literal else {}

    def runs_of(code: int, cell: Cell) -> list[Run]:
        if line.unit is not None and (counted := _counted_runs(line, cell)) is not None:
            return counted
        if literal:  # an original value means itself, whatever lies below it
            place = at.get(shown.texts[code])
            return [] if place is None else _runs(line.places[[place]])
        if cover is None:
            return []
        covered = cover.of(code)
        return _runs(line.places if covered is None else line.places[np.asarray(covered, dtype=np.intp)])

    return runs_of


def read_like(original: Column, published: Column) -> Column:
    """The published column with the original's hierarchy: a file that was opened again knows none."""
    same = published.hierarchy is original.hierarchy
    return published if same else replace(published, hierarchy=original.hierarchy)


def query_regions(original: Column, texts: Sequence[str]) -> Regions:
    """The same for cells written by hand: `[21-25]`, `{F,M}`, `021*`."""
    nothing = np.zeros(0, dtype=np.int32)
    asked = Column(original.name, original.role, "cells", nothing, pa.array(texts, pa.string()), False)
    return regions(original, asked)


def label_of(cell: Cell) -> str:
    """What a hierarchy calls a cell that is neither `*` nor a set."""
    return cell.label if isinstance(cell, Node) else cell.value if isinstance(cell, Exact) else cell.text


def numbers_of(column: Column) -> Floats | None:
    """The numbers (or days) that a column's values are, by code, even under intervals or spans; None for others."""
    if column.numbers is not None or not isinstance(column.hierarchy, Dates | Intervals):
        return column.numbers
    places = [place_on_line(text) for text in column.texts[: column.known]]
    if not places or {one[0] for one in places if one} not in ({"number"}, {"date"}) or None in places:
        return None
    return np.array([float(one[1]) for one in places if one] + [math.nan] * column.has_missing)


def is_ordered(column: Column) -> bool:
    """Does the column's line have a direction?"""
    return column.numbers is not None or isinstance(column.hierarchy, Ordered | Dates | Intervals)


def _counted(column: Column, known: int) -> tuple[Decimal | None, Places]:
    """(unit, place of each known value); codes where the column cannot be counted."""
    codes = np.arange(known, dtype=np.int64)
    if column.numbers is None or not known:
        return None, codes
    line = column.numbers[:known]
    if (np.abs(line) < _WHOLE).all() and (line == np.floor(line)).all():
        return Decimal(1), line.astype(np.int64)
    exact = [Decimal(text) for text in column.texts[:known]]
    exponents = [number.normalize().as_tuple().exponent for number in exact]
    unit = Decimal(1).scaleb(min(0, *(e for e in exponents if isinstance(e, int))))
    places = [int(number / unit) for number in exact]
    if max(map(abs, places)) >= _FARTHEST:
        return None, codes
    return unit, np.array(places, dtype=np.int64)


def _counted_runs(line: Line, cell: Cell) -> list[Run] | None:
    """The runs of a cell on a line of numbers; None if only the column's own values can tell."""
    match cell:
        case Any():
            return [(line.first, line.last)] + [(MISSING, MISSING)] * line.has_missing
        case Interval(low, high):
            start, end = _place(line, low, math.ceil), _place(line, high, math.floor)
            return [] if start is None or end is None or start > end else [(start, end)]
        case Exact(value) | Mean(value):
            return _points(line, [value])
        case Prefix(start) if line.kind == "date":
            days = days_in(start)
            return None if days is None else [days]
        case Set(members):
            return _points(line, members)
    return None


def _points(line: Line, values: Iterable[str]) -> list[Run]:
    places = [MISSING if value == "" else _place(line, value, round) for value in values]
    return _runs(np.unique(np.array([place for place in places if place is not None], dtype=np.int64)))


def _place(line: Line, text: str, towards: Callable[[Decimal | int], int]) -> int | None:
    """Where a number or date stands; None if it is none, or lies beyond counting."""
    result = place_on_line(text)
    if result is None or line.unit is None or result[0] != line.kind or Decimal(result[1]).adjusted() > _DIGITS:
        return None
    place = towards(result[1] / line.unit)
    return place if abs(place) < _FARTHEST else None


def _runs(places: Places) -> list[Run]:
    """Rising places as runs; a missing value stands alone."""
    if not len(places):
        return []
    breaks = np.flatnonzero(np.diff(places) > 1) + 1
    starts = places[np.append(0, breaks)]
    ends = places[np.append(breaks - 1, len(places) - 1)]
    return list(zip(starts.tolist(), ends.tolist(), strict=True))


def incomparable(name: str, before: Table, after: Table) -> Finding | None:
    """The finding of a measure of cells that has nothing to compare, or meets means; None if it can go on."""
    if not before.rows or not before.quasi:
        return Finding(name, None, note="no quasi cells to compare")
    if means := [column.name for column in before.quasi if after.columns[column.name].shows_means]:
        return Finding(name, None, note=f"means do not say what they leave open ({', '.join(means)})")
    return None
