"""Tables of sums: every table of whole numbers that agrees with what is published, for every contributor who reads it.

Rules and protection levels are those of Hundepool and others, 2012: cells of too few contributors, (n, k) dominance,
p %. People have several amounts, in one cell or in several.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from math import ceil
from typing import Any

import numpy as np

from benchmarks.truth.count_tables import AGAIN, Published, read
from benchmarks.truth.enumeration import (
    ENDLESS,
    WARDS,
    Masks,
    Reader,
    Shape,
    TooManyTables,
    Want,
    all_open,
    inner_cells,
    inside,
    outsider,
)
from benchmarks.truth.tally import Answer, Kind, pick
from sharewell.errors import SharewellError
from sharewell.reports import CellProtection, CellSuppression, CountTable
from sharewell.reports.counts.data import HIDDEN
from sharewell.reports.counts.engine.dimensions import Dimension

SHAPES: tuple[Shape, ...] = ((2, 2), (3,), (4,), (WARDS,), (2, 3))
RULES: tuple[dict[str, Any], ...] = (
    {"threshold": 2},
    {"threshold": 3},
    {"threshold": 3, "share": 50},
    {"dominance": (1, 60)},
    {"dominance": (2, 85)},
    {"p": 20},
    {"p": 100},
    {"threshold": 2, "p": 50},
    {"threshold": 3, "dominance": (1, 75)},
)


@dataclass(frozen=True)
class SumsCase:
    shape: Shape
    gifts: tuple[tuple[int, int, int], ...]
    """Inner cell, person, amount; a person may have several."""
    rule: tuple[tuple[str, Any], ...]
    insiders: bool
    hidden: tuple[float, ...]
    """Cells with less than `share` are hidden; empty: the mechanism chooses."""
    share: float = 0.0
    again: int = -1
    """Which of the cells that the mechanism hides is shown after all; −1: none."""


def table_of(case: SumsCase) -> CountTable:
    keys = inner_cells(case.shape)
    sums = dict.fromkeys(keys, 0)
    for cell, _, amount in case.gifts:
        sums[keys[cell]] += amount
    cells, people, amounts = zip(*case.gifts, strict=True)
    names = [Dimension.of(f"d{i}", dict(p)) if isinstance(p, tuple) else f"d{i}" for i, p in enumerate(case.shape)]
    return CountTable.of_cells(sums, names, given=([keys[cell] for cell in cells], people, amounts), value="cost")


def rule_of(case: SumsCase) -> CellProtection:
    return CellProtection(**dict(case.rule), readers="all" if case.insiders else "outsiders")


@lru_cache(maxsize=1)
def suppressed(case: SumsCase) -> CountTable | SharewellError:
    try:
        return CellSuppression().protect(table_of(case), [rule_of(case)]).data
    except SharewellError as error:
        return error


class SumsCases(Kind):
    name = "tables of sums"

    def __init__(self) -> None:
        self.last: SumsCase | None = None

    def draw(self, rng: np.random.Generator) -> SumsCase:
        if self.last is not None and self.last.again < AGAIN - 2:
            self.last = replace(self.last, again=self.last.again + 1)
            return self.last
        shape = pick(rng, SHAPES)
        cells, people = len(inner_cells(shape)), int(rng.integers(1, 9))
        gifts = int(rng.integers(1, 2 * cells + 1))
        columns = (rng.integers(0, most, gifts).tolist() for most in (cells, people, 4))
        drawn = tuple((cell, person, 1 + amount) for cell, person, amount in zip(*columns, strict=True))
        by_lot = rng.random() < 0.93
        case = SumsCase(
            shape,
            drawn,
            tuple(pick(rng, RULES).items()),
            bool(rng.random() < 0.8),
            tuple(np.round(rng.random(20), 2).tolist()) if by_lot else (),
            pick(rng, (0.4, 0.7, 0.9)) if by_lot else 0.0,
        )
        self.last = None if by_lot else case
        return case

    def answer(self, case: SumsCase) -> Answer:
        if case.hidden:
            table = table_of(case)
            some = (np.array(case.hidden)[: table.size] < case.share) | self._unsafe(case, read(table))
            released = table.showing(np.where(some, HIDDEN, table.shown))
        else:
            released = self._chosen(case)
        return Answer(rule_of(case).check(released).ok, read(released))

    def _chosen(self, case: SumsCase) -> CountTable:
        released = suppressed(replace(case, again=-1))
        if isinstance(released, SharewellError):
            raise released
        others = np.flatnonzero(released.hidden & ~self._unsafe(case, read(released)))
        if case.again < 0 or not len(others):
            return released
        assert released.truth is not None
        at, shown = others[case.again % len(others)], released.shown.copy()
        shown[at] = released.truth.values[at]
        return released.showing(shown)

    def unprotected(self, case: SumsCase) -> Published:
        """Unsafe cells are hidden, and nothing else."""
        table = table_of(case)
        return read(table.showing(np.where(self._unsafe(case, read(table)), HIDDEN, table.shown)))

    def _unsafe(self, case: SumsCase, published: Published) -> Masks:
        under = inside(case.shape, tuple(key for key, _ in published))
        return np.array([needed(case, set(np.flatnonzero(row).tolist())) is not None for row in under])

    def is_safe(self, case: SumsCase, published: Published) -> bool:
        under = inside(case.shape, tuple(key for key, _ in published))
        sums = np.zeros(len(inner_cells(case.shape)), np.int64)
        for cell, _, amount in case.gifts:
            sums[cell] += amount
        values = under @ sums
        low = np.array([0 if shown is None else shown for _, shown in published])
        high = np.array([ENDLESS if shown is None else shown for _, shown in published])
        if (values < low).any() or (values > high).any():
            return False
        wants: list[Want] = []
        for cell, row in enumerate(under):
            doubt = needed(case, set(np.flatnonzero(row).tolist()))
            if doubt is not None:
                floor = max(int(values[cell]) - doubt, 0)
                wants.append((cell, floor, max(int(values[cell]) + doubt, floor + 1)))
        zero = (under & (high == 0)[:, None]).any(axis=0)
        readers = [(outsider(len(sums)), wants)]
        if case.insiders:
            readers += [
                self._contributor(case, person, under, wants, zero) for person in {who for _, who, _ in case.gifts}
            ]
        try:
            return all_open(under, low, high, readers, None)
        except TooManyTables:
            return False

    def _contributor(
        self, case: SumsCase, person: int, under: Masks, wants: list[Want], zero: Masks
    ) -> tuple[Reader, list[Want]]:
        """Knows the own part of every cell, and cells that hold nobody else. Nobody is protected from themselves."""
        own, crowd = np.zeros(under.shape[1], np.int64), defaultdict(set)
        for cell, who, amount in case.gifts:
            own[cell] += amount if who == person else 0
            crowd[cell].add(who)
        alone = np.array([crowd[cell] == {person} for cell in range(len(own))])
        mine = []
        for cell, floor, top in wants:
            least = int(under[cell] @ own)
            if not (under[cell] & ~alone & ~zero).any():
                continue  # all of it is the own part
            floor = max(floor, least)
            mine.append((cell, floor, max(top, floor + 1)))
        return Reader(tuple(own.tolist()), tuple(np.where(alone, own, -1).tolist())), mine


def needed(case: SumsCase, cells: set[int]) -> int | None:
    """How far doubt about the sum of these cells must reach on either side; None if no rule calls it unsafe."""
    parts: dict[int, int] = defaultdict(int)
    for cell, person, amount in case.gifts:
        if cell in cells:
            parts[person] += amount
    if not parts:
        return None
    rule, falling, whole = dict(case.rule), sorted(parts.values(), reverse=True), sum(parts.values())
    found: list[Fraction] = []
    if len(parts) < rule.get("threshold", 0):
        found.append(Fraction(rule.get("share", 10), 100) * whole)
    if "dominance" in rule:
        n, k = rule["dominance"]
        if Fraction(sum(falling[:n]), whole) > Fraction(k, 100):
            found.append(Fraction(100 * sum(falling[:n]), k) - whole)
    if "p" in rule:
        rest = whole - sum(falling[:2])
        if rest < Fraction(rule["p"], 100) * falling[0]:
            found.append(Fraction(rule["p"], 100) * falling[0] - rest)
    return ceil(max(found)) if found else None
