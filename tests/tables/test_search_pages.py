"""The page of every criterion that levels are searched for says what one level tells of others."""

from __future__ import annotations

import sys

import pytest

from sharewell import tables
from sharewell.registry import compatible
from sharewell.tables.engine.checks.class_criterion import ClassCriterion
from sharewell.tables.engine.checks.population_classes import PopulationClassCriterion

CRITERIA = [
    one
    for one in (getattr(tables, name) for name in tables.__all__)
    if isinstance(one, type)
    and (issubclass(one, ClassCriterion | PopulationClassCriterion) or hasattr(one, "overall"))
    and compatible(tables.OptimalRecoding, one)
    and one.__module__.startswith("sharewell.tables.criteria.")
    and one.__name__ != "AppendSafe"  # it is of other criteria, and says what they say
]


@pytest.mark.parametrize("criterion", CRITERIA, ids=lambda one: one.__name__)
def test_its_cost_says_what_a_search_may_conclude(criterion: type) -> None:
    page = " ".join((sys.modules[criterion.__module__].__doc__ or "").split())
    cost = page.partition("## Cost")[2].partition("## Source")[0]
    assert "search" in cost
    assert "level" in cost


def test_criteria_are_found() -> None:
    assert len(CRITERIA) >= 20
    assert any(issubclass(one, PopulationClassCriterion) for one in CRITERIA)
