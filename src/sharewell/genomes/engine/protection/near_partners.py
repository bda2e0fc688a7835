"""Who may be a partner of whom: all pairs within the limits of both sequences, without looking at all pairs.

Pairs that differ in few places are found by stretches on which they are equal. For sequences that have no partner so
near, some sequences are centres, and each sequence belongs to the nearest one. By the triangle inequality two sequences
are at least as far apart as one is from the centre of the other, less what the other is from it: most pairs are ruled
out by a few distances to centres. Nothing is left to chance: a pair that is ruled out is as far apart as is claimed.

Distances are doubled, so that halves of them are whole numbers.
"""

from __future__ import annotations

from collections.abc import Container, Iterator

import numpy as np

from sharewell.genomes.engine.iupac_lattice import Codes, Gap
from sharewell.genomes.engine.protection.bit_distances import BitDistances, Ints, least_distance
from sharewell.genomes.engine.protection.shared_stretches import on_shared_stretches

CENTRES = 8
"""Times the root of the number of sequences."""
TOGETHER = 16
"""Sequences of one centre that are compared with others at once."""
MARGIN = 4
"""By how much the first limits exceed what the nearest distances suggest."""
FEW = 32
"""Partners that a sequence is given at once beyond the first ones."""
CROWD = 256
"""Where a sequence has more partners at first (each may be counted several times), it is given the nearest alone."""
_FAR = 1 << 40


