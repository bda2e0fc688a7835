"""Which published cells could speak of the same person: those that cover a value in common.

The counterpart of `cell_matching`, for a second release in place of a list of people. If it cannot be told whether two
cells share a value (a range of numbers and a prefix), they are taken to: an attacker is never thought too weak.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from sharewell.cells import Cell, Exact, Interval, Mean, Node, Prefix, Set, place_on_line
from sharewell.tables.engine.array_types import Floats
from sharewell.tables.engine.cell_matching import Cover, Ints, _tidy
from sharewell.tables.engine.columns import Column

_TELLING = Exact | Interval | Node | Prefix | Set
"""Cells that exclude some values; any other cell may stand for everybody."""


class CellOverlap(Cover):
    """Which cells of another column each cell of a published one has a value in common with."""

    def __init__(self, published: Column, listed: Column) -> None:
        # A mean may speak of everybody: it need not be refused.
        super().__init__(replace(published, asked=None), listed)
        self._cells, self._others = published.cells, listed.cells

    def _covered(self, cell: Cell) -> Ints | range | None:
        return _tidy([*self._anything, *self._in_common(cell)]) if isinstance(cell, _TELLING) else None

    def covering(self) -> list[Ints] | None:
        """For every value that cells of the other column allow: those that cover it, each set of cells once.

        Between two ends of ranges that follow each other every value is covered by the same ranges. None: nobody can
        tell whom means cover, or whether a prefix and a range have a value in common.
        """
        if any(isinstance(cell, Mean) for cell in self._others) or (
            self._hierarchy is None and self._prefixes and self._intervals
        ):
            return None
        if self._hierarchy is not None:
            results = [self._above(label) for label in self._holders]
        else:
            ends = [end for cell in self._others if isinstance(cell, Interval) for end in (cell.low, cell.high)]
            begun = [self._prefixed(start) for start, _ in self._prefixes]
            results = [*(self._with(value) for value in {*self._holders, *ends}), *begun, *self._between_ends()]
        sets = {tuple(sorted({*places, *self._anything})) for places in (*results, ())}
        return [np.array(places, dtype=np.intp) for places in sorted(sets - {()})]

    def _above(self, label: str) -> Sequence[int]:
        """In a hierarchy: cells that cover a value under this label which no lower label covers."""
        chain = self._chain(label) if label else ("",)
        return [place for one in chain for place in self._holders.get(one, ())]

    def _between_ends(self) -> list[list[int]]:
        results = []
        for places, lows, highs in self._intervals_on_line.values():
            ends = np.unique(np.concatenate([lows, highs]))
            for low, high in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True):
                results.append([int(place) for place in places[(lows <= low) & (highs >= high)]])
        return results

    def _in_common(self, cell: Cell) -> Sequence[int]:
        if self._hierarchy is not None:
            return [place for member in _labels(cell) for place in self._kin(member)]
        match cell:
            case Exact(value) | Node(value):
                return self._with(value)
            case Set(members):
                return [place for member in members for place in self._with(member)]
            case Prefix(start):
                begun = [place for text, places in self._holders.items() if text.startswith(start) for place in places]
                return [*begun, *self._prefixed(start, either_way=True), *self._intervals]
            case Interval(low, high):
                return [*self._across(low, high, self._lines), *(place for _, place in self._prefixes)]
        raise AssertionError(cell)

    def _with(self, value: str) -> list[int]:
        """Cells that cover one value."""
        named = [*self._holders.get(value, ()), *(self._prefixed(value) if value else ())]
        return [*named, *self._across(value, value, self._intervals_on_line)]

    def _prefixed(self, text: str, either_way: bool = False) -> list[int]:
        return [p for start, p in self._prefixes if text.startswith(start) or (either_way and start.startswith(text))]

    def _across(self, low: str, high: str, lines: dict[str, tuple[Ints, Floats, Floats]]) -> list[int]:
        """Cells with a part of the line between two ends. Rounding keeps the order, so that no meeting is missed."""
        first, last = place_on_line(low), place_on_line(high)
        if first is None or last is None or first[0] not in lines:
            return []
        places, lows, highs = lines[first[0]]
        return [int(place) for place in places[(lows <= float(last[1])) & (highs >= float(first[1]))]]

    def _kin(self, label: str) -> Sequence[int]:
        """In a hierarchy: cells below this label, and cells above it."""
        below = self._under.get(self._chain(label)[0], ()) if label else ()
        return [*self._above(label), *below]

    @cached_property
    def _under(self) -> dict[str, list[int]]:
        """label → cells that lie below it."""
        below: dict[str, list[int]] = {}
        for label, places in self._holders.items():
            for one in dict.fromkeys(self._chain(label)) if label else ():
                below.setdefault(one, []).extend(places)
        return below

    @cached_property
    def _holders(self) -> dict[str, list[int]]:
        """value or label → the cells that name it."""
        holders: dict[str, list[int]] = {}
        for place, cell in enumerate(self._others):
            named = _labels(cell) if self._hierarchy is not None else _values(cell)
            for value in named:
                holders.setdefault(value, []).append(place)
                if self._hierarchy is not None and value and (spelt := self._chain(value)[0]) != value:
                    holders.setdefault(spelt, []).append(place)
        return holders

    @cached_property
    def _anything(self) -> list[int]:
        return [place for place, cell in enumerate(self._others) if not isinstance(cell, _TELLING)]

    @cached_property
    def _prefixes(self) -> list[tuple[str, int]]:
        return [(cell.start, place) for place, cell in enumerate(self._others) if isinstance(cell, Prefix)]

    @cached_property
    def _intervals(self) -> list[int]:
        return [place for place, cell in enumerate(self._others) if isinstance(cell, Interval)]

    @cached_property
    def _intervals_on_line(self) -> dict[str, tuple[Ints, Floats, Floats]]:
        return _on_line([(p, c.low, c.high) for p, c in enumerate(self._others) if isinstance(c, Interval)])

    @cached_property
    def _lines(self) -> dict[str, tuple[Ints, Floats, Floats]]:
        """Intervals, and single values as intervals of their own."""
        single = [(p, value, value) for p, cell in enumerate(self._others) for value in _values(cell)]
        return _on_line([*((p, c.low, c.high) for p, c in enumerate(self._others) if isinstance(c, Interval)), *single])


def _values(cell: Cell) -> tuple[str, ...]:
    """The values that a cell names one by one."""
    match cell:
        case Exact(value) | Node(value):
            return (value,)
        case Set(members):
            return members
    return ()


def _labels(cell: Cell) -> tuple[str, ...]:
    """The labels of a hierarchy that a cell names."""
    return (cell.text,) if isinstance(cell, Prefix | Interval) else _values(cell)


def _on_line(spans: list[tuple[int, str, str]]) -> dict[str, tuple[Ints, Floats, Floats]]:
    """(cell, low, high) as arrays, by kind of line; what lies on no line is left out."""
    by_line: dict[str, list[tuple[int, float, float]]] = {}
    for place, low, high in spans:
        first, last = place_on_line(low), place_on_line(high)
        if first is not None and last is not None and first[0] == last[0]:
            by_line.setdefault(first[0], []).append((place, float(first[1]), float(last[1])))
    arrays = {}
    for line, spans_on_line in by_line.items():
        places, lows, highs = zip(*spans_on_line, strict=True)
        arrays[line] = (np.array(places, dtype=np.intp), np.array(lows), np.array(highs))
    return arrays
