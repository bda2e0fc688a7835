"""Bounds by lines alone are those of the solver, and tables with exchanged rows are possible."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from plain_reports import agrees

from sharewell.reports import Levels, Publication, Report, Snoopers, Width, audit
from sharewell.reports.figures.engine.constraints import Equalities, constraints
from sharewell.reports.figures.engine.exchanges import Exchanges, subset
from sharewell.reports.figures.engine.line_bounds import LineBounds
from sharewell.reports.figures.engine.solvers.clarabel import Relaxation

UNSURE = 0.0501
"""A solver that is not quite sure widens its bound by this much of a domain of 100."""


MEANS, AND_SIGMA = Levels(3), Levels(3, 3)


def drawn(owners: int, measures: int, rows: Levels = MEANS, columns: Levels = AND_SIGMA, seed: int = 1) -> Publication:
    draw = np.random.default_rng(seed)
    values = np.round(draw.uniform(10, 90, measures) + draw.normal(0, 6, (owners, measures)), 1).clip(0, 100)
    named = {f"o{i}": {f"m{j}": float(v) for j, v in enumerate(row)} for i, row in enumerate(values)}
    return Publication.of(Report.of(named, domain=(0, 100)), rows, columns)


LEVELS = [
    (Levels(3), Levels(3, 3)),
    (Levels(1), Levels(3, 3)),
    (Levels(3, 3), Levels(3)),
    (Levels(2), Levels(2, 2)),
    (Levels(3), Levels(3)),
    (Levels(1), Levels(1, 3)),
    (Levels(3, 1, 3), Levels(3, 3, 3)),
]


@pytest.mark.parametrize(("rows", "columns"), LEVELS)
@pytest.mark.parametrize("known", [(), ("o0",), ("o1", "o4")])
def test_a_bound_of_a_line_that_some_point_attains_is_the_bound_of_all_figures(
    rows: Levels, columns: Levels, known: tuple[str, ...]
) -> None:
    """The solver never finds less open, and where it is sure, not more either."""
    shown = drawn(7, 4, rows, columns, seed=3)
    system = constraints(shown, shown.knowledge(*known))
    relaxation = Relaxation(system, Equalities.of(system))
    attained = LineBounds(system).attained(relaxation.least(np.zeros(relaxation.count)).point)
    compared = 0
    for cell, pair in enumerate(attained):
        for bound, sign in zip(pair, (1, -1), strict=True):
            if bound is not None:
                direction = np.zeros(relaxation.count)
                direction[cell] = sign
                beyond = sign * bound - relaxation.least(direction).bound
                assert abs(beyond) < 1e-6 or beyond == pytest.approx(0.05, abs=1e-4)
                compared += 1
    assert compared or (rows, columns) not in LEVELS[:2]


def test_in_a_large_table_lines_give_nearly_all_bounds() -> None:
    shown = drawn(20, 10)
    system = constraints(shown, shown.knowledge("o3"))
    relaxation = Relaxation(system, Equalities.of(system))
    attained = LineBounds(system).attained(relaxation.least(np.zeros(relaxation.count)).point)
    assert sum(bound is None for pair in attained for bound in pair) <= 0.05 * 2 * len(attained)


def test_a_point_outside_the_set_attains_nothing() -> None:
    """From a wrong centre the points fail the check, and all is left to the solver."""
    shown = drawn(20, 10)
    system = constraints(shown, shown.knowledge("o3"))
    assert LineBounds(system).attained(np.full(len(system.unknown), 1.0)) == [(None, None)] * len(system.unknown)


def test_a_kept_solver_answers_as_a_new_one() -> None:
    shown = drawn(6, 4, Levels(3), Levels(3, 3))
    system = constraints(shown, shown.knowledge("o0"))
    kept = Relaxation(system, Equalities.of(system))
    for cell in range(kept.count):
        direction = np.eye(kept.count)[cell]
        tangent = (direction, float(shown.truth[system.unknown[cell]]) - 0.5)
        for asked in ({}, {"margin": 4e-6}, {"tangents": [tangent]}, {"tangents": [tangent], "slack": True}):
            new = Relaxation(system, Equalities.of(system)).least(direction, **asked)
            again = kept.least(direction, **asked)
            assert (again.outcome, again.bound) == (new.outcome, pytest.approx(new.bound, abs=UNSURE))


def test_exchanged_rows_are_possible_tables_and_show_another_value() -> None:
    shown = drawn(12, 8)
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
    shown = drawn(12, 8, Levels(3, 3), Levels(3, 3))
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


def test_all_owners_of_a_large_table_are_judged_with_witnesses() -> None:
    """Every safe cell has two possible tables; an unsafe one stays unsafe."""
    shown = drawn(12, 6)
    found = audit(shown, [Width(4)], Snoopers(owners="all"), thorough=False, nodes=0)
    assert len(found.cells) == 12 * 6 + 12 * 11 * 6
    for cell in found.cells[::17]:
        tables = found.witness(cell.row, cell.column, cell.snooper)
        assert tables is not None
        known = {} if cell.snooper == "outsider" else shown.knowledge(cell.snooper).cells
        assert all(agrees(shown, known, table) for table in tables)
        apart = tables[1][cell.row, cell.column] - tables[0][cell.row, cell.column]
        assert (apart >= Fraction(4)) == (cell.status == "safe")
    narrow = audit(shown, [Width(99)], Snoopers(owners="all"), thorough=False, nodes=0)
    assert not narrow.safe
    assert narrow.violations
