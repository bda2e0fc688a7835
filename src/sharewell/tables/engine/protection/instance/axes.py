"""Axes: a column of a table and of a population, their values numbered together, so that every cell is a run.

A person of the list fits a cell if the person's number lies in its run: counting people becomes counting numbers. The
kinds of columns differ in which runs can be published:

- along a line (numbers, dates without a hierarchy) any run; a missing value, and what is not a number, lie apart, and
  only `*` covers them together with others;
- in a hierarchy the nodes, each of which covers a run of its leaves;
- of categories without a hierarchy any run of the table's values in the order of their text; what the list alone has
  lies apart.

`tight` is the most detailed cell that a class shares: the value; of dates the day, the month, the year or the range of
years; of numbers the range; of a hierarchy the lowest common node. `rungs` are ever wider cells within a region.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sharewell.cells import Any, Cell, Exact, Interval, Set, labelled, place_on_line
from sharewell.errors import DataError
from sharewell.hierarchy.chains import ROOT
from sharewell.hierarchy.levels import compile_chains
from sharewell.tables.engine.array_types import Ints
from sharewell.tables.engine.columns import Column

Run = tuple[int, int]
"""The first and the last number of a cell or a region."""
WIDENING = (1, 2, 5, 10, 20, 50)
"""By this many years on either side, or hundredths of the table's range of numbers."""


def _rising(runs: Iterable[Run]) -> list[Run]:
    """Without those that add nothing to the one before."""
    rising: list[Run] = []
    for run in runs:
        if not rising or run != rising[-1]:
            rising.append(run)
    return rising


class _LineAxis:
    """What numbers and dates share: `places` rise, and the missing value and what is elsewhere come after them."""

    column: Column
    size: int
    """How many numbers there are; `*` is the run of all of them."""
    known: int
    """Numbers below this may share a run; those from here on lie apart, each by itself."""
    rows: NDArray[np.int32]
    """The number of each row of the table."""
    people: NDArray[np.int32]
    """The number of each row of the list."""

    def _apart(self, column: Column, listed: Column, numbers: Ints, listed_numbers: Ints) -> None:
        """Numbers are given for known values, −1 for the others."""
        self.column, self.size = column, self.known + 2
        if column.has_missing:
            numbers = np.append(numbers[: column.size - 1], self.known)
        blank = np.array([text == "" for text in listed.texts], dtype=bool)
        listed_numbers = np.where(listed_numbers >= 0, listed_numbers, np.where(blank, self.known, self.known + 1))
        self.rows = numbers.astype(np.int32)[column.codes]
        self.people = listed_numbers.astype(np.int32)[listed.codes]

    @property
    def whole(self) -> Run:
        return 0, self.size - 1

    def midway(self, low: Ints, high: Ints) -> Ints:
        """The last number that belongs to `low` rather than to `high`."""
        return (low + high) // 2

    def tight(self, low: Ints, high: Ints) -> tuple[Ints, Ints]:
        inside = high < self.known
        start, end = self._common(np.where(inside, low, 0), np.where(inside, high, 0))
        one = low == high
        first = np.where(inside, start, np.where(one, low, 0))
        return first, np.where(inside, end, np.where(one, high, self.size - 1))

    def rungs(self, low: int, high: int, region: Run) -> list[Run]:
        top = [self.whole] if region == self.whole else []
        if high >= self.known:
            return _rising([(low, high), *top] if low == high else [self.whole])
        first, last = region[0], min(region[1], self.known - 1)
        start, end = (int(edge[0]) for edge in self._common(np.array([low]), np.array([high])))
        runs = [(low, high)] * (low == high) + [(start, end), *self._wider(start, end), (first, last)]
        return _rising([*((max(a, first), min(b, last)) for a, b in runs), *top])

    def loss(self, run: Run) -> float:
        if run == self.whole:
            return 1.0
        if run[0] >= self.known:
            return 0.0
        return min(1.0, (self._at(run[1]) - self._at(run[0])) / (self.column.span or 1.0))

    def cell(self, run: Run) -> Cell:
        low, high = run
        if run == self.whole:
            return Any()
        if low >= self.known:
            return Exact("")
        if low == high and not self._written_twice(low):
            return Exact(self._text(low))
        return Interval(self._text(low), self._text(high))

    def _common(self, low: Ints, high: Ints) -> tuple[Ints, Ints]:
        raise NotImplementedError

    def _wider(self, low: int, high: int) -> list[Run]:
        raise NotImplementedError

    def _at(self, number: int) -> float:
        raise NotImplementedError

    def _text(self, number: int) -> str:
        raise NotImplementedError

    def _written_twice(self, number: int) -> bool:
        return False


