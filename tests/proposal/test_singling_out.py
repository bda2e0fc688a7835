"""How many people a few columns single out."""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sharewell.proposal.singling_out import alone, joined, single_out

ROWS = st.lists(st.tuples(*[st.integers(0, 3)] * 4), min_size=1, max_size=30)


@given(ROWS)
def test_records_alone_are_counted_as_by_hand(rows: list[tuple[int, ...]]) -> None:
    codes = [np.array(column, np.int64) for column in zip(*rows, strict=True)]
    counts = Counter(rows)
    assert alone(joined(codes), None) == sum(counts[row] == 1 for row in rows) / len(rows)


@given(ROWS)
def test_persons_alone_are_counted_as_by_hand(rows: list[tuple[int, ...]]) -> None:
    person = np.array([row[0] for row in rows], np.int64)
    codes = [np.array(column, np.int64) for column in zip(*rows, strict=True)][1:]
    owners: dict[tuple[int, ...], set[int]] = {}
    for row in rows:
        owners.setdefault(row[1:], set()).add(row[0])
    singled = set(itertools.chain.from_iterable(o for o in owners.values() if len(o) == 1))
    assert alone(joined(codes), person) == len(singled) / len(set(person.tolist()))


def test_the_greedy_search_finds_the_two_columns_that_matter() -> None:
    rows = np.arange(100)
    columns = {"noise": rows % 2, "tens": rows // 10, "ones": rows % 10}
    found = single_out(columns, None, 100)
    assert set(found[-1].columns) == {"tens", "ones"}
    assert [one.share for one in found] == [0.0, 1.0]


def test_a_constant_column_adds_nothing() -> None:
    assert single_out({"x": np.zeros(5, np.int64)}, None, 5) == []


def test_no_rows_and_no_columns() -> None:
    assert single_out({}, None, 5) == single_out({"x": np.array([], np.int64)}, None, 0) == []
