"""Count tables with hidden cells: every table of whole numbers that agrees with what is published is tried.

What the mechanism publishes is judged as it is, and again with one of its hidden cells shown: such tables are nearly
safe. Other tables hide cells by lot, and mark some.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from benchmarks.truth.enumeration import (
    ENDLESS,
    WARDS,
    Ints,
    Masks,
    Reader,
    Shape,
    TooManyTables,
    Want,
    all_open,
    inner_cells,
    inside,
    narrowed,
    outsider,
)
from benchmarks.truth.tally import Answer, Kind, pick
from sharewell.errors import SharewellError
from sharewell.reports import CellProtection, CellSuppression, CountTable
from sharewell.reports.counts.data import HIDDEN
from sharewell.reports.counts.engine.dimensions import Dimension

SHAPES: tuple[Shape, ...] = ((2, 2), (2, 3), (3,), (4,), (2, 2, 2), (WARDS,), (WARDS, 2))
CHOSEN = ("blank", "negative", "zeros", "nearest")
"""Ways in which the mechanism publishes; zeros: they are secrets, too; nearest: what is shown is rounded."""
BY_LOT = ("hide", "mark", "hide zeros")
AGAIN = 4
"""Cases of one table that the mechanism protects."""
Published = list[tuple[tuple[str, ...], int | None]]
"""Categories of each cell, and what is shown: a number, −k for "1 to k − 1", None where it is empty."""


@dataclass(frozen=True)
class CountTableCase:
    shape: Shape
    counts: tuple[int, ...]
    threshold: int
    style: str
    hidden: tuple[float, ...] = ()
    """By lot: cells with less than `share` are hidden."""
    share: float = 0.0
    doubt: tuple[int, int] | None = None
    """How far below and above the true count doubt must reach; None: over all counts below the threshold."""
    insiders: bool = True
    base: int = 0
    again: int = -1
    """Which of the cells that the mechanism hides is shown after all; −1: none."""

    @property
    def zeros_secret(self) -> bool:
        return "zeros" in self.style


def table_of(shape: Shape, counts: tuple[int, ...], **options: Any) -> CountTable:
    names = [Dimension.of(f"d{i}", dict(p)) if isinstance(p, tuple) else f"d{i}" for i, p in enumerate(shape)]
    return CountTable.of_cells(dict(zip(inner_cells(shape), counts, strict=True)), names, **options)


def read(released: CountTable) -> Published:
    """What stands in the published file."""
    columns = [column.to_pylist() for column in released.arrow.columns]
    return list(zip(zip(*columns[:-1], strict=True), columns[-1], strict=True))


def rule_of(case: CountTableCase) -> CellProtection:
    below, above = case.doubt or (None, None)
    return CellProtection(
        threshold=case.threshold,
        zeros="protect" if case.zeros_secret else "show",
        below=below,
        above=above,
        rounded=case.base or None,
        readers="all" if case.insiders else "outsiders",
    )


@lru_cache(maxsize=1)
def suppressed(case: CountTableCase) -> CountTable | SharewellError:
    """What the mechanism publishes, or why it does not."""
    style = "negative" if case.style == "negative" else "blank"
    try:
        return CellSuppression(style=style).protect(table_of(case.shape, case.counts), [rule_of(case)]).data  # type: ignore[arg-type]
    except SharewellError as error:
        return error


class CountTableCases(Kind):
    name = "count tables with hidden cells"

    def __init__(self) -> None:
        self.last: CountTableCase | None = None

    def draw(self, rng: np.random.Generator) -> CountTableCase:
        if self.last is not None and self.last.again < AGAIN - 2:
            self.last = replace(self.last, again=self.last.again + 1)
            return self.last
        shape = pick(rng, SHAPES)
        size = len(inner_cells(shape))
        counts = tuple(rng.integers(0, 4 if len(shape) > 2 else 6, size).tolist())
        style = pick(rng, CHOSEN) if rng.random() < 0.1 else pick(rng, BY_LOT)
        hidden = tuple(np.round(rng.random(27), 2).tolist()) if style in BY_LOT else ()
        threshold = int(rng.integers(2, 5))
        case = CountTableCase(
            shape,
            counts,
            threshold,
            style,
            hidden,
            pick(rng, (0.4, 0.7, 0.9)) if hidden else 0.0,
            (int(rng.integers(0, 3)), int(rng.integers(0, 4))) if rng.random() < 0.2 else None,
            bool(rng.random() < 0.8),
            int(rng.integers(2, 7)) if style == "nearest" else 0,
        )
        self.last = case if style in CHOSEN else None
        return case

    def answer(self, case: CountTableCase) -> Answer:
        released = self._by_lot(case) if case.style in BY_LOT else self._chosen(case)
        return Answer(rule_of(case).check(released).ok, read(released))

    def _by_lot(self, case: CountTableCase) -> CountTable:
        table = table_of(case.shape, case.counts, zeros_shown=not case.zeros_secret)
        lot = np.array(case.hidden)[: table.size]
        some = (lot < case.share) | (table.shown < case.threshold)
        small = (table.shown > 0) & (table.shown < case.threshold)
        if case.style == "hide zeros":
            return table.showing(np.where(some, HIDDEN, table.shown))
        shown = np.where(some & (table.shown > 0), HIDDEN, table.shown)
        if case.style == "mark":  # all small cells, or some of them
            shown[small & ((lot * 100 % 7 < 5) | (case.share > 0.8))] = -case.threshold
        return table.showing(shown)

    def _chosen(self, case: CountTableCase) -> CountTable:
        released = suppressed(replace(case, again=-1))
        if isinstance(released, SharewellError):
            raise released
        assert released.truth is not None
        values = released.truth.values
        others = np.flatnonzero(released.hidden & (values >= case.threshold))
        if case.again < 0 or not len(others):
            return released
        at, shown = others[case.again % len(others)], released.shown.copy()
        shown[at] = values[at] if released.rounding is None else released.rounding.of(values)[at]
        return released.showing(shown, released.rounding)

    def unprotected(self, case: CountTableCase) -> Published:
        """Small counts are hidden, and nothing else."""
        table = table_of(case.shape, case.counts)
        some = (table.shown < case.threshold) & ((table.shown > 0) | case.zeros_secret)
        shown = (table.shown + case.base // 2) // case.base * case.base if case.base else table.shown
        return read(table.showing(np.where(some, HIDDEN, shown)))

    def is_safe(self, case: CountTableCase, published: Published) -> bool:
        under = inside(case.shape, tuple(key for key, _ in published))
        values = under @ np.array(case.counts)
        low, high = self._bounds(case, under, values, published)
        small = (values < case.threshold) & ((values > 0) | case.zeros_secret)
        if (values < low).any() or (values > high).any() or ((low == high) & small).any():
            return False
        shown = np.array([number is not None and number >= 0 for _, number in published])
        if (shown & small & (values > 0)).any():
            return False
        never = None
        if case.base:  # counts below the threshold are never shown, not even rounded
            never = lambda tables: self._below(tables @ under[shown].T.astype(np.int64), case.threshold)  # noqa: E731
        wants = self._wants(case, under, values, small, low, high)
        try:
            return all_open(under, low, high, readers(case.counts, under, wants, case.insiders), never)
        except TooManyTables:
            return False

    def _below(self, values: Ints, threshold: int) -> Masks:
        found: Masks = ((values > 0) & (values < threshold)).any(axis=1)
        return found

    def _bounds(self, case: CountTableCase, under: Masks, values: Ints, published: Published) -> tuple[Ints, Ints]:
        """What each cell by itself tells. Where all small counts are marked, an empty cell is none."""
        least = 0 if case.zeros_secret else 1
        low, high = np.zeros(len(published), np.int64), np.full(len(published), ENDLESS)
        for at, (_, shown) in enumerate(published):
            if shown is None:
                low[at] = least
            elif shown < 0:
                low[at], high[at] = 1, -shown - 1
            else:
                low[at], high[at] = self._shown(case, shown)
        marks = np.array([shown is not None and shown < 0 for _, shown in published])
        if marks.any():
            single = (under & (narrowed(under, low, high)[1] > 0)).sum(axis=1) == 1
            empty = np.array([shown is None for _, shown in published])
            if not (single & empty & (values < case.threshold)).any():
                low[single & empty] = case.threshold
        return low, high

    def _shown(self, case: CountTableCase, shown: int) -> tuple[int, int]:
        if not case.base:
            return shown, shown
        fits = [n for n in range(shown + case.base) if (n + case.base // 2) // case.base * case.base == shown]
        fits = [n for n in fits if n == 0 or n >= case.threshold]
        return (min(fits), max(fits)) if fits else (ENDLESS, -1)

    def _wants(
        self, case: CountTableCase, under: Masks, values: Ints, small: Masks, low: Ints, high: Ints
    ) -> list[Want]:
        """Of each unsafe cell the doubt that is asked for. Zeros that are no secret tell a least number, from which on
        as much must stay open."""
        least = 0 if case.zeros_secret else 1
        below, above = case.doubt or (None, None)
        surely = narrowed(under, np.minimum(low, least), np.where(high == 0, 0, ENDLESS))[0]
        wants = []
        for cell in np.flatnonzero(small).tolist():
            value = int(values[cell])
            floor = least if below is None else max(value - below, least)
            top = max(case.threshold - 1 if above is None else value + above, floor + 1)
            lost = 0 if case.zeros_secret else max(int(under[cell] @ surely) - floor, 0)
            wants.append((cell, floor + lost, top + lost))
        return wants


def readers(
    counts: tuple[int, ...], under: Masks, wants: list[Want], insiders: bool
) -> list[tuple[Reader, list[Want]]]:
    """Whoever is not in the table, and of every inner cell somebody who is in it and knows that it is not 0."""
    found = [(outsider(len(counts)), wants)]
    for at in np.flatnonzero(np.array(counts)).tolist() if insiders else ():
        own = Reader(tuple(int(i == at) for i in range(len(counts))), (-1,) * len(counts))
        floors = [max(floor, int(under[cell, at])) for cell, floor, _ in wants]
        mine = [(cell, floor, max(top, floor + 1)) for (cell, _, top), floor in zip(wants, floors, strict=True)]
        found.append((own, mine))
    return found
