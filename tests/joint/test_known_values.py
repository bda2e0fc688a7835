"""The rarest combination of cells of DNA, against loops."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.joint import SnpCells
from sharewell.joint.engine.code_combinations import Combinations
from sharewell.joint.engine.known_values import KnownValues

cells = st.lists(st.lists(st.integers(1, 7), min_size=3, max_size=3), min_size=1, max_size=8)


@given(cells, st.integers(1, 4), st.data())
@settings(max_examples=100, deadline=None)
def test_the_fewest_records_that_show_the_same_cells(rows: Any, size: int, draw: Any) -> None:
    group = draw.draw(st.lists(st.integers(0, 1), min_size=len(rows), max_size=len(rows)))
    among = Combinations.grouped(np.arange(len(rows)), np.array(group, dtype=np.int64))
    values = KnownValues.of(SnpCells(np.array(rows, dtype=np.uint8), ("a", "b", "c")))
    counts: list[int] = []
    for number in (0, 1):
        inside = [row for row, own in zip(rows, group, strict=True) if own == number]
        for places in itertools.combinations(range(3), min(size, 3)):
            counts += Counter(tuple(row[place] for place in places) for row in inside).values()
    assert values.fewest(among, size) == min(counts)
    assert values.steps(among, size) > 0


def test_a_wider_cell_is_not_counted_for_a_narrower_one() -> None:
    """0, 0, 0, 1, {0,1}, {0,1}: three cells may hold a 1, and one shows it."""
    values = KnownValues.of(SnpCells(np.array([[1], [1], [1], [2], [3], [3]], dtype=np.uint8), ("a",)))
    assert values.fewest(Combinations.grouped(np.arange(6), np.zeros(6, dtype=np.int64)), 1) == 1


def test_nobody_has_a_value() -> None:
    values = KnownValues.of(SnpCells(np.zeros((0, 2), dtype=np.uint8), ("a", "b")))
    nobody = Combinations.grouped(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64))
    assert (values.places, values.fewest(nobody, 2)) == (0, None)
