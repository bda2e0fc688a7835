"""Comparing budgets: how much error more privacy costs, before anything is released or charged."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from small_visits import POLICY, desk

from sharewell.pipeline.compare import compare_policy
from sharewell.policy import load

USING = {
    "noisy-marginals": "{noisy-marginals: {epsilon: 1, of: [[age, sex]]}}",
    "privelet": "{privelet: {epsilon: 1, columns: [age], transformed: [age]}}",
    "consistent-tree": "{consistent-tree: {epsilon: 1, column: age}}",
}


@pytest.mark.parametrize("using", USING)
def test_budgets_are_set_side_by_side_and_nothing_is_charged(tmp_path: Path, using: str) -> None:
    """The risk is the power that no test of membership exceeds at that budget, which follows from ε alone."""
    more = f"    require: [differential-privacy: {{epsilon: 2}}]\n    using: {USING[using]}\nwrite: {{csv: out}}\n"
    path = desk(tmp_path, POLICY + more)
    found = compare_policy(load(path))["visits"]
    assert found.risk == "membership.bound"
    assert found.risk_before == 1.0
    assert [round(one.risk or 0, 6) for one in found.drawn] == [
        round(min(0.05 * math.exp(e), 1 - math.exp(-e) * 0.95), 6) for e in (0.125, 0.25, 0.5, 1, 2)
    ]
    assert {one.withheld for one in found.drawn} == {0.0}
    (beyond,) = found.infeasible
    assert "4 reached" in beyond.why_not
    assert not list(tmp_path.glob("*ledger*"))


def test_a_comparison_may_name_its_own_variants(tmp_path: Path) -> None:
    more = (
        "    require: [differential-privacy: {epsilon: 3}]\n    using: {noisy-marginals: {epsilon: 1, of: [[sex]]}}\n"
        "    compare: {using: [noisy-marginals: {epsilon: 3, of: [[sex]]}], measure: marginal-error}\n"
        "write: {csv: out}\n"
    )
    (point,) = compare_policy(load(desk(tmp_path, POLICY + more)))["visits"].points
    assert point.mechanism == "noisy-marginals (epsilon = 3)"


def test_an_attack_on_answers_has_nothing_to_say_of_the_rows_themselves(tmp_path: Path) -> None:
    more = (
        "    require: [differential-privacy: {epsilon: 3}]\n    using: {noisy-marginals: {epsilon: 3, of: [[sex]]}}\n"
        "write: {csv: out}\n"
    )
    assert compare_policy(load(desk(tmp_path, POLICY + more)), risk="averaging")["visits"].risk_before is None
