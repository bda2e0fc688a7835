"""Trails as a release shows them."""

import numpy as np
import pyarrow as pa
from trail_cases import Published

from sharewell.tables.engine.trails import classes_of, holds_dates, persons_sharing, trails_of


def test_rows_of_nobody_are_trails_of_their_own() -> None:
    case = Published((("p", 0, "A", 1), (None, 0, "A", 1), ("p", 0, "B", 2), (None, 0, "A", 1)))
    trails = trails_of(case.table)
    assert trails.count == 3
    assert trails.trail[0] == trails.trail[2]
    assert sorted(trails.owner.tolist())[:2] == [-1, -1]


def test_pieces_are_trails() -> None:
    trails = trails_of(Published((("p", 0, "A", 1), ("p", 1, "A", 1))).table)
    assert (trails.count, trails.contents()[1].tolist()) == (2, [0, 0])


def test_persons_sharing_a_trail() -> None:
    group, owner = np.array([0, 0, 0, 1, 1, 2]), np.array([5, 5, 6, 5, 6, -1])
    assert persons_sharing(group, owner, 3).tolist() == [1, 2, 0]
    assert classes_of(np.array([0, 0, 1, 1, 2]), np.array([7, 8, 8, 7, 7])).tolist() == [0, 0, 1]


def test_what_holds_dates() -> None:
    assert holds_dates(pa.array(["2020-01-01", None, "2020-01-01T10:00"]))
    assert holds_dates(pa.array(["03/04/2020", "04/03/2020"]))
    assert not holds_dates(pa.array(["2020-01-01", "none"]))
    assert not holds_dates(pa.array([None, None], pa.string()))
    assert not holds_dates(pa.array([20200101]))
