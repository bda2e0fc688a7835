"""All nodes of a lattice at or below a node, or at or above it: a box, which a search marks, counts and raises at once.

Nodes are numbered in the order of C arrays: `sizes` are the numbers of levels of each column, `strides` what one level
more adds to a node's number. Large work is done by compiled twins (`node_boxes_kernel`).
"""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from sharewell.tables.engine.array_types import Bools, Codes, Floats, Ints

Kept = TypeVar("Kept", bound=np.generic)


def mark(flags: Bools, number: int, upwards: bool, value: bool, sizes: Ints, strides: Ints) -> None:
    """Set the flags of a box."""
    _box(flags, number, upwards, sizes)[...] = value


def count_both(flags: Bools, others: Bools, number: int, sizes: Ints, strides: Ints) -> int:
    """How many nodes at or below a node have both flags."""
    return int(np.count_nonzero(_box(flags, number, False, sizes) & _box(others, number, False, sizes)))


def raise_floors(
    raised: Floats, is_open: Bools, number: int, upwards: bool, floors: Floats, best: float, sizes: Ints, strides: Ints
) -> None:
    """Raise the floors of a box to those given, in its order, or to a single one; close nodes whose floor exceeds the
    best loss."""
    box = _box(raised, number, upwards, sizes)
    np.maximum(box, floors.reshape(box.shape) if floors.size > 1 else floors[0], out=box)
    _box(is_open, number, upwards, sizes)[...] &= box <= best


def counts_below(flags: Bools, sizes: Ints, strides: Ints) -> Floats:
    """Of each node: how many at or below it have the flag."""
    counts = flags.astype(np.float64)
    for size, stride in zip(sizes.tolist(), strides.tolist(), strict=True):
        parts = counts.reshape(-1, size, stride)
        np.cumsum(parts, axis=1, out=parts)
    return counts


def group_counts(
    flags: Bools, others: Bools, groups: Codes, kinds: int, number: int, sizes: Ints, strides: Ints
) -> Ints:
    """How many nodes at or below a node have both flags, by the group they are in."""
    both = _box(flags, number, False, sizes) & _box(others, number, False, sizes)
    return np.bincount(_box(groups, number, False, sizes)[both], minlength=kinds)


def group_counts_below(flags: Bools, groups: Codes, kinds: int, sizes: Ints, strides: Ints) -> Floats:
    """Of each node: how many at or below it have the flag, by the group they are in."""
    return np.stack([counts_below(flags & (groups == kind), sizes, strides) for kind in range(kinds)], axis=-1)


def box_products(interesting: Bools, closers: Bools, sizes: Ints, strides: Ints) -> Floats:
    """Of each closer: the interesting nodes at or below it times the closers at or above it; 0 for all other nodes."""
    below, above = interesting.astype(np.float64), closers.astype(np.float64)
    for size, stride in zip(sizes.tolist(), strides.tolist(), strict=True):
        lower, upper = below.reshape(-1, size, stride), above.reshape(-1, size, stride)
        for level in range(1, size):
            lower[:, level] += lower[:, level - 1]
            upper[:, -1 - level] += upper[:, -level]
    return np.asarray(below * above * closers)


def _box(flat: NDArray[Kept], number: int, upwards: bool, sizes: Ints) -> NDArray[Kept]:
    shape = tuple(sizes.tolist())
    node = np.unravel_index(number, shape) if shape else ()
    levels = [slice(level, None) if upwards else slice(level + 1) for level in node]
    return flat.reshape(shape)[(*levels, ...)]
