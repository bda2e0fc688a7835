"""k-identical sequences: every published sequence is that of at least k persons.

## Guarantee
Whoever knows the whole DNA sequence of a person finds at least k published sequences, all the same, that may be theirs;
choosing one of them at random is right with probability at most 1/k.

## Adversary
Knows the true sequence of a target, and that the target is in the data.

## What it does not protect
What all k persons share: a disease of all of them is disclosed (see diverse-sequences), and so is the sequence itself
as far as it is shown. Relatives, whose sequences are nearly the same and who may stand in one group. A variant that
only one group shows still tells that somebody has it.

## Parameters
k: the least number of persons.

## Worked example
>>> from sharewell.genomes import Sequences
>>> print(KIdentical(2).check(Sequences.of(["AATTA", "AATGA", "ATTCA", "AATGA"])))
k-identical = 1 sequences (≥ 2: FAILS)
>>> print(KIdentical(2).check(Sequences.of(["AWTYA", "AATGA", "AWTYA", "AATGA"], published=True)))
k-identical = 2 sequences (≥ 2: holds)

## Why it is safe
The published texts are counted anew, symbol by symbol. Each person has one sequence; data that names a person twice is
refused when it is read.

## Cost
O(n log n) comparisons of texts.

## Source
Malin, Protecting DNA sequence anonymity with generalization lattices, 2005, for k = 2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sharewell.algorithm import Count, Criterion, Declared, Finding, Sense
from sharewell.genomes.data.sequences import Sequences


@dataclass(frozen=True)
class Copies:
    """How many different sequences are published, how many of them too rarely, and the largest number of copies."""

    different: int
    failing: int
    largest: int


@dataclass(frozen=True)
class KIdentical(Declared, Criterion[Sequences]):
    """At least k copies of every sequence."""

    k: Count

    sense: ClassVar[Sense] = "≥"
    bounded_by: ClassVar[str] = "k"

    def demands(self) -> tuple[int, int]:
        """What a group of sequences that become one must have: persons, and different labels."""
        return self.k, 0

    def check(self, data: Sequences) -> Finding:
        """The copies of the rarest sequence."""
        copies = np.bincount(data.groups)
        least = int(copies.min()) if len(copies) else None
        details = Copies(len(copies), int((copies < self.k).sum()), int(copies.max(initial=0)))
        return self.finding(least, unit=data.unit, details=details)
