"""Boxes of nodes: marks, counts and floors, as their definitions say."""

from __future__ import annotations

import numpy as np
import pytest

from sharewell.tables.engine.protection.lattice import node_boxes

SHAPES = [(3, 2, 4, 1, 2), (1, 1), (5,), (2, 3), ()]


def arrays(shape: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    strides = [int(np.prod(shape[j + 1 :])) for j in range(len(shape))]
    return np.array(shape, dtype=np.int64), np.array(strides, dtype=np.int64)


def box(shape: tuple[int, ...], number: int, upwards: bool) -> list[int]:
    """The numbers of a box's nodes, by definition."""
    nodes = list(np.ndindex(shape))
    compares = np.greater_equal if upwards else np.less_equal
    return [i for i, node in enumerate(nodes) if compares(node, nodes[number]).all()]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("upwards", [False, True])
def test_marks_and_floors_reach_all_of_a_box_and_nothing_else(shape: tuple[int, ...], upwards: bool) -> None:
    draw, total = np.random.default_rng(sum(shape)), int(np.prod(shape))
    for number in range(total):
        inside, flags = box(shape, number, upwards), draw.random(total) < 0.5
        raised, floors = draw.random(total), draw.random(len(inside))
        marked = flags.copy()
        node_boxes.mark(marked, number, upwards, True, *arrays(shape))
        assert marked.tolist() == [flag or i in inside for i, flag in enumerate(flags.tolist())]
        for given in (floors, floors[:1]):
            higher, is_open, expected = raised.copy(), flags.copy(), raised.copy()
            node_boxes.raise_floors(higher, is_open, number, upwards, given, 0.6, *arrays(shape))
            expected[inside] = np.maximum(raised[inside], given)
            assert higher.tolist() == expected.tolist()
            closed = [i in inside and expected[i] > 0.6 for i in range(total)]
            assert is_open.tolist() == [o and not c for o, c in zip(flags.tolist(), closed, strict=True)]


@pytest.mark.parametrize("shape", SHAPES)
def test_nodes_below_are_counted_if_they_have_both_flags(shape: tuple[int, ...]) -> None:
    flags, others = np.random.default_rng(3).random((2, int(np.prod(shape)))) < 0.6
    for number in range(len(flags)):
        expected = sum(bool(flags[i] and others[i]) for i in box(shape, number, False))
        assert node_boxes.count_both(flags, others, number, *arrays(shape)) == expected
    below = [sum(bool(flags[i]) for i in box(shape, number, False)) for number in range(len(flags))]
    assert node_boxes.counts_below(flags, *arrays(shape)).tolist() == below


@pytest.mark.parametrize("shape", SHAPES)
def test_products_count_interesting_nodes_below_and_closers_above(shape: tuple[int, ...]) -> None:
    interesting, closers = np.random.default_rng(4).random((2, int(np.prod(shape)))) < 0.5
    expected = [
        sum(bool(interesting[j]) for j in box(shape, i, False))
        * sum(bool(closers[j]) for j in box(shape, i, True))
        * bool(closers[i])
        for i in range(len(closers))
    ]
    assert node_boxes.box_products(interesting, closers, *arrays(shape)).tolist() == expected
