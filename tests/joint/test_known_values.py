"""The rarest combination of values of DNA, against loops."""

from __future__ import annotations

import itertools
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
def test_the_fewest_records_of_known_values(rows: Any, size: int, draw: Any) -> None:
    group = draw.draw(st.lists(st.integers(0, 1), min_size=len(rows), max_size=len(rows)))
    among = Combinations.grouped(np.arange(len(rows)), np.array(group, dtype=np.int64))
    values = KnownValues.of(SnpCells(np.array(rows, dtype=np.uint8), ("a", "b", "c")))
    counts = []
    for number in (0, 1):
        inside = [row for row, own in zip(rows, group, strict=True) if own == number]
        for places in itertools.combinations(range(3), min(size, 3)):
            for bits in itertools.product((1, 2, 4), repeat=len(places)):
                counts.append(sum(all(row[p] & b for p, b in zip(places, bits, strict=True)) for row in inside))
    assert values.fewest(among, size) == min(count for count in counts if count)
    assert values.steps(among, size) > 0


def test_nobody_has_a_value() -> None:
    values = KnownValues.of(SnpCells(np.zeros((0, 2), dtype=np.uint8), ("a", "b")))
    nobody = Combinations.grouped(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64))
    assert (values.places, values.fewest(nobody, 2)) == (0, None)
