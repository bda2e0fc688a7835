"""Grouping rows by their codes, whatever the size of the key."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.tables.engine.classes import group

SIZES = (1, 3, 255, 256, 65_535, 65_536, 65_537, 2_000_000_000)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(SIZES), max_size=7), st.integers(0, 30), st.integers(0, 2**32))
def test_rows_are_grouped_in_the_order_of_their_codes(sizes: list[int], rows: int, seed: int) -> None:
    draw = np.random.default_rng(seed)
    codes = [draw.choice([0, size // 2, size - 1], rows).astype(np.int32) for size in sizes]
    order, starts = group(codes, rows)
    tuples = list(zip(*(code.tolist() for code in codes), strict=True)) if codes else [()] * rows
    assert order.tolist() == sorted(range(rows), key=lambda row: (tuples[row], row))
    groups = [[tuples[row] for row in order[a:b]] for a, b in itertools.pairwise(starts)]
    assert all(len(set(one)) == 1 for one in groups)
    assert len(groups) == len(set(tuples))


@pytest.mark.parametrize("rows", [0, 1])
def test_few_rows(rows: int) -> None:
    order, starts = group([np.zeros(rows, dtype=np.int32)], rows)
    assert (len(order), starts.tolist()) == (rows, [0, 1] if rows else [0])
