"""The last step of a walk over combinations: those that fit too few persons, counted without listing all others."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from sharewell.joint.engine.joined_records import Combinations, Ints, Walk

_BINS = 16
"""So many counters for each row at most; else combinations are sorted."""


def rare_below(walk: Walk, one: Combinations, extended: NDArray[np.bool_], k: int) -> Iterator[tuple[Ints, Ints]]:
    """Combinations with one fact more that fit fewer than k persons: what each extends, and its facts.

    extended: the combinations that may be extended; each of them fits k persons.
    """
    for more in walk.one_more(one, extended):
        least = int(more.parent[0]) if len(more.parent) else 0
        width = int(walk.joined.parts[more.part].items.max()) + 1
        key = (more.parent - least) * width + more.item
        if int(key.max(initial=0)) < _BINS * len(key):
            counts = np.bincount(key)
            rare = np.flatnonzero((counts > 0) & (counts < k))
        else:
            combinations, counts = np.unique(key, return_counts=True)
            rare = combinations[counts < k]
        parents = rare // width + least
        facts = one.items[parents]
        facts[:, one.known] = rare % width + walk.offsets[more.part]
        yield parents, facts
