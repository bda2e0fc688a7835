"""Dates that a group has in common."""

import numpy as np
import pytest

from sharewell.tables.engine.protection.trails.group_dates import Precision, group_dates

GROUP = [np.array([[0, 1], [2, 3]])]


@pytest.mark.parametrize(("precision", "expected"), [("week", [102, 112, 102, 112, 9]), ("day", [102, 0, 102, 0, 9])])
def test_intervals_as_exact_as_allowed(precision: Precision, expected: list[int]) -> None:
    found = group_dates({"came": np.array([100, 110, 104, 120, 9])}, GROUP, precision)
    assert found.days["came"].tolist() == expected
    assert (found.off, found.withheld) == (
        ({"came": 6}, {"came": 0}) if precision == "week" else ({"came": 0}, {"came": 2})
    )


def test_a_date_that_one_person_lacks_is_shown_of_nobody() -> None:
    found = group_dates({"came": np.array([100, 110, 104, 0, 9])}, GROUP, "year")
    assert found.days["came"].tolist() == [102, 0, 102, 0, 9]
    assert group_dates({"came": np.zeros(4, np.int64)}, GROUP, "year").days["came"].tolist() == [0] * 4


def test_columns_are_counted_from_one_first_date() -> None:
    days = {"came": np.array([100, 110, 104, 114]), "left": np.array([101, 113, 105, 117])}
    found = group_dates(days, GROUP, "day")
    assert found.days["came"].tolist() == [102, 112] * 2
    assert found.days["left"].tolist() == [103, 115] * 2
