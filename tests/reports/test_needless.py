"""What need not be hidden is shown again: the same cells as by trying each from the beginning."""

import numpy as np
import pytest
from random_tables import counts, problem_of

from sharewell.reports.counts.engine.protection.moves import Moves
from sharewell.reports.counts.engine.protection.needless import show_needless
from sharewell.reports.counts.engine.protection.suppression_problem import Mask, Problem
from sharewell.reports.counts.engine.protection_check import protection


def plainly(problem: Problem, hidden: Mask) -> Mask:
    """The dearest first, every unsafe cell asked about anew each time."""
    kept = hidden.copy()
    spare = np.flatnonzero(hidden & ~problem.must)
    for cell in spare[np.argsort(-problem.weights[spare], kind="stable")]:
        kept[cell] = False
        moves = Moves(problem)
        moves.set(kept.astype(float))
        kept[cell] = any(moves.cut(*side) is not None for side in problem.sides)
    return kept


@pytest.mark.parametrize(("shape", "groups"), [((5, 6), {}), ((3, 3, 4), {}), ((6, 4), {0: 2})])
def test_it_shows_what_plain_trying_shows(shape: tuple[int, ...], groups: dict[int, int]) -> None:
    smaller = 0
    for seed in range(5):
        problem = problem_of(counts(shape, seed, groups=groups))
        everything = problem.may | problem.must
        if protection(problem.published(everything), problem.needs).failing:
            continue
        plain = plainly(problem, everything)
        if protection(problem.published(plain), problem.needs).failing:
            continue  # in whole numbers it is too little: then nothing is shown again
        kept = show_needless(problem, everything, [], Moves(problem))
        assert (kept == plain).all()
        smaller += int(kept.sum() < everything.sum())
    assert smaller >= 2
