"""Horizontal partitioning: clusters of records that have frequent codes in common."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from sharewell.codes.engine.packed_sets import Ints, Sets

_NONE = -1
"""The set of a code that is in no utility set."""


def clusters_of(sets: Sets, universe: int, rows: Ints, k: int, most: int, set_of: Ints) -> list[Ints]:
    """Records in clusters of k or more, of `most` or fewer where their codes can tell them apart.

    Records are split by the most frequent code that has not split them yet, into those that hold it and the rest. Codes
    of the utility set of the last code come first, as long as k records hold one. Items are numbered by falling
    support, so that a tie falls to the lower number.
    """
    return _joined(list(_leaves(sets, universe, rows, k, most, set_of)), k)


def _leaves(sets: Sets, universe: int, rows: Ints, k: int, most: int, set_of: Ints) -> Iterator[Ints]:
    """Depth first, those that hold the code before the rest, so that neighbours are alike."""
    todo: list[tuple[Ints, tuple[int, ...]]] = [(rows, ())]
    while todo:
        rows, used = todo.pop()
        if len(rows) <= most:
            yield rows
            continue
        parts = list(_peeled(sets.take(rows), universe, used, k, most, set_of))
        todo += [(rows[part], used if code is None else (*used, code)) for code, part in reversed(parts)]
        if parts[0][0] is None:  # nothing tells them apart
            yield todo.pop()[0]


def _peeled(
    held: Sets, universe: int, used: Sequence[int], k: int, most: int, set_of: Ints
) -> Iterator[tuple[int | None, Ints]]:
    """(code, records that hold it), one code after the other; then (None, the rest)."""
    supports, holders = held.supports(universe), held.transposed(universe)
    supports[list(used)] = 0
    left = np.ones(held.count, dtype=bool)
    inside = int(set_of[used[-1]]) if used else _NONE
    while left.sum() > most:
        code = _next(supports, k, set_of, inside)
        if not supports[code]:
            break
        taken = holders.row(code)[left[holders.row(code)]].astype(np.int64)
        left[taken] = False
        supports -= held.take(taken).supports(universe)
        supports[list(used)] = 0
        inside = int(set_of[code])
        yield code, taken
    if left.any():
        yield None, np.flatnonzero(left)


def _next(supports: Ints, k: int, set_of: Ints, inside: int) -> int:
    """The most frequent code, of the set in progress if k records hold one of its codes."""
    if inside != _NONE:
        of_set = np.where(set_of == inside, supports, 0)
        if of_set.max() >= k:
            return int(of_set.argmax())
    return int(supports.argmax())


def _joined(leaves: Sequence[Ints], k: int) -> list[Ints]:
    """Clusters below k are put together, or with the smaller neighbour."""
    found: list[Ints] = []
    small: list[Ints] = []
    for leaf in leaves:
        if len(leaf) >= k and small and found and len(found[-1]) <= len(leaf):
            found[-1] = np.concatenate([found[-1], *small])
            small = []
        small.append(leaf)
        if sum(map(len, small)) >= k:
            found.append(np.concatenate(small))
            small = []
    if small:
        found[-1:] = [np.concatenate([*found[-1:], *small])]
    return found
