"""Cells that grow: every combination ends in none of a combination's records or in k, and cells only gain values."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.joint import SnpCells
from sharewell.joint.engine.code_combinations import Combinations
from sharewell.joint.engine.known_values import KnownValues
from sharewell.joint.engine.protection.cell_growth import CellGrowth, steps

calls = st.lists(st.lists(st.integers(-1, 2), min_size=3, max_size=3), min_size=6, max_size=12)
bases = st.lists(st.lists(st.sampled_from([1, 2, 4, 8, 15, 16]), min_size=2, max_size=2), min_size=6, max_size=12)


def overlapping(count: int) -> Combinations:
    """Everybody, and two halves that share the middle: a record belongs to several combinations."""
    parts = [range(count), range(count // 2 + 1), range(count // 2 - 1, count)]
    rows = np.concatenate([np.array(part, dtype=np.int64) for part in parts])
    return Combinations.grouped(rows, np.repeat(np.arange(3), [len(part) for part in parts]))


@given(calls | bases, st.integers(1, 3), st.integers(1, 3))
@settings(max_examples=80, deadline=None)
def test_grown_cells_single_nobody_out(rows: Any, k: int, known: int) -> None:
    data = SnpCells.of_bases(rows, "dna") if len(rows[0]) == 2 else SnpCells.of_calls(rows, ["a", "b", "c"])
    among = overlapping(len(rows))
    shown = CellGrowth(data, np.arange(len(rows)), k).grown(among, known)
    assert ((shown.sets & data.sets) == data.sets).all()
    least = KnownValues.of(shown).fewest(among, known)
    assert least is not None
    assert least >= k
    assert (SnpCells.reopened(_texts(shown), shown.alphabet).sets == shown.sets).all()
    if k == 1:
        assert (shown.sets == data.sets).all()


def _texts(data: SnpCells) -> Any:
    import pyarrow as pa

    return {name: pa.chunked_array([column]) for name, column in data.arrow().items()}


def test_nothing_grows_that_need_not() -> None:
    data = SnpCells.of_calls([[0], [0], [0], [1], [1], [2]], ["a"])
    everybody = Combinations.grouped(np.arange(6), np.zeros(6, dtype=np.int64))
    shown = CellGrowth(data, np.arange(6), 2).grown(everybody, 1)
    assert (shown.sets != data.sets).sum() == 1
    assert steps(everybody, 3, 2) == 54


def test_too_few_records_for_any_cell_to_help_are_our_own_mistake() -> None:
    data = SnpCells.of_calls([[0], [1]], ["a"])
    with pytest.raises(AssertionError, match="too few records"):
        CellGrowth(data, np.arange(2), 3).grown(Combinations.grouped(np.arange(2), np.zeros(2, dtype=np.int64)), 1)
