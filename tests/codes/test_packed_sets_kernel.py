"""Compiled loops over packed sets, beside their twins in numpy and Python's sets."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.codes.engine.packed_sets import Sets

records = st.lists(st.sets(st.integers(0, 9), max_size=7), min_size=1, max_size=12)


@settings(max_examples=150, deadline=None)
@given(records, st.lists(st.integers(-1, 6), min_size=10, max_size=10))
def test_sets_are_renumbered_and_transposed_alike_by_loop_twin_and_sets(
    rows: list[set[int]], number: list[int]
) -> None:
    pytest.importorskip("numba")
    from sharewell.codes.engine import packed_sets, packed_sets_kernel

    long = [*rows, set(range(10))]
    sets, new = Sets.of(long), np.array(number, dtype=np.int32)
    expected = [sorted({number[item] for item in row} - {-1}) for row in long]
    holders = [[place for place, row in enumerate(long) if item in row] for item in range(12)]
    for few in (32, 3):
        loop = packed_sets_kernel.renumbered
        packed_sets_kernel._FEW = few
        for work in (loop, packed_sets._renumbered) if few == 32 else (loop.py_func,):  # type: ignore[attr-defined]
            result = Sets(*work(sets.starts, sets.items, new))
            assert [result.row(i).tolist() for i in range(result.count)] == expected
    packed_sets_kernel._FEW = 32
    for turned in (packed_sets_kernel.transposed, packed_sets._transposed):
        result = Sets(*turned(sets.starts, sets.items, 12))
        assert [result.row(i).tolist() for i in range(result.count)] == holders
