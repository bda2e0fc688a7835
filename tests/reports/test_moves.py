"""Moves for many cells at once decide as questions about one cell at a time do."""

import numpy as np
import pytest
from random_tables import counts, problem_of

from sharewell.reports.counts.engine.protection.moves import Moves


@pytest.mark.parametrize("shape", [(5, 6), (7, 4), (3, 4, 3)])
def test_the_same_sides_are_served(shape: tuple[int, ...]) -> None:
    """Each side by a program of its own, with everything hidden that is hidden in part too."""
    draw, decided = np.random.default_rng(3), set()
    for seed in range(6):
        problem = problem_of(counts(shape, seed))
        warm = Moves(problem)
        for share in (0.3, 0.6, 0.9):
            some = problem.may & (draw.random(problem.table.size) < share)
            hidden = np.where(problem.must, 1.0, some * draw.choice([0.5, 1.0], problem.table.size))
            cuts = warm.cuts(hidden, problem.sides)
            failing = []
            for side in problem.sides:
                alone = Moves(problem)
                alone.set(hidden)
                failing.append(alone.cut(*side) is not None)
            assert bool(cuts) == any(failing)
            assert all(cut.weights @ hidden[cut.cells] < 1 - 1e-7 for cut in cuts)
            decided.add(bool(cuts))
    assert decided == {True, False}


def test_moves_lead_to_tables_that_fit() -> None:
    problem = problem_of(counts((6, 6), 2))
    moves, hidden = Moves(problem), problem.must | problem.may
    assert not moves.cuts(hidden.astype(float), problem.sides)
    tables = moves.tables()
    assert tables
    assert not any(problem.table.relations.broken(table) for table in tables)
