"""What publications share, and releases by each of them from policy to verified files."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from small_visits import POLICY, PUBLISHED, desk
from tiny_tables import Tiny, bins, confidential, neighbours

import sharewell
from sharewell.errors import Infeasible, PolicyError
from sharewell.opendp_noise import Price, VectorNoise
from sharewell.queries.criteria.differential_privacy import DifferentialPrivacy
from sharewell.queries.data import EVERY, Neighbours, Range, Values
from sharewell.queries.engine.protection.budget_terms import Term
from sharewell.queries.engine.protection.publication import cells_of, columns_of, refuse_many
from sharewell.queries.mechanisms import consistent_tree, data_cube, privelet
from sharewell.queries.mechanisms.consistent_tree import ConsistentTree
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


@pytest.mark.parametrize(
    "way",
    [
        Privelet(epsilon=1.0, transformed=("a", "b")),
        Privelet(epsilon=1.0, transformed=("b",)),
        ConsistentTree(epsilon=1.0, column="a", branches=2),
        DataCube(epsilon=1.0),
        DataCube(epsilon=1.0, ways=1),
    ],
    ids=lambda way: way.name,
)
@pytest.mark.parametrize(("per_person", "kind"), [(1, "add-remove"), (2, "add-remove"), (1, "change-one")])
def test_no_neighbouring_tables_are_told_apart(
    way: Privelet | ConsistentTree | DataCube, per_person: int, kind: Neighbours, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Laplace's noise of a scale tells numbers apart by their distance over that scale, exactly: added up over all that
    gets noise, for all tables of two rows and all that one person makes of them, it is ε at most, and reaches it."""
    drawn: list[tuple[np.ndarray, float]] = []

    def record(counts: np.ndarray, price: Price, l1: int, l2: float, what: str) -> tuple[np.ndarray, Term]:
        scale = VectorNoise.within(price, l1, l2).scale
        drawn.append((counts.copy(), scale))
        return counts, Term(what, "discrete-laplace", scale, l1, price.amount, None)

    for module in (privelet, consistent_tree, data_cube):
        monkeypatch.setattr(module, "noisy", record)
    domains = {"a": Range(0, 3, bins=3), "b": Values(("0",))}
    known: dict[Tiny, list[tuple[np.ndarray, float]]] = {}

    def numbers(rows: Tiny) -> list[tuple[np.ndarray, float]]:
        if rows not in known:
            drawn.clear()
            way.protect(confidential(rows, domains, per_person, kind), [])
            known[rows] = list(drawn)
        return known[rows]

    worst = 0.0
    for here, there in neighbours((3, 2), 1, per_person, kind):
        both = zip(numbers(here), numbers(there), strict=True)
        worst = max(worst, sum(float(np.abs(a - b).sum()) / scale for (a, scale), (b, _) in both))
    assert worst <= 1.0 + 1e-12
    assert worst >= (0.5 if kind == "change-one" else 0.9)
