"""SNPs kept: the share of the SNPs that are still published.

## Worked example
Of three SNPs two are published.

>>> from sharewell.genomes import Frequencies
>>> before = Frequencies.of_arrays([0.25, 0.40, 0.01], people=100)
>>> after = Frequencies(before.snps.take([0, 1]), [0.3, 0.4], 100, published=True)
>>> result = SnpsKept().score(before, after)
>>> round(result.value, 4), result.details.published
(0.6667, 2)

## Why it is safe
It counts SNPs, and returns a share. How far published frequencies are from the true ones is for frequency-error.

## Cost
O(1).

## Source
The plain count.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sharewell.algorithm import Declared, Finding, Measure, Sense
from sharewell.genomes.data.beacon_answers import BeaconAnswers
from sharewell.genomes.data.frequencies import Frequencies
from sharewell.genomes.data.genotypes import Genotypes

OfSnps = Genotypes | Frequencies | BeaconAnswers


@dataclass(frozen=True)
class SnpsKeptDetails:
    """How many SNPs there were, and how many are published."""

    snps: int
    published: int


@dataclass(frozen=True)
class SnpsKept(Declared, Measure[OfSnps]):
    """Published SNPs, of all."""

    sense: ClassVar[Sense] = "≥"
    """More is better."""

    def score(self, before: OfSnps, after: OfSnps) -> Finding:
        if not isinstance(before, OfSnps) or not isinstance(after, OfSnps):
            return Finding(self.name, None, note="these are no SNPs")
        snps, published = len(before.snps), len(after.snps)
        if not snps:
            return Finding(self.name, None, note="there are no SNPs to keep")
        return Finding(self.name, published / snps, unit="share", details=SnpsKeptDetails(snps, published))
