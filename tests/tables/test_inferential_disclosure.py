"""Inferential disclosure: rules counted by hand, person by person."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.errors import PolicyError
from sharewell.protocols import Truth
from sharewell.tables import InferentialDisclosure, KAnonymity, Mondrian, Table
from sharewell.testing import check_attack

ROWS = st.lists(
    st.tuples(
        st.sampled_from(["x", "y", None]),
        st.sampled_from(["1", "2"]),
        st.sampled_from(["a", "b", "c", None]),
        st.sampled_from("123456"),
    ),
    min_size=1,
    max_size=20,
)


def table_of(rows: list[tuple[Any, ...]]) -> Table:
    drug, ward, ill, who = (pa.array(list(one), pa.string()) for one in zip(*rows, strict=True))
    frame = pa.table({"age": ["*"] * len(rows), "drug": drug, "ward": ward, "ill": ill, "who": who})
    return Table.of(frame, quasi=["age"], sensitive=["ill"], keep=["drug", "ward"], subject="who", published=True)


def by_hand(
    rows: list[tuple[Any, ...]], confidence: float, support: float, size: int
) -> tuple[float, float, int, float]:
    """(share given away rightly, expected share, rules, covered): sets of persons, one rule at a time."""
    everybody = {row[3] for row in rows}
    rules: list[tuple[float, int, dict[int, str], str]] = []
    for many in range(1, size + 1):
        for which in combinations((0, 1), many):
            for antecedent in sorted(
                {tuple(row[i] for i in which) for row in rows if None not in [row[i] for i in which]}
            ):
                fit = [row for row in rows if tuple(row[i] for i in which) == antecedent]
                persons = {row[3] for row in fit}
                for value in sorted({row[2] for row in fit if row[2] is not None}):
                    both = {row[3] for row in fit if row[2] == value}
                    base = len({row[3] for row in rows if row[2] == value}) / len(everybody)
                    sure = len(both) / len(persons)
                    if sure >= confidence and sure > base and len(persons) >= max(2, support * len(everybody)):
                        rules.append((sure, len(persons), dict(zip(which, antecedent, strict=True)), value))
    has = defaultdict(set)
    best: dict[str, tuple[float, int]] = {}
    for row in rows:
        has[row[3]].add(row[2])
        for sure, fits, antecedent, _ in rules:
            if all(row[i] == one for i, one in antecedent.items()):
                best[row[3]] = max(best.get(row[3], (0.0, 0)), (sure, fits))
    expected = sum(best[who][0] for who in best) / len(everybody)
    values = defaultdict(set)
    for row in rows:
        for sure, fits, antecedent, value in rules:
            if all(row[i] == one for i, one in antecedent.items()) and (sure, fits) == best[row[3]]:
                values[row[3]].add(value)
    certain = sum(values[who] <= has[who] for who in best), sum(bool(values[who] & has[who]) for who in best)
    return certain[0] / len(everybody), certain[1] / len(everybody), len(rules), expected


@settings(max_examples=150, deadline=None)
@given(ROWS, st.sampled_from([0.5, 0.8, 1.0]), st.sampled_from([0.0, 0.5]), st.integers(1, 2))
def test_rules_are_counted_by_person(rows: list[tuple[Any, ...]], confidence: float, support: float, size: int) -> None:
    """Several records a person, missing values; of equally sure rules that differ, either may be applied."""
    table = table_of(rows)
    attack = InferentialDisclosure(confidence=confidence, support=support, size=size)
    least, most, rules, expected = by_hand(rows, confidence, support, size)
    found = attack.mount(table, Truth(table, np.arange(len(rows))))
    assert found.details.rules == rules
    assert least - 1e-9 <= found.value <= most + 1e-9
    assert attack.mount(table).value == pytest.approx(expected, abs=1e-8)
    assert found.details.covered >= found.value - 1e-9


def test_numbers_are_known_in_ranges_and_quasi_cells_only_if_asked() -> None:
    rng = np.random.default_rng(5)
    cost = rng.integers(0, 1000, 600)
    ill = np.where(cost > 700, "cancer", rng.choice(["flu", "gout", "asthma"], 600))
    sex = np.where(ill == "gout", "m", "f")
    frame = pa.table({"sex": sex, "cost": cost, "ill": ill})
    table = Table.of(frame, quasi=["sex"], sensitive=["ill"], keep=["cost"])
    found = InferentialDisclosure(confidence=0.95).mount(table, Truth(table, np.arange(600)))
    assert found.value == pytest.approx((ill == "cancer").mean(), abs=0.06)
    assert found.details.columns == ("cost",)
    asked = InferentialDisclosure(confidence=0.95, quasi=True).mount(table, Truth(table, np.arange(600)))
    assert asked.value > found.value, "every man has gout"


def test_no_column_and_no_class_are_needed() -> None:
    frame = pa.table({"age": [30, 40, 50, 60] * 5, "ill": ["flu", "gout"] * 10})
    table = Table.of(frame, quasi=["age"], sensitive=["ill"])
    found = InferentialDisclosure().mount(table)
    assert (found.value, found.details.rules) == (0, 0)
    assert "no kept" in found.note
    kept = Table.of(frame.append_column("x", pa.array(["p", "q"] * 10)), quasi=["age"], sensitive=["ill"], keep=["x"])
    released = Mondrian().protect(kept, [KAnonymity(20)])
    after = InferentialDisclosure().mount(released.data, released.truth(kept))
    assert after.value == 1, "everybody is in one class, and yet nobody is in doubt"


def test_other_sensitive_columns_are_known_too() -> None:
    frame = pa.table({"age": ["*"] * 8, "drug": ["i", "n"] * 4, "ill": ["d", "f"] * 4})
    table = Table.of(frame, quasi=["age"], sensitive=["drug", "ill"], published=True)
    found = InferentialDisclosure().mount(table, Truth(table, np.arange(8)))
    assert {part.column for part in found.parts} == {"drug", "ill"}
    assert found.value == 1
    with pytest.raises(PolicyError, match="no sensitive column"):
        InferentialDisclosure("height").mount(table)


@pytest.mark.parametrize("rows", [0, 1, 6])
def test_it_keeps_the_contract(rows: int) -> None:
    frame = pa.table({"sex": ["female", "male"] * 3, "ill": ["influenza", "gouty", None] * 2, "drug": ["insulin"] * 6})
    check_attack(
        InferentialDisclosure(),
        lambda one: Table.of(one, quasi=["sex"], sensitive=["ill"], keep=["drug"]),
        frame.slice(0, rows),
    )
