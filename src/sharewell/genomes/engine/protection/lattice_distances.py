"""Lattice distances between many sequences at once, as one product of matrices."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sharewell.genomes.data.snps import Index
from sharewell.genomes.engine.iupac_lattice import BASES, GAP, Codes, Gap

Ints = NDArray[np.int64]
Floats = NDArray[np.float32]
BLOCK = 1 << 23
"""Distances that are worked on at once."""
WHOLE = 1 << 24
"""Up to so many distances all are kept."""


@dataclass(frozen=True, eq=False)
class Distances:
    """Between all rows: sums of bits, less twice the bits in common.

    Whole numbers below 2^24 are exact in single precision: so many bases would have to differ.
    """

    sums: Floats = field(repr=False)
    left: Floats = field(repr=False)
    right: Floats = field(repr=False)

    @classmethod
    def of(cls, codes: Codes, gap: Gap) -> Distances:
        """Of aligned codes. A gap as a leaf has no bits; it is 7 − |x| from any x that is none, where bits say |x|."""
        bits = np.concatenate([codes >> b & 1 for b in range(5 if gap == "fifth" else 4)], axis=1).astype(np.float32)
        sums = bits.sum(axis=1)
        gappy = (codes == GAP).any(axis=0) if gap == "leaf" else np.zeros(codes.shape[1], dtype=bool)
        none = (codes[:, gappy] == GAP).astype(np.float32)
        some = (1 - none) * (7 - 2 * BASES[codes[:, gappy]].astype(np.float32))
        return cls(
            sums,
            np.concatenate([bits, none, some], axis=1),
            np.concatenate([-2 * bits, some, none], axis=1),
        )

    def __len__(self) -> int:
        return len(self.sums)

    def rows(self, which: Index) -> Ints:
        """From some rows to all. Not to be written to."""
        return self._whole[which] if len(self) ** 2 <= WHOLE else self._product(which)

    @cached_property
    def _whole(self) -> Ints:
        return self._product(slice(None))

    def _product(self, which: Index) -> Ints:
        product = self.left[which] @ self.right.T
        return np.asarray(np.rint(product + self.sums[which][:, None] + self.sums), dtype=np.int64)

    def pairs(self, one: Ints, other: Ints) -> Ints:
        """From each of some rows to one other."""
        product = np.einsum("ij,ij->i", self.left[one], self.right[other])
        return np.asarray(np.rint(product + self.sums[one] + self.sums[other]), dtype=np.int64)

    def take(self, which: NDArray[np.intp]) -> Distances:
        return replace(self, sums=self.sums[which], left=self.left[which], right=self.right[which])

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
        product = self.left[few].sum(axis=0) @ self.right.T
        return np.asarray(np.rint(product + self.sums[few].sum() + len(few) * self.sums), dtype=np.int64)

    def totals(self) -> Ints:
        """From each row, the sum to all others."""
        return np.concatenate([block.sum(axis=1) for _, block in self.blocks()] or [np.zeros(0, dtype=np.int64)])
