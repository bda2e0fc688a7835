"""Ratios that a table states: of all its drawn columns together."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pyarrow as pa

from sharewell.randomised import Randomised
from sharewell.tables import Table
from sharewell.tables.engine.checks.drawn_columns import GROUPS, stated_ratios
from sharewell.tables.engine.drawn_values import DrawnValues, ValueGroup

TWO = ValueGroup(("a", "b"), Randomised.within(Fraction(2), 2))
OTHER = ValueGroup(("c", "d"), Randomised.within(Fraction(3), 2))


def table(one: DrawnValues, two: DrawnValues) -> Table:
    frame = pa.table({"x": ["a", "a"], "y": ["a", "b"]})
    plain = Table.of(frame, quasi=[], sensitive=["x", "y"], published=True)
    told = {"x": replace(plain.columns["x"], drawn=one), "y": replace(plain.columns["y"], drawn=two)}
    return replace(plain, columns={**plain.columns, **told})


def test_columns_multiply_whichever_is_asked_about() -> None:
    both = table(DrawnValues((TWO,)), DrawnValues((TWO,)))
    for column in (None, "x", "y"):
        (found,), profile, problem = stated_ratios(both, column)
        assert (found.ratio, problem) == (TWO.drawn.ratio**2, "")
        assert profile is not None
        assert profile.columns == 2


def test_groups_beside_another_drawn_column_are_undecided() -> None:
    assert stated_ratios(table(DrawnValues((TWO, OTHER)), DrawnValues((TWO,))), "x") == ([], None, GROUPS)