class NearPartners:
    """Limits of sequences, and the pairs within them.

    limit: no two sequences are nearer than half of the sum of their limits, unless the pair was returned, by `first` or
    `further`.
    """

    def __init__(self, codes: Codes, gap: Gap) -> None:
        self.distances = distances = BitDistances(codes, gap)
        self.count = len(codes)
        every = max(1, round(self.count / (CENTRES * self.count**0.5)))
        self.centres = np.arange(0, self.count, every)
        self.home, away = np.zeros((2, self.count), dtype=np.int64)
        away[:] = _FAR
        for number, centre in enumerate(self.centres.tolist()):
            row = distances.row(centre)
            nearer = row < away
            self.home[nearer], away[nearer] = number, row[nearer]
        self.away = 2 * away
        self.limit = np.zeros(self.count, dtype=np.int64)
        self._rounds = np.zeros(self.count, dtype=np.int64)
        one, other, places = on_shared_stretches(codes)
        self._near = one, other, 2 * distances.pairs(one, other)
        self._all_below = 2 * places * least_distance(codes, gap)
        """All pairs of whom twice the distance is less are known at once."""

    def first(self) -> Ints:
        """Rows (i, j, twice the distance), i < j, each pair once; at least one for each sequence."""
        nearest, partner = self._nearest()
        self.limit = np.maximum(nearest, 2 * nearest - nearest[partner]) // 2 + MARGIN
        degree = np.zeros(self.count, dtype=np.int64)
        found = []

        def take(one: Ints, other: Ints, apart: Ints) -> None:
            within = apart < self.limit[one] + self.limit[other]
            found.append(np.stack([one[within], other[within], apart[within]], axis=1))
            np.add(degree, np.bincount(found[-1][:, :2].ravel(), minlength=self.count), out=degree)
            crowded = degree > CROWD
            self.limit[crowded] = np.minimum(self.limit, nearest // 2)[crowded]

        take(*self._near)
        beyond = np.flatnonzero(2 * self.limit > self._all_below)
        for some, others in self._blocks(beyond, self.limit, self.limit):
            apart = 2 * self.distances.block(others, some)
            i, j = np.nonzero(apart < self.limit[others, None] + self.limit[some])
            take(others[i], some[j], apart[i, j])
        edges = np.concatenate(found)
        edges = edges[edges[:, 2] < self.limit[edges[:, :2]].sum(axis=1)]
        edges = np.concatenate([edges, np.stack([np.arange(self.count), partner, nearest], axis=1)])
        edges[:, :2].sort(axis=1)
        edges = edges[edges[:, 0] < edges[:, 1]]
        return edges[np.unique(edges[:, 0] * self.count + edges[:, 1], return_index=True)[1]]

    def further(self, one: int, known: Container[int], nodes: Ints) -> tuple[list[int], list[int]]:
        """More partners of a sequence, in other nodes, its limit raised: their numbers, and twice their distances."""
        limit = int(self.limit[one])
        higher = limit + limit // 8 + 2 * MARGIN
        others, apart = self._within(one, nodes, higher)
        reached = apart - self.limit[others]
        new = [i for i, other in enumerate(others.tolist()) if other not in known]
        few = FEW << int(self._rounds[one])
        if len(new) > few:
            # Of equally near ones, those that follow it: were they the first of all, all would be given the same few.
            listed = np.array(new)
            listed = listed[np.lexsort(((others[listed] - one) % self.count, reached[listed]))]
            higher, new = int(reached[listed[few]]), listed[:few].tolist()
        self._rounds[one] += higher == limit
        self.limit[one] = higher
        return others[new].tolist(), apart[new].tolist()

    def _within(self, one: int, nodes: Ints, higher: int) -> tuple[Ints, Ints]:
        """Who is nearer, in another node, than half of a limit and their own; and twice the distances."""
        far = 2 * self.distances.row(one, self.centres)
        kernel = self.distances.compiled("within")
        if kernel is not None:
            others, apart = kernel(self.distances.words, one, far, self.home, self.away, self.limit, nodes, higher)
            return others, apart
        least = far[self.home] - self.away - self.limit
        others = np.flatnonzero((least < higher) & (nodes != nodes[one]))
        apart = 2 * self.distances.row(one, others)
        wanted = apart - self.limit[others] < higher
        return others[wanted], apart[wanted]

    def _nearest(self) -> tuple[Ints, Ints]:
        """Twice the distance to the nearest other, and which that is."""
        nearest, partner = np.full(self.count, _FAR), np.zeros(self.count, dtype=np.int64)
        one, other, apart = self._near
        np.minimum.at(nearest, one, apart)
        np.minimum.at(nearest, other, apart)
        for here, there in ((one, other), (other, one)):
            best = apart == nearest[here]
            partner[here[best]] = there[best]
        beyond = np.flatnonzero(nearest >= self._all_below)
        order = np.argsort(self.home, kind="stable")
        ends = np.searchsorted(self.home[order], np.arange(len(self.centres) + 1))
        for number in np.unique(self.home[beyond]).tolist():
            members = order[ends[number] : ends[number + 1]]
            self._see(members[nearest[members] >= self._all_below], members, nearest, partner)
        for some, others in self._blocks(beyond, np.zeros(self.count, dtype=np.int64), nearest.copy()):
            self._see(others, some, nearest, partner)
        return nearest, partner

    def _see(self, ones: Ints, others: Ints, nearest: Ints, partner: Ints) -> None:
        apart = 2 * self.distances.block(ones, others)
        apart[ones[:, None] == others] = _FAR
        best = apart.argmin(axis=1)
        apart = apart[np.arange(len(ones)), best]
        nearer = apart < nearest[ones]
        nearest[ones[nearer]], partner[ones[nearer]] = apart[nearer], others[best[nearer]]

    def _blocks(self, which: Ints, limits: Ints, reach: Ints) -> Iterator[tuple[Ints, Ints]]:
        """Some sequences of one centre, and which others may be nearer to them than half of limits + reach."""
        if not len(which):
            return
        least = limits + self.away
        order = np.lexsort((-least, self.home))
        ends = np.searchsorted(self.home[order], np.arange(len(self.centres) + 1))
        for number, centre in enumerate(self.centres.tolist()):
            members = order[ends[number] : ends[number + 1]]
            row = 2 * self.distances.row(centre, which) - reach[which]
            for start in range(0, len(members), TOGETHER):
                some = members[start : start + TOGETHER]
                others = which[row < least[some[0]]]
                if len(others):
                    yield some, others
