"""Diverse sequences: the persons who share a published sequence have at least l different labels.

## Guarantee
Whoever finds the published sequence of a person still sees at least l different labels, such as diseases, beside it.

## Adversary
Knows the true sequence of a target, and that the target is in the data; wants the target's label.

## What it does not protect
The labels may be unequally frequent, or mean nearly the same. A sequence may tell of a disease by itself, whatever
stands beside it.

## Parameters
l: the least number of different labels.

## Worked example
Both carriers of AATGA have asthma: knowing the sequence is knowing the disease.

>>> from sharewell.genomes import Sequences
>>> shown, illness = ["AWTYA", "AATGA", "AWTYA", "AATGA"], ["flu", "asthma", "gout", "asthma"]
>>> print(DiverseSequences(2).check(Sequences.of(shown, labels=illness, published=True)))
diverse-sequences = 1 labels (≥ 2: FAILS)

## Why it is safe
The published texts are grouped anew and their labels counted. A missing label never counts: it does not protect the
others.

## Cost
O(n log n) comparisons of texts.

## Source
Machanavajjhala, Kifer, Gehrke and Venkitasubramaniam, 2007 (l-diversity of tables); for sequences it is our reading.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sharewell.algorithm import Count, Criterion, Declared, Finding, Sense
from sharewell.genomes.data.sequences import Sequences


@dataclass(frozen=True)
class Diversity:
    """How many different sequences are published, and how many of them with too few labels."""

    different: int
    failing: int


@dataclass(frozen=True)
class DiverseSequences(Declared, Criterion[Sequences]):
    """At least l different labels beside every sequence."""

    l: Count  # noqa: E741 - the name the literature gives it

    sense: ClassVar[Sense] = "≥"
    bounded_by: ClassVar[str] = "l"

    def demands(self) -> tuple[int, int]:
        """What a group of sequences that become one must have: persons, and different labels."""
        return self.l, self.l

    def check(self, data: Sequences) -> Finding:
        """The labels of the sequence that has fewest."""
        groups, labels = data.groups, data.label_codes
        known = labels >= 0
        pairs = np.unique(np.stack([groups[known], labels[known]]), axis=1)
        distinct = np.bincount(pairs[0], minlength=int(groups.max(initial=-1)) + 1)
        least = int(distinct.min()) if len(distinct) else None
        details = Diversity(len(distinct), int((distinct < self.l).sum()))
        return self.finding(least, unit="labels", details=details)
