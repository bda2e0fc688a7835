"""Exact subtraction: which hidden cells have one value only, against every table of whole numbers that fits."""

from __future__ import annotations

import numpy as np
from plain_tables import every_table

from sharewell.reports import CellProtection, CellSuppression, CountTable, TableInterval
from sharewell.reports.counts.data import HIDDEN
from sharewell.reports.counts.engine.dimensions import Dimension
from sharewell.reports.counts.engine.intervals import WholeTables, intervals
from sharewell.reports.counts.engine.relations import Equations
from sharewell.reports.counts.engine.table_readers import View


def test_the_share_computed_is_that_of_brute_force() -> None:
    """In three dimensions and with categories between, where linear programs are not enough."""
    draw = np.random.default_rng(3)
    wards = Dimension.of("ward", {"A1": ("A",), "A2": ("A",), "B": (), "C": ()})
    for number in range(40):
        shape = (2, 2, 2) if number % 2 else (4, 2)
        values = draw.integers(0, 3, shape)
        names = [wards, "sex"] if number % 2 == 0 else ["a", "b", "c"]
        keys = {
            one: (("A1", "A2", "B", "C")[one[0]], str(one[1])) if number % 2 == 0 else tuple(map(str, one))
            for one in np.ndindex(*shape)
        }
        table = CountTable.of_cells({keys[one]: int(values[one]) for one in keys}, names)
        hidden = (draw.random(table.size) < 0.7) & (table.shown > 0)
        hidden[0] = False
        published = table.showing(np.where(hidden, HIDDEN, table.shown))
        if not hidden.any():
            continue
        possible = every_table(published, 12)[:, hidden]
        found = TableInterval().mount(published)
        assert found.value == float((possible.min(axis=0) == possible.max(axis=0)).mean())


def test_what_is_too_large_is_undecided_and_never_nothing() -> None:
    cells = {(str(a), str(b)): 1 + (a * b) % 7 for a in range(6) for b in range(6)}
    table = CountTable.of_cells(cells, ["a", "b"])
    published = table.showing(np.where(table.leaves, HIDDEN, table.shown))
    found = TableInterval(most=10).mount(published)
    assert found.value is None
    assert "undecided" in found.note
    single, undecided = WholeTables(View.of(published), searches=0).single_valued(np.flatnonzero(published.hidden))
    assert undecided.any()
    assert (undecided | single).all()  # a line of ones that add up is known at once


def test_marks_are_read_by_the_attack() -> None:
    table = CountTable.of_cells({(str(i),): 1 for i in range(4)} | {("x",): 30, ("y",): 40}, ["ward"])
    hidden = np.where((table.shown > 0) & (table.shown < 5), -5, table.shown)
    assert TableInterval().mount(table.showing(hidden)).value == 1.0
    released = CellSuppression(style="negative").protect(table, [CellProtection(threshold=5)]).data
    assert TableInterval().mount(released).value == 0.0


def test_what_only_whole_numbers_determine_is_found() -> None:
    """Three pairs of three cells, each 1 at most: halves add up to 1.5, whole numbers to 1. Two of them: 3, or 2."""
    rows: list[tuple[list[int], int]] = []
    for start in (0, 6):
        rows += [([start + i, start + j], start + 3 + k) for k, (i, j) in enumerate(((0, 1), (1, 2), (0, 2)))]
    rows.append(([0, 1, 2, 6, 7, 8], 12))
    row = [number for number, (parts, _) in enumerate(rows) for _ in range(len(parts) + 1)]
    cell = [one for parts, whole in rows for one in (*parts, whole)]
    sign = [one for parts, _ in rows for one in (*([1] * len(parts)), -1)]
    equations = Equations(np.array(row), np.array(cell), np.array(sign), len(rows))
    low, high = np.zeros(13, np.int64), np.ones(13, np.int64)
    low[12], high[12] = 2, 9
    found = intervals(equations, low, high)
    assert (found.low[found.cells == 12], found.high[found.cells == 12]) == (2, 3)
    single, undecided = WholeTables(View(equations, low, high, (low, high), np.zeros_like(low))).single_valued(
        np.arange(13)
    )
    assert single.tolist() == [False] * 12 + [True]
    assert not undecided.any()
