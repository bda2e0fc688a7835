"""Chunk linking: how certainly an attacker who knows a person's cluster guesses a code in its other chunks.

## Guarantee
None; a measurement. The value is the largest probability with which a code of another chunk is guessed right.

## Adversary
Has found the cluster of a target by codes of one chunk, and guesses the code of another chunk that most of its records
hold. With the truth the attack is simulated: the attacker knows m codes of the target, takes the cluster where they
meet most often, and guesses the code of any chunk that goes with them most surely.

## What it does not protect
An attacker who knows which diseases go together does better than this says.

## Parameters
m: how many codes of a target are known, where the attack is carried out.
threshold: what is guessed with more than this probability counts as at risk.

## Worked example
Clusters are formed by a code that all their records hold. Skin diseases are in another chunk than 296.00, and still
tell it.

>>> from sharewell.codes.engine.chunks import Chunks, Cluster, Joint
>>> bipolar = [["296.00", "296.01", "296.02"]] * 3 + [["296.00", "296.02"], ["296.00", "296.01"]]
>>> skin = [["692.71", "695.10"]] * 3 + [["692.71"]]
>>> result = ChunkLinking().mount(Chunks.of([Joint((Cluster.of(5, [bipolar, skin], ["401.0"]),))]))
>>> result.value, result.details.certain
(1.0, 1.0)

## Why it is safe
Sub-records of different chunks may lie in any records of a cluster, so a code goes with what is known of another chunk
as often as it is in the cluster; a code of an item chunk at least once. The attack reads the release and returns
numbers only. In a simulation a guess is right if the person has the code, whichever cluster was chosen.

## Cost
O(codes of all sub-records); for a simulation, up to 2,000 persons drawn with a fixed seed, and for each the clusters
that hold all known codes.

## Source
Barakat, Al Bouna, Nassar and Guyeux, 2016; Awad, Al Bouna, Couchot and Philippe, 2019 (the cover problem).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sharewell.algorithm import NOT_SIMULATED, SEED, TARGETS, Attack, Count, Declared, Finding, Share, Simulated, Truth
from sharewell.codes.data import CodeSets
from sharewell.codes.engine.chunks import Bag, Chunks, Cluster, Joint, chunks_in

_LISTED = -1


@dataclass(frozen=True)
class ChunkLinkingDetails:
    """For all persons in clusters that have several chunks: how surely a code of another chunk is guessed."""

    clusters: int
    persons: int
    average: float
    certain: float
    """Share of persons in clusters all of whose records hold one code."""
    at_risk: float
    """Share of persons for whom a code is guessed with more than the threshold."""
    baseline: float
    """The share of all records that hold the most frequent code."""
    simulated: Simulated | None


@dataclass(frozen=True)
class ChunkLinking(Declared, Attack[Chunks]):
    """The share of a cluster's records that hold its most frequent code outside one chunk."""

    m: Count = 2
    threshold: Share = 0.5

    released_only: ClassVar[bool] = True

    def mount(self, released: Chunks, truth: Truth[CodeSets] | None = None) -> Finding:
        joints = chunks_in(released, self.name).joints
        views = [_view(cluster, joint) for joint in joints for cluster in joint.clusters]
        several = [view for view in views if view.parts > 1]
        if not several:
            return Finding(self.name, None, unit="probability", note="no cluster has several chunks")
        chance = np.array([view.guess(())[1] for view in several])
        sizes = np.array([view.size for view in several], dtype=np.float64)
        simulated = None if truth is None else self._simulated(views, truth)
        details = ChunkLinkingDetails(
            len(views),
            int(sizes.sum()),
            float(chance @ sizes / sizes.sum()),
            float(sizes[chance == 1].sum() / sizes.sum()),
            float(sizes[chance > self.threshold].sum() / sizes.sum()),
            _most_frequent(views) / released.records,
            simulated,
        )
        note = "" if simulated else NOT_SIMULATED
        return Finding(self.name, float(chance.max()), unit="probability", details=details, note=note)

    def _simulated(self, views: Sequence[_View], truth: Truth[CodeSets]) -> Simulated | None:
        """For persons drawn: m of their codes, the likeliest cluster, and the guess there."""
        rng = np.random.default_rng(SEED)
        names, sets = truth.original.names, truth.original.sets
        places: dict[str, set[int]] = {}
        for place, view in enumerate(views):
            for code in view.chunk_of:
                places.setdefault(code, set()).add(place)
        right, chances = [], []
        rows = [row for row in truth.rows.tolist() if sets.starts[row + 1] - sets.starts[row] > self.m]
        rows.sort(key=lambda row: sets.row(row).tolist())  # what is drawn must not depend on their order
        for row in rng.permutation(rows)[:TARGETS].astype(np.intp):
            codes = [names[item] for item in sets.row(row)]
            known = [codes[i] for i in rng.permutation(len(codes))[: self.m]]
            clusters = sorted(set.intersection(*(places.get(code, set()) for code in known)))
            weights = [views[place].expected(known) for place in clusters]
            if not sum(weights):
                continue  # what is known was suppressed
            best = int(np.argmax(weights))
            guess, share = views[clusters[best]].guess(known)
            right.append(guess in codes)
            chances.append(share * weights[best] / sum(weights))
        return Simulated.of(np.array(right, dtype=bool), np.array(chances, dtype=np.float64))


