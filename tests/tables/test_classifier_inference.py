"""Classifier inference: people in the data and outside it, guesses with and without the truth."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from sharewell.errors import DataError, PolicyError
from sharewell.protocols import Truth
from sharewell.tables import ClassifierInference, DeFinetti, KAnonymity, Mondrian, Table
from sharewell.testing import check_attack


def population(seed: int, rows: int) -> pa.Table:
    rng = np.random.default_rng(seed)
    age, smokes = rng.integers(20, 90, rows), rng.random(rows) < 0.4
    risk = np.where(smokes, 0.7, 0.15) * np.where(age > 55, 1.2, 0.6)
    ill = np.where(rng.random(rows) < risk, "lung", np.where(rng.random(rows) < 0.5, "flu", "gout"))
    return pa.table({"age": age, "smokes": np.where(smokes, "yes", "no"), "ill": ill})


def test_it_learns_about_the_population_and_not_about_these_people() -> None:
    roles: dict[str, Any] = {"quasi": ["age", "smokes"], "sensitive": ["ill"]}
    table = Table.of(population(1, 2000), **roles)
    protected = Mondrian().protect(table, [KAnonymity(10)])
    found = ClassifierInference(outsiders=population(2, 2000)).mount(protected.data, protected.truth(table))
    details = found.details
    assert found.value > details.baseline + 0.05
    assert abs(found.value - details.outsiders) < 0.1, "people outside are predicted as well as those in the data"
    assert details.confident_right is None or details.confident_right > found.value
    stronger = DeFinetti().mount(protected.data, protected.truth(table))
    assert stronger.value >= found.value - 0.05, "who also knows the class does not do worse"


def test_nothing_published_is_nothing_learned() -> None:
    table = Table.of(population(3, 300), quasi=["age", "smokes"], sensitive=["ill"])
    hidden = Table.of(
        table.arrow.set_column(0, "age", pa.array(["*"] * 300)).set_column(1, "smokes", pa.array(["*"] * 300)),
        quasi=["age", "smokes"],
        sensitive=["ill"],
        published=True,
    )
    found = ClassifierInference().mount(hidden, Truth(table, np.arange(300)))
    assert found.value == pytest.approx(found.details.baseline)


def test_without_the_truth_it_says_so() -> None:
    table = Table.of(population(4, 50), quasi=["age", "smokes"], sensitive=["ill"])
    found = ClassifierInference().mount(table)
    assert "not simulated" in found.note
    assert found.details.right is None
    assert 0 < found.value <= 1


def test_several_sensitive_columns_and_mistakes() -> None:
    frame = population(5, 60).append_column("pay", pa.array(["low", "high"] * 30))
    table = Table.of(frame, quasi=["age", "smokes"], sensitive=["ill", "pay"])
    found = ClassifierInference().mount(table, Truth(table, np.arange(60)))
    assert {part.column for part in found.parts} == {"ill", "pay"}
    with pytest.raises(PolicyError, match="no sensitive column"):
        ClassifierInference("height").mount(table)
    with pytest.raises(DataError, match="lacks the column"):
        ClassifierInference(outsiders=frame.select(["age"])).mount(table)


@pytest.mark.parametrize("rows", [0, 1, 5])
def test_it_keeps_the_contract(rows: int) -> None:
    frame = pa.table({"sex": ["female", "male"] * 3, "ill": ["influenza", "gouty", None] * 2}).slice(0, rows)
    check_attack(ClassifierInference(), lambda one: Table.of(one, quasi=["sex"], sensitive=["ill"]), frame)


@pytest.mark.parametrize("subject", [None, "who"])
def test_what_is_drawn_does_not_depend_on_the_order_of_rows(subject: str | None) -> None:
    """With more persons than are drawn, or with several records of each."""
    rows = 3000 if subject is None else 400
    frame = population(5, rows)
    frame = frame.append_column("who", pa.array([f"p{i % 150}" for i in range(rows)]))
    names = ["age", "smokes", "ill"] if subject is None else frame.column_names
    found = set()
    for seed in range(3):
        mixed = frame.select(names).take(pa.array(np.random.default_rng(seed).permutation(rows)))
        table = Table.of(mixed, quasi=["age", "smokes"], sensitive=["ill"], subject=subject)
        protected = Mondrian().protect(table, [KAnonymity(10)])
        with_truth = ClassifierInference().mount(protected.data, protected.truth(table))
        found.add((with_truth.value, ClassifierInference().mount(protected.data).value))
    assert len(found) == 1
