"""Distinct numbers are those that NumPy finds, dense or not."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sharewell.distinct_numbers import contained, counted, distinct, numbered

NUMBERS = st.one_of(
    st.lists(st.integers(-5, 20), max_size=30),
    st.lists(st.integers(-(1 << 40), 1 << 40), max_size=30),
    st.lists(st.sampled_from([-(1 << 40), 0, 3, 1 << 40]), max_size=30),
)


@given(NUMBERS)
def test_each_number_once_and_where_it_stands(drawn: list[int]) -> None:
    numbers = np.array(drawn, dtype=np.int64)
    values, places = np.unique(numbers, return_inverse=True)
    assert distinct(numbers).tolist() == values.tolist()
    found, where = numbered(numbers)
    assert found.tolist() == values.tolist()
    assert where.tolist() == places.tolist()
    assert [one.tolist() for one in counted(numbers)] == [
        one.tolist() for one in np.unique(numbers, return_counts=True)
    ]


@given(NUMBERS, NUMBERS)
def test_numbers_are_contained_where_numpy_finds_them(drawn: list[int], others: list[int]) -> None:
    numbers, among = np.array(drawn, dtype=np.int64), np.array(others, dtype=np.int64)
    assert contained(numbers, among).tolist() == np.isin(numbers, among).tolist()


def test_small_whole_numbers_of_another_type_count_too() -> None:
    assert distinct(np.array([3, 1, 3], dtype=np.int8)).tolist() == [1, 3]
    assert contained(np.array([200], dtype=np.uint8), np.array([-56], dtype=np.int8)).tolist() == [False]
