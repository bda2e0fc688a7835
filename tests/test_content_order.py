"""One order by content: by value, missing last, equal rows as they are."""

from __future__ import annotations

import datetime as dt
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from sharewell.codes.engine.packed_sets import Sets
from sharewell.content_order import content_order, ranks


@pytest.mark.parametrize(
    ("column", "by_value", "as_written"),
    [
        pytest.param(pa.array(["b", None, "a", "b"]), [1, 2, 0, 1], [2, 0, 1, 2], id="text"),
        pytest.param(pa.array([10, 9, None]), [1, 0, 2], [1, 2, 0], id="numbers"),
        pytest.param(pa.chunked_array([[1.5], [0.5, None]]), [1, 0, 2], [2, 1, 0], id="pieces"),
        pytest.param(pa.array([True, False, None]), [1, 0, 2], [2, 1, 0], id="truth"),
        pytest.param(pa.array(["b", "a"]).dictionary_encode(), [1, 0], [2, 1], id="dictionary"),
        pytest.param(pa.array([[2], None, [1]]), [1, 2, 0], [2, 0, 1], id="lists"),
        pytest.param(pa.array(np.array([2.0, 1.0], np.float16)), [1, 0], [2, 1], id="half floats"),
        pytest.param(pa.array([dt.date(2020, 10, 1), dt.date(2020, 9, 1)]), [1, 0], [1, 2], id="dates"),
        pytest.param(pa.array([], pa.string()), [], [], id="nothing"),
    ],
)
def test_places_among_the_distinct_values(column: Any, by_value: list[int], as_written: list[int]) -> None:
    assert ranks(column).tolist() == by_value
    assert ranks(column, as_written=True).tolist() == as_written


def test_equal_rows_stay_and_no_column_is_no_row() -> None:
    table = pa.table({"a": ["x", "w", "x", "x"], "b": [1, 5, 0, 1]})
    assert content_order(table).tolist() == [1, 2, 0, 3]
    assert content_order(pa.table({})).tolist() == []


def test_sets_are_ordered_by_their_items() -> None:
    """By the smallest item first; a set comes before those that begin with it, as a word before its longer ones."""
    sets = Sets.of([[300, 1], [2], [], [1], [1, 2], [256]])
    assert sets.by_content().tolist() == [2, 3, 4, 0, 1, 5]
