"""The last step of a walk over combinations: those that fit too few persons, counted without listing all others."""

from __future__ import annotations

from sharewell.joint.engine.combination_walk import Combinations, OneMore, Walk
from sharewell.joint.engine.joined_records import Ints


def rare_with(walk: Walk, one: Combinations, more: OneMore, k: int) -> tuple[Ints, Ints]:
    """Combinations with one fact more that fit fewer than k persons: what each extends, and its facts.

    one: the combinations that are extended; each of them fits k persons. Linear in the rows of `more`.
    """
    _, combinations, counts = more.counted()
    rare = combinations[(counts > 0) & (counts < k)]
    parents = rare // more.width + more.least
    facts = one.items[parents]
    facts[:, one.known] = rare % more.width + walk.offsets[more.part]
    return parents, facts
