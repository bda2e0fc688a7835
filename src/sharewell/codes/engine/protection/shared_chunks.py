"""Refining: codes that are rare in every cluster but not in neighbouring clusters together go to a chunk they share."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from sharewell.codes.engine.chunks import Joint
from sharewell.codes.engine.packed_sets import Ints
from sharewell.codes.engine.protection.vertical_partitioning import Part, anonymous, sub_records


@dataclass(frozen=True)
class Limits:
    """What must hold of a shared chunk."""

    k: int
    m: int
    clusters: int
    """At most so many share."""
    share: Fraction | None
    """No code may be held by this share of the records or more; None: it may."""


@dataclass
class Group:
    """Clusters that share chunks, or one that shares none."""

    parts: list[Part]
    size: int
    listed: dict[str, int]
    """For each code of an item chunk the records that hold it, as bits; the clusters one after the other."""
    elsewhere: set[str]
    """Codes of record chunks: they stay there."""
    shared: list[list[str]]
    kept: int = 0
    """Occurrences and co-occurrences in shared chunks: of these the numbers are published, of listed codes not."""
    fresh: bool = True
    """Was it made in this round?"""

    @classmethod
    def of(cls, part: Part) -> Group:
        in_chunks = {code for chunk in part.chunks for code in chunk}
        return cls([part], part.size, {code: part.holders[code] for code in part.items}, in_chunks, [])

    def published(self) -> tuple[Joint, Ints]:
        """The clusters in the order of their content, and their records in the original."""
        codes = {code for chunk in self.shared for code in chunk}
        shared = [sub_records(self.listed, chunk, self.size) for chunk in self.shared]
        clusters = sorted(((part.published(codes), part.rows) for part in self.parts), key=lambda one: one[0])
        return Joint.of((one for one, _ in clusters), shared), np.concatenate([rows for _, rows in clusters])


def refined(parts: Sequence[Part], limits: Limits) -> list[Group]:
    """Neighbours are joined as long as that keeps more occurrences and co-occurrences."""
    groups = [Group.of(part) for part in parts]
    while any(group.fresh for group in groups):
        found: list[Group] = []
        waiting = list(reversed(groups))
        while waiting:
            group = waiting.pop()
            after = waiting[-1] if waiting else None
            joined = None
            if after is not None and (group.fresh or after.fresh):
                joined = _joined(group, after, limits)
            if joined is not None:
                waiting.pop()
            found.append(group if joined is None else joined)
        before = set(map(id, groups))
        for group in found:
            group.fresh = id(group) not in before
        groups = found
    return groups


def _joined(one: Group, other: Group, limits: Limits) -> Group | None:
    """Both with the chunks they can share; None if that keeps no more than before."""
    if len(one.parts) + len(other.parts) > limits.clusters or one.listed.keys().isdisjoint(other.listed):
        return None
    size, elsewhere = one.size + other.size, one.elsewhere | other.elsewhere
    listed = dict(one.listed)
    for code, bits in other.listed.items():
        listed[code] = listed.get(code, 0) | bits << one.size
    frequent = [
        code for code, bits in listed.items() if _fits(bits.bit_count(), size, limits) and code not in elsewhere
    ]
    shared = anonymous(listed, frequent, limits.k, limits.m)
    kept = sum(
        (listed[a] & listed[b]).bit_count()
        for chunk in shared
        for a, b in itertools.combinations_with_replacement(chunk, 2)
    )
    parts = [*one.parts, *other.parts]
    if kept <= one.kept + other.kept or not _stay_filled(parts, shared, limits):
        return None
    return Group(parts, size, listed, elsewhere, shared, kept)


def _fits(held: int, size: int, limits: Limits) -> bool:
    return held >= limits.k and (limits.share is None or held < limits.share * size)


def _stay_filled(parts: Sequence[Part], shared: Sequence[Sequence[str]], limits: Limits) -> bool:
    """Does each cluster keep an item chunk, or have enough sub-records without?"""
    codes = {code for chunk in shared for code in chunk}
    return all(not codes.issuperset(part.items) or part.spacious(limits.k, limits.m) for part in parts)
