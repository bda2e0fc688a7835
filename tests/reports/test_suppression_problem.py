"""What is asked for, and how far cells may move."""

import numpy as np
from random_tables import counts, problem_of

from sharewell.reports.counts.engine.table_readers import ReaderKnowledge


def test_doubt_is_what_the_rule_asks_for_and_no_more_than_a_reader_lacks() -> None:
    """A count of 3 below 5 stays open from 1 to 4; a reader who knows it to be 2 or more is not misled below that."""
    problem = problem_of(counts((4, 5), 1))
    needs = problem.needs
    down, up = problem.doubts()
    assert (down == problem.values[needs.cells] - needs.low).all()
    assert (up == needs.high - problem.values[needs.cells]).all()
    number = int(np.flatnonzero(down > 0)[0])
    cell = needs.cells[[number]]
    insider = ReaderKnowledge(cell, problem.values[cell], np.zeros(0, np.int64))
    assert problem.wanted(number, -1, insider) == 0
    assert problem.wanted(number, -1) == down[number]


def test_shown_cells_may_not_move_and_a_hidden_count_stays_above_nothing() -> None:
    problem = problem_of(counts((4, 5), 1))
    assert not np.any(problem.shown_room)
    down, up = problem.hidden_room()
    assert (down[problem.may] <= problem.values[problem.may] - 1).all()
    assert (up[problem.may] > 0).all()
    assert not problem.may[problem.values == 0].any()
