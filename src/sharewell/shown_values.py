"""Quasi columns that other published columns of the row give away, however they are generalised.

Three things that are published beside a quasi column may say more of it than its cell does:

- the time between two dates that keep it, because both are shifted or neither is changed: a length of stay in minutes,
  capped, or in bands;
- a shifted date, if the shift is short beside the spread of the dates: a date of birth that moved by half a year still
  tells an age to the year;
- a column that is published unchanged and says the same in other words, or two whose sum or difference does: the year
  of birth beside the age, the county beside the ZIP code, the nights before and after an operation beside the stay.

A quasi column counts as shown if it follows such a column in nearly every row (`sharewell.dependence`), among as many
persons as it takes for that not to be chance. Of every person one row is compared, so that a person's many rows do not
look like a rule. Whatever the order of the rows, the result is the same.

O(columns · columns · rows · log rows), for at most 5,000 rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from sharewell.dependence import following, following_groups

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

LEAST = 50
"""Among fewer persons columns agree by chance."""
_MOST, _SUMMED = 5000, 8
_TIME, _SHIFTED, _SAME = 0.9, 0.7, 0.85
"""How nearly a column must follow the time between two dates, a shifted date, or an unchanged column."""


@dataclass(frozen=True)
class Values:
    """A column as numbers, NaN where there is none; in no order if the numbers only tell values apart."""

    numbers: Floats
    ordered: bool = True


@dataclass(frozen=True)
class Beside:
    """What is published beside quasi columns. Dates are in days."""

    shifted: Mapping[str, tuple[Floats, int]]
    """Dates that are shifted, and by how many days at most."""
    unchanged: Mapping[str, Values]
    dates: frozenset[str] = frozenset()
    """Which of the unchanged columns are dates."""


@dataclass(frozen=True)
class ShownValue:
    """A quasi column, and the one or two columns that show it."""

    quasi: str
    by: tuple[str, ...]
    shifted: bool
    dated: bool = False
    """Of two columns: it is the time between them that shows it."""


Shower = Callable[[str], ShownValue]


def shown_values(quasi: Mapping[str, Values], beside: Beside, persons: NDArray[np.int64] | None) -> list[ShownValue]:
    """For each quasi column the first thing beside it that shows it. persons: a number for each row's person."""
    some = _one_row_each([*(one.numbers for one in quasi.values()), *_all(beside)], persons)
    if len(some) < LEAST:
        return []
    tried = list(_witnesses(_rows(beside, some), np.random.default_rng(0)))
    results = []
    for name, one in quasi.items():
        values = one.numbers[some]
        found = (shown(name) for shown, what, bound in tried if _shows(what, values, bound))
        results += [first] if (first := next(found, None)) else []
    return results


def _witnesses(beside: Beside, draw: np.random.Generator) -> Iterator[tuple[Shower, Values, float]]:
    """(who shows it, what it says, how nearly a quasi column must follow it)."""
    for (one, (days, most)), (other, (later, limit)) in combinations(beside.shifted.items(), 2):
        if most == limit:
            yield _by(one, other, shifted=True, dated=True), Values(later - days), _TIME
    unchanged = beside.unchanged
    for one, other in combinations(sorted(beside.dates), 2):
        between = unchanged[other].numbers - unchanged[one].numbers
        yield _by(one, other, shifted=False, dated=True), Values(between), _TIME
    for one, (days, most) in beside.shifted.items():
        moved = days + draw.integers(-most, most, len(days), endpoint=True)
        yield _by(one, shifted=True), Values(moved), _SHIFTED
    for one, values in unchanged.items():
        yield _by(one, shifted=False), values, _SAME
    numbers = [name for name, values in unchanged.items() if values.ordered and name not in beside.dates]
    for one, other in combinations(numbers[:_SUMMED], 2):
        first, second = unchanged[one].numbers, unchanged[other].numbers
        yield _by(one, other, shifted=False), Values(first + second), _TIME
        yield _by(one, other, shifted=False), Values(first - second), _TIME


def _by(*by: str, shifted: bool, dated: bool = False) -> Shower:
    return lambda quasi: ShownValue(quasi, by, shifted, dated)


def _shows(what: Values, values: Floats, bound: float) -> bool:
    filled = ~(np.isnan(what.numbers) | np.isnan(values))
    if filled.sum() < LEAST or len(np.unique(values[filled])) < 2:
        return False
    if what.ordered:
        return following(what.numbers, values) >= bound
    groups = np.where(filled, np.nan_to_num(what.numbers, nan=-1), -1).astype(np.int64)
    share, pairs = following_groups(groups, values)
    return pairs >= LEAST and share >= bound


def _one_row_each(columns: list[Floats], persons: NDArray[np.int64] | None) -> NDArray[np.intp]:
    """A row of every person, in a random order that depends on what stands in the rows and not on where they stand."""
    count = len(columns[0]) if columns else 0
    whose = np.arange(count) if persons is None else persons
    order = np.lexsort([np.nan_to_num(one, nan=-np.inf) for one in columns]) if columns else np.arange(0)
    order = np.random.default_rng(0).permutation(order)
    _, first = np.unique(whose[order], return_index=True)
    return order[np.sort(first)][:_MOST]


def _rows(beside: Beside, some: NDArray[np.intp]) -> Beside:
    shifted = {name: (days[some], most) for name, (days, most) in beside.shifted.items()}
    unchanged = {name: Values(one.numbers[some], one.ordered) for name, one in beside.unchanged.items()}
    return Beside(shifted, unchanged, beside.dates)


def _all(beside: Beside) -> list[Floats]:
    return [*(days for days, _ in beside.shifted.values()), *(one.numbers for one in beside.unchanged.values())]
