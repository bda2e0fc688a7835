"""Disassociation: no code is altered; records are cut into chunks, and only which chunks belong together is hidden.

## Guarantee
k^m-disassociation: every combination of at most m codes that may be in one record is in at least k records of some
reconstruction. With `safe`, or if cover-free is asked for, no code is certain for everybody in a cluster. All codes of
every record are published and none is added, except that `safe` removes some occurrences.

## Adversary
Knows at most m codes of a target, that the target is in the data, and how the chunks were made.

## What it does not protect
Anyone of whom more than m codes are known. Codes that go with a cluster: without `safe`, most clusters are formed by a
code that all their records hold. Likely links between chunks. See km-disassociation and cover-free.

## Parameters
max_cluster: the largest number of records in a cluster, unless nothing tells them apart; left out, 6 · k. Small
clusters tell better which codes go together.
sets: utility sets, as lists of codes that share none. Codes of different sets are not put into one chunk, so that those
of a set stay together, and records are clustered by one set after the other.
file: instead of `sets`, a file with one set a line, its codes separated by spaces, `;` or `,`.
joint: how many clusters may share chunks for codes that are rare in each of them; 1 lets none share.
safe: remove occurrences so that no code is held by all records of a cluster.

## Worked example
Ten patients; the sets are mental disorders, skin diseases, hypertension, pneumonia and injuries.

>>> from sharewell.codes import CodeSets, Disassociation, KmDisassociation
>>> patients = '''296.00 296.01 296.02 834.0 944.01
... 296.00 296.01 296.02 401.0 944.01 692.71 695.10
... 296.00 296.02 692.71 834.0 695.10
... 296.00 296.01 692.71 401.0
... 296.00 296.01 296.02 692.71 695.10
... 296.03 295.04 404.00 480.1
... 294.10 296.03 834.0 944.01
... 294.10 295.04 296.03 480.1
... 294.10 295.04 404.00
... 294.10 295.04 296.03 834.0 944.01'''
>>> sets = ["294.10 295.04 296.00 296.01 296.02 296.03", "692.71 695.10", "401.0 404.00", "480.1", "834.0 944.01"]
>>> data = CodeSets.of([line.split() for line in patients.splitlines()])
>>> method = Disassociation(max_cluster=5, sets=[one.split() for one in sets], joint=1)
>>> released = method.protect(data, [KmDisassociation(3, m=2)]).data
>>> for row in released.to_arrow("codes").to_pylist():
...     " | ".join(map(str, row.values()))
'1 | 5 | 1 | 294.10 295.04'
'1 | 5 | 1 | 294.10 295.04 296.03'
'1 | 5 | 1 | 294.10 295.04 296.03'
'1 | 5 | 1 | 294.10 296.03'
'1 | 5 | 1 | 295.04 296.03'
'1 | 5 | items | 404.00 480.1 834.0 944.01'
'2 | 5 | 1 | 296.00 296.01'
'2 | 5 | 1 | 296.00 296.01 296.02'
'2 | 5 | 1 | 296.00 296.01 296.02'
'2 | 5 | 1 | 296.00 296.01 296.02'
'2 | 5 | 1 | 296.00 296.02'
'2 | 5 | 2 | 692.71'
'2 | 5 | 2 | 692.71 695.10'
'2 | 5 | 2 | 692.71 695.10'
'2 | 5 | 2 | 692.71 695.10'
'2 | 5 | items | 401.0 834.0 944.01'

## Why it is safe
A code joins a chunk only if every combination of up to m codes with it is held by no record or by k; codes below k in
their cluster are only listed. A cluster has at least k records. If it lists no code, it has enough sub-records that k
records can be put together from any m chunks and none remains empty: else one code is listed. Shared chunks are tested
alike over all records of their clusters, and hold no code that a record chunk there holds. Pieces are published in the
order of their content, so nothing shows which were one record.

## Cost
Clusters: O(occurrences) for each code on the way to a cluster, and O(codes) for each split. Chunks: for each cluster
O(codes · combinations of m − 1 codes of a chunk), as bit strings. 100,000 patients with ten of 12,000 codes take
seconds.

## Source
Terrovitis, Liagouris, Mamoulis and Skiadopoulos, 2012 (HORPART, VERPART, REFINE); Loukides, Liagouris,
Gkoulalas-Divanis and Terrovitis, 2014 (utility sets); Awad, Al Bouna, Couchot and Philippe, 2019 (partial suppression).
Which codes shared chunks hold, which neighbours share, and the order in which occurrences are removed are ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from sharewell.algorithm import Count, Declared, Key, Mechanism, Protected
from sharewell.codes.criteria.cover_free import CoverFree
from sharewell.codes.criteria.km_disassociation import KmDisassociation
from sharewell.codes.data import CodeSets, Ints
from sharewell.codes.engine.chunks import Chunks, Cluster, Joint, held
from sharewell.codes.engine.combinations import listed
from sharewell.codes.engine.protection.partitioning import Group, Limits, Part, clusters_of, refined
from sharewell.codes.engine.protection.requirements import StrictestKm
from sharewell.io.sources import Source
from sharewell.preconditions import refuse_incompatible


@dataclass(frozen=True)
class DisassociationDetails:
    """What was made of the records."""

    clusters: int
    joint_clusters: int
    smallest: int
    largest: int
    record_chunks: int
    shared_chunks: int
    listed_codes: int
    """Codes of item chunks, counted once in each cluster."""
    suppressed_occurrences: int
    without_codes: int
    """Records that hold no code: a cluster of their own."""
    utility_sets: int
    utility_sets_together: int
    """Utility sets of which, wherever their codes are, all are in one chunk with sub-records."""


@dataclass(frozen=True)
class Disassociation(Declared, Mechanism[Any]):
    """Clusters of similar records, each cut into chunks."""

    max_cluster: Count | None = None
    sets: Sequence[Sequence[str]] = ()
    file: Source | None = None
    joint: Count = 8
    safe: bool = False

    engine: ClassVar[tuple[str, ...]] = ("in_chunks", "covers")

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "sets", listed(self.sets if self.file is None else self.file, "sets"))
        if len({code for utility_set in self.sets for code in utility_set}) < sum(map(len, self.sets)):
            raise ValueError("sets must not share a code")

    def protect(
        self, data: CodeSets, must: Sequence[KmDisassociation | CoverFree], key: Key | None = None
    ) -> Protected[Chunks]:
        refuse_incompatible(self, must)
        strictest = StrictestKm.of(self, data, [rule for rule in must if not isinstance(rule, CoverFree)])
        rules = [rule for rule in must if isinstance(rule, CoverFree)] or [CoverFree()] * self.safe
        rule = min(rules, key=lambda rule: rule.confidence, default=None)
        parts = self._parts(data, strictest)
        for part in parts:
            part.cut(strictest.k, strictest.m, self._groups(part, strictest.k))
            if rule is not None:
                part.uncover(strictest.k, strictest.m, rule)
            part.fill(strictest.k, strictest.m)
        limits = Limits(strictest.k, strictest.m, self.joint, None if rule is None else rule.share)
        groups = refined(parts, limits)
        empty = np.flatnonzero(data.sets.lengths == 0)
        return _published(groups, empty, self.sets)

    def _parts(self, data: CodeSets, strictest: StrictestKm) -> list[Part]:
        """Clusters with who holds what; records of a cluster by their content, so that no order matters."""
        number = {code: place for place, utility_set in enumerate(self.sets) for code in utility_set}
        set_of = np.array([number.get(code, -1) for code in data.names], dtype=np.int64)
        most = max(strictest.k, 6 * strictest.k if self.max_cluster is None else self.max_cluster)
        parts = []
        for rows in clusters_of(data.sets, len(data.names), strictest.holding, strictest.k, most, set_of):
            order = sorted(rows.tolist(), key=lambda row: data.sets.row(row).tolist())
            holders: dict[str, int] = {}
            for place, row in enumerate(order):
                for item in data.sets.row(row).tolist():
                    code = data.names[item]
                    holders[code] = holders.get(code, 0) | 1 << place
            parts.append(Part(np.array(order, dtype=np.int64), holders))
        return parts

    def _groups(self, part: Part, k: int) -> list[Sequence[str]]:
        """The utility sets, and the codes of none; if nobody must be hidden, nothing needs to be cut."""
        if k == 1:
            return [tuple(part.holders)]
        in_sets = {code for utility_set in self.sets for code in utility_set}
        return [*self.sets, [code for code in part.holders if code not in in_sets]]


def _published(groups: Sequence[Group], empty: Ints, sets: Sequence[Sequence[str]]) -> Protected[Chunks]:
    """The release, with its records cluster by cluster in the order in which it lists them."""
    joints: list[tuple[Joint, Ints]] = [group.published() for group in groups]
    if len(empty):
        joints.append((Joint((Cluster(len(empty)),)), empty))
    joints.sort(key=lambda entry: entry[0])
    parts = [part for group in groups for part in group.parts]
    released = Chunks.of(joint for joint, _ in joints)
    details = DisassociationDetails(
        clusters=len(released.clusters),
        joint_clusters=sum(len(group.parts) > 1 for group in groups),
        smallest=min(part.size for part in parts),
        largest=max(part.size for part in parts),
        record_chunks=sum(len(part.chunks) for part in parts),
        shared_chunks=sum(len(group.shared) for group in groups),
        listed_codes=sum(len(cluster.items) for cluster in released.clusters),
        suppressed_occurrences=sum(part.suppressed for part in parts),
        without_codes=len(empty),
        utility_sets=len(sets),
        utility_sets_together=sum(all(_together(joint, set(entry)) for joint, _ in joints) for entry in sets),
    )
    return Protected(released, details, np.concatenate([rows for _, rows in joints]).astype(np.intp))


def _together(joint: Joint, codes: set[str]) -> bool:
    """Are all codes of a set that these clusters hold in one chunk with sub-records, for each cluster?"""
    shared = sum(not codes.isdisjoint(held([bag])) for bag in joint.shared)
    for cluster in joint.clusters:
        chunks = sum(not codes.isdisjoint(held([bag])) for bag in cluster.chunks)
        if chunks + shared > 1 or not codes.isdisjoint(cluster.items):
            return False
    return True
