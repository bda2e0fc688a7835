"""Sequence linkage: an attacker who has a person's DNA sequence picks one of the published sequences that match it.

## Guarantee
None; a measurement. The value is the largest chance of picking the right one: one over the copies of the rarest
published sequence. `average` is the mean chance over all persons.

## Adversary
Knows the true sequence of a target, and that the target is in the data; knows how sequences were made alike, and so
into which published one the target's own was turned.

## What it does not protect
Not a protection. An attacker who knows a part of a sequence finds more sequences that fit, and is right less often than
this says. What all people of a group share is learnt without any choice (see diverse-sequences).

## Worked example
Two of four sequences are alone as they stand; shown as AWTYA, they are two of a kind.

>>> from sharewell.genomes import Sequences
>>> result = SequenceLinkage().mount(Sequences.of(["AATTA", "AATGA", "ATTCA", "AATGA"]))
>>> result.value, result.details.average, result.details.alone
(1.0, 0.75, 0.5)
>>> result = SequenceLinkage().mount(Sequences.of(["AWTYA", "AATGA", "AWTYA", "AATGA"], published=True))
>>> result.value, result.details.average, result.details.alone
(0.5, 0.5, 0.0)

## Why it is safe
It counts equal texts and returns shares only. The chance is that of an attacker who knows most: the group of the target
is taken to be known, although other published sequences may fit as well.

## Cost
O(n log n) comparisons of texts.

## Source
Malin, Protecting DNA sequence anonymity with generalization lattices, 2005 (the attacker whom it protects against).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sharewell.algorithm import NOT_SIMULATED, Attack, Declared, Finding, PolicyError, Truth
from sharewell.genomes.data.sequences import Sequences


@dataclass(frozen=True)
class SequenceLinkageDetails:
    """Mean chance, and the share of sequences that nobody else shows."""

    sequences: int
    different: int
    average: float
    alone: float


@dataclass(frozen=True)
class SequenceLinkage(Declared, Attack[Sequences]):
    """One over the copies of a sequence."""

    picks_record: ClassVar[bool] = True

    def mount(self, released: Sequences, truth: Truth[Sequences] | None = None) -> Finding:
        if not isinstance(released, Sequences):
            raise PolicyError(f"{self.name} — looks for a person's sequence, and this is not sequence data")
        copies = np.bincount(released.groups)
        if not released.rows:
            return Finding(self.name, None, unit="probability", note="there is no sequence to look for")
        details = SequenceLinkageDetails(
            released.rows, len(copies), len(copies) / released.rows, int((copies == 1).sum()) / released.rows
        )
        return Finding(self.name, 1 / int(copies.min()), unit="probability", details=details, note=NOT_SIMULATED)