class DateAxis(_LineAxis):
    """Dates: a number for every day of the years that occur, so that cells may begin and end with a year."""

    def __init__(self, column: Column, listed: Column) -> None:
        table_days = np.array([_day(text) for text in column.texts], dtype=np.int64)
        listed_days = np.array([_day(text) for text in listed.texts], dtype=np.int64)
        days = np.concatenate(
            [table_days[table_days > 0], listed_days[listed_days > 0], [1] * (not (table_days > 0).any())]
        )
        ends = (np.array([days.min(), days.max()]) - _EPOCH).astype("M8[D]").astype("M8[Y]")
        first, last = ends[0].astype("M8[D]"), (ends[1] + np.timedelta64(1, "Y")).astype("M8[D]")
        self._first = int(first.astype(np.int64)) + _EPOCH
        self.known = int((last - first).astype(np.int64))
        self._apart(column, listed, table_days - self._first, np.where(listed_days > 0, listed_days - self._first, -1))
        self._days = first + np.arange(self.known).astype("m8[D]")
        self._month, self._months = _spans(self._days, "M8[M]")
        self._year, self._years = _spans(self._days, "M8[Y]")

    def _common(self, low: Ints, high: Ints) -> tuple[Ints, Ints]:
        """The day, the month, or the range of years."""
        month, year = self._month, self._year
        one, same = low == high, month[low] == month[high]
        start = np.where(same, self._months[month[low]], self._years[year[low]])
        end = np.where(same, self._months[month[high] + 1], self._years[year[high] + 1]) - 1
        return np.where(one, low, start), np.where(one, high, end)

    def _wider(self, low: int, high: int) -> list[Run]:
        first, last, end = int(self._year[low]), int(self._year[high]), len(self._years) - 1
        years = [(max(first - more, 0), min(last + more + 1, end)) for more in (0, *WIDENING)]
        return [(int(self._years[start]), int(self._years[stop]) - 1) for start, stop in years]

    def _at(self, number: int) -> float:
        return float(self._first + number)

    def _text(self, number: int) -> str:
        return str(self._days[number])


_EPOCH = 719_163
"""The day number of 1970-01-01."""


def _day(text: str) -> int:
    place = place_on_line(text)
    return int(place[1]) if place is not None and place[0] == "date" else 0


def _spans(days: NDArray[np.datetime64], unit: str) -> tuple[Ints, Ints]:
    """The month or year of each day, counted from the first; and where each begins, with the end of the last."""
    spans = days.astype(unit)
    number = (spans - spans[0]).astype(np.int64)
    return number, np.append(np.flatnonzero(np.diff(number, prepend=-1)), len(days))


