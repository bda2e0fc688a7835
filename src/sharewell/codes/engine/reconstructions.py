"""Reconstructions: the ways in which records published in chunks may have been.

`PossibleRecords` says, without listing them, in how many records some codes can be together; `reconstructed` draws one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from sharewell.codes.data import CodeSets
from sharewell.codes.engine.chunks import Bag, Chunks, Cluster, Joint

_LISTED = -1
"""In place of the number of a chunk: the item chunk."""


@dataclass
class PossibleRecords:
    """What the records of a joint cluster may hold together.

    >>> cluster = Cluster.of(4, [[["a"], ["a", "b"], ["a"]], [["c"], ["c"]]], ["x"])
    >>> possible = PossibleRecords(Joint((cluster,)))
    >>> possible.most(["a"]), possible.most(["a", "c"]), possible.most(["b", "c", "x"]), possible.most(["b", "d"])
    (3, 2, 1, 0)
    """

    joint: Joint
    shared: dict[str, int] = field(init=False, repr=False)
    """The shared chunk of each code."""
    own: list[dict[str, int]] = field(init=False, repr=False)
    """For each cluster, the chunk of each of its codes."""

    def __post_init__(self) -> None:
        self.shared = _chunk_of(self.joint.shared)
        clusters = self.joint.clusters
        self.own = [_chunk_of(cluster.chunks) | dict.fromkeys(cluster.items, _LISTED) for cluster in clusters]

    @property
    def codes(self) -> list[str]:
        return sorted({*self.shared, *(code for chunk_of in self.own for code in chunk_of)})

    def most(self, codes: Iterable[str]) -> int:
        """The largest number of records that hold all of these codes in one reconstruction.

        Sub-records with the codes of each chunk can be laid into the same records. Two things limit that: their
        numbers; and, in a cluster without an item chunk, sub-records needed so that no record remains empty. Every
        record that holds the codes is given to the cluster where it costs fewest sub-records. O(codes · sub-records)
        """
        wanted = set(codes)
        common = _pieces(self.shared, wanted)
        limit = min((_count(self.joint.shared[chunk], part) for chunk, part in common.items()), default=self.joint.size)
        places = [
            place
            for cluster, chunk_of in zip(self.joint.clusters, self.own, strict=True)
            for place in [_Place.of(cluster, chunk_of, wanted - self.shared.keys(), bool(self.shared))]
        ]
        spare = sum(map(len, self.joint.shared)) - sum(place.missing(0) for place in places)
        records = 0
        while records < limit:
            open_places = [place for place in places if place.taken < place.room]
            if not open_places:
                break
            best = min(open_places, key=_Place.price)
            spare -= best.price() + len(common)
            if spare < 0:
                break
            best.taken += 1
            records += 1
        return records


@dataclass
class _Place:
    """A cluster that takes in records which hold the wanted codes."""

    room: int
    """How many it can take."""
    used: int
    """The sub-records of its own that each of them uses."""
    short: int | None
    """Its records beyond its sub-records; None if an item chunk, or having no codes at all, lets records be filled."""
    taken: int = 0

    @classmethod
    def of(cls, cluster: Cluster, chunk_of: dict[str, int], wanted: set[str], shares: bool) -> _Place:
        free = cluster.items or not (chunk_of or shares)
        short = None if free else cluster.size - cluster.pieces
        if not wanted <= chunk_of.keys():
            return cls(0, 0, short)
        pieces = {chunk: part for chunk, part in _pieces(chunk_of, wanted).items() if chunk != _LISTED}
        room = min((_count(cluster.chunks[chunk], part) for chunk, part in pieces.items()), default=cluster.size)
        return cls(room, len(pieces), short)

    def missing(self, taken: int) -> int:
        """Records that its own sub-records leave empty."""
        return 0 if self.short is None else max(0, self.short + (self.used - 1) * taken)

    def price(self) -> int:
        """How many more records one more would leave empty."""
        return self.missing(self.taken + 1) - self.missing(self.taken)


def _chunk_of(bags: Sequence[Bag]) -> dict[str, int]:
    return {code: number for number, bag in enumerate(bags) for codes in bag for code in codes}


def _pieces(chunk_of: dict[str, int], wanted: set[str]) -> dict[int, set[str]]:
    """The wanted codes of each chunk."""
    pieces: dict[int, set[str]] = {}
    for code in wanted & chunk_of.keys():
        pieces.setdefault(chunk_of[code], set()).add(code)
    return pieces


def _count(bag: Bag, part: set[str]) -> int:
    return sum(part.issubset(codes) for codes in bag)


def reconstructed(released: Chunks, seed: int = 0) -> CodeSets:
    """One reconstruction, drawn at random: records to be analysed like any others.

    Sub-records go to records drawn at random. A code of an item chunk, of which only the existence is known, goes to
    one record; to more only where records would be empty. Cluster by cluster, in the order of the file.
    """
    rng = np.random.default_rng(seed)
    rows: list[list[str]] = []
    for joint in released.joints:
        rows += _drawn(joint, rng)
    return CodeSets.of(rows)


def _drawn(joint: Joint, rng: np.random.Generator) -> list[list[str]]:
    records: list[list[str]] = []
    to_fill: list[int] = []  # records that only a shared chunk can fill
    for cluster in joint.clusters:
        drawn = _own(cluster, rng)
        if not cluster.items and joint.shared:
            to_fill += [len(records) + place for place, codes in enumerate(drawn) if not codes]
        records += drawn
    for bag in joint.shared:
        first, to_fill = to_fill[: len(bag)], to_fill[len(bag) :]
        others = np.setdiff1d(np.arange(len(records)), first)
        places = [*first, *rng.permutation(others)[: len(bag) - len(first)].tolist()]
        for place, number in zip(places, rng.permutation(len(bag)).tolist(), strict=True):
            records[place] += bag[number]
    return records


def _own(cluster: Cluster, rng: np.random.Generator) -> list[list[str]]:
    """The records of a cluster, as its own chunks may fill them; as few as can be remain empty."""
    laid: list[list[Sequence[str]]] = [[] for _ in range(cluster.size)]
    for bag in cluster.chunks:
        for place, codes in zip(rng.permutation(cluster.size)[: len(bag)].tolist(), bag, strict=True):
            laid[place].append(codes)
    empty = [place for place, codes in enumerate(laid) if not codes]
    if not cluster.items:  # a record with two sub-records can spare one
        spare = [place for place, codes in enumerate(laid) for _ in codes[1:]]
        for place, giver in zip(empty, rng.permutation(spare).tolist(), strict=False):
            laid[place].append(laid[giver].pop())
    for code in cluster.items:
        laid[empty.pop() if empty else int(rng.integers(cluster.size))].append((code,))
    for place in empty if cluster.items else ():
        laid[place].append((cluster.items[int(rng.integers(len(cluster.items)))],))
    return [[code for codes in record for code in codes] for record in laid]
