"""Multiple-record partitioning: the paper's nineteen visits, and the contract."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_mondrian import opened, people

from sharewell.errors import Infeasible, PolicyError
from sharewell.tables import GBalance, HAffiliation, KAnonymity, MultiRecordPartitioning, Table
from sharewell.testing import check_mechanism

PERSONS = [
    ("Ashley", 32, "Female", [23000, 23200], ["Asthma", "Obesity"]),
    ("Bob", 36, "Male", [21750], ["Obesity"]),
    ("Charlie", 49, "Male", [22100] * 5, ["Diabetes", "Diabetes", "Gastritis", "Gastritis", "Diabetes"]),
    ("Diana", 38, "Female", [24200] * 2, ["Ulcer", "Gastritis"]),
    ("Edward", 36, "Male", [23500] * 2, ["Diabetes", "Gastritis"]),
    ("Fred", 40, "Male", [23600], ["Diabetes"]),
    ("Greg", 41, "Male", [24800], ["Ulcer"]),
    ("Harry", 45, "Male", [24050] * 5, ["Ulcer", "Asthma", "Epilepsy", "Asthma", "Ulcer"]),
]
VISITS = [(who, age, sex, z, ill) for who, age, sex, zips, ills in PERSONS for z, ill in zip(zips, ills, strict=True)]
NAMES = ("who", "age", "gender", "zip", "disease")
FRAME = pa.table({name: [visit[i] for visit in VISITS] for i, name in enumerate(NAMES)})
TABLE = Table.of(FRAME, quasi=["age", "gender", "zip"], sensitive=["disease"], subject="who")


def groups(released: Any) -> set[frozenset[str]]:
    cells = released.data.arrow.select(["age", "gender", "zip"]).to_pylist()
    found: dict[tuple[Any, ...], set[str]] = {}
    for row, source in enumerate(released.rows.tolist()):
        found.setdefault(tuple(cells[row].values()), set()).add(VISITS[source][0])
    return {frozenset(names) for names in found.values()}


@pytest.mark.parametrize(
    ("g", "expected"),
    [
        ("0.5", ["Ashley Diana", "Bob Edward Fred Greg", "Charlie Harry"]),
        ("0.6", ["Ashley Bob Charlie Diana Edward Fred Greg Harry"]),
        ("0.4", ["Ashley Diana", "Bob Edward", "Fred Greg", "Charlie Harry"]),
    ],
)
def test_the_papers_nineteen_visits(g: str, expected: list[str]) -> None:
    """g* = .5, .6 and .4 with h* = .7, recomputed by hand."""
    released = MultiRecordPartitioning().protect(TABLE, [GBalance(g), HAffiliation("0.7")])
    assert groups(released) == {frozenset(names.split()) for names in expected}
    assert GBalance(g).check(released.data).ok
    assert released.details.straddling == 0


def test_the_whole_table_of_the_paper() -> None:
    """g = 296/361 and h = 3/8."""
    one_class = Table.of(FRAME.drop(["age", "gender", "zip"]), quasi=[], sensitive=["disease"], subject="who")
    assert GBalance(Fraction(296, 361)).check(one_class).value == pytest.approx(296 / 361)
    assert HAffiliation("3/8").check(one_class).ok
    with pytest.raises(Infeasible):
        MultiRecordPartitioning().protect(TABLE, [GBalance(Fraction(297, 361))])


def test_it_needs_to_know_whose_a_record_is() -> None:
    with pytest.raises(PolicyError, match="role subject"):
        MultiRecordPartitioning().protect(Table.of(FRAME, quasi=["age"], rest="drop"), [KAnonymity(2)])


@settings(max_examples=30, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    rows=st.integers(1, 60),
    persons=st.integers(1, 30),
    rank=st.sampled_from(["balance", "width"]),
    together=st.booleans(),
)
def test_it_keeps_the_contract(seed: int, rows: int, persons: int, rank: Any, together: bool) -> None:
    mechanism = MultiRecordPartitioning(rank, together)
    check_mechanism(mechanism, opened, people(seed, rows, persons), [GBalance("1/2"), KAnonymity(2)])


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10_000), rows=st.integers(2, 60), persons=st.integers(2, 20))
def test_a_person_stays_together_if_asked(seed: int, rows: int, persons: int) -> None:
    """No cut separates two records of one person (classes may still publish equal cells)."""
    frame = people(seed, rows, persons)
    try:
        released = MultiRecordPartitioning(keep_person_together=True).protect(opened(frame), [KAnonymity(2)])
    except Infeasible:
        return
    assert released.details.straddling == 0
