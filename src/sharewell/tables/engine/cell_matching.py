"""Who fits a published record: the people whose true values lie in every one of its cells.

A cell covers a value as `sharewell.cells` defines it: Exact the value itself, Interval all between two numbers or two
dates, Set its members, Prefix what begins like it, Node what lies below it in the column's hierarchy, Any everything, a
missing value included. So does Suppressed, in a row that shows something else; a row that shows nothing is in no class.
A mean does not say whom it covers, so that columns of means are refused.

A missing value is a value of its own (`missing="own"`): a missing cell covers those of whom the value is not known.
With `missing="wildcard"` it covers everybody, as it does for an attacker who knows the true value and cannot hold it
against a record that lacks it. A person of whom the value is not known is covered by missing cells and `*` alone,
either way.
"""

from __future__ import annotations

import bisect
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from sharewell.cells import (
    ISO_DATE,
    Any,
    Cell,
    Exact,
    Interval,
    Mean,
    Node,
    Place,
    Prefix,
    Set,
    Suppressed,
    place_on_line,
)
from sharewell.errors import DataError, PolicyError
from sharewell.hierarchy.chains import ROOT
from sharewell.roles import Role
from sharewell.tables.engine.array_types import Indices
from sharewell.tables.engine.columns import ArrowColumn, Column, encode
from sharewell.tables.engine.most_detailed import beginning_with, days_in

Missing = Literal["own", "wildcard"]
Ints = Indices
Key = TypeVar("Key", str, Place)


def fitting(
    published: Sequence[Column],
    people: Sequence[Column],
    cells: NDArray[np.int32],
    cover: Callable[[Column, Column], Cover] | None = None,
) -> Iterator[tuple[Ints, Ints]]:
    """(classes, people who fit them), each class once; `cells` has a row of codes for each column, a column a class.

    Classes are walked as a tree, column by column, and each branch keeps only the people who still fit. `cover` says
    what fitting means, where it is not that a cell covers a value.
    """
    covers = [(cover or Cover)(column, listed) for column, listed in zip(published, people, strict=True)]

    def walk(depth: int, classes: Ints, still: Ints) -> Iterator[tuple[Ints, Ints]]:
        if depth == len(covers) or not len(still):
            yield classes, still
            return
        codes = cells[depth, classes]
        by_cell = np.argsort(codes, kind="stable")
        ends = np.flatnonzero(np.diff(codes[by_cell])) + 1
        values = people[depth].codes[still]
        by_value = np.argsort(values, kind="stable")
        values, still = values[by_value], still[by_value]
        for group in np.split(by_cell, ends):
            covered = covers[depth].of(int(codes[group[0]]))
            yield from walk(depth + 1, classes[group], still if covered is None else still[_among(values, covered)])

    if cells.shape[1]:
        yield from walk(0, np.arange(cells.shape[1]), np.arange(len(people[0].codes)))


def _among(values: NDArray[np.int32], covered: Ints | range) -> Ints | slice:
    """Which places of sorted values hold a covered one."""
    if isinstance(covered, range):
        return slice(*np.searchsorted(values, [covered.start, covered.stop]).tolist())
    return np.flatnonzero(np.isin(values, covered))


