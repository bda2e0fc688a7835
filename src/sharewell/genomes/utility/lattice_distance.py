"""Lattice distance: how many levels of the lattice of IUPAC codes the published sequences have climbed.

## Parameters
gap: what a gap is: a "leaf" (default), 3 below N like any base, or a "fifth" base.

## Worked example
Two sequences became AWTYA; in each of them two places have climbed one level.

>>> from sharewell.genomes import Sequences
>>> before = Sequences.of(["AATTA", "AATGA", "ATTCA", "AATGA"])
>>> after = Sequences.of(["AWTYA", "AATGA", "AWTYA", "AATGA"], published=True)
>>> result = LatticeDistance().score(before, after)
>>> result.value, result.details.per_sequence, result.details.of_most
(4, 1.0, 0.06666666666666667)

## Why it is safe
A base that is shown as it is is 0 away, one of two 1, one of three 2, and N 3. The sum is what DNALA keeps small.
Releases are compared in the order of the rows: another order is noticed only if a symbol then does not cover its base.

## Cost
O(n · places).

## Source
Malin, 2005.
"""

from __future__ import annotations

from dataclasses import dataclass

from sharewell.algorithm import Declared, Finding, Measure
from sharewell.genomes.data.genotypes import Genotypes
from sharewell.genomes.data.sequences import Sequences
from sharewell.genomes.engine import iupac_lattice
from sharewell.genomes.engine.iupac_lattice import LEVELS, Gap


@dataclass(frozen=True)
class DistanceDetails:
    sequences: int
    per_sequence: float
    of_most: float
    """As a share of what it would be if nothing but N were published."""


@dataclass(frozen=True)
class LatticeDistance(Declared, Measure[Sequences]):
    """The sum over all sequences and places."""

    gap: Gap = "leaf"

    def score(self, before: Sequences | Genotypes, after: Sequences) -> Finding:
        both = after.beside(before) if isinstance(after, Sequences) else None
        if both is None:
            return Finding(self.name, None, note="which published sequence is whose cannot be told")
        true, shown = both
        if not true.size:
            return Finding(self.name, None, note="there is nothing to lose")
        total = int(iupac_lattice.distance(true, shown, self.gap).sum())
        most = int((LEVELS[self.gap][iupac_lattice.ANY] - LEVELS[self.gap][true]).clip(0).sum())
        share = total / most if most else 0.0
        return Finding(self.name, total, unit="levels", details=DistanceDetails(len(true), total / len(true), share))
