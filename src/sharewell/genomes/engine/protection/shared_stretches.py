"""Pairs of sequences that are equal on half of all places, by stretches: near ones are, and few others.

Places are divided into an even number of stretches. If two sequences differ in no more places than there are stretches
in a half, some half is equal in both. Every half is tried, and sequences that are equal on it are found by sorting.
More stretches find pairs that are farther apart, and more of others: as many are taken as keep the number of pairs in
proportion to that of sequences.
"""

from __future__ import annotations

import itertools

import numpy as np
from numpy.typing import NDArray

from sharewell.genomes.engine.iupac_lattice import Codes

Ints = NDArray[np.int64]
Digests = NDArray[np.uint64]
DIFFERENCES = (3, 2, 1)
"""Places in which sequences may differ and are found for certain."""
PAIRS = 200
"""A sequence, at most: so often others are found to be equal to it on a half."""


def on_shared_stretches(codes: Codes) -> tuple[Ints, Ints, int]:
    """Pairs, some of them several times, and a number: whoever differs in fewer places is there."""
    places = codes.astype(np.uint64)
    factors = _scrambled(codes.shape[1])
    for differences in DIFFERENCES:
        parts = np.array_split(np.arange(codes.shape[1]), 2 * differences)
        digests = [places[:, part] @ factors[part] for part in parts]
        found, room = [], PAIRS * len(codes)
        for half in itertools.combinations(digests, differences):
            order, later = _runs(np.sum(half, axis=0))
            room -= int(later.sum())
            if room < 0:
                break
            found.append((order, later))
        else:
            one, other = (np.concatenate(ends) for ends in zip(*itertools.starmap(_pairs, found), strict=True))
            return one, other, differences + 1
    return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64), 0


def _runs(digests: Digests) -> tuple[Ints, Ints]:
    """Sequences by digest, and for each how many follow with the same: equal ones, and hardly any others."""
    order = np.argsort(digests, kind="stable")
    digests = digests[order]
    first = np.flatnonzero(np.append(True, digests[1:] != digests[:-1]))
    sizes = np.diff(np.append(first, len(order)))
    return order, np.repeat(first + sizes, sizes) - np.arange(len(order)) - 1


def _pairs(order: Ints, later: Ints) -> tuple[Ints, Ints]:
    """Each with those that follow it."""
    one = np.repeat(np.arange(len(order)), later)
    steps = np.arange(len(one)) - np.repeat(np.cumsum(later) - later, later)
    return order[one], order[one + 1 + steps]


def _scrambled(count: int) -> Digests:
    """Multipliers without a pattern, always the same."""
    mixed = np.arange(1, count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    return np.asarray(mixed | np.uint64(1))