@dataclass(frozen=True)
class _View:
    """A cluster as a reader sees it: for each code its chunk, and the records expected to hold it."""

    size: int
    parts: int
    """Its chunks, each listed code counted as one."""
    chunks: dict[int, Bag]
    scale: dict[int, float]
    """The share of a chunk that falls to this cluster: 1 but for shared chunks."""
    chunk_of: dict[str, int]
    held: dict[str, float]

    def guess(self, known: Sequence[str]) -> tuple[str | None, float]:
        """The code that goes with known ones most surely, and how surely; where none is known, with the cluster."""
        sure = {code: times / self.size for code, times in self.held.items()}
        for chunk, part in self._pieces(known).items():
            matching = [codes for codes in self.chunks[chunk] if part.issubset(codes)]
            together = Counter(code for codes in matching for code in codes)
            sure |= {code: together[code] / max(1, len(matching)) for code in sure if self.chunk_of[code] == chunk}
        rest = [code for code in sure if code not in known]
        best = max(rest, key=lambda code: (sure[code], code), default=None)
        return best, 0.0 if best is None else sure[best]

    def expected(self, known: Sequence[str]) -> float:
        """How many records hold all of these codes, on average over reconstructions."""
        records = float(self.size)
        for code in known:
            if self.chunk_of[code] == _LISTED:
                records *= self.held[code] / self.size
        for chunk, part in self._pieces(known).items():
            records *= self.scale[chunk] * sum(part.issubset(codes) for codes in self.chunks[chunk]) / self.size
        return records

    def _pieces(self, known: Sequence[str]) -> dict[int, set[str]]:
        """The known codes of each chunk with sub-records."""
        pieces: dict[int, set[str]] = {}
        for code in known:
            if self.chunk_of[code] != _LISTED:
                pieces.setdefault(self.chunk_of[code], set()).add(code)
        return pieces


def _view(cluster: Cluster, joint: Joint) -> _View:
    bags = dict(enumerate([*cluster.chunks, *joint.shared]))
    of_cluster = len(cluster.chunks)
    scale = {place: 1.0 if place < of_cluster else cluster.size / joint.size for place in bags}
    chunk_of: dict[str, int] = dict.fromkeys(cluster.items, _LISTED)
    records: dict[str, float] = dict.fromkeys(cluster.items, 1.0)
    for place, bag in bags.items():
        for code, times in Counter(code for codes in bag for code in codes).items():
            chunk_of[code], records[code] = place, scale[place] * times
    return _View(cluster.size, len(bags) + len(cluster.items), bags, scale, chunk_of, records)


def _most_frequent(views: Sequence[_View]) -> float:
    """Records that hold the most frequent code."""
    total: defaultdict[str, float] = defaultdict(float)
    for view in views:
        for code, records in view.held.items():
            total[code] += records
    return max(total.values(), default=0)
