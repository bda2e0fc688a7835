"""Linkage disequilibrium: how far the calls of two SNPs go together, as r² of their numbers of effect alleles."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sharewell.genomes.data.snps import Snps
from sharewell.genomes.engine.packed_calls import Calls, Ints

Rows = NDArray[np.float32]
"""SNPs × persons, each SNP with mean 0 and length 1."""
CHANCE = 15.0
"""Of n people, unlinked SNPs reach r² = 15 / n once in ten thousand pairs."""


def standardised(*groups: Calls) -> Rows:
    """Calls of SNPs × persons with mean 0 in each group, and length 1 in all of them; a missing call is the mean.

    Frequencies that differ between two groups so do not make SNPs look linked. A SNP of one call alone is all 0.

    >>> rows = standardised(np.array([[0, 1, 2, 1], [0, -1, 2, 1], [1, 1, 1, 1]], dtype=np.int8))
    >>> r_squared(rows, rows).round(2).tolist()
    [[1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 0.0]]
    """
    rows = np.concatenate([_centred(calls) for calls in groups], axis=1)
    length = np.sqrt(np.square(rows).sum(axis=1, keepdims=True))
    result: Rows = np.divide(rows, length, out=np.zeros_like(rows), where=length > 1e-6)
    return result


def r_squared(one: Rows, other: Rows) -> Rows:
    """r² of every pair of SNPs."""
    result: Rows = np.square(one @ other.T)
    return result


def _centred(calls: Calls) -> Rows:
    known = calls >= 0
    rows: Rows = np.where(known, calls, 0).astype(np.float32)
    rows -= rows.sum(axis=1, keepdims=True) / np.maximum(known.sum(axis=1, keepdims=True, dtype=np.float32), 1)
    rows[~known] = 0
    return rows


class Unlinked:
    """SNPs are offered in order; one is taken if it is not linked with any that was taken before.

    Linked are SNPs with r² of `most` or more, on one chromosome and at most `window` bases apart. If places are not
    known, every pair counts, and chance alone must not explain r²: with few people some of many pairs seem linked.

    >>> calls = np.array([[0, 1, 2, 1, 0, 2], [0, 1, 2, 1, 0, 2], [1, 1, 0, 2, 0, 1]], dtype=np.int8)
    >>> sites = Snps.of(["a", "b", "c"], chromosome=["1"] * 3, position=[100, 200, 300])
    >>> Unlinked(sites, 0.5, 1000, people=6).take(np.array([1, 0, 2]), standardised(calls[[1, 0, 2]])).tolist()
    [True, False, True]
    """

    def __init__(self, snps: Snps, most: float, window: int, people: int) -> None:
        self._snps, self._window, self._people = snps, window, people
        self._placed = snps.placed
        self._most = most if self._placed else max(most, CHANCE / max(1, people))
        self._taken: dict[str, _Taken] = {}

    def take(self, numbers: Ints, rows: Rows) -> NDArray[np.bool_]:
        """Which of the SNPs offered are taken; rows are theirs, standardised."""
        where = self._snps.chromosome[numbers] if self._placed else np.full(len(numbers), "")
        taken = np.zeros(len(numbers), dtype=bool)
        for name in dict.fromkeys(where):
            here = np.flatnonzero(where == name)
            before = self._taken.setdefault(str(name), _Taken(self._people))
            places = self._snps.position[numbers[here]]
            near = before.near(places, self._window) if self._placed else slice(None)
            linked = self._linked(rows[here], places, before.rows[near], before.places[near])
            blocked: NDArray[np.bool_] = np.any(linked, axis=1)
            among = self._linked(rows[here], places, rows[here], places)
            for i in range(len(here)):
                if not blocked[i]:
                    taken[here[i]] = True
                    blocked = blocked | among[i]
            before.add(rows[here[taken[here]]], places[taken[here]])
        return taken

    def _linked(self, one: Rows, its: Ints, other: Rows, theirs: Ints) -> NDArray[np.bool_]:
        linked: NDArray[np.bool_] = r_squared(one, other) >= self._most
        if self._placed:
            linked &= np.abs(its[:, None] - theirs[None]) <= self._window
        return linked


class _Taken:
    """Rows and places of a chromosome, in arrays that double when they are full."""

    def __init__(self, people: int) -> None:
        self._rows, self._places, self._count = np.empty((64, people), np.float32), np.empty(64, np.int64), 0

    @property
    def rows(self) -> Rows:
        return self._rows[: self._count]

    @property
    def places(self) -> Ints:
        return self._places[: self._count]

    def near(self, places: Ints, window: int) -> NDArray[np.bool_]:
        """Which of them are not too far from one of the places."""
        sites = np.concatenate([[-4 * window - 4], np.sort(places), [np.iinfo(np.int64).max // 2]])
        after = np.searchsorted(sites, self.places)
        return np.asarray(np.minimum(sites[after] - self.places, self.places - sites[after - 1]) <= window)

    def add(self, rows: Rows, places: Ints) -> None:
        need = self._count + len(rows)
        if need > len(self._rows):
            room = max(need, 2 * len(self._rows)) - len(self._rows)
            self._rows = np.concatenate([self._rows, np.empty((room, self._rows.shape[1]), np.float32)])
            self._places = np.concatenate([self._places, np.empty(room, np.int64)])
        self._rows[self._count : need], self._places[self._count : need] = rows, places
        self._count = need
