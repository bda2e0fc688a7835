"""From groups to a release."""

import numpy as np
import pytest
from trail_cases import Published

from sharewell.errors import Infeasible
from sharewell.tables.engine.protection.trails.trail_groups import TrailGroups, refuse_withholding

TABLE = Published((("p", 0, "A", 1), ("p", 0, "B", 2), ("q", 0, "A", 3), ("r", 0, "A", None))).table


def test_withheld_rows_are_gone_and_groups_move_together() -> None:
    groups = TrailGroups([np.array([[0], [2]])], np.array([0, -1, 0, -1]))
    out, dates = groups.release(TABLE, {"came": np.array([10, 11, 12, 0])}, "year")
    assert (out.rows, dates.days["came"].tolist()) == (2, [11, 11, 11, 0])
    assert out.trails is not None
    assert out.trails.moved_with is not None
    assert out.trails.moved_with.tolist() == [0, 0]
    assert out.carried["came"].to_pylist() == ["0001-01-11"] * 2


def test_too_much_is_refused() -> None:
    assert refuse_withholding("m", TABLE, np.array([0, 2, 3]), 0.4, []) == 1
    with pytest.raises(Infeasible, match="2 of 3 persons would lose records, and at most 1 may"):
        refuse_withholding("m", TABLE, np.array([0, 2]), 0.4, [])
    with pytest.raises(Infeasible, match="every record would be withheld"):
        refuse_withholding("m", TABLE, np.array([], np.intp), 1.0, [])
