"""Who is left to whoever knows some rows."""

import numpy as np

from sharewell.tables.engine.checks.known_rows import KnownRows


def test_every_set_of_rows_is_looked_at_once() -> None:
    owners = [np.array([0]), np.array([1, 2])]
    known = KnownRows([(1, 1, 2), (1, 2)], owners, [(), ()])
    assert known.fewest(1, 100) == (3, 4)  # 1 and 2 of each
    assert known.fewest(2, 100) == (1, 7)  # and 11, 12, and 12


def test_steps_end_the_search() -> None:
    assert KnownRows([(1, 2, 3)], [np.array([0])], [()]).fewest(3, 6)[0] is None
    assert KnownRows([(1, 2, 3)], [np.array([0])], [()]).fewest(3, 7) == (1, 7)


def test_dates_outside_those_of_the_target_exclude() -> None:
    early, late = ((10, 20, frozenset({1, 2})),), ((10, 27, frozenset({1, 2})),)
    known = KnownRows([(1, 2), (1, 3)], [np.array([0]), np.array([1])], [early, late])
    assert known.fewest(1, 100) == (1, 4)
