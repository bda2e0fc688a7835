"""Pairs of sequences: in order, greedily, or by minimum-weight matching; within what labels allow.

Sequences are numbered by content, so that equal distances are decided the same way whatever the order of the source.
Lattice distances between many sequences at once are one product of matrices.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sharewell.extras import package
from sharewell.genomes.data.snps import Index
from sharewell.genomes.engine.iupac_lattice import BASES, GAP, Codes, Gap
from sharewell.genomes.engine.protection.optimal_pairs import optimal_pairs

Ints = NDArray[np.int64]
Floats = NDArray[np.float32]
BLOCK = 1 << 23
"""Distances that are worked on at once."""
WHOLE = 1 << 24
"""Up to this many distances all are kept."""


@dataclass(frozen=True, eq=False)
class Distances:
    """Between all rows: sums of bits, less twice the bits in common.

    Whole numbers below 2^24 are exact in single precision: this many bases would have to differ.
    """

    codes: Codes = field(repr=False)
    gap: Gap

    @cached_property
    def _factors(self) -> tuple[Floats, Floats, Floats]:
        """Sums of bits, and what is multiplied. A gap as a leaf has no bits: it is 7 − |x| from x; bits say |x|."""
        codes, gap = self.codes, self.gap
        bits = np.concatenate([codes >> b & 1 for b in range(5 if gap == "fifth" else 4)], axis=1).astype(np.float32)
        gappy = (codes == GAP).any(axis=0) if gap == "leaf" else np.zeros(codes.shape[1], dtype=bool)
        none = (codes[:, gappy] == GAP).astype(np.float32)
        some = (1 - none) * (7 - 2 * BASES[codes[:, gappy]].astype(np.float32))
        left = np.concatenate([bits, none, some], axis=1)
        return bits.sum(axis=1), left, np.concatenate([-2 * bits, some, none], axis=1)

    def __len__(self) -> int:
        return len(self.codes)

    def rows(self, which: Index) -> Ints:
        """From some rows to all. Not to be written to."""
        return self._whole[which] if len(self) ** 2 <= WHOLE else self._product(which)

    @cached_property
    def _whole(self) -> Ints:
        return self._product(slice(None))

    def _product(self, which: Index) -> Ints:
        sums, left, right = self._factors
        product = left[which] @ right.T
        product += sums[which][:, None]
        product += sums
        return np.asarray(np.rint(product, out=product), dtype=np.int64)

    def pairs(self, one: Ints, other: Ints) -> Ints:
        """From each of some rows to one other."""
        sums, left, right = self._factors
        product = np.einsum("ij,ij->i", left[one], right[other])
        return np.asarray(np.rint(product + sums[one] + sums[other]), dtype=np.int64)

    def take(self, which: NDArray[np.intp]) -> Distances:
        return Distances(self.codes[which], self.gap)

    def blocks(self) -> Iterator[tuple[slice, Ints]]:
        """From all rows to all, some rows at a time."""
        step = max(1, BLOCK // max(1, len(self)))
        for first in range(0, len(self), step):
            which = slice(first, min(len(self), first + step))
            yield which, self.rows(which)

    def from_all_of(self, few: list[int]) -> Ints:
        """To each row, the sum from some rows."""
        if len(self) ** 2 <= WHOLE:
            return np.asarray(self._whole[few].sum(axis=0), dtype=np.int64)
        sums, left, right = self._factors
        product = left[few].sum(axis=0) @ right.T
        return np.asarray(np.rint(product + sums[few].sum() + len(few) * sums), dtype=np.int64)

    def totals(self) -> Ints:
        """From each row, the sum to all others."""
        return np.concatenate([block.sum(axis=1) for _, block in self.blocks()] or [np.zeros(0, dtype=np.int64)])


Pairing = Literal["order", "greedy", "optimal", "nearest"]
PAIRINGS: tuple[Pairing, ...] = ("order", "greedy", "optimal", "nearest")

EXACT = 1_000
"""Up to this many sequences with labels the optimum is sought among all pairs; beyond, among near ones."""
NEAR = 20
"""Nearest others of each sequence that are looked at beyond."""
BOUNDED = 4_000
"""Up to this many sequences the lower bound is that of an assignment, which takes all distances at once."""
_APART = np.iinfo(np.int64).max
"""From a sequence that may not be a partner."""


@dataclass(frozen=True, eq=False)
class Pairs:
    """Which sequences go together, and which are left over."""

    pairs: Ints = field(repr=False)
    left: Ints = field(repr=False)
    pairing: Pairing
    """The way that was taken."""
    bound: int | None
    """No pairing costs less, where that is known."""


def paired(distances: Distances, pairing: Pairing, labels: Ints | None = None) -> Pairs:
    """Pairs by one of the ways. labels: partners must have different ones, and -1 is none."""
    if pairing in ("order", "greedy"):
        pairs = in_order(distances, labels) if pairing == "order" else greedy(distances, labels)
        return _told(distances, pairs, pairing, None)
    pairs = np.zeros((0, 2), dtype=np.int64)
    rest = np.arange(len(distances))
    if labels is None:
        pairs, rest = _equal(distances)
    among, allowed = distances.take(rest), None if labels is None else labels[rest]
    bound: int | None = None
    if pairing == "optimal" and labels is None:
        result, bound = optimal_pairs(among.codes, among.gap)
    elif pairing == "optimal" and len(rest) <= EXACT:
        result = matched(_all(among, allowed), len(rest))
        if len(rest) == 2 * len(result):
            bound = int(among.pairs(*result.T).sum())
    else:
        pairing, near = "nearest", nearest(among, allowed)
        result = matched(_with_greedy(near, among, allowed), len(rest))
        if labels is None:
            bound = _bound(among, *near)
    return _told(distances, np.concatenate([pairs, rest[result]]), pairing, bound)


def in_order(distances: Distances, labels: Ints | None = None) -> Ints:
    """Each sequence that is still free takes the nearest one that is free."""
    free, pairs = np.ones(len(distances), dtype=bool), []
    for which, block in distances.blocks():
        for i, row in zip(range(which.start, which.stop), block, strict=True):
            if not free[i]:
                continue
            free[i] = False
            partner = free if labels is None else free & (labels != labels[i]) & (labels >= 0) & (labels[i] >= 0)
            far = np.where(partner, row, _APART)
            j = int(far.argmin())
            if far[j] < _APART:
                free[j] = False
                pairs.append((i, j))
    return np.array(pairs, dtype=np.int64).reshape(-1, 2)


def greedy(distances: Distances, labels: Ints | None = None, known: tuple[Ints, Ints] | None = None) -> Ints:
    """The nearest two of all, then the nearest two of the others, and so on.

    Only near partners of each one are sorted, and a pair is taken only if no partner beyond them can be nearer to
    either: that is the same as to sort all pairs. Where one may be nearer both wait for the next round, and so does
    whoever would have one of them next. known: what `nearest` gives for all, if that was computed before.
    """
    rest, pairs = np.arange(len(distances)), np.zeros((0, 2), dtype=np.int64)
    while len(rest) > 1:
        near, far = known or nearest(distances.take(rest), None if labels is None else labels[rest])
        known = None  # partners of the rest are others
        edges = edges_of(near, far)
        edges = edges[np.lexsort((edges[:, 1], edges[:, 0], edges[:, 2]))]
        certain = np.ones(len(edges), dtype=bool)
        if near.shape[1] < len(rest) - 1:
            certain = edges[:, 2] <= far.max(axis=1)[edges[:, :2]].min(axis=1)
        free, waits, taken = [True] * len(rest), [False] * len(rest), []
        for (i, j), sure in zip(edges[:, :2].tolist(), certain.tolist(), strict=True):
            if not (free[i] and free[j]):
                continue
            if sure and not (waits[i] or waits[j]):
                free[i] = free[j] = False
                taken.append((i, j))
            else:
                waits[i] = waits[j] = True
        if not taken:
            break
        pairs = np.concatenate([pairs, rest[np.array(taken)]])
        rest = rest[np.array(free)]
    return pairs


def nearest(distances: Distances, labels: Ints | None = None, count: int = NEAR) -> tuple[Ints, Ints]:
    """For each sequence this many of its nearest partners, and their distances; infinite, where there are no more."""
    take = min(count, max(0, len(distances) - 1))
    near, far = np.zeros((2, len(distances), take), dtype=np.int64)
    numbers = np.arange(len(distances))
    for which, block in distances.blocks() if take else ():
        rows = numbers[which]
        # Equal distances go to the lower number, so numbers are part of what is compared.
        keys = block * len(distances)
        keys += numbers
        keys[rows - which.start, rows] = _APART
        if labels is not None:
            mine = labels[rows, None]
            keys[(mine == labels) | (mine < 0) | (labels < 0)] = _APART
        near[which] = np.argpartition(keys, take - 1, axis=1)[:, :take]
        chosen = np.take_along_axis(keys, near[which], axis=1)
        far[which] = np.where(chosen < _APART, chosen // len(distances), _APART)
    return near, far


def edges_of(near: Ints, far: Ints) -> Ints:
    """Rows (i, j, distance), i < j, each pair once."""
    rows = np.repeat(np.arange(len(near)), near.shape[1])
    low, high = np.minimum(rows, near.ravel()), np.maximum(rows, near.ravel())
    edges = np.stack([low, high, far.ravel()], axis=1)
    return np.unique(edges[edges[:, 2] < _APART], axis=0)


def matched(edges: Ints, count: int) -> Ints:
    """As many pairs as possible, with the least sum of distances: Edmonds' blossom algorithm."""
    rustworkx = package("rustworkx", "dnala (its pairing 'greedy' does not)")
    graph = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(count))
    weights = edges[:, 2].max(initial=0) + 1 - edges[:, 2]
    graph.extend_from_weighted_edge_list(list(zip(*edges[:, :2].T.tolist(), weights.tolist(), strict=True)))
    result = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return np.array(sorted(sorted(pair) for pair in result), dtype=np.int64).reshape(-1, 2)


