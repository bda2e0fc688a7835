"""Compiled code for nodes of a lattice gives what its twins in numpy give."""

from __future__ import annotations

import numpy as np
import pytest

from sharewell.tables.engine.protection.lattice import rollup
from sharewell.tables.engine.protection.lattice.node_losses import size_totals
from sharewell.tables.engine.protection.lattice.rollup import Grouping, Tuples, open_leaves, smallest_below

pytest.importorskip("numba")


def tuples(seed: int, labels: int) -> Tuples:
    """Three columns, of which each level halves the labels."""
    draw = np.random.default_rng(seed)
    lowest = draw.integers(0, labels, (3, 50))
    columns = [[(column >> level).astype(np.int32) for level in range(4)] for column in lowest]
    sizes = [[(labels - 1 >> level) + 1 for level in range(4)]] * 3
    return Tuples(columns, sizes, draw.integers(1, 9, 50), draw.integers(0, 3, (50, 4)).astype(np.int32))


def as_sets(space: Tuples, grouping: Grouping) -> dict[tuple[int, ...], int]:
    """Records by the labels of a class."""
    labels = [space.labels[j][level][grouping.tuples].tolist() for j, level in enumerate(grouping.node)]
    return dict(zip(zip(*labels, strict=True), grouping.records.tolist(), strict=True))


@pytest.mark.parametrize("labels", [3, 8, 4000])
def test_classes_are_the_same_however_keys_are_told_apart(labels: int, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = tuples(labels, labels)
    monkeypatch.setattr(rollup, "_LARGE", 0)
    monkeypatch.setenv("SHAREWELL_COMPILE", "1")
    compiled = tuples(labels, labels)
    assert compiled.compiled
    assert not plain.compiled
    for node in np.ndindex(4, 4, 4):
        first, second = compiled.at(node), plain.at(node)
        assert as_sets(compiled, first) == as_sets(plain, second), node
        assert first.values is not None
        assert first.values.sum(axis=0).tolist() == compiled.values.sum(axis=0).tolist()  # type: ignore[union-attr]
        in_class = compiled.keys(node, None)[0][:, None] == compiled.keys(node, first.tuples)[0]
        assert np.array_equal(in_class.T @ compiled.values, first.values)


def test_the_smallest_lower_node_and_open_leaves_are_the_same() -> None:
    from sharewell.tables.engine.protection.lattice import rollup_kernel

    draw = np.random.default_rng(5)
    nodes, counts = draw.integers(0, 3, (40, 3)).astype(np.int32), draw.permutation(40)
    for node in np.ndindex(3, 3, 3):
        given = nodes, counts, 30, np.array(node, dtype=np.int32)
        assert smallest_below(*given) == rollup_kernel.smallest_below(*given)
    labels = draw.integers(0, 4, (5, 20)).astype(np.int32)
    leaves, begins, records = draw.integers(1, 9, 20), np.arange(0, 20, 4), draw.integers(1, 5, 6)
    some = labels, np.array([0, 3, 4]), leaves, begins, draw.integers(0, 20, 6), records
    assert open_leaves(*some).tolist() == rollup_kernel.open_leaves(*some).tolist()
    sizes = draw.integers(1, 9, 30)
    expected = [sum(size**power for size in sizes.tolist() if size < 5) for power in range(3)]
    assert size_totals(sizes, 5) == rollup_kernel.size_totals(sizes, 5) == (*expected, int((sizes**2).sum()))