class Cover:
    """Which distinct values of people each published cell of a column covers."""

    def __init__(self, published: Column, listed: Column, missing: Missing = "own") -> None:
        if published.shows_means:  # to guess the nearest would certify nothing
            hint = "choose another style, or leave out what asks who fits"
            problem = "published as means, which do not say whom they cover"
            raise PolicyError(f"columns {published.name} — {problem} — {hint}")
        self._cells, self._hierarchy, self._texts = published.cells, published.hierarchy, listed.texts
        self._everybody = (Any(), Suppressed(), *([Exact("")] if missing == "wildcard" else []))
        self._known: dict[int, Ints | range | None] = {}

    def of(self, code: int) -> Ints | range | None:
        """Codes of the people's column, as a range where they are one; None for all of them."""
        if code not in self._known:
            self._known[code] = self._covered(self._cells[code])
        return self._known[code]

    def _covered(self, cell: Cell) -> Ints | range | None:
        return None if cell in self._everybody else _tidy(self._positions(cell))

    def _positions(self, cell: Cell) -> Sequence[int]:
        match cell:
            case Exact(value):
                return self._exactly(value)
            case Set(members):
                return [place for member in members for place in self._exactly(member)]
            case Node(label) if self._hierarchy is None:
                return self._exactly(label)
            case Node() | Prefix() | Interval() if self._hierarchy is not None:
                return self._below.get(cell.label if isinstance(cell, Node) else cell.text, ())
            case Prefix(start):
                ordered, places = self._by_text
                beginning = beginning_with(ordered, start)
                return places[beginning.start : beginning.stop]
            case Interval(low, high):
                return self._between(place_on_line(low), place_on_line(high))
        raise AssertionError(cell)

    def _exactly(self, value: str) -> Sequence[int]:
        """The value itself; in a hierarchy in its own spelling, with what lies below it (`E11` leaves E11.9 open)."""
        if self._hierarchy is None or value in ("", ROOT):
            return [self._at[value]] if value in self._at else ()
        return self._below.get(self._chain(value)[0], ())

    def _between(self, low: Place | None, high: Place | None) -> Sequence[int]:
        if low is None or high is None or low[0] != high[0]:
            return ()
        ordered, places = self._by_line
        return places[bisect.bisect_left(ordered, low) : bisect.bisect_right(ordered, high)]

    @cached_property
    def _at(self) -> dict[str, int]:
        return {text: place for place, text in enumerate(self._texts)}

    @cached_property
    def _by_text(self) -> tuple[list[str], list[int]]:
        return _sorted([(text, place) for place, text in enumerate(self._texts) if text])

    @cached_property
    def _by_line(self) -> tuple[list[Place], list[int]]:
        on_line = [(place_on_line(text), place) for place, text in enumerate(self._texts)]
        return _sorted([(key, place) for key, place in on_line if key is not None])

    @cached_property
    def _below(self) -> dict[str, list[int]]:
        """label → the people's values that it covers."""
        below: dict[str, list[int]] = {}
        for place, text in enumerate(self._texts):
            for label in dict.fromkeys(self._chain(text)) if text else ():
                below.setdefault(label, []).append(place)
        return below

    def _chain(self, text: str) -> tuple[str, ...]:
        """What covers a value; one that the hierarchy lacks is covered by itself and the root alone."""
        assert self._hierarchy is not None
        try:
            return self._hierarchy.chain(text)
        except DataError:
            return (text, ROOT)


def _sorted(pairs: list[tuple[Key, int]]) -> tuple[list[Key], list[int]]:
    pairs.sort()
    return [key for key, _ in pairs], [place for _, place in pairs]


def _tidy(places: Sequence[int]) -> Ints | range:
    distinct = np.unique(np.array(places, dtype=np.intp))
    if not len(distinct):
        return range(0)
    first, last = int(distinct[0]), int(distinct[-1])
    return range(first, last + 1) if last - first + 1 == len(distinct) else distinct


def people_like(published: Column, array: ArrowColumn) -> Column:
    """A list's column, to hold against a published one. Dates in any one form are read as the ISO dates we publish."""
    column = encode(published.name, Role.QUASI, array)
    if column.kind == "date" and not _speaks_of_dates(published):
        return encode(published.name, Role.QUASI, array, kind="text")
    return column


def _speaks_of_dates(published: Column) -> bool:
    if published.hierarchy is not None:
        return published.hierarchy.name in ("date", "safe-harbor-birth-date")
    return any(_is_of_dates(cell) for cell in published.cells)


def _is_of_dates(cell: Cell) -> bool:
    match cell:
        case Exact(text) | Mean(text) | Interval(text, _):
            return bool(ISO_DATE.fullmatch(text))
        case Set(members):
            return any(ISO_DATE.fullmatch(member) for member in members)
        case Prefix(start):
            return days_in(start) is not None
    return False
