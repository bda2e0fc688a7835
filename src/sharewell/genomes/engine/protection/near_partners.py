"""Who may be a partner of whom: all pairs that are nearer than the two sequences' limits allow, found without looking
at all pairs.

Some sequences are centres, and each sequence belongs to the nearest one. By the triangle inequality two sequences are
at least as far apart as one is from the centre of the other, less what the other is from it: most pairs are ruled out by
a few distances to centres. Nothing is left to chance: a pair that is ruled out is as far apart as is claimed.

Distances are doubled, so that halves of them are whole numbers.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from math import isqrt

import numpy as np
from numpy.typing import NDArray

from sharewell.genomes.engine.protection.bit_distances import BitDistances, Ints

Bools = NDArray[np.bool_]

CENTRES = 8
"""Times the root of the number of sequences."""
TOGETHER = 16
"""Sequences of one centre that are compared with others at once."""
MARGIN = 4
"""By how much the first limits exceed what the nearest distances suggest."""
FEW = 32
"""Partners that a sequence is given at once beyond the first ones."""
_FAR = 1 << 40


class NearPartners:
    """Limits of sequences, and the pairs within them.

    limit: no two sequences are nearer than half of the sum of their limits, unless the pair was returned, by `first` or
    `further`.
    """

    def __init__(self, distances: BitDistances) -> None:
        self.distances = distances
        self.count = len(distances)
        every = max(1, self.count // (CENTRES * isqrt(self.count) + 1))
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

    def first(self) -> Ints:
        """Rows (i, j, twice the distance), i < j, each pair once; at least one for each sequence."""
        nearest, partner = self._nearest()
        self.limit = np.maximum(nearest, 2 * nearest - nearest[partner]) // 2 + MARGIN
        numbers = np.arange(self.count)
        found = [np.stack([numbers, partner, nearest], axis=1)]
        for some, others in self._blocks(self.limit, self.limit):
            apart = 2 * self.distances.block(others, some)
            i, j = np.nonzero(apart < self.limit[others, None] + self.limit[some])
            found.append(np.stack([others[i], some[j], apart[i, j]], axis=1))
        edges = np.concatenate(found)
        edges[:, :2].sort(axis=1)
        return np.unique(edges[edges[:, 0] < edges[:, 1]], axis=0)

    def further(self, one: int, known: Container[int], among: Bools) -> tuple[list[int], list[int]]:
        """More partners of a sequence, its limit raised: their numbers, and twice their distances."""
        limit = int(self.limit[one])
        higher = limit + limit // 8 + 2 * MARGIN
        least = 2 * self.distances.row(one, self.centres)[self.home] - self.away - self.limit
        others = np.flatnonzero((least < higher) & among)
        apart = 2 * self.distances.row(one, others)
        reached = apart - self.limit[others]
        wanted = np.flatnonzero(reached < higher)
        new = [i for i, other in zip(wanted.tolist(), others[wanted].tolist(), strict=True) if other not in known]
        few = FEW << int(self._rounds[one])
        if len(new) > few:
            # Of equally near ones, those that follow it: were they the first of all, all would be given the same few.
            listed = np.array(new)
            listed = listed[np.lexsort(((others[listed] - one) % self.count, reached[listed]))]
            higher, new = int(reached[listed[few]]), listed[:few].tolist()
        self._rounds[one] += higher == limit
        self.limit[one] = higher
        return others[new].tolist(), apart[new].tolist()

    def _nearest(self) -> tuple[Ints, Ints]:
        """Twice the distance to the nearest other, and which that is."""
        nearest, partner = np.full(self.count, _FAR), np.zeros(self.count, dtype=np.int64)
        order = np.argsort(self.home, kind="stable")
        for members in np.split(order, np.searchsorted(self.home[order], np.arange(1, len(self.centres)))):
            self._see(members, members, nearest, partner)
        for some, others in self._blocks(np.zeros(self.count, dtype=np.int64), nearest.copy()):
            self._see(others, some, nearest, partner)
        return nearest, partner

    def _see(self, ones: Ints, others: Ints, nearest: Ints, partner: Ints) -> None:
        apart = 2 * self.distances.block(ones, others)
        apart[ones[:, None] == others] = _FAR
        best = apart.argmin(axis=1)
        apart = apart[np.arange(len(ones)), best]
        nearer = apart < nearest[ones]
        nearest[ones[nearer]], partner[ones[nearer]] = apart[nearer], others[best[nearer]]

    def _blocks(self, limits: Ints, reach: Ints) -> Iterator[tuple[Ints, Ints]]:
        """Some sequences of one centre, and all others that may be nearer than half of limits + reach allows."""
        least = limits + self.away
        order = np.lexsort((-least, self.home))
        ends = np.searchsorted(self.home[order], np.arange(len(self.centres) + 1))
        for number, centre in enumerate(self.centres.tolist()):
            members = order[ends[number] : ends[number + 1]]
            row = 2 * self.distances.row(centre) - reach
            for start in range(0, len(members), TOGETHER):
                some = members[start : start + TOGETHER]
                others = np.flatnonzero(row < least[some[0]])
                if len(others):
                    yield some, others
