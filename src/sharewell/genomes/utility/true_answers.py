"""True answers: the share of the alleles that somebody carries to which a beacon still answers yes.

## What it does not protect
Not a privacy measure, and confidential: it is counted from the true answers.

## Worked example
Three of four alleles are carried. One of them, which one person alone carries, is denied.

>>> from sharewell.genomes import BeaconRelease, Genotypes
>>> people = Genotypes.of([[0, 0, 1, 2], [0, 1, 0, 2], [0, 0, 1, 2]])
>>> result = TrueAnswers().score(people, BeaconRelease().protect(people, must=[]).data)
>>> round(result.value, 4), result.details.carried, result.details.denied, result.details.of_all
(0.6667, 3, 1, 0.75)

## Why it is safe
Answers are compared SNP by SNP, in their order, and shares alone are returned. Alleles that nobody carries are easily
answered right, and so are left out of the value; `of_all` counts them.

## Cost
O(people · SNPs), to count the true answers.

## Source
The plain count; Raisaro, Tramèr, Ji and others, JAMIA 2017, state the cost of flipped answers so.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sharewell.algorithm import Declared, Finding, Measure, Sense
from sharewell.genomes.data.beacon_answers import BeaconAnswers
from sharewell.genomes.data.genotypes import Genotypes


@dataclass(frozen=True)
class TrueAnswersDetails:
    """Alleles that somebody carries, how many of them are denied, and the share of true answers among all."""

    snps: int
    carried: int
    denied: int
    of_all: float


@dataclass(frozen=True)
class TrueAnswers(Declared, Measure[BeaconAnswers]):
    """Alleles that are carried and answered yes, of all that are carried."""

    sense: ClassVar[Sense] = "≥"
    """More is better."""

    def score(self, before: BeaconAnswers | Genotypes, after: BeaconAnswers) -> Finding:
        if isinstance(before, Genotypes):
            before = BeaconAnswers.of(before)
        if not isinstance(before, BeaconAnswers) or not isinstance(after, BeaconAnswers):
            return Finding(self.name, None, note="there are no answers of a beacon")
        if before.rows != after.rows:
            return Finding(self.name, None, note="the answers are not about the same SNPs")
        carried = int(before.answers.sum())
        if not carried:
            return Finding(self.name, None, note="nobody carries any of the alleles")
        said = int((before.answers & after.answers).sum())
        of_all = float((before.answers == after.answers).mean())
        details = TrueAnswersDetails(before.rows, carried, carried - said, of_all)
        return Finding(self.name, said / carried, unit="share", details=details)
