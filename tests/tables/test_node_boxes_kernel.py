"""Compiled boxes of nodes give what their twins in numpy give."""

from __future__ import annotations

import numpy as np
import pytest

from sharewell.tables.engine.protection.lattice import node_boxes

pytest.importorskip("numba")


@pytest.mark.parametrize("shape", [(3, 2, 4, 1, 2), (1, 1), (5,), (2, 3), ()])
def test_compiled_and_plain_boxes_agree(shape: tuple[int, ...]) -> None:
    from sharewell.tables.engine.protection.lattice import node_boxes_kernel

    draw, total = np.random.default_rng(sum(shape)), int(np.prod(shape))
    sizes = np.array(shape, dtype=np.int64)
    box = sizes, np.array([np.prod(shape[j + 1 :]) for j in range(len(shape))], dtype=np.int64)
    for number in range(total):
        flags, others, raised = draw.random(total) < 0.5, draw.random(total) < 0.6, draw.random(total)
        groups = draw.integers(0, 3, total).astype(np.int32)
        node = np.array(np.unravel_index(number, shape), dtype=np.int64)
        for upwards, lengths in ((True, sizes - node), (False, node + 1)):
            floors, results = draw.random(int(np.prod(lengths))), []
            for module in (node_boxes, node_boxes_kernel):
                marked, higher, is_open, flat = flags.copy(), raised.copy(), flags.copy(), raised.copy()
                module.mark(marked, number, upwards, True, *box)
                module.raise_floors(higher, is_open, number, upwards, floors, 0.6, *box)
                module.raise_floors(flat, is_open, number, upwards, floors[:1], 0.6, *box)
                count = module.count_both(flags, others, number, *box)
                sums = module.counts_below(flags, *box), module.box_products(flags, others, *box)
                by_group = module.group_counts(flags, others, groups, 3, number, *box)
                assert by_group.sum() == count
                below = module.group_counts_below(flags, groups, 3, *box)
                assert below.sum(axis=1).tolist() == sums[0].tolist()
                parts = marked, higher, is_open, flat, *sums, by_group, below
                results.append([count, *(part.tolist() for part in parts)])
            assert results[0] == results[1]
