"""Step by step: what is hidden passes the audit, and what nothing helps is named."""

import numpy as np
import pytest
from random_tables import counts, problem_of

from sharewell.reports import CountTable
from sharewell.reports.counts.engine.protection.moves import Moves
from sharewell.reports.counts.engine.protection.paths import step_by_step
from sharewell.reports.counts.engine.protection_check import UnprotectedCell, protection


@pytest.mark.parametrize("shape", [(6, 7), (3, 4, 4)])
def test_steps_lead_to_a_choice_that_passes(shape: tuple[int, ...]) -> None:
    for seed in range(5):
        problem = problem_of(counts(shape, seed))
        hidden = step_by_step(problem, [], problem.must, Moves(problem))
        assert not isinstance(hidden, UnprotectedCell)
        assert hidden[problem.must].all()
        assert not (hidden & ~problem.may).any()
        assert not protection(problem.published(hidden), problem.needs).failing
        further = problem.must.copy()
        further[np.flatnonzero(problem.may & ~problem.must)[0]] = True
        from_there = step_by_step(problem, [], further, Moves(problem))
        assert not isinstance(from_there, UnprotectedCell)
        assert (from_there >= further).all()


def test_a_cell_that_nothing_helps_is_named() -> None:
    """One count of 2 and a total: everything else is 0 and always shown."""
    problem = problem_of(CountTable.of_cells({("a",): 2, ("b",): 0}, ["d"]))
    stuck = step_by_step(problem, [], problem.must, Moves(problem))
    assert isinstance(stuck, UnprotectedCell) or stuck[problem.needs.cells].all()
