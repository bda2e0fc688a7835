"""Δ-growth of drawn tables: exact at the bound, and refused where a group is published."""

from __future__ import annotations

import pytest
from tables.test_rho1_to_rho2 import ALL, stated

from sharewell.tables import DeltaGrowth
from sharewell.tables.engine.checks.drawn_columns import GROUPS


@pytest.mark.parametrize(("growth", "ratio", "ok"), [("1/2", 9, True), ("1/2", 10, False), ("1/3", 4, True)])
def test_the_bound_is_exact(growth: str, ratio: int, ok: bool) -> None:
    assert DeltaGrowth(growth).check(stated(["a", "b"], [(ALL, ratio)])).ok is ok


def test_records_of_a_person_multiply() -> None:
    assert DeltaGrowth("1/2").check(stated(["a", "b"], [(ALL, 3)], 2, ["p", "p"])).ok
    assert DeltaGrowth("1/2").check(stated(["a", "b"], [(ALL, 4)], 2, ["p", "p"])).ok is False


def test_published_groups_are_undecided() -> None:
    finding = DeltaGrowth("1/2").check(stated(["a", "c"], [(("a", "b"), 2), (("c", "d"), 2)]))
    assert (finding.ok, finding.note) == (None, GROUPS)
