"""Local recoding: criteria hold in what a reader groups, cells cover the originals, and no single node does better."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from every_node import EvenSize, Puzzle, holds, puzzle
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.errors import Infeasible, PolicyError
from sharewell.hierarchy import Intervals, Prefixes
from sharewell.tables import (
    NCP,
    EntropyLDiversity,
    KAnonymity,
    LDiversity,
    LocalRecoding,
    MarketerRisk,
    OptimalRecoding,
    Table,
    TCloseness,
)
from sharewell.testing import check_mechanism

MIXES: list[list[Any]] = [
    [KAnonymity(2)],
    [KAnonymity(4)],
    [LDiversity(2)],
    [KAnonymity(3), LDiversity(2)],
    [KAnonymity(2), TCloseness(0.4, unit="record")],
    [EntropyLDiversity(2, unit="record")],
    [EvenSize(), KAnonymity(2)],
]


def judge(puzzle: Puzzle, released: Any, must: list[Any], suppress: float) -> None:
    """Everything that is promised, by code that shares nothing with the mechanism."""
    groups: dict[Any, list[int]] = defaultdict(list)
    names, lost = list(puzzle.chains), 0.0
    for shown, source in zip(released.data.arrow.to_pylist(), released.rows.tolist(), strict=True):
        original = puzzle.rows[source]
        for name in names:
            cell, chains = shown[name] or "", puzzle.chains[name]
            assert cell in chains[original[name] or ""], "a cell does not cover its original"
            lost += (sum(cell in chain for chain in chains.values()) - 1) / max(1, len(chains) - 1)
        assert shown["ill"] == original["ill"]
        groups[tuple(shown[name] for name in names)].append(source)
    assert groups
    for members in groups.values():
        rows = [puzzle.rows[i] for i in members]
        assert all(holds(criterion, rows, puzzle.rows, 0) for criterion in must)
    gone = set(range(len(puzzle.rows))) - set(released.rows.tolist())
    persons = {puzzle.rows[i].get("who", i) for i in gone}
    everybody = {row.get("who", i) for i, row in enumerate(puzzle.rows)}
    assert len(persons) <= suppress * len(everybody)
    details = released.details
    assert (details.suppressed, details.suppressed_persons, details.classes) == (len(gone), len(persons), len(groups))
    flat = sum(len(puzzle.chains[name]) > 1 for name in names)  # a column of one value loses nothing, even withheld
    assert details.loss == pytest.approx((lost + len(gone) * flat) / (len(puzzle.rows) * len(names)), abs=1e-9)


@settings(max_examples=250, deadline=None)
@given(seed=st.integers(0, 10**6), mix=st.sampled_from(range(len(MIXES))), suppress=st.sampled_from([0.0, 0.1, 0.4]))
def test_it_keeps_what_it_promises_and_is_never_worse_than_one_node(seed: int, mix: int, suppress: float) -> None:
    given, must = puzzle(seed), MIXES[mix]
    try:
        plain = OptimalRecoding(suppress, aggregate="arithmetic-mean").protect(given.table, must)
    except Infeasible:
        plain = None
    try:
        released = LocalRecoding(suppress).protect(given.table, must)
    except Infeasible:
        assert plain is None
        return
    judge(given, released, must, suppress)
    if plain is not None:
        assert released.details.loss <= plain.details.loss + 1e-9


def clinic(rows: int = 600) -> pa.Table:
    draw = np.random.default_rng(3)
    age = draw.integers(18, 90, rows)
    return pa.table(
        {
            "who": [f"person-{i}" for i in draw.integers(0, rows, rows)],
            "age": age,
            "zip": [f"02{1 + a // 40}{z}" for a, z in zip(age.tolist(), draw.integers(10, 40, rows), strict=True)],
            "sex": draw.choice(["female", "male"], rows).tolist(),
            "illness": draw.choice(["influenza", "asthma", "diabetes"], rows).tolist(),
        }
    )


TREES = {"age": Intervals(width=5, levels=3), "zip": Prefixes()}


def opened(frame: pa.Table) -> Table:
    return Table.of(frame, quasi=["age", "zip", "sex"], sensitive=["illness"], subject="who", hierarchies=TREES)


def test_it_keeps_the_contract() -> None:
    for suppress in (0.0, 0.1):
        check_mechanism(LocalRecoding(suppress), opened, clinic(80), [KAnonymity(3), LDiversity(2)])


def test_rounds_lose_less_than_one_node() -> None:
    """More than a quarter less; the loss is the normalised certainty penalty that a reader finds in the cells."""
    table, must = opened(clinic()), [KAnonymity(5)]
    released = LocalRecoding().protect(table, must)
    plain = OptimalRecoding(aggregate="arithmetic-mean").protect(table, must)
    assert KAnonymity(5).check(released.data).ok
    assert released.details.suppressed == 0
    assert released.details.loss < 0.75 * plain.details.loss
    assert NCP().score(table, released.data).value == pytest.approx(released.details.loss)


def test_those_left_over_join_the_class_that_it_costs_least() -> None:
    """Two people of 61 are no class of three; they join the thirties, which are fewer than the twenties."""
    ages = [21] * 5 + [36] * 3 + [61] * 2
    table = Table.of(pa.table({"age": ages}), quasi=["age"], hierarchies={"age": Intervals(width=10, levels=2)})
    released = LocalRecoding().protect(table, [KAnonymity(3)])
    assert released.data.arrow["age"].to_pylist() == ["21"] * 5 + ["*"] * 5
    withheld = LocalRecoding(suppress=0.2).protect(table, [KAnonymity(3)])
    assert withheld.data.arrow["age"].to_pylist() == ["21"] * 5 + ["36"] * 3


def test_a_missing_value_stays_apart_until_the_top() -> None:
    zips = ["02139", "02138", None, None, "94110", "94110"]
    table = Table.of(pa.table({"zip": zips}), quasi=["zip"], hierarchies={"zip": Prefixes()})
    released = LocalRecoding().protect(table, [KAnonymity(2)])
    assert released.data.arrow["zip"].to_pylist() == ["0213*", "0213*", None, None, "94110", "94110"]


def test_weights_say_which_column_matters() -> None:
    table = Table.of(pa.table({"a": ["x", "y", "x", "y"], "b": ["u", "v", "v", "u"]}), quasi=["a", "b"])
    for heavy, light in (("a", "b"), ("b", "a")):
        shown = LocalRecoding(weights={heavy: 3.0}).protect(table, [KAnonymity(2)]).data.arrow.to_pydict()
        assert set(shown[light]) == {"*"}
        assert "*" not in shown[heavy]


def test_what_cannot_be_is_refused() -> None:
    table = Table.of(pa.table({"age": [1, 2, 3]}), quasi=["age"])
    with pytest.raises(Infeasible, match="local-recoding"):
        LocalRecoding().protect(table, [KAnonymity(4)])
    empty = Table.of(pa.table({"age": pa.array([], pa.string())}), quasi=["age"])
    with pytest.raises(Infeasible, match="no rows"):
        LocalRecoding().protect(empty, [KAnonymity(2)])
    with pytest.raises(PolicyError, match="published already"):
        LocalRecoding().protect(LocalRecoding().protect(table, []).data, [])
    with pytest.raises(PolicyError, match="only quasi columns"):
        LocalRecoding(weights={"b": 1.0}).protect(table, [])
    for parameters in ({"suppress": 2.0}, {"rounds": 0}, {"weights": {"age": -1.0}}):
        with pytest.raises(ValueError, match=next(iter(parameters))):
            LocalRecoding(**parameters)  # type: ignore[arg-type]


def test_criteria_that_overlapping_classes_would_break_cannot_be_asked_for() -> None:
    from sharewell.registry import compatible, lookup

    for name in ("k-map", "delta-presence", "instance-disclosure", "marketer-risk", "sample-uniqueness"):
        criterion = lookup("tables", "criteria", name)
        assert not compatible(LocalRecoding, criterion), name
        assert compatible(OptimalRecoding, criterion), name
    assert compatible(LocalRecoding, KAnonymity)
    assert not compatible(LocalRecoding, MarketerRisk)
