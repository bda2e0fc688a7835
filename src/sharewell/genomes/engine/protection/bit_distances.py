"""Lattice distances as numbers of bits in which packed sequences differ.

Each symbol becomes some bits, so that two symbols differ in as many as their lattice distance says: a set of bases has
a bit for each base, which counts those that only one of two sets has. A gap as a leaf is 7 − |x| from any set x: it has
all four bits and three of its own. Places where single bases alone occur take three bits instead of four, of which any
two bases differ in two. Bits that are the same in all sequences are left out.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sharewell.compiled import numba_or_none
from sharewell.genomes.engine.iupac_lattice import GAP, Codes, Gap, distance

Ints = NDArray[np.int64]
Words = NDArray[np.uint64]

_SINGLE: Codes = np.zeros(32, dtype=np.uint8)
_SINGLE[[1, 2, 4, 8]] = [0b000, 0b011, 0b101, 0b110]
_LEAF: Codes = np.arange(32, dtype=np.uint8)
_LEAF[GAP] = 0b1111111
_AT_ONCE = 1 << 16
"""Words that are compared at once: what they differ in stays in the processor's cache."""
_KERNELS = "sharewell.genomes.engine.protection.near_partners_kernel"
_LOADING_PAYS_FROM, _COMPILING_PAYS_FROM = 15_000, 40_000
"""Sequences from which on compiled code saves more than it takes to load it, and to compile it."""


def least_distance(codes: Codes, gap: Gap) -> int:
    """Two sequences are at least as far apart for each place in which they differ."""
    symbols = np.unique(codes)
    apart = distance(symbols[:, None], symbols, gap)
    return int(apart[apart > 0].min(initial=7))


class BitDistances:
    """Between packed sequences, some at a time; words[i] is sequence i."""

    def __init__(self, codes: Codes, gap: Gap) -> None:
        single = np.isin(codes, (1, 2, 4, 8)).all(axis=0)
        symbols = codes.copy()
        symbols[:, single] = _SINGLE[codes[:, single]]
        if gap == "leaf":
            symbols[:, ~single] = _LEAF[codes[:, ~single]]
        columns = [symbols >> bit & 1 for bit in range(7)]
        bits = np.concatenate([one[:, (one != one[:1]).any(axis=0)] for one in columns], axis=1)
        packed = np.packbits(bits, axis=1)
        packed = np.pad(packed, ((0, 0), (0, -packed.shape[1] % 8)))
        self.words: Words = np.ascontiguousarray(packed).view(np.uint64)
        self._ones = np.ones(self.words.shape[1], dtype=np.float32)
        self.compiled = partial(_kernel, len(codes))
        """The kernel of a name, for many sequences; else None."""

    def __len__(self) -> int:
        return len(self.words)

    def row(self, one: int, others: Ints | None = None) -> Ints:
        """From one sequence to others, or to all."""
        kernel = self.compiled("rows" if others is None else "row")
        if kernel is not None:
            return np.asarray(kernel(self.words, one) if others is None else kernel(self.words, one, others))
        return self._differing(self.words if others is None else self.words.take(others, axis=0), self.words[one])

    def block(self, some: Ints, others: Ints) -> Ints:
        """From some sequences to some others."""
        kernel = self.compiled("block")
        if kernel is not None:
            return np.asarray(kernel(self.words, some, others))
        left, right = self.words.take(some, axis=0)[:, None], self.words.take(others, axis=0)
        return self._differing(left, right).reshape(len(some), len(others))

    def pairs(self, one: Ints, other: Ints) -> Ints:
        """From each of some sequences to one other."""
        kernel = self.compiled("pairs")
        if kernel is not None:
            return np.asarray(kernel(self.words, one, other))
        step = max(1, _AT_ONCE // max(1, len(self._ones)))
        found = np.zeros(len(one), dtype=np.int64)
        for first in range(0, len(one), step):
            part = slice(first, first + step)
            found[part] = self._differing(self.words.take(one[part], axis=0), self.words.take(other[part], axis=0))
        return found

    def _differing(self, some: Words, others: Words) -> Ints:
        """Their sum is taken in single precision, which is exact for so few bits and several times as fast."""
        if some.ndim == others.ndim:
            return np.asarray(np.bitwise_count(some ^ others).astype(np.float32) @ self._ones, dtype=np.int64)
        step = max(1, _AT_ONCE // max(1, others.size))
        parts = [
            np.bitwise_count(some[first : first + step] ^ others).astype(np.float32) @ self._ones
            for first in range(0, len(some), step)
        ]
        return np.concatenate(parts or [np.zeros(0, dtype=np.float32)]).astype(np.int64)


@cache
def _kernel(count: int, name: str) -> Callable[..., Any] | None:
    return numba_or_none(count >= _LOADING_PAYS_FROM, f"{_KERNELS}:{name}", pays=count >= _COMPILING_PAYS_FROM)
