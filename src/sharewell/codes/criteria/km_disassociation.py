"""k^m-disassociation: up to m codes of a person may belong to at least k records, as far as the chunks show.

## Guarantee
Every combination of at most m codes that may be in one record is in at least k records of some reconstruction. A
reconstruction is a way in which the records may have been: each sub-record of a chunk in a record of its own, each code
of an item chunk in at least one record, no record of a cluster with codes empty. So no m codes narrow a person down to
fewer than k records for certain.

## Adversary
Knows at most m codes of a target, that the target is in the data, and how the chunks were made.

## What it does not protect
Anyone of whom more than m codes are known. Codes that all records of a cluster hold (see cover-free). Only *some*
reconstruction has k such records: "every" cannot be met, since a code of an item chunk may be in one record only, and
codes of two chunks may never meet. An attacker who finds some reconstructions likelier may learn more.

## Parameters
k: the least number of records.
m: how many codes an attacker may know.

## Worked example
The two clusters of Loukides et al. 2014, of five records each. Every pair of codes in a chunk has three records.

>>> from sharewell.codes.engine.chunks import Chunks, Cluster, Joint
>>> bipolar = [["296.00", "296.01", "296.02"]] * 3 + [["296.00", "296.02"], ["296.00", "296.01"]]
>>> skin = [["692.71", "695.10"]] * 3 + [["692.71"]]
>>> first = Cluster.of(5, [bipolar, skin], ["401.0", "834.0", "944.01"])
>>> mental = [["295.04", "296.03"], ["294.10", "296.03"], ["294.10", "295.04"]] + [["294.10", "295.04", "296.03"]] * 2
>>> second = Cluster.of(5, [mental], ["404.00", "480.1", "834.0", "944.01"])
>>> released = Chunks.of([Joint((first,)), Joint((second,))])
>>> print(KmDisassociation(3, m=2).check(released))
km-disassociation = 3 records (≥ 3: holds)
>>> print(KmDisassociation(3, m=3).check(released))
km-disassociation = 2 records (≥ 3: FAILS)

## Why it is safe
Sub-records of different chunks can be laid into the same records, so codes meet in as many records as the rarest of
their pieces, unless sub-records are needed elsewhere so that no record is empty. Nothing falls below k if every chunk
is k^m-anonymous, every cluster has k records, and every cluster without an item chunk has k · (min(m, chunks) − 1) more
sub-records than records. Otherwise combinations are examined one by one, and their records counted over all clusters. A
value below k is exact; a value of k or more is a lower bound.

## Cost
Σ over sub-records of C(length, m) occurrences. If a chunk or cluster is below k, up to 100,000 combinations are
examined; if that does not decide, the answer is undecided, which fails.

## Source
Terrovitis, Liagouris, Mamoulis and Skiadopoulos, 2012; Loukides, Liagouris, Gkoulalas-Divanis and Terrovitis, 2014.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sharewell.algorithm import Count, Criterion, Declared, Finding, Sense
from sharewell.codes.engine.chunks import Bag, Chunks, Cluster, chunks_in, held
from sharewell.codes.engine.itemsets import MOST_OCCURRENCES, SizeCounts, count, occurrences
from sharewell.codes.engine.packed_sets import Sets
from sharewell.codes.engine.reconstructions import PossibleRecords

_LOOKED_AT = 100_000
"""Combinations examined one by one."""


@dataclass(frozen=True)
class ChunkDetails:
    """How many pieces there are, and for each size the combinations within chunks."""

    records: int
    clusters: int
    joint_clusters: int
    chunks: int
    by_size: tuple[SizeCounts, ...]


@dataclass(frozen=True)
class KmDisassociation(Declared, Criterion[Chunks]):
    """Every combination of at most m codes that is possible is in at least k records of some reconstruction."""

    k: Count
    m: Count = 2

    sense: ClassVar[Sense] = "≥"
    bounded_by: ClassVar[str] = "k"

    def in_chunks(self, bags: Sequence[Bag]) -> tuple[SizeCounts, ...] | None:
        """The combinations of each size up to m within chunks; None if they are too many to count."""
        numbers: dict[tuple[int, str], int] = {}
        lengths = [len(codes) for bag in bags for codes in bag]
        flat = [
            numbers.setdefault((chunk, code), len(numbers))  # one code in two chunks counts as two
            for chunk, bag in enumerate(bags)
            for codes in bag
            for code in codes
        ]
        sets = Sets.of_pairs(np.repeat(np.arange(len(lengths)), lengths), np.array(flat, dtype=np.int64), len(lengths))
        sizes = range(1, min(self.m, max(lengths, default=0)) + 1)
        if any(occurrences(sets, size) > MOST_OCCURRENCES for size in sizes):
            return None
        return tuple(count(sets, len(numbers), size, self.k) for size in sizes)

    def check(self, data: Chunks) -> Finding:
        """The fewest records in which a possible combination can be. Records without codes break nothing."""
        released = chunks_in(data, self.name)
        bags = [bag for joint in released.joints for bag in joint.bags]
        counted = self.in_chunks(bags)
        if counted is None:
            note = "combinations are too many to count: choose a smaller m"
            return self.finding(None, unit="records", note=note)
        joint = sum(len(counts.clusters) > 1 for counts in released.joints)
        details = ChunkDetails(released.records, len(released.clusters), joint, len(bags), counted)
        coded = [cluster for counts in released.joints for cluster in counts.clusters if counts.shared or cluster.codes]
        limits = [counts.least for counts in counted if counts.least is not None]
        limits += [limit for cluster in coded for limit in self._limits(cluster)]
        value: int | None = min(limits, default=released.records or None)
        note = ""
        if limits and min(limits) < self.k:
            value, note = self._one_by_one(released, max(1, min(limits)))
        return self.finding(value, unit="records", details=details, note=note)

    def _limits(self, cluster: Cluster) -> Iterator[int]:
        """Records in which any pieces of this cluster can meet at least, as far as its size goes."""
        yield cluster.size
        if not cluster.items:
            spare, meetings = cluster.pieces - cluster.size, min(self.m, len(cluster.chunks)) - 1
            if spare < 0:
                yield 0  # some records need a shared chunk
            elif meetings:
                yield spare // meetings

    def _one_by_one(self, released: Chunks, lowest: int) -> tuple[int | None, str]:
        """The fewest records over all combinations that a cluster alone has in fewer than k, and what to say of it.

        lowest: no combination can have fewer, so that the search ends where one has no more.
        """
        everywhere = _AllClusters(released)
        fewest = self.k
        seen: set[tuple[str, ...]] = set()
        for looked, (possible, codes) in enumerate(self._suspects(everywhere)):
            if fewest <= lowest:
                break
            if looked == _LOOKED_AT:
                if fewest < self.k:
                    return fewest, "at most: not all combinations were looked at"
                return None, "combinations are too many to look at one by one"
            if codes not in seen and 0 < possible.most(codes) < self.k:
                seen.add(codes)
                fewest = min(fewest, everywhere.most(codes))
        return fewest, ""

    def _suspects(self, everywhere: _AllClusters) -> Iterator[tuple[PossibleRecords, tuple[str, ...]]]:
        """Combinations that some clusters may have in fewer than k records, large ones first: they are the rarest."""
        for place, joint in enumerate(everywhere.joints):
            if any(limit < self.k for cluster in joint.clusters for limit in self._limits(cluster)):
                possible = everywhere.possible(place)
                for size in range(self.m, 0, -1):
                    yield from ((possible, codes) for codes in itertools.combinations(possible.codes, size))
                continue
            for part in (part for bag in joint.bags for part in self._scarce(bag)):
                possible = everywhere.possible(place)
                others = [code for code in possible.codes if code not in part]
                for size in range(self.m - len(part), -1, -1):
                    for more in itertools.combinations(others, size):
                        yield possible, tuple(sorted((*part, *more)))

    def _scarce(self, bag: Bag) -> list[tuple[str, ...]]:
        """Combinations of a chunk that fewer than k sub-records hold."""
        sizes = range(1, self.m + 1)
        times = Counter(some for codes in bag for size in sizes for some in itertools.combinations(codes, size))
        return [some for some, often in times.items() if often < self.k]


class _AllClusters:
    """All clusters, with where each code may be."""

    def __init__(self, released: Chunks) -> None:
        self.joints = released.joints
        self.places: dict[str, set[int]] = {}
        self.known: dict[int, PossibleRecords] = {}
        for place, joint in enumerate(released.joints):
            for code in held(joint.bags).union(*(cluster.items for cluster in joint.clusters)):
                self.places.setdefault(code, set()).add(place)

    def possible(self, place: int) -> PossibleRecords:
        if place not in self.known:
            self.known[place] = PossibleRecords(self.joints[place])
        return self.known[place]

    def most(self, codes: Sequence[str]) -> int:
        """The most records that hold these codes in one reconstruction: clusters do not hinder each other."""
        places = set.intersection(*(self.places[code] for code in codes))
        return sum(self.possible(place).most(codes) for place in places)
