"""Bases kept: the share of the bases that are published unchanged.

## Worked example
Of twenty bases four are shown as one of two. They are half of those in places that vary.

>>> from sharewell.genomes import Sequences
>>> before = Sequences.of(["AATTA", "AATGA", "ATTCA", "AATGA"])
>>> after = Sequences.of(["AWTYA", "AATGA", "AWTYA", "AATGA"], published=True)
>>> result = BasesKept().score(before, after)
>>> result.value, result.details.of_variable, result.details.one_of_two
(0.8, 0.5, 4)

## Why it is safe
Every known base of the original is looked up in its own release, in the order of the rows; gaps and codes that were
uncertain before are left out. Places in which all sequences agree are easily kept, so that the share of those that vary
stands beside.

## Cost
O(n · places).

## Source
The plain count; what Malin, 2005, keeps large by keeping the lattice distance small.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sharewell.algorithm import Declared, Finding, Measure, Sense
from sharewell.genomes.data.genotypes import Genotypes
from sharewell.genomes.data.sequences import Sequences
from sharewell.genomes.engine.iupac_lattice import BASES, GAP


@dataclass(frozen=True)
class KeptDetails:
    """How many bases there were, and as what they are shown; the share kept in places that varied."""

    bases: int
    kept: int
    one_of_two: int
    one_of_three: int
    unknown: int
    of_variable: float | None


@dataclass(frozen=True)
class BasesKept(Declared, Measure[Sequences]):
    """Bases shown as themselves, of all."""

    sense: ClassVar[Sense] = "≥"
    """More is better."""

    def score(self, before: Sequences | Genotypes, after: Sequences) -> Finding:
        both = after.beside(before) if isinstance(after, Sequences) else None
        if both is None:
            return Finding(self.name, None, note="which published sequence is whose cannot be told")
        true, shown = both
        known = (BASES[true] == 1) & (true != GAP)
        bases = int(known.sum())
        if not bases:
            return Finding(self.name, None, note="there are no bases to keep")
        shown_as = np.bincount(BASES[shown[known]], minlength=5).tolist()
        vary = known & (true != true[:1]).any(axis=0)
        of_variable = float((shown == true)[vary].mean()) if vary.any() else None
        kept, two, three, unknown = shown_as[1:5]
        details = KeptDetails(bases, kept, two, three, unknown, of_variable)
        return Finding(self.name, kept / bases, details=details)
