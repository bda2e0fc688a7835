"""The last step of a walk over combinations: those that fit too few persons, counted without listing all others."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from sharewell.joint.engine.combination_walk import Combinations, Walk
from sharewell.joint.engine.joined_records import Ints


def rare_below(walk: Walk, one: Combinations, extended: NDArray[np.bool_], k: int) -> Iterator[tuple[Ints, Ints]]:
    """Combinations with one fact more that fit fewer than k persons: what each extends, and its facts.

    extended: the combinations that may be extended; each of them fits k persons.
    """
    for more in walk.one_more(one, extended):
        _, combinations, counts = more.counted()
        rare = combinations[(counts > 0) & (counts < k)]
        parents = rare // more.width + more.least
        facts = one.items[parents]
        facts[:, one.known] = rare % more.width + walk.offsets[more.part]
        yield parents, facts
