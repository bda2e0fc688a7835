"""Frequency floor: allele frequencies without rare alleles, rounded.

## Guarantee
At every published SNP the rarer allele has at least the frequency `floor`, as it is published; frequencies show no more
than the decimals stated. Nothing is promised about membership: every required criterion is checked on what would be
published, and `Infeasible` is raised if one fails.

## Adversary
Knows of a rare allele of the target, or of a few people among whom the target is.

## What it does not protect
Many frequent alleles betray members too. Rounding hides counts of alleles, not members: with two decimals a thousand
SNPs of a hundred people still betray two of three of them, to an attacker with a hundred others. A SNP of the panel
that is left out is known to be rare, or lacking, among the people; and an allele that is published because the people
have enough copies of it tells more of them than one of a panel that was fixed before. safe-number counts that: by all
SNPs that were there, not by those that are left. To publish few of many, choose them elsewhere, or by safe-snps.

## Parameters
floor: the least frequency of the rarer allele (0.05).
decimals: frequencies are rounded to this many; without it they are exact.
missing: SNPs are left out of which more calls are missing, as a share (0.1).

## Worked example
>>> from sharewell.genomes import Genotypes, MinorFrequency
>>> people = Genotypes.of([[0, 1, 2], [0, 1, 2], [1, 0, 2], [0, 2, 1], [0, 0, 2], [0, 1, 1], [0, 1, 2]] * 2)
>>> released = FrequencyFloor(floor=0.1, decimals=1).protect(people, must=[MinorFrequency(0.1)])
>>> released.data.snps.id.tolist(), released.data.frequency.tolist(), released.details.rare
(['snp2', 'snp3'], [0.4, 0.9], 1)

## Why it is safe
The floor is applied twice, to what was counted and to what is published: rounding lifts no SNP over it and pushes none
below it. The criteria are asked about the published numbers themselves.

## Cost
One pass over the packed calls.

## Source
The usual floor and rounding of summary statistics, such as Sankararaman and others, Nature Genetics 2009, compare.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from annotated_types import Interval

from sharewell.algorithm import Criteria, Declared, Infeasible, Key, Protected, refuse_failing
from sharewell.genomes.criteria.minor_frequency import MinorFrequency
from sharewell.genomes.data.frequencies import Frequencies
from sharewell.genomes.data.genotypes import Genotypes
from sharewell.genomes.engine.protection.form_check import OF_BEACONS, OF_SEQUENCES, Publishing, refuse_unfit
from sharewell.genomes.engine.selection import Selection


@dataclass(frozen=True)
class FrequencyFloorDetails:
    """How many SNPs there were, how many are published, and what was left out."""

    people: int
    snps: int
    published: int
    rare: int
    incomplete: int
    """SNPs of which too many calls are missing."""
    decimals: int | None
    fewest_alleles: int
    """Of the rarer allele, among published SNPs."""

    @property
    def dictionary(self) -> dict[str, dict[str, object]]:
        """What a recipient must know about the numbers."""
        return {} if self.decimals is None else {"frequency": {"rounded": self.decimals}}


@dataclass(frozen=True)
class FrequencyFloor(Declared, Publishing[Genotypes, Frequencies]):
    """Frequencies of common alleles, rounded."""

    floor: Annotated[float, Interval(ge=0, le=0.5)] = 0.05
    decimals: Annotated[int, Interval(ge=1, le=15)] | None = None
    missing: Annotated[float, Interval(ge=0, lt=1)] = 0.1

    engine: ClassVar[str] = "check"
    refuses: ClassVar[tuple[str, ...]] = (*OF_BEACONS, *OF_SEQUENCES)

    def protect(self, data: Genotypes, must: Criteria[Frequencies], key: Key | None = None) -> Protected[Frequencies]:
        refuse_unfit(self.name, data)
        alleles, called = data.counts()
        whole = (called > 0) & (called >= (1 - self.missing) * data.rows)
        share = alleles / np.maximum(2 * called, 1)
        shown = share if self.decimals is None else np.round(share, self.decimals)
        common = np.ones(data.count, dtype=bool)
        for values in (share, shown):
            # A share and the floor may be one number that floats write in two ways; the criterion decides exactly.
            common &= np.minimum(values, 1 - values) >= self.floor * (1 - 1e-12)
        kept = np.flatnonzero(whole & common)
        if not len(kept):
            what = f"none of {data.count} SNP(s) is left"
            raise Infeasible(f"{self.name} — {what}", relaxations=["a lower floor", "a higher share of missing calls"])
        # Which SNPs are published depends on the people: all of them were candidates.
        selection = Selection(data.count, "everybody" if len(kept) < data.count else "nobody", int(called[kept].min()))
        released = Frequencies(
            data.snps.take(kept), shown[kept], data.rows, self.decimals, selection=selection, published=True
        )
        if self.floor:
            refuse_failing(self.name, released, [MinorFrequency(self.floor)])
        refuse_failing(self.name, released, must, ["a higher floor", "fewer decimals", "safe-snps"])
        fewest = int(np.minimum(alleles, 2 * called - alleles)[kept].min())
        details = FrequencyFloorDetails(
            data.rows, data.count, len(kept), int((whole & ~common).sum()), int((~whole).sum()), self.decimals, fewest
        )
        return Protected(released, details, kept)
