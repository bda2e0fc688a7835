"""Clusters of people, which of them are merged, and when it is enough.

A cluster is a box in the space of quasi values, and the share of its persons who hold each code (its centroid). Both
are merged without a look at the persons, so that the work grows with the clusters and not with pairs of people.

Merging makes classes larger: the demographics lose detail, and the codes keep more. With a bound on the loss of the
demographics as many clusters are merged as it allows; with a bound on the loss of the codes, as few as it takes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from sharewell.joint.engine.protection.class_codes import ClassCodes, CodedClass

if TYPE_CHECKING:
    from sharewell.codes import CodeSets
    from sharewell.joint.data import RTData
    from sharewell.tables.engine.columns import Column

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Rows = NDArray[np.intp]
Rule = Literal["R", "T", "RT"]
SLACK = 1e-9
"""Sums of shares are not exact; a bound is not missed by this."""
_MOST_COUNTS = 20_000_000
"""Clusters times codes; with more of them, codes share a column (a sketch), the rarest with the most frequent."""


class Clusters:
    """Numbered clusters; a merged one keeps the number of the first."""

    def __init__(self, data: RTData, order: Rows, starts: Rows, by_codes: bool = True) -> None:
        """`by_codes`: will anybody ask how alike the codes are?"""
        self.members: list[Rows] = np.split(order, starts[1:-1])
        self.size = np.diff(starts).astype(np.int64)
        self.alive = np.ones(len(self.size), dtype=bool)
        self._boxes = [_box(column, column.codes[order], starts) for column in data.table.quasi]
        self.cells = max(1, data.rows * len(self._boxes))
        everyone = np.arange(len(self.size))
        self.loss: Floats = self._losses(everyone, everyone)
        """What a person of the cluster loses, summed over the quasi columns."""
        width = min(len(data.codes.names), _MOST_COUNTS // max(1, len(self.size))) if by_codes else 0
        self._counts, self._total = _centroids(data.codes, order, starts, max(1, width))

    @property
    def lost(self) -> float:
        """The share of all detail of the demographics that is lost (Rum)."""
        return float((self.loss * self.size)[self.alive].sum()) / self.cells

    def partition(self) -> tuple[Rows, Rows]:
        """(rows, starts), cluster by cluster."""
        members = [self.members[i] for i in np.flatnonzero(self.alive).tolist()]
        starts = np.concatenate([[0], np.cumsum([len(rows) for rows in members])]).astype(np.intp)
        return np.concatenate(members), starts

    def united(self, cluster: int) -> Floats:
        """What a person would lose in the union of a cluster with each of the others."""
        return self._losses(np.full(len(self.size), cluster), np.arange(len(self.size)))

    def distances(self, cluster: int) -> Floats:
        """How unlike the codes of each other cluster are, from 0 to 1: the share of co-occurrence that is lacking.

        Of the codes that an average person holds in either cluster, the part that is not common to both.
        """
        codes = np.flatnonzero(self._counts[:, cluster])
        share = self._counts[codes, cluster] / self.size[cluster]
        common = np.minimum(self._counts[codes] / self.size, share[:, None]).sum(axis=0)
        either = self._total / self.size + self._total[cluster] / self.size[cluster] - common
        return np.where(either > 0, 1 - common / np.maximum(either, 1e-300), 0.0)

    def merge(self, cluster: int, other: int) -> None:
        self.loss[cluster] = self._losses(np.array([cluster]), np.array([other]))[0]
        for box in self._boxes:
            box.merge(cluster, other)
        self.members[cluster] = np.concatenate([self.members[cluster], self.members[other]])
        self.members[other] = self.members[other][:0]
        self.size[cluster] += self.size[other]
        self._counts[:, cluster] += self._counts[:, other]
        self._total[cluster] += self._total[other]
        self.alive[other] = False

    def _losses(self, some: Ints, others: Ints) -> Floats:
        total = np.zeros(len(some))
        for box in self._boxes:
            total += box.losses(some, others)
        return total


def _centroids(codes: CodeSets, order: Rows, starts: Rows, width: int) -> tuple[Floats, Floats]:
    """(code, cluster) → persons of the cluster who hold the code; and the sum over codes."""
    count = len(starts) - 1
    cluster = np.empty(codes.records, dtype=np.int64)
    cluster[order] = np.repeat(np.arange(count), np.diff(starts))
    cells = (codes.sets.items.astype(np.int64) % width) * count + cluster[codes.sets.row_of]
    counts = np.bincount(cells, minlength=width * count).reshape(width, count).astype(np.float64)
    return counts, counts.sum(axis=0)


def _box(column: Column, codes: NDArray[np.int32], starts: Rows) -> _Range | _Values:
    return _Values(column, codes, starts) if column.style == "set" else _Range(column, codes, starts)


class _Range:
    """A column along a line or in the leaf order of its tree: the lowest and highest code of each cluster."""

    def __init__(self, column: Column, codes: NDArray[np.int32], starts: Rows) -> None:
        self.column = column
        self.low = np.minimum.reduceat(codes, starts[:-1])
        self.high = np.maximum.reduceat(codes, starts[:-1])

    def losses(self, some: Ints, others: Ints) -> Floats:
        """As NCP counts published cells: a missing value together with others makes the cell `*`; alone it is exact."""
        low = np.minimum(self.low[some], self.low[others])
        high = np.maximum(self.high[some], self.high[others])
        levels, loss = self.column.levels, np.zeros(len(low))
        if levels is None:
            ranged: Floats = self.column.range_loss(low, high)
            return ranged
        known = high < len(levels.values)
        loss[known] = levels.loss(levels.lowest_common(low[known], high[known]))
        loss[~known & (low < high)] = 1.0
        return loss

    def merge(self, cluster: int, other: int) -> None:
        self.low[cluster] = min(self.low[cluster], self.low[other])
        self.high[cluster] = max(self.high[cluster], self.high[other])


class _Values:
    """A column of categories: which values each cluster has."""

    def __init__(self, column: Column, codes: NDArray[np.int32], starts: Rows) -> None:
        self.most = max(1, column.size - 1)
        self.has = np.zeros((len(starts) - 1, column.size), dtype=bool)
        self.has[np.repeat(np.arange(len(starts) - 1), np.diff(starts)), codes] = True

    def losses(self, some: Ints, others: Ints) -> Floats:
        if len(some) > 1 and (some == some[0]).all():  # one cluster with all: only what it lacks is added
            own_values = self.has[some[0]]
            added = self.has[:, ~own_values][others].sum(axis=1)
            loss: Floats = (int(own_values.sum()) + added - 1) / self.most
            return loss
        both: Floats = ((self.has[some] | self.has[others]).sum(axis=1) - 1) / self.most
        return both

    def merge(self, cluster: int, other: int) -> None:
        self.has[cluster] |= self.has[other]


def merge_within(clusters: Clusters, rule: Rule, bound: float) -> int:
    """Rmerge: the cluster that loses least with its best partner, as long as the demographics stay within the bound."""
    waiting, merges = clusters.alive.copy(), 0
    lost = clusters.lost * clusters.cells
    most = (bound + SLACK) * clusters.cells
    while waiting.any():
        cluster = int(np.where(waiting, clusters.loss, np.inf).argmin())
        united = clusters.united(cluster)
        apart = clusters.loss * clusters.size
        after = lost - apart - apart[cluster] + united * (clusters.size + clusters.size[cluster])
        fits = clusters.alive & (after <= most)
        fits[cluster] = False
        if not fits.any():
            waiting[cluster] = False
            continue
        other = _partner(clusters, rule, cluster, united, fits)
        lost = float(after[other])
        clusters.merge(cluster, other)
        waiting[other] = False
        merges += 1
    return merges


def merge_until(
    clusters: Clusters, rule: Rule, bound: float, codes: ClassCodes, occurrences: int
) -> tuple[dict[int, CodedClass], int]:
    """Tmerge: the cluster that loses most with its best partner, until the codes are within the bound.

    In one round each cluster is merged once, so that nobody's codes are protected more than log2(clusters) times.
    """
    coded = {i: codes.of(rows) for i, rows in enumerate(clusters.members)}
    lost, merges = sum(cluster.loss for cluster in coded.values()), 0
    most = (bound + SLACK) * occurrences
    while lost > most and len(coded) > 1:
        fresh = clusters.alive.copy()
        for cluster in sorted(coded, key=lambda i: (-coded[i].loss, i)):
            if not fresh[cluster]:
                continue
            fresh[cluster] = False
            if not fresh.any():
                break
            other = _partner(clusters, rule, cluster, clusters.united(cluster), fresh)
            fresh[other] = False
            clusters.merge(cluster, other)
            merges += 1
            lost -= coded[cluster].loss + coded.pop(other).loss
            coded[cluster] = codes.of(clusters.members[cluster])
            lost += coded[cluster].loss
            if lost <= most:
                break
    return coded, merges


def _partner(clusters: Clusters, rule: Rule, cluster: int, united: Floats, fits: NDArray[np.bool_]) -> int:
    """By the loss of the union (R), by how alike the codes are (T), or by the sum of both ranks (RT)."""
    some = np.flatnonzero(fits)
    if rule == "R":
        return int(some[united[some].argmin()])
    distance = clusters.distances(cluster)[some]
    if rule == "T":
        return int(some[distance.argmin()])
    return int(some[(_rank(united[some]) + _rank(distance)).argmin()])


def _rank(values: Floats) -> NDArray[np.intp]:
    return np.unique(np.round(values, 12), return_inverse=True)[1]
