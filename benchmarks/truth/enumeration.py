"""Every table of whole numbers that agrees with what is published: enumerated inner cell by inner cell.

What a reader may conclude is what all of these tables have in common. Nothing here is of the package.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

TOTAL = "*"
WARDS = (("A1", ("A",)), ("A2", ("A",)), ("B", ()))
"""Wards within clinics: category → what it is added up to, beside the total."""
ENDLESS = 1_000_000
MOST_ROWS = 1_500_000
Key = tuple[str, ...]
Shape = tuple[Any, ...]
Ints = NDArray[np.int64]
Masks = NDArray[np.bool_]


class TooManyTables(Exception):
    """More tables agree than are worth trying: the case is too large."""


def categories(part: Any) -> list[str]:
    return [name for name, _ in part] if isinstance(part, tuple) else [f"v{i}" for i in range(part)]


def within(part: Any, code: str) -> set[str]:
    """The categories that a code of a published table adds up."""
    inner = categories(part)
    if code == TOTAL:
        return set(inner)
    above = dict(part) if isinstance(part, tuple) else {}
    return {one for one in inner if one == code or code in above.get(one, ())}


@lru_cache(maxsize=256)
def inner_cells(shape: Shape) -> tuple[Key, ...]:
    return tuple(product(*map(categories, shape)))


@lru_cache(maxsize=4096)
def inside(shape: Shape, keys: tuple[Key, ...]) -> Masks:
    """Which inner cells each published cell adds up, one published cell a row."""
    found = np.zeros((len(keys), len(inner_cells(shape))), dtype=bool)
    for row, key in enumerate(keys):
        parts = [within(part, code) for part, code in zip(shape, key, strict=True)]
        for at, leaf in enumerate(inner_cells(shape)):
            found[row, at] = all(code in some for code, some in zip(leaf, parts, strict=True))
    return found


@dataclass(frozen=True)
class Reader:
    """What somebody knows of inner cells: the least of each, and what is exactly so (−1: not known)."""

    least: tuple[int, ...]
    exact: tuple[int, ...]

    def agrees(self, tables: Ints) -> Masks:
        exact = np.array(self.exact)
        known = exact >= 0
        fine: Masks = (tables >= np.array(self.least)).all(axis=1) & (tables[:, known] == exact[known]).all(axis=1)
        return fine


def outsider(cells: int) -> Reader:
    return Reader((0,) * cells, (-1,) * cells)


def narrowed(under: Masks, low: Ints, high: Ints) -> tuple[Ints, Ints]:
    """Between which numbers each inner cell must lie, by one published cell after the other."""
    leaves = under.shape[1]
    least, most = np.zeros(leaves, np.int64), np.full(leaves, ENDLESS)
    for _ in range(4):
        others = (under @ least)[:, None] - least
        most = np.minimum(most, np.where(under, high[:, None] - others, ENDLESS).min(axis=0))
        others = (under @ most)[:, None] - most
        least = np.maximum(least, np.where(under, low[:, None] - others, 0).max(axis=0))
    return least, most


def agreeing(under: Masks, low: Ints, high: Ints, top: int, readers: Iterable[Reader] = ()) -> Ints:
    """The inner cells of tables that agree, one a row; enough of them to tell how low and how high cells reach.

    Where nothing bounds an inner cell from above, only its least number and a large one are tried, and what readers
    know of it: any table that agrees, with this cell lowered or raised so, agrees as well, and reaches as far (up to
    `top`). Tables may be lost by that where a hidden total has a least number beyond that of its parts: then a cell
    looks less open than it is, never more.
    """
    least, most = narrowed(under, low, high)
    large = max(top, int(low.max(initial=0)), int(least.max(initial=0)))
    known = [set[int]() for _ in least]
    for one in readers:
        for at, numbers in enumerate(zip(one.least, one.exact, strict=True)):
            known[at].update(number for number in numbers if number >= 0)
            large = max(large, *numbers)
    tried = []
    for at in range(len(least)):
        if most[at] < ENDLESS // 2:
            tried.append(np.arange(least[at], most[at] + 1))
        else:
            some = {int(least[at]), large, *(number for number in known[at] if number > least[at])}
            tried.append(np.array(sorted(some)))
    return _layers(under, low, high, tried)


def _layers(under: Masks, low: Ints, high: Ints, tried: Sequence[Ints]) -> Ints:
    if any(not len(one) for one in tried):
        return np.zeros((0, len(tried)), np.int64)
    least, most = (under @ np.array([end(one) for one in tried]) for end in (np.min, np.max))
    asks = (least < low) | (most > high)
    under, low, high, least, most = under[asks], low[asks], high[asks], least[asks], most[asks]
    tables, sums = np.zeros((1, 0), np.int64), np.zeros((1, len(low)), np.int64)
    for at, numbers in enumerate(tried):
        own = under[:, at].astype(np.int64)
        least, most = least - own * numbers.min(), most - own * numbers.max()
        sums = (sums[:, None, :] + numbers[:, None] * own).reshape(len(sums) * len(numbers), len(low))
        fine = np.flatnonzero(((sums <= high - least) & (sums >= low - most)).all(axis=1))
        before, number = np.divmod(fine, len(numbers))
        tables = np.concatenate([tables[before], numbers[number][:, None]], axis=1)
        sums = sums[fine]
        if len(tables) > MOST_ROWS:
            raise TooManyTables
    return tables


Want = tuple[int, int, int]
"""A published cell, how low some table must be in it, and how high another."""


def all_open(under: Masks, low: Ints, high: Ints, readers: Sequence[tuple[Reader, Sequence[Want]]], never: Any) -> bool:
    """Does every reader find a table low enough and one high enough for each cell? `never`: tables that cannot be."""
    wants = [want for _, some in readers for want in some]
    if not wants:
        return True
    tables = agreeing(under, low, high, max(top for _, _, top in wants), [one for one, _ in readers])
    if never is not None:
        tables = tables[~never(tables)]
    for reader, some in readers:
        values = tables[reader.agrees(tables)] @ under[[cell for cell, _, _ in some]].T.astype(np.int64)
        if not all(reaches(values[:, at], floor, top) for at, (_, floor, top) in enumerate(some)):
            return False
    return True


def reaches(values: Ints, floor: int, top: int) -> bool:
    """Is some table low enough in this cell, and some high enough?"""
    return bool(len(values) and values.min() <= floor and values.max() >= top)