def _told(distances: Distances, pairs: Ints, pairing: Pairing, bound: int | None) -> Pairs:
    left = np.setdiff1d(np.arange(len(distances)), pairs)
    return Pairs(pairs, left, pairing, bound)


def _equal(distances: Distances) -> tuple[Ints, Ints]:
    """Pairs of equal sequences, and all others.

    No optimum is lost: were x and its equal paired with a and b, then to pair both, and a with b, costs no more, by the
    triangle inequality. Sequences are numbered by content, so that equal ones follow each other.
    """
    same = np.zeros(len(distances), dtype=np.int64)
    if len(distances) > 1:
        same[1:] = np.cumsum((distances.codes[1:] != distances.codes[:-1]).any(axis=1))
    place = np.arange(len(distances)) - np.searchsorted(same, same)
    second = np.flatnonzero(place % 2 == 1)
    pairs = np.stack([second - 1, second], axis=1).astype(np.int64)
    return pairs, np.setdiff1d(np.arange(len(distances)), pairs)


def _all(distances: Distances, labels: Ints | None) -> Ints:
    """Every pair that may be."""
    i, j = np.triu_indices(len(distances), 1)
    edges = np.stack([i, j, distances.rows(slice(None))[i, j]], axis=1).astype(np.int64)
    return edges if labels is None else edges[(labels[i] != labels[j]) & (labels[i] >= 0) & (labels[j] >= 0)]


