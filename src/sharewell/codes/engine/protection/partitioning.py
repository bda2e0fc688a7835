"""The three steps of disassociation: clusters of similar records, chunks of each cluster, chunks that clusters share.

Horizontal partitioning puts records that have frequent codes in common into clusters. Vertical partitioning puts the
codes of a cluster into chunks that are k^m-anonymous each. Refining puts codes that are rare in every cluster, but not
in neighbouring clusters together, into a chunk that these share. Inside a cluster, the holders of a code are a number
whose bits are records; combinations are counted by the bits that numbers have in common.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import reduce
from operator import or_

import numpy as np

from sharewell.codes.criteria.cover_free import CoverFree
from sharewell.codes.engine.chunks import Cluster, Joint
from sharewell.codes.engine.packed_sets import Ints, Sets

_NO_SET = -1
"""The set of a code that is in no utility set."""


def clusters_of(sets: Sets, universe: int, rows: Ints, k: int, most: int, set_of: Ints) -> list[Ints]:
    """Records in clusters of k or more, and of `most` or fewer where their codes differ.

    Records are split by the most frequent code that has not split them yet, into those that hold it and the rest. Codes
    of the utility set of the last code come first, as long as k records hold one. Items are numbered by falling
    support, so that a tie falls to the lower number.
    """
    return _without_small(list(_leaves(sets, universe, rows, k, most, set_of)), k)


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
    records: Sets, universe: int, used: Sequence[int], k: int, most: int, set_of: Ints
) -> Iterator[tuple[int | None, Ints]]:
    """(code, records that hold it), one code after the other; then (None, the rest)."""
    supports, holders = records.supports(universe), records.transposed(universe)
    supports[list(used)] = 0
    remaining = np.ones(records.count, dtype=bool)
    utility_set = int(set_of[used[-1]]) if used else _NO_SET
    while remaining.sum() > most:
        code = _most_frequent(supports, k, set_of, utility_set)
        if not supports[code]:
            break
        taken = holders.row(code)[remaining[holders.row(code)]].astype(np.int64)
        remaining[taken] = False
        supports -= records.take(taken).supports(universe)
        supports[list(used)] = 0
        utility_set = int(set_of[code])
        yield code, taken
    if remaining.any():
        yield None, np.flatnonzero(remaining)


def _most_frequent(supports: Ints, k: int, set_of: Ints, utility_set: int) -> int:
    """The most frequent code; of the utility set of the last code if k records hold one of its codes."""
    if utility_set != _NO_SET:
        of_set = np.where(set_of == utility_set, supports, 0)
        if of_set.max() >= k:
            return int(of_set.argmax())
    return int(supports.argmax())


def _without_small(leaves: Sequence[Ints], k: int) -> list[Ints]:
    """Clusters below k are put together, or with the smaller neighbour."""
    clusters: list[Ints] = []
    small: list[Ints] = []
    for leaf in leaves:
        if len(leaf) >= k and small and clusters and len(clusters[-1]) <= len(leaf):
            clusters[-1] = np.concatenate([clusters[-1], *small])
            small = []
        small.append(leaf)
        if sum(map(len, small)) >= k:
            clusters.append(np.concatenate(small))
            small = []
    if small:
        clusters[-1:] = [np.concatenate([*clusters[-1:], *small])]
    return clusters


@dataclass
class Part:
    """A cluster while it is cut into chunks."""

    rows: Ints
    """Its records in the original."""
    holders: dict[str, int]
    """For each code the records that hold it, as bits; what is suppressed is taken away."""
    chunks: list[list[str]] = field(default_factory=list)
    items: list[str] = field(default_factory=list)
    removed: dict[str, int] = field(default_factory=dict)
    """For each suppressed code the records that held it."""

    @property
    def suppressed(self) -> int:
        return sum(bits.bit_count() for bits in self.removed.values())

    @property
    def size(self) -> int:
        return len(self.rows)

    def support(self, code: str) -> int:
        return self.holders[code].bit_count()

    def cut(self, k: int, m: int, groups: Sequence[Iterable[str]]) -> None:
        """Rare codes to the item chunk, the others to chunks, each within a group of codes."""
        self.items = [code for code in self.holders if self.support(code) < k]
        for group in groups:
            frequent = [code for code in group if code in self.holders and self.support(code) >= k]
            self.chunks += anonymous(self.holders, frequent, k, m)

    def uncover(self, k: int, m: int, rule: CoverFree) -> None:
        """Take the certainty away from codes that (nearly) all records hold.

        A code is removed from records where no combination with it becomes rare and something else remains. If these
        are too few it goes to a chunk of its own, and if that does not help either, to the item chunk.
        """
        if len(self.chunks) + len(self.items) < 2:
            return
        for chunk in list(self.chunks):
            for code in [code for code in chunk if rule.covers(self.support(code), self.size)]:
                surplus = next(n for n in itertools.count(1) if not rule.covers(self.support(code) - n, self.size))
                if self._remove(code, chunk, surplus, k, m):
                    continue
                chunk.remove(code)
                if self._remove(code, [code], surplus, k, m):
                    self.chunks.append([code])
                else:
                    self.items.append(code)
        self.chunks = [chunk for chunk in self.chunks if chunk]

    def _remove(self, code: str, chunk: Sequence[str], surplus: int, k: int, m: int) -> bool:
        """Remove a code from this many records; all or nothing."""
        before = self.holders[code]
        others = [other for other in chunk if other != code]
        removed = 0
        for _, record in sorted((self._together(others, record), record) for record in _bits(before)):
            if removed == surplus:
                break
            if self._can_spare(code, others, record, k, m):
                self.holders[code] &= ~(1 << record)
                removed += 1
        if removed < surplus:
            self.holders[code] = before
            return False
        self.removed[code] = before & ~self.holders[code]
        return True

    def _together(self, codes: Sequence[str], record: int) -> int:
        return sum(self.holders[code] >> record & 1 for code in codes)

    def _can_spare(self, code: str, others: Sequence[str], record: int, k: int, m: int) -> bool:
        """Does the record hold something else, and is no combination of it rare without this record?"""
        if not any(bits >> record & 1 for other, bits in self.holders.items() if other != code):
            return False
        companions = [self.holders[other] for other in others if self.holders[other] >> record & 1]
        for size in range(min(m, len(companions) + 1)):
            for some in itertools.combinations(companions, size):
                together = self.holders[code]
                for bits in some:
                    together &= bits
                if together.bit_count() <= k:
                    return False
        return True

    def fill(self, k: int, m: int) -> None:
        """Without an item chunk sub-records must be left over; else the last code of the rarest chunk is listed."""
        if not self.items and not self.spacious(k, m):
            rarest = min(self.chunks, key=lambda chunk: sum(map(self.support, chunk)))
            code = rarest.pop()
            self.holders[code] |= self.removed.pop(code, 0)  # an item chunk does not show its holders
            self.items.append(code)
            self.chunks = [chunk for chunk in self.chunks if chunk]

    def spacious(self, k: int, m: int) -> bool:
        """Can k records with pieces of m chunks be formed so that no record remains empty?"""
        return bool(self.chunks) and self.pieces >= self.size + k * (min(m, len(self.chunks)) - 1)

    @property
    def pieces(self) -> int:
        """Its sub-records."""
        return sum(reduce(or_, (self.holders[code] for code in chunk), 0).bit_count() for chunk in self.chunks)

    def published(self, without: Iterable[str] = ()) -> Cluster:
        """`without`: codes of the item chunk that are in a shared chunk."""
        shared = set(without)
        bags = [sub_records(self.holders, chunk, self.size) for chunk in self.chunks]
        return Cluster.of(self.size, bags, [code for code in self.items if code not in shared])


def anonymous(holders: dict[str, int], frequent: Sequence[str], k: int, m: int) -> list[list[str]]:
    """Chunks in which every combination of up to m codes is held by no record or by k; frequent codes come first."""
    rest = sorted(frequent, key=lambda code: (-holders[code].bit_count(), code))
    chunks = []
    while rest:
        chunk: list[str] = []
        parts: list[list[int]] = [[-1], *([] for _ in range(m - 1))]  # by size: who holds each combination
        postponed = []
        for code in rest:
            met = [[bits & holders[code] for bits in level] for level in parts]
            if any(0 < bits.bit_count() < k for level in met for bits in level):
                postponed.append(code)
                continue
            chunk.append(code)
            for level, combined in zip(parts[1:], met, strict=False):
                level += [bits for bits in combined if bits]
        chunks.append(chunk)
        rest = postponed
    return chunks


def sub_records(holders: dict[str, int], chunk: Sequence[str], size: int) -> list[list[str]]:
    """What each record holds of a chunk, if anything."""
    records: list[list[str]] = [[] for _ in range(size)]
    for code in chunk:
        for record in _bits(holders[code]):
            records[record].append(code)
    return [codes for codes in records if codes]


def _bits(number: int) -> list[int]:
    """The places of its bits."""
    places = []
    while number:
        low = number & -number
        places.append(low.bit_length() - 1)
        number ^= low
    return places


@dataclass(frozen=True)
class Limits:
    """What must hold of a shared chunk."""

    k: int
    m: int
    clusters: int
    """At most this many share."""
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
        clusters = sorted(((part.published(codes), part.rows) for part in self.parts), key=lambda cluster: cluster[0])
        return Joint.of((cluster for cluster, _ in clusters), shared), np.concatenate([rows for _, rows in clusters])


def refined(parts: Sequence[Part], limits: Limits) -> list[Group]:
    """Neighbours are joined as long as that keeps more occurrences and co-occurrences."""
    groups = [Group.of(part) for part in parts]
    while any(group.fresh for group in groups):
        merged: list[Group] = []
        waiting = list(reversed(groups))
        while waiting:
            group = waiting.pop()
            after = waiting[-1] if waiting else None
            joined = None
            if after is not None and (group.fresh or after.fresh):
                joined = _joined(group, after, limits)
            if joined is not None:
                waiting.pop()
            merged.append(group if joined is None else joined)
        before = set(map(id, groups))
        for group in merged:
            group.fresh = id(group) not in before
        groups = merged
    return groups


def _joined(group: Group, other: Group, limits: Limits) -> Group | None:
    """Both with the chunks they can share; None if that keeps no more than before."""
    if len(group.parts) + len(other.parts) > limits.clusters or group.listed.keys().isdisjoint(other.listed):
        return None
    size, elsewhere = group.size + other.size, group.elsewhere | other.elsewhere
    listed = dict(group.listed)
    for code, bits in other.listed.items():
        listed[code] = listed.get(code, 0) | bits << group.size
    frequent = [
        code for code, bits in listed.items() if _fits(bits.bit_count(), size, limits) and code not in elsewhere
    ]
    shared = anonymous(listed, frequent, limits.k, limits.m)
    kept = sum(
        (listed[a] & listed[b]).bit_count()
        for chunk in shared
        for a, b in itertools.combinations_with_replacement(chunk, 2)
    )
    parts = [*group.parts, *other.parts]
    if kept <= group.kept + other.kept or not _stay_filled(parts, shared, limits):
        return None
    return Group(parts, size, listed, elsewhere, shared, kept)


def _fits(holders: int, size: int, limits: Limits) -> bool:
    return holders >= limits.k and (limits.share is None or holders < limits.share * size)


def _stay_filled(parts: Sequence[Part], shared: Sequence[Sequence[str]], limits: Limits) -> bool:
    """Does each cluster keep an item chunk, or have enough sub-records without?"""
    codes = {code for chunk in shared for code in chunk}
    return all(not codes.issuperset(part.items) or part.spacious(limits.k, limits.m) for part in parts)
