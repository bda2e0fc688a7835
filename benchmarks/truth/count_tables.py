"""Count tables with hidden cells: every table of whole numbers that agrees with what is published is tried."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np

from benchmarks.truth.tally import Answer, Kind, pick
from sharewell.reports import CellProtection, CellSuppression, CountTable
from sharewell.reports.tables.dataset import HIDDEN
from sharewell.reports.tables.dimensions import Dimension

TOTAL = "*"
WARDS = {"A1": ("A",), "A2": ("A",), "B": ()}
"""Wards within clinics: category → what it is added up to, beside the total."""
SHAPES: tuple[tuple[Any, ...], ...] = ((2, 2), (2, 3), (3,), (4,), (2, 2, 2), (WARDS,), (WARDS, 2))
MOST_TRIED = 2_000_000
Published = list[tuple[tuple[str, ...], int | None]]
"""Categories of each cell, and what is shown: a number, −k for "1 to k − 1", None where it is empty."""


@dataclass(frozen=True)
class CountTableCase:
    shape: tuple[Any, ...]
    counts: tuple[int, ...]
    threshold: int
    style: str
    """blank or negative: the mechanism chooses; hide: the cells named in `hidden`, and the criterion judges. zeros: the
    mechanism chooses, and zeros are secrets, too (of readers outside the table)."""
    hidden: tuple[bool, ...]


def categories(part: Any) -> list[str]:
    return list(part) if isinstance(part, dict) else [f"v{i}" for i in range(part)]


def within(part: Any, code: str) -> set[str]:
    """The categories that a code of a published table adds up."""
    inner = categories(part)
    if code == TOTAL:
        return set(inner)
    return {one for one in inner if one == code or (isinstance(part, dict) and code in part[one])}


@lru_cache(maxsize=256)
def grid(ranges: tuple[tuple[int, int], ...]) -> np.ndarray:
    """All combinations of whole numbers in these ranges, one a row."""
    axes = [np.arange(low, high + 1, dtype=np.int16) for low, high in ranges]
    return np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, len(axes))


def possible(
    shape: tuple[Any, ...], published: Published, marked: int, least: int, most: int
) -> tuple[np.ndarray, bool]:
    """What every cell may be, one table a row, from what is shown; and whether larger numbers might agree, too.

    What is hidden is `least` or more: where zeros are shown, not 0. `marked`: all small counts of single cells carry a
    mark, so that an empty cell in which one inner cell alone is not 0 is as large as that.
    """
    inner = list(product(*map(categories, shape)))
    parts = [
        [
            at
            for at, leaf in enumerate(inner)
            if all(c in within(p, code) for p, code, c in zip(shape, key, leaf, strict=True))
        ]
        for key, _ in published
    ]
    zero = {at for (_, shown), under in zip(published, parts, strict=True) if shown == 0 for at in under}
    bounds = []
    for (_, shown), under in zip(published, parts, strict=True):
        single = len(set(under) - zero) == 1
        if shown is None:
            bounds.append((marked if marked and single else least, np.iinfo(np.int16).max))
        else:
            bounds.append((1, -shown - 1) if shown < 0 else (shown, shown))
    ranges, cut = [], False
    for at in range(len(inner)):
        above = [bound for bound, under in zip(bounds, parts, strict=True) if at in under]
        own = next(bound for bound, under in zip(bounds, parts, strict=True) if under == [at])
        high = min(bound[1] for bound in above)
        cut |= high > most
        ranges.append((own[0], max(own[0], min(high, most))))
    tables = grid(tuple(ranges))
    fine, cells = np.ones(len(tables), dtype=bool), np.empty((len(tables), len(published)), dtype=np.int16)
    for place, ((low, high), under) in enumerate(zip(bounds, parts, strict=True)):
        cells[:, place] = tables[:, under].sum(axis=1)
        fine &= (cells[:, place] >= low) & (cells[:, place] <= high)
    return cells[fine], cut


def open_enough(values: np.ndarray, floor: int, span: int) -> bool:
    """From the least that shown zeros leave over as many values as a single small count has, and two at least."""
    return bool(len(values) and values.min() <= floor and values.max() >= floor + span)


class CountTableCases(Kind):
    name = "count tables with hidden cells"

    def draw(self, rng: np.random.Generator) -> CountTableCase:
        shape = pick(rng, SHAPES)
        size = int(np.prod([len(categories(part)) for part in shape]))
        counts = tuple(rng.integers(0, 4 if len(shape) > 2 else 6, size).tolist())
        cells = int(np.prod([(len(p) + 2) if isinstance(p, dict) else p + 1 for p in shape]))
        hidden = tuple((rng.random(cells) < pick(rng, (0.4, 0.7, 0.9))).tolist())
        style = pick(rng, ("blank", "negative", "zeros", "hide", "hide"))
        return CountTableCase(shape, counts, int(rng.integers(2, 5)), style, hidden)

    def _table(self, case: CountTableCase) -> CountTable:
        keys = list(product(*map(categories, case.shape)))
        names = [Dimension.of(f"d{i}", p) if isinstance(p, dict) else f"d{i}" for i, p in enumerate(case.shape)]
        return CountTable.of_cells(dict(zip(keys, case.counts, strict=True)), names)

    def answer(self, case: CountTableCase) -> Answer:
        table, rule = self._table(case), CellProtection(threshold=case.threshold)
        if case.style == "zeros":
            rule = CellProtection(threshold=case.threshold, zeros="protect", readers="outsiders")
        if case.style == "hide":
            some = np.array(case.hidden) | (table.shown < case.threshold)
            released = table.showing(np.where(some & (table.shown > 0), HIDDEN, table.shown))
        else:
            style = "negative" if case.style == "negative" else "blank"
            released = CellSuppression(style=style).protect(table, [rule]).data
        return Answer(rule.check(released).ok, self._read(released))

    def unprotected(self, case: CountTableCase) -> Published:
        """Small counts are hidden, and nothing else."""
        table = self._table(case)
        some = (table.shown > 0) & (table.shown < case.threshold)
        return self._read(table.showing(np.where(some, HIDDEN, table.shown)))

    def _read(self, released: CountTable) -> Published:
        rows = released.arrow.to_pylist()
        return [(tuple(row[f"d{i}"] for i in range(len(row) - 1)), row["count"]) for row in rows]

    def is_safe(self, case: CountTableCase, published: Published) -> bool:
        small = self._small(case, published)
        if not small:
            return small is not None
        least = 0 if case.style == "zeros" else 1
        marked = case.threshold if case.style == "negative" else 0
        span = max(case.threshold - 1 - least, 1)
        for most in range(max(case.counts) + case.threshold, 40, 3):
            values, cut = possible(case.shape, published, marked, least, most)
            if all(open_enough(values[:, place], floor, span) for place, floor in small):
                return True
            if not cut or (most + 1) ** len(case.counts) > MOST_TRIED:
                return False
        return False

    def _small(self, case: CountTableCase, published: Published) -> list[tuple[int, int]] | None:
        """Unsafe cells, and the least that shown zeros leave of each; None if one is shown, or a number is false."""
        true = dict(zip(product(*map(categories, case.shape)), case.counts, strict=True))
        found = []
        for place, (key, shown) in enumerate(published):
            parts = list(zip(case.shape, key, strict=True))
            under = [n for leaf, n in true.items() if all(c in within(*p) for p, c in zip(parts, leaf, strict=True))]
            if sum(under) < case.threshold and (sum(under) > 0 or case.style == "zeros"):
                if shown is not None and shown >= 0:
                    return None
                found.append((place, 0 if case.style == "zeros" else sum(n > 0 for n in under)))
            elif shown is not None and shown != sum(under):
                return None
        return found