class NumberAxis(_LineAxis):
    """Numbers: the distinct ones of both, compared exactly."""

    def __init__(self, column: Column, listed: Column) -> None:
        table_places, listed_places = _decimals(column.texts), _decimals(listed.texts)
        places = sorted({place for place in (*table_places, *listed_places) if place is not None})
        number = {place: i for i, place in enumerate(places)}
        self.known = len(places)
        self._apart(column, listed, _looked_up(table_places, number), _looked_up(listed_places, number))
        self._places = np.array([float(place) for place in places])
        self._texts: list[str] = [""] * len(places)
        self._twice: set[int] = set()
        for text, place in zip((*column.texts, *listed.texts), (*table_places, *listed_places), strict=True):
            if place is not None:
                at = number[place]
                if self._texts[at] not in ("", text):
                    self._twice.add(at)
                self._texts[at] = self._texts[at] or text

    def midway(self, low: Ints, high: Ints) -> Ints:
        """The last number that is nearer to `low` than to `high`, `low` itself at least."""
        middle = (self._places[low] + self._places[high]) / 2
        last: Ints = np.clip(np.searchsorted(self._places, middle, side="right") - 1, low, high - 1)
        return last

    def _common(self, low: Ints, high: Ints) -> tuple[Ints, Ints]:
        return low, high

    def _wider(self, low: int, high: int) -> list[Run]:
        step = self.column.span / 100
        starts = np.searchsorted(self._places, [self._places[low] - step * more for more in WIDENING])
        ends = np.searchsorted(self._places, [self._places[high] + step * more for more in WIDENING], side="right") - 1
        return [(min(a, low), max(b, high)) for a, b in zip(starts.tolist(), ends.tolist(), strict=True)]

    def _at(self, number: int) -> float:
        return float(self._places[number])

    def _text(self, number: int) -> str:
        return self._texts[number]

    def _written_twice(self, number: int) -> bool:
        """`30` and `30.0` are one number and two values: only a range covers both."""
        return number in self._twice


def _decimals(texts: Sequence[str]) -> list[Decimal | None]:
    places = (place_on_line(text) for text in texts)
    return [Decimal(place[1]) if place is not None and place[0] == "number" else None for place in places]


def _looked_up(places: Sequence[Decimal | None], number: dict[Decimal, int]) -> Ints:
    return np.array([-1 if place is None else number[place] for place in places], dtype=np.int64)


class CategoryAxis:
    """Values without order or tree: runs of the table's own values, by their text."""

    def __init__(self, column: Column, listed: Column) -> None:
        self.column, self.known, self.size = column, column.size, column.size + 1
        number = {text: i for i, text in enumerate(column.texts)}
        listed_numbers = np.array([number.get(text, self.known) for text in listed.texts], dtype=np.int32)
        self.rows, self.people = column.codes, listed_numbers[listed.codes]

    def midway(self, low: Ints, high: Ints) -> Ints:
        return (low + high) // 2

    def tight(self, low: Ints, high: Ints) -> tuple[Ints, Ints]:
        """All values together are `*`."""
        every = (low == 0) & (high >= self.known - 1) & (self.known > 1)
        return low, np.where(every, self.known, high)

    def rungs(self, low: int, high: int, region: Run) -> list[Run]:
        start, end = (int(edge[0]) for edge in self.tight(np.array([low]), np.array([high])))
        return _rising([(start, end), region])

    def loss(self, run: Run) -> float:
        return min(1.0, (run[1] - run[0]) / max(1, self.known - 1))

    def cell(self, run: Run) -> Cell:
        if run == (0, self.known):
            return Any()
        texts = self.column.texts[run[0] : run[1] + 1]
        return Exact(texts[0]) if len(texts) == 1 else Set(texts)


