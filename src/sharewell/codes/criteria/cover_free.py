"""Cover-free: no code of a chunk is in all records of its cluster, because that would link the chunks again.

## Guarantee
In no cluster do all records hold a code in every reconstruction. Otherwise, whoever finds a person's cluster by codes
of one chunk learns codes of its other chunks for certain. With a `confidence` below 1, no code is held by that share of
the cluster's records or more.

## Adversary
Has found the cluster of a target by codes that occur in no other cluster, and looks for codes in its other chunks.

## What it does not protect
Likely links: a code held by nine of ten records is a person's with probability 0.9 (choose a lower confidence).
Identity: ask for km-disassociation too. Someone who knows that codes were removed for this criterion may guess which:
those that fall just short of the whole cluster.

## Parameters
confidence: the share of a cluster's records that no code may reach; above 0.5, at most 1 (default: all records).

## Worked example
The first cluster was formed by the code 296.00, so all five of its records hold it: an attacker who recognises a person
in it by a skin disease learns that this person has a bipolar disorder too. Removing one code from one record removes
the certainty.

>>> from sharewell.codes.engine.chunks import Chunks, Cluster, Joint
>>> skin = [["692.71", "695.10"]] * 3 + [["692.71"]]
>>> bipolar = [["296.00", "296.01", "296.02"]] * 3 + [["296.00", "296.02"], ["296.00", "296.01"]]
>>> print(CoverFree().check(Chunks.of([Joint((Cluster.of(5, [bipolar, skin], ["401.0"]),))])))
cover-free = 1 covers (≤ 0: FAILS)
>>> bipolar[0] = ["296.01", "296.02"]
>>> print(CoverFree().check(Chunks.of([Joint((Cluster.of(5, [bipolar, skin], ["401.0"]),))])))
cover-free = 0 covers (≤ 0: holds)

## Why it is safe
Sub-records of a chunk may be exchanged between any two records of the cluster. So a record that holds a code of one
chunk surely holds a code of another only if all records of the cluster do; for a shared chunk, all records of its
clusters. A cluster that is a single chunk has no cut links and cannot be covered. A code of an item chunk is held by at
least one record, which in a cluster of one is all of them.

## Cost
O(codes of all sub-records).

## Source
Awad, Al Bouna, Couchot and Philippe, 2019, and Barakat, Al Bouna, Nassar and Guyeux, 2016 (the cover problem). Their
definition was not available word for word: this is our reading in terms of reconstructions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, ClassVar

from annotated_types import Interval

from sharewell.algorithm import Criterion, Declared, Finding, Sense
from sharewell.codes.engine.chunks import Bag, Chunks, Cluster, Joint, chunks_in


@dataclass(frozen=True)
class CoverDetails:
    """Clusters that have a code which covers them, their records, and the largest share of a cluster that holds one."""

    clusters: int
    covered: int
    records: int
    largest: float


@dataclass(frozen=True)
class CoverFree(Declared, Criterion[Chunks]):
    """No code is held by all records of a cluster that has other chunks."""

    confidence: Annotated[float, Interval(gt=0.5, le=1)] = 1.0

    sense: ClassVar[Sense] = "≤"
    bound: ClassVar[int] = 0
    relaxes: ClassVar[str] = "confidence"

    @property
    def share(self) -> Fraction:
        return Fraction(str(self.confidence))

    def covers(self, holders: int, size: int) -> bool:
        """Do this many of a cluster's records reach the share?"""
        return holders >= self.share * size

    def check(self, data: Chunks) -> Finding:
        released = chunks_in(data, self.name)
        covers = covered = records = 0
        largest = Fraction(0)
        for joint in released.joints:
            links_found = list(links(joint))
            covering = [cluster for cluster, holders, size in links_found if self.covers(holders, size)]
            reached = [member for member in joint.clusters if None in covering or member in covering]
            covers, covered = covers + len(covering), covered + len(reached)
            records += sum(cluster.size for cluster in reached)
            largest = max([largest, *(Fraction(holders, size) for _, holders, size in links_found)])
        details = CoverDetails(len(released.clusters), covered, records, float(largest))
        value = covers if released.records else None
        return self.finding(value, unit="covers", details=details)


def links(joint: Joint) -> Iterator[tuple[Cluster | None, int, int]]:
    """(cluster, or None for a shared chunk; records that hold a code; of how many), of codes that go with other chunks.

    Codes of an item chunk count only in a cluster of one record, which surely holds them.
    """
    for cluster in joint.clusters:
        parts = len(cluster.chunks) + len(cluster.items) + len(joint.shared)
        if parts > 1:
            for bag in cluster.chunks:
                yield from ((cluster, holders, cluster.size) for holders in _counts(bag))
            if cluster.size == 1:
                yield from ((cluster, 1, 1) for _ in cluster.items)
    for bag in joint.shared:
        yield from ((None, holders, joint.size) for holders in _counts(bag))


def _counts(bag: Bag) -> list[int]:
    return list(Counter(code for codes in bag for code in codes).values())
