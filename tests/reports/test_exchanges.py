"""Tables with exchanged rows are possible, and show another value."""

from __future__ import annotations

import numpy as np
import pytest
from plain_reports import agrees

from sharewell.reports import Levels, Publication, Report
from sharewell.reports.figures.engine.exchanges import Exchanges, subset


def drawn(rows: Levels, columns: Levels) -> Publication:
    draw = np.random.default_rng(1)
    values = np.round(draw.uniform(10, 90, 8) + draw.normal(0, 6, (12, 8)), 1).clip(0, 100)
    named = {f"o{i}": {f"m{j}": float(v) for j, v in enumerate(row)} for i, row in enumerate(values)}
    return Publication.of(Report.of(named, domain=(0, 100)), rows, columns)


def test_exchanged_rows_are_possible_tables_and_show_another_value() -> None:
    shown = drawn(Levels(3), Levels(3, 3))
    exchanges = Exchanges(shown)
    hidden = set(shown.frame.rows) - {"o5"}
    sought = [(cell, sign) for cell in shown.frame.cells if cell[0] != "o5" for sign in (1, -1)]
    successes = 0
    for cell, sign in sought:
        before = len(exchanges.tables)
        if exchanges.seek(cell, hidden, sign):
            successes += 1
            [table] = exchanges.tables[before:]
            assert sign * table.cells[cell] < sign * shown.truth[cell]
    assert successes > 20
    for table in exchanges.tables:
        assert agrees(shown, shown.knowledge("o5").cells, table.cells)
        assert {row for (row, _), value in table.cells.items() if value != shown.truth[row, _]} <= set(table.rows)


def test_figures_of_rows_that_no_exchange_keeps_end_the_attempts() -> None:
    shown = drawn(Levels(3, 3), Levels(3, 3))
    exchanges = Exchanges(shown)
    for cell in shown.frame.cells:
        exchanges.seek(cell, set(shown.frame.rows), 1)
    assert len(exchanges._tried) < 12 * 8


@pytest.mark.parametrize("seed", range(5))
def test_subsets_add_up(seed: int) -> None:
    draw = np.random.default_rng(seed)
    gains = draw.normal(0, 8, 14)
    chosen = subset(gains, 3, -0.5, 0.4)
    assert chosen is not None
    assert 3 in chosen
    assert -0.5 <= gains[list(chosen)].sum() <= 0.4
    every = [sum(gains[n] for n in range(6) if mask >> n & 1) for mask in range(64) if mask >> 2 & 1]
    possible = any(-0.5 <= total <= 0.4 for total in every)
    assert possible or subset(gains[:6], 2, -0.5, 0.4) is None
