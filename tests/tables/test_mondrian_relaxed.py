"""Cuts that run through a value: the guarantee holds on published cells, and nothing but quasi values decides."""

from collections import defaultdict
from fractions import Fraction
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_mondrian import covers, opened, people

from sharewell.errors import Infeasible, PolicyError
from sharewell.roles import Role, Schema
from sharewell.tables import (
    NCP,
    AlphaKAnonymity,
    BetaLikeness,
    DeltaDisclosure,
    EntropyLDiversity,
    HAffiliation,
    KAnonymity,
    LDiversity,
    Mondrian,
    RecordShare,
    RecursiveLDiversity,
    Table,
    TCloseness,
)
from sharewell.testing import check_mechanism

QUASI = ("age", "sex", "zip", "born", "ward")
CRITERIA = [
    KAnonymity(2),
    KAnonymity(3, unit="record"),
    LDiversity(2),
    EntropyLDiversity(Fraction(3, 2)),
    RecursiveLDiversity(Fraction(3), 2),
    AlphaKAnonymity(Fraction(4, 5), 2),
    TCloseness(Fraction(1, 2)),
    BetaLikeness(Fraction(3)),
    DeltaDisclosure(Fraction(3)),
    HAffiliation(Fraction(9, 10)),
    RecordShare(Fraction(4, 5)),
]
WORKLOADS: list[dict[str, Any]] = [
    {"split": "gain"},
    {"split": "width"},
    {"split": "label", "label": "illness"},
    {"split": "queries", "queries": [{"age": "[30-40]", "sex": "male"}, {"zip": "021*", "illness": "asthma"}]},
]


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    rows=st.integers(1, 120),
    persons=st.integers(1, 120),
    must=st.lists(st.sampled_from(CRITERIA), min_size=1, max_size=4),
    workload=st.sampled_from(WORKLOADS),
    relaxed=st.booleans(),
    suppress=st.sampled_from([0.0, 0.1]),
)
def test_any_mix_of_criteria_holds_on_the_cells_alone(
    seed: int, rows: int, persons: int, must: Any, workload: Any, relaxed: bool, suppress: float
) -> None:
    """The frame is opened anew as a stranger would open it; every criterion asked for holds, every cell covers."""
    frame = people(seed, rows, persons)
    try:
        released = Mondrian(**workload, relaxed=relaxed, suppress=suppress).protect(opened(frame), must)
    except Infeasible:
        return
    except PolicyError:
        assert relaxed
        return
    shown = released.data.arrow
    who = frame["who"].take(pa.array(released.rows))
    roles = dict.fromkeys(QUASI, Role.QUASI) | {"illness": Role.SENSITIVE, "who": Role.SUBJECT}
    again = Table.from_arrow(
        shown.append_column("who", who), Schema(roles), {}, kinds={"illness": "text"}, published=True
    )
    for criterion in must:
        if criterion.name not in ("beta-likeness", "delta-disclosure", "t-closeness") or not suppress:
            assert not criterion.check(again).failed, criterion
    originals = frame.to_pylist()
    for cells, row in zip(shown.to_pylist(), released.rows.tolist(), strict=True):
        assert all(covers(name, cells[name], originals[row][name]) for name in QUASI)


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10_000), rows=st.integers(1, 70), k=st.integers(1, 6), workload=st.sampled_from(WORKLOADS))
def test_it_keeps_the_contract(seed: int, rows: int, k: int, workload: Any) -> None:
    """In particular: the order of the rows decides nothing."""
    check_mechanism(Mondrian(**workload, relaxed=True), opened, people(seed, rows, rows), [KAnonymity(k)])
    check_mechanism(Mondrian(**workload), opened, people(seed, rows, rows), [KAnonymity(k)])


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 10_000), rows=st.integers(1, 80), k=st.integers(1, 8), split=st.sampled_from(["gain", "width"])
)
def test_equal_quasi_values_are_never_parted(seed: int, rows: int, k: int, split: Any) -> None:
    draw = np.random.default_rng(seed)
    frame = pa.table({"a": draw.integers(0, 3, rows), "b": [f"b{v}" for v in draw.integers(0, 3, rows)]})
    table = Table.of(frame, quasi=["a", "b"])
    try:
        released = Mondrian(split, relaxed=True).protect(table, [KAnonymity(k)])
    except Infeasible:
        assert rows < k
        return
    cells = defaultdict(set)
    for row, shown in zip(frame.to_pylist(), released.data.arrow.to_pylist(), strict=True):
        cells[tuple(row.values())].add(tuple(shown.values()))
    assert all(len(found) == 1 for found in cells.values())


def test_a_value_that_most_rows_share_no_longer_blocks() -> None:
    """Six of eight have the middle value in both columns: a cut between values leaves one row alone."""
    frame = pa.table({"a": [0, 1, 1, 1, 1, 1, 1, 2], "b": [1, 0, 1, 1, 1, 1, 2, 1]})
    table = Table.of(frame, quasi=["a", "b"])
    strict, relaxed = (Mondrian(relaxed=r).protect(table, [KAnonymity(2)]) for r in (False, True))
    assert (strict.details.classes, relaxed.details.classes) == (1, 3)
    losses = [NCP().score(table, released.data).value for released in (strict, relaxed)]
    assert losses[1] < losses[0]  # type: ignore[operator]


def test_boxes_may_overlap_and_smaller_classes_follow() -> None:
    """One column decides alone: six rows of age 1 to 3 with 2 four times, told apart by the hour."""
    frame = pa.table({"age": [1, 2, 2, 2, 2, 3], "hour": [5, 1, 2, 8, 9, 5]})
    table = Table.of(frame, quasi=["age", "hour"])
    released = Mondrian("width", relaxed=True).protect(table, [KAnonymity(3)])
    assert released.details.classes == 2
    assert released.details.smallest == 3


def test_criteria_that_unions_may_break_are_refused() -> None:
    table = opened(people(1, 40, 20))
    with pytest.raises(PolicyError, match="relaxed — delta-disclosure may fail where classes overlap"):
        Mondrian(relaxed=True).protect(table, [DeltaDisclosure(Fraction(3))])
