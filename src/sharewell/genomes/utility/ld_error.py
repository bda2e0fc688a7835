"""LD error: how much of the linkage between SNPs is lost in the release.

## Guarantee
None; a measure of cost. Of published genotypes, the mean absolute change of r² between neighbouring SNPs. Of published
frequencies, which show no linkage at all, the mean over the original's SNPs of 1 − r² with the published SNP that
stands for it best: 0 if every SNP is published or has a perfect stand-in.

## What it does not protect
Not a privacy measure. Publishing r² itself betrays more than frequencies do (Wang and others, 2009).

## Parameters
neighbours: SNPs are compared with this many on each side, on their chromosome (50).
tagged: the r² from which on one SNP stands for another (0.8).

## Worked example
Of three SNPs the first two are the same. Without the second nothing is lost.

>>> from sharewell.genomes import Frequencies, Genotypes
>>> people = Genotypes.of([[0, 0, 1], [1, 1, 0], [2, 2, 1], [1, 1, 2], [0, 0, 1]])
>>> whole = Frequencies.of(people)
>>> LDError().score(people, whole.take([0, 2])).value
0.0
>>> result = LDError().score(people, whole.take([0, 1]))
>>> round(result.value, 3), round(result.details.tagged, 3)
(0.333, 0.667)

## Why it is safe
It reads genotypes and returns numbers only. r² is computed in the original from the calls that both SNPs have alike; a
missing call counts as the mean.

## Cost
O(SNPs · neighbours · people), block by block.

## Source
r² of genotype counts; tagging by the best r², as in Carlson and others, 2004.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sharewell.algorithm import Count, Declared, Finding, Measure, PolicyError, PositiveShare
from sharewell.genomes.data.frequencies import Frequencies
from sharewell.genomes.data.genotypes import Genotypes
from sharewell.genomes.engine import packed_calls
from sharewell.genomes.engine.ld import r_squared, standardised

Floats = NDArray[np.float64]
BLOCK = 256
"""SNPs that are compared with their neighbours at once."""


@dataclass(frozen=True)
class LDErrorDetails:
    """How many SNPs, how many of them are published; and the one or the other measure."""

    snps: int
    published: int
    pairs: int
    """Neighbours whose r² was compared."""
    change: float | None
    """The mean absolute change of r², of published genotypes."""
    tagged: float | None
    """The share of SNPs that are published or have a stand-in, of published frequencies."""


@dataclass(frozen=True)
class LDError(Declared, Measure[Genotypes]):
    """Linkage before and after."""

    neighbours: Count = 50
    tagged: PositiveShare = 0.8

    def score(self, before: Genotypes, after: Genotypes | Frequencies) -> Finding:
        if not isinstance(before, Genotypes) or not isinstance(after, Genotypes | Frequencies):
            raise PolicyError(f"{self.name} — compares genotypes with frequencies, or with other genotypes")
        if not before.count or not before.rows:
            return Finding(self.name, None, note="there is no SNP")
        ours = before.snps.shared(after.snps)[0]
        if isinstance(after, Genotypes):
            return self._changed(before, after, ours)
        best = np.zeros(before.count)
        best[ours] = 1.0
        published = best > 0
        for rows, columns, near, r2 in _windows(before, self.neighbours):
            best[rows] = np.maximum(best[rows], np.where(near & published[columns], r2, 0.0).max(axis=1))
        share = float((best >= self.tagged - 1e-6).mean())
        details = LDErrorDetails(before.count, len(ours), 0, None, share)
        return Finding(self.name, float(np.clip(1 - best, 0, 1).mean()), details=details)

    def _changed(self, before: Genotypes, after: Genotypes, ours: NDArray[np.int64]) -> Finding:
        if not len(ours):
            details = LDErrorDetails(before.count, 0, 0, None, None)
            return Finding(self.name, None, details=details, note="no SNP of the original is published")
        first, second = before.take(snps=ours), after.on(before.snps)
        total, pairs = 0.0, 0
        both = zip(_windows(first, self.neighbours), _windows(second, self.neighbours), strict=True)
        for (rows, columns, near, one), (*_, other) in both:
            upper = near & (rows[:, None] < columns)
            total += float(np.abs(one - other)[upper].sum(dtype=np.float64))
            pairs += int(upper.sum())
        change = total / pairs if pairs else None
        details = LDErrorDetails(before.count, len(ours), pairs, change, None)
        note = "" if pairs else "no two SNPs are neighbours"
        return Finding(self.name, change, details=details, note=note)


def _windows(
    data: Genotypes, neighbours: int
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_], Floats]]:
    """SNPs, those around them, which pairs are neighbours on a chromosome, and r² of all pairs. In genome order."""
    snps = data.snps
    order = np.lexsort((snps.position, snps.chromosome.astype(str)))
    place = np.arange(data.count)
    for first in range(0, data.count, BLOCK):
        low, high = max(0, first - neighbours), min(data.count, first + BLOCK + neighbours)
        here, around = place[first : first + BLOCK], place[low:high]
        rows = standardised(packed_calls.unpack(np.asarray(data.packed[order[low:high]]), data.rows))
        mine = rows[first - low : first - low + len(here)]
        chromosome = snps.chromosome[order]
        near = (np.abs(here[:, None] - around) <= neighbours) & (chromosome[here][:, None] == chromosome[around])
        yield order[here], order[around], near & (here[:, None] != around), r_squared(mine, rows).astype(np.float64)
