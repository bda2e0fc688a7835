"""What publications share, and releases by each of them from policy to verified files."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest
from small_visits import POLICY, PUBLISHED, desk
from tiny_tables import bins, confidential

import sharewell
from sharewell.errors import Infeasible, PolicyError
from sharewell.queries.criteria.differential_privacy import DifferentialPrivacy
from sharewell.queries.data import EVERY, Values
from sharewell.queries.engine.protection.publication import cells_of, columns_of, refuse_many
from sharewell.queries.mechanisms.data_cube import DataCube
from sharewell.queries.mechanisms.diffgen import DiffGen
from sharewell.queries.mechanisms.privelet import Privelet

WAYS = (
    "privelet: {epsilon: 1, transformed: [age]}",
    "consistent-tree: {epsilon: 1, column: age}",
    "data-cube: {epsilon: 1, ways: 2}",
    "diffgen: {epsilon: 1, target: ward, specialisations: 2, score: majority}",
)


@pytest.mark.parametrize("using", WAYS, ids=lambda using: using.partition(":")[0])
def test_a_release_is_charged_and_verified(using: str, tmp_path: Path) -> None:
    published = "\n".join(
        f"    using: {{{using}}}" if line.strip().startswith("using:") else line for line in PUBLISHED.splitlines()
    )
    done = sharewell.release(desk(tmp_path, POLICY + published + "\n"))
    certificate = json.loads((done.directory / "public" / "certificate.json").read_text())
    spent = certificate["datasets"]["visits"]["columns"]["count"]["spent"]
    assert spent["mechanism"] == using.partition(":")[0]
    assert spent["epsilon"] == pytest.approx(1.0, abs=1e-9)
    [finding] = sharewell.verify(done.directory).findings["visits"]
    assert finding.ok
    assert sharewell.verify(done.directory / "public").ok


def test_columns_are_those_with_public_values() -> None:
    table = confidential([], bins(a=2, b=3))
    assert columns_of("x", table, None) == ("a", "b")
    assert columns_of("x", table, ["b"]) == ("b",)
    for wrong in (["c"], []):
        with pytest.raises(PolicyError):
            columns_of("x", table, wrong)
    with pytest.raises(PolicyError, match="stands for every value"):
        columns_of("x", confidential([], {"a": Values((EVERY,))}), None)


def test_cells_are_listed_as_arrays_are() -> None:
    cells = cells_of(confidential([], bins(a=2, b=3)), ["a", "b"])
    assert cells["a"] == ["[0, 1)"] * 3 + ["[1, 2]"] * 3
    assert cells["b"] == ["[0, 1)", "[1, 2)", "[2, 3]"] * 2


def test_more_cells_than_are_published_are_refused_with_their_number() -> None:
    refuse_many("x", 1_000_000)
    with pytest.raises(Infeasible, match="1,000,001 cells would be published"):
        refuse_many("x", 1_000_001)


def test_a_criterion_that_does_not_hold_stops_the_release() -> None:
    table = confidential([(1,)], bins(a=2))
    with pytest.raises(Infeasible, match="differential-privacy"):
        Privelet(epsilon=1.0).protect(table, [DifferentialPrivacy(0.5)])


@pytest.mark.parametrize("epsilon", [1.0, 0.1, 0.3, 2.0, 1 / 3])
def test_shares_are_never_more_than_the_budget(epsilon: float) -> None:
    for of in (1, 2, 3, 7, 10, 20, 49):
        share = Privelet(epsilon=epsilon).share(of).amount
        assert epsilon * (1 - 1e-15) <= float(Fraction(share) * of)
        assert Fraction(share) * of <= Fraction(epsilon)


@pytest.mark.parametrize("specialisations", range(1, 12))
def test_no_rounding_makes_a_judge_find_more_than_the_budget(specialisations: int) -> None:
    table = confidential([(1, 1, 0)], bins(a=5, b=3, ill=2))
    for epsilon in (1.0, 0.1, 0.7):
        way = DiffGen(epsilon=epsilon, target="ill", specialisations=specialisations, score="majority")
        assert way.protect(table, [DifferentialPrivacy(epsilon)]).data.spent["epsilon"] <= epsilon
        assert DataCube(epsilon=epsilon).protect(table, [DifferentialPrivacy(epsilon)]).data.spent["epsilon"] <= epsilon
