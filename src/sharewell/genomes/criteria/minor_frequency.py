"""Minor frequency: no allele is published that is rarer than a floor.

## Guarantee
At every published SNP the rarer of the two alleles has at least the frequency `floor`, as it is published; where cases
and controls are told apart, in each of them.

## Adversary
Knows that a target carries a rare allele and looks whether the release has seen it: an allele that one person carries
betrays that person with hardly any doubt.

## What it does not protect
Frequent alleles betray members as well, if there are many of them: see membership-power and safe-number. Of few people
a floor says little: 5 % of ten people is one allele, and of fewer than ten it is undecided. The details tell how many
alleles the floor comes to. A SNP that is left out of a known panel is known to be rare.

## Parameters
floor: the least frequency of the rarer allele, more than 0 and at most 0.5.

## Worked example
>>> from sharewell.genomes import Frequencies
>>> released = Frequencies.of_arrays([0.30, 0.99, 0.05], people=100)
>>> print(MinorFrequency(0.05).check(released))
minor-frequency = 0.01 (≥ 0.05: FAILS)
>>> print(MinorFrequency(0.05).check(released.take([0, 2])))
minor-frequency = 0.05 (≥ 0.05: holds)

## Why it is safe
The published numbers themselves are compared, as fractions: a frequency is read as the fraction of at most twice the
people, or of the decimals stated, that it is written from, and is taken as it stands if there is none. A SNP of which a
frequency is not published is undecided, and so is a release without SNPs.

## Cost
O(SNPs).

## Source
The floor of genotype releases; for beacons Raisaro and others, JAMIA 2017.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, ClassVar

import numpy as np
from annotated_types import Interval
from numpy.typing import NDArray

from sharewell.algorithm import Criterion, Declared, Finding, PolicyError, Sense
from sharewell.genomes.data.frequencies import Frequencies

LEAST = 10
"""Of fewer people a floor decides nothing."""


@dataclass(frozen=True)
class MinorFrequencyDetails:
    """SNPs, those below the floor in any group, and how many alleles the floor comes to in the smallest group."""

    snps: int
    below: int
    alleles: float


@dataclass(frozen=True)
class MinorFrequency(Declared, Criterion[Frequencies]):
    """The rarer allele of every published SNP is frequent enough."""

    floor: Annotated[float, Interval(gt=0, le=0.5)]

    sense: ClassVar[Sense] = "≥"

    @property
    def bound(self) -> Fraction:
        return Fraction(str(self.floor))

    def check(self, data: Frequencies) -> Finding:
        """The least frequency of a rarer allele, in any group."""
        if not isinstance(data, Frequencies):
            raise PolicyError(f"{self.name} — judges published frequencies, and these are none")
        facts = [(data.frequency, data.people)]
        if data.cases is not None and data.controls is not None and data.case_people is not None:
            facts += [(data.cases, data.case_people), (data.controls, data.people - data.case_people)]
        if not data.rows or any(np.isnan(part).any() for part, _ in facts):
            note = "some frequencies are not published" if data.rows else "no SNP is published"
            return self.finding(None, note=note)
        if data.smallest_group < LEAST:
            note = f"the frequencies of fewer than {LEAST} people are nearly their genotypes"
            return self.finding(None, note=note)
        least = min(_least(part, people, data.decimals) for part, people in facts)
        below = np.zeros(data.rows, dtype=bool)
        for part, _ in facts:
            below |= np.minimum(part, 1 - part) < self.floor * (1 - 1e-12)
        details = MinorFrequencyDetails(data.rows, int(below.sum()), 2 * data.smallest_group * self.floor)
        return self.finding(least, details=details)


def _least(frequency: NDArray[np.float64], people: int, decimals: int | None) -> Fraction:
    """The frequency of the rarest allele; exact, as it was counted or rounded."""
    rarest = float(frequency[np.argmin(np.minimum(frequency, 1 - frequency))])
    near = Fraction(round(rarest * 10**decimals), 10**decimals) if decimals is not None else None
    if near is None or float(near) != rarest:
        near = Fraction(rarest).limit_denominator(2 * people)
    exact = near if float(near) == rarest else Fraction(rarest)
    return min(exact, 1 - exact)
