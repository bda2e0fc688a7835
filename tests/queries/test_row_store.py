"""The private copy of the rows: what it holds, who can read it, and that filters look at one row at a time."""

from __future__ import annotations

import stat

import numpy as np
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_visits import table

from sharewell.queries.engine.row_store import AMOUNT, CELL, RowStore, group_labels
from sharewell.queries.question import All, Compared, Condition, Not, OneOf, Question, Some


@pytest.fixture(scope="module")
def store() -> RowStore:
    return RowStore(table())


def test_only_its_owner_can_read_it_and_it_vanishes() -> None:
    store = RowStore(table())
    directory = store.path.parent
    assert stat.S_IMODE(directory.stat().st_mode) == 0o700
    assert set(pq.read_table(store.path).column_names) == {"code0", "code1", "number1", "units1", "code2"}
    store.close()
    assert not directory.exists()


def test_every_group_is_counted_empty_ones_too(store: RowStore) -> None:
    counts = store.counts(All(), ("sex", "ward"), 9)
    groups = group_labels(dict(table().domains), ("sex", "ward"))
    assert len(groups) == len(counts) == 9
    assert counts.sum() == 60
    assert {tuple(group.values()): n for group, n in zip(groups, counts.tolist(), strict=True)}["other", "A"] == 0
    assert counts.reshape(3, 3).tolist() == table().counts(["sex", "ward"]).tolist()


def test_without_groups_there_is_one_cell_and_amounts_are_in_units(store: RowStore) -> None:
    assert store.counts(All(), (), 1).tolist() == [60]
    found = store.cells(All(), (), "age").collect()
    assert set(found.columns) == {CELL, AMOUNT}
    assert found[AMOUNT].sum() == sum(20 + i % 60 for i in range(60)) * 10**7


def holds(condition: Condition, row: dict[str, object]) -> bool:
    """A second reading of the filter language, one row at a time."""
    match condition:
        case All(parts):
            return all(holds(part, row) for part in parts)
        case Some(parts):
            return any(holds(part, row) for part in parts)
        case Not(part):
            return not holds(part, row)
        case OneOf(column, values):
            return row[column] in values
        case Compared(column, operator, number):
            return bool(eval(f"{row[column]} {operator} {number}"))


leaf = st.one_of(
    st.builds(lambda v: {"sex": v}, st.lists(st.sampled_from(["F", "M", "other"]), max_size=3)),
    st.builds(lambda o, n: {"age": {o: n}}, st.sampled_from(["<", "<=", ">", ">="]), st.integers(-5, 105)),
    st.builds(lambda n: {"age": {"!=": n}}, st.integers(20, 40)),
    st.builds(lambda a, b: {"age": {"between": [a, b]}}, st.integers(0, 100), st.integers(0, 100)),
)
conditions = st.recursive(
    leaf,
    lambda inner: st.one_of(
        st.builds(lambda parts: {"and": parts}, st.lists(inner, max_size=3)),
        st.builds(lambda parts: {"or": parts}, st.lists(inner, max_size=3)),
        st.builds(lambda part: {"not": part}, inner),
    ),
    max_leaves=6,
)


@given(conditions)
def test_a_filter_keeps_just_the_rows_for_which_it_holds(store: RowStore, given: dict[str, object]) -> None:
    question = Question.of({"measure": "count", "filter": given}).about(table().domains)
    rows = [{"sex": "FM"[i % 3 == 0], "age": 20 + i % 60} for i in range(60)]
    expected = sum(holds(question.condition, row) for row in rows)
    assert store.counts(question.condition, (), 1).tolist() == [expected]


def test_a_table_without_domains_can_still_be_counted() -> None:
    from dataclasses import replace

    assert RowStore(replace(table(), domains={})).counts(All(), (), 1).tolist() == [60]
    assert np.array_equal(replace(table(), domains={}).codes, np.zeros((60, 0)))
