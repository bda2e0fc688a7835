"""Rounded count tables: every table of whole numbers that may have been rounded to what is published is tried."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from benchmarks.truth.count_tables import Published, read, readers, table_of
from benchmarks.truth.enumeration import (
    WARDS,
    Ints,
    Shape,
    TooManyTables,
    Want,
    all_open,
    inner_cells,
    inside,
)
from benchmarks.truth.tally import Answer, Kind, pick
from sharewell.keys import Key
from sharewell.reports import CellProtection, ControlledRounding, CountTable
from sharewell.reports.counts.data import Rounding

SHAPES: tuple[Shape, ...] = ((2, 2), (2, 3), (3,), (4,), (WARDS,), (WARDS, 2), (2, 2, 2))
STYLES = ("controlled", "either", "either", "nearest", "nearest")
"""controlled: by the mechanism. either, nearest: every number for itself, up or down by lot, or to the nearest."""


@dataclass(frozen=True)
class RoundedCase:
    shape: Shape
    counts: tuple[int, ...]
    threshold: int
    base: int
    reach: int
    style: str
    seed: int
    zeros_secret: bool
    insiders: bool


class RoundedCases(Kind):
    name = "rounded count tables"

    def draw(self, rng: np.random.Generator) -> RoundedCase:
        shape, threshold = pick(rng, SHAPES), int(rng.integers(2, 5))
        counts = tuple(rng.integers(0, 4 if len(shape) > 2 else 7, len(inner_cells(shape))).tolist())
        base = pick(rng, (threshold, threshold, threshold + 1, 2, 3))
        reach = 2 if rng.random() < 0.1 and len(counts) < 6 else 1
        secret, insiders = bool(rng.random() < 0.3), bool(rng.random() < 0.7)
        return RoundedCase(
            shape, counts, threshold, base, reach, pick(rng, STYLES), int(rng.integers(2**31)), secret, insiders
        )

    def _rule(self, case: RoundedCase) -> CellProtection:
        return CellProtection(
            threshold=case.threshold,
            zeros="protect" if case.zeros_secret else "show",
            readers="all" if case.insiders else "outsiders",
        )

    def answer(self, case: RoundedCase) -> Answer:
        table, rule = table_of(case.shape, case.counts, zeros_shown=False), self._rule(case)
        if case.style == "controlled":
            key = Key(case.seed.to_bytes(32))
            released: CountTable = ControlledRounding(case.base, case.reach).protect(table, [rule], key).data
        else:
            to, reach = (case.style, 1) if case.style == "nearest" else ("either", case.reach)
            released = table.showing(self._rounded(case, table.shown), Rounding(case.base, to, reach=reach))  # type: ignore[arg-type]
        return Answer(rule.check(released).ok, read(released))

    def unprotected(self, case: RoundedCase) -> Published:
        table = table_of(case.shape, case.counts)
        return read(table.showing(self._rounded(case, table.shown)))

    def _rounded(self, case: RoundedCase, values: Ints) -> Ints:
        if case.style == "nearest":
            return (values + case.base // 2) // case.base * case.base
        up = np.random.default_rng(case.seed).random(len(values)) < 0.5
        return values // case.base * case.base + case.base * (up & (values % case.base > 0))

    def is_safe(self, case: RoundedCase, published: Published) -> bool:
        under = inside(case.shape, tuple(key for key, _ in published))
        values = under @ np.array(case.counts)
        shown = np.array([number for _, number in published])
        below = above = case.base * (1 if case.style == "nearest" else case.reach) - 1
        if case.style == "nearest":
            below, above = case.base // 2, (case.base - 1) // 2
        low, high = np.maximum(shown - below, 0), shown + above
        small = (values < case.threshold) & ((values > 0) | case.zeros_secret)
        if (values < low).any() or (values > high).any():
            return False
        floor = 0 if case.zeros_secret else 1
        top = max(case.threshold - 1, floor + 1)
        wants: list[Want] = [(cell, floor, top) for cell in np.flatnonzero(small).tolist()]
        try:
            return all_open(under, low, high, readers(case.counts, under, wants, case.insiders), None)
        except TooManyTables:
            return False