class TreeAxis:
    """A hierarchy: values in leaf order, so that every node is a run."""

    def __init__(self, column: Column, listed: Column) -> None:
        self.column = column
        table_chains, listed_chains = ([self._chain(text) for text in one.texts] for one in (column, listed))
        chains = {chain[0]: chain for chain in sorted({*table_chains, *listed_chains})}
        self._levels = compile_chains(list(chains), list(chains.values()))
        place = {value: i for i, value in enumerate(self._levels.values)}
        self.size = self.known = len(place)
        self.rows = _placed(table_chains, place)[column.codes]
        self.people = _placed(listed_chains, place)[listed.codes]

    def _chain(self, text: str) -> tuple[str, ...]:
        """What covers a value, as a verifier reads it; a missing one, and one not listed, hang from the root."""
        assert self.column.hierarchy is not None
        if text in ("", ROOT):
            return (_STAR if text else _MISSING, ROOT)
        try:
            return self.column.hierarchy.chain(text)
        except DataError:
            return (text, ROOT)

    @cached_property
    def _runs(self) -> tuple[Ints, Ints]:
        """[level, number]: the run of the node there. A node that repeats upwards has one run, the widest."""
        nodes = self._levels.nodes
        low, high = np.empty(nodes.shape, dtype=np.int64), np.empty(nodes.shape, dtype=np.int64)
        for level in range(len(nodes) - 1, -1, -1):
            new = np.append(True, nodes[level, 1:] != nodes[level, :-1])
            starts = np.flatnonzero(new)
            ends = np.append(starts[1:], self.size) - 1
            which = np.cumsum(new) - 1
            low[level], high[level] = starts[which], ends[which]
            if level + 1 < len(nodes):
                same = nodes[level] == nodes[level + 1]
                low[level] = np.where(same, low[level + 1], low[level])
                high[level] = np.where(same, high[level + 1], high[level])
        return low, high

    def common_level(self, low: Ints, high: Ints) -> Ints:
        """The lowest level at which both numbers lie under one node."""
        nodes = self._levels.nodes
        levels = np.full(len(low), len(nodes) - 1, dtype=np.int64)
        for level in range(len(nodes) - 2, -1, -1):
            levels[nodes[level, low] == nodes[level, high]] = level
        return levels

    def node(self, level: Ints, number: Ints) -> Ints:
        return self._levels.nodes[level, number].astype(np.int64)

    def run(self, level: Ints, number: Ints) -> tuple[Ints, Ints]:
        low, high = self._runs
        return low[level, number], high[level, number]

    def tight(self, low: Ints, high: Ints) -> tuple[Ints, Ints]:
        return self.run(self.common_level(low, high), low)

    def rungs(self, low: int, high: int, region: Run) -> list[Run]:
        starts, ends = self._runs
        level = int(self.common_level(np.array([low]), np.array([high]))[0])
        runs = zip(starts[level:, low].tolist(), ends[level:, low].tolist(), strict=True)
        return _rising((a, b) for a, b in runs if region[0] <= a and b <= region[1])

    def loss(self, run: Run) -> float:
        levels, label = self.column.levels, self._label(run)
        assert levels is not None
        if label in (_MISSING, _STAR):
            return 0.0
        node = levels.node_of.get(label)
        return 1.0 if node is None or label == ROOT else float(levels.loss(np.array([node]))[0])

    def cell(self, run: Run) -> Cell:
        label = self._label(run)
        if label in (_MISSING, _STAR):
            return Exact("" if label == _MISSING else ROOT)
        return Exact(label) if run[0] == run[1] and label != ROOT else labelled(label)

    def _label(self, run: Run) -> str:
        """The lowest node with this run; a value that is itself a node stands for it."""
        level = self.common_level(np.array([run[0]]), np.array([run[1]]))[0]
        return str(self._levels.labels[self._levels.nodes[level, run[0]]])


_MISSING, _STAR = "\x00", "\x00*"
"""Labels that no value has, for a missing value and for the value `*`."""


def _placed(chains: Sequence[tuple[str, ...]], place: dict[str, int]) -> NDArray[np.int32]:
    return np.array([place[chain[0]] for chain in chains], dtype=np.int32)


Axis = DateAxis | NumberAxis | CategoryAxis | TreeAxis


def axis(column: Column, listed: Column) -> Axis:
    """One column of the table beside the same one of the list. O(distinct values of both, and rows)"""
    if column.levels is not None:
        return TreeAxis(column, listed)
    if column.kind == "date":
        return DateAxis(column, listed)
    return NumberAxis(column, listed) if column.numbers is not None else CategoryAxis(column, listed)