def _with_greedy(near: tuple[Ints, Ints], distances: Distances, labels: Ints | None) -> Ints:
    """Near pairs, and the greedy ones, so that as many as possible can be paired."""
    pairs = np.sort(greedy(distances, labels, near), axis=1)
    more = np.concatenate([pairs, distances.pairs(*pairs.T)[:, None]], axis=1)
    return np.unique(np.concatenate([edges_of(*near), more]), axis=0)


def _bound(distances: Distances, near: Ints, far: Ints) -> int:
    """Half of the cheapest assignment of each sequence to another; of very many, a sum of shares.

    One may be left out of an odd number: it is assigned for nothing.
    """
    count = len(distances)
    if count < 2:
        return 0
    if count > BOUNDED:
        shares = _shares(edges_of(near, far), far)
        return -(-int(shares.sum() - (shares.max() if count % 2 else 0)) // 2)
    linear_sum_assignment = package("scipy.optimize", "dnala").linear_sum_assignment
    square = np.pad(distances.rows(slice(None)), (0, count % 2))
    np.fill_diagonal(square, 2 * int(square.max()) + 1)
    rows, columns = linear_sum_assignment(square)
    return -(-int(square[rows, columns].sum()) // 2)


def _shares(edges: Ints, far: Ints) -> Ints:
    """Twice what each sequence must pay at least: no two may have to pay more than the distance between them.

    Half of its nearest distance is such a share, and in turn each is raised as far as the others let it. None is raised
    beyond half of its farthest near distance: so those who are not near each other are not asked for too much either.
    """
    both = np.concatenate([edges, edges[:, [1, 0, 2]]])
    both = both[np.argsort(both[:, 0], kind="stable")]
    starts = np.searchsorted(both[:, 0], np.arange(len(far) + 1))
    shares: Ints = np.asarray(far.min(axis=1), dtype=np.int64)
    most = far.max(axis=1)
    for i in range(len(far)):
        mine = both[starts[i] : starts[i + 1]]
        shares[i] = min(most[i], (2 * mine[:, 2] - shares[mine[:, 1]]).min())
    return shares
