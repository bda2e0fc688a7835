"""Distinct tuples at nodes of the lattice: their keys are the same however often a node is asked for."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sharewell.tables.engine.protection.lattice.rollup import Tuples


@st.composite
def spaces(draw: st.DrawFn) -> Tuples:
    """Columns whose labels at a higher level are unions of those below."""
    rows = draw(st.integers(1, 30))
    dice = np.random.default_rng(draw(st.integers(0, 2**32)))
    labels, sizes = [], []
    for _ in range(draw(st.integers(1, 6))):
        top = draw(st.integers(1, 40))
        steps = sorted({top, *draw(st.lists(st.integers(1, top), max_size=3)), 1}, reverse=True)
        lowest = dice.integers(0, top, rows)
        labels.append([(lowest * step // top).astype(np.int32) for step in steps])
        sizes.append(steps)
    return Tuples(labels, sizes, dice.integers(1, 5, rows))


@given(spaces(), st.data())
def test_keys_tell_the_same_tuples_apart_whether_columns_are_joined_or_not(space: Tuples, data: st.DataObject) -> None:
    node = tuple(data.draw(st.integers(0, len(size) - 1)) for size in space.sizes)
    some = np.flatnonzero(np.arange(len(space.records)) % 2 == 0)
    wanted = list(zip(*[column[level].tolist() for column, level in zip(space.labels, node, strict=True)], strict=True))
    asked = [space.keys(node, None)[0] for _ in range(5)]
    for keys in asked:
        assert keys.tolist() == asked[0].tolist()
    assert space.keys(node, some)[0].tolist() == asked[0][some].tolist()
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    assert sorted(range(len(wanted)), key=lambda i: asked[0][i]) == order
    assert any(space._joined) == any(len(bundle) > 1 for bundle in space._bundles)
