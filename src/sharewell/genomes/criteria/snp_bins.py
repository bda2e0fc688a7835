"""SNP bins: in every sequence each value is that of at least B SNPs, and each combination of values of B′ sequences.

## Guarantee
A value that a published sequence shows at one SNP it shows at B of them or more; and at least B′ published sequences
show the same values at all SNPs.

## Adversary
Knows the values of a target at the SNPs, and that the target is in the data. B′ bounds the probability of finding the
right record by 1/B′, as k does in k-anonymity. B only makes a single value say less about where it stands; on its own
it protects nobody.

## What it does not protect
What all B′ sequences have in common. Places that are not among the SNPs, if `snps` names some of several that differ.

## Parameters
B: the least number of SNPs of one sequence that show a value.
B_prime: the least number of sequences that show a combination of values.
snps: the places that are SNPs, from 1; by default every place in which sequences differ, or show anything but a base.

## Worked example
>>> from sharewell.genomes import Sequences
>>> shown = Sequences.of(["CRRRC", "CRRRC", "CRAAC"], published=True)
>>> finding = SnpBins(B=2, B_prime=2).check(shown)
>>> print(finding)
snp-bins = 1 sequences (≥ 2: FAILS)
>>> print(finding.parts[0])
snp-bins within sequences = 1 SNPs (≥ 2: FAILS)

## Why it is safe
Both are counted anew from the published texts. A place that differed in the original either differs still or shows
something else than a base, so that the SNPs are found in the release as well; a place that shows one base everywhere
tells nobody apart.

## Cost
O(n · places), and a sort of n texts.

## Source
Lin, Hewett and Altman, Using binning to maintain confidentiality of medical data, 2002.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from annotated_types import MinLen
from numpy.typing import NDArray

from sharewell.algorithm import Count, Criterion, DataError, Declared, Finding, Sense
from sharewell.genomes.data.sequences import Sequences
from sharewell.genomes.engine.iupac_lattice import BASES, GAP, Codes


@dataclass(frozen=True)
class Bins:
    """How many SNPs there are, how many combinations of values, and how many combinations are too rare."""

    snps: int
    combinations: int
    failing: int


@dataclass(frozen=True)
class SnpBins(Declared, Criterion[Sequences]):
    """At least B SNPs within, at least B′ sequences across."""

    B: Count
    B_prime: Count
    snps: Annotated[Sequence[Count], MinLen(1)] | None = None

    sense: ClassVar[Sense] = "≥"
    bounded_by: ClassVar[str] = "B_prime"

    def bins(self) -> tuple[int, int]:
        """The least number of SNPs that show a value, and of sequences that show a combination."""
        return self.B, self.B_prime

    def check(self, data: Sequences) -> Finding:
        """The rarest combination over all sequences; and as a part, the rarest value within a sequence."""
        columns = snp_columns(data, self.snps)
        codes = np.ascontiguousarray(data.matrix[:, columns])
        copies = np.bincount(Sequences(codes).groups)
        details = Bins(len(columns), len(copies), int((copies < self.B_prime).sum()))
        least = int(copies.min()) if len(copies) else None
        parts = () if not codes.size else (self._within(codes),)
        note = "" if len(columns) else "no SNPs: all sequences are the same"
        return self.finding(least, unit=data.unit, parts=parts, details=details, note=note)

    def _within(self, codes: Codes) -> Finding:
        held = np.stack([(codes == code).sum(axis=1) for code in range(1, GAP + 1)])
        fewest = int(held[held > 0].min())
        return Finding.judge(f"{self.name} within sequences", fewest, "≥", self.B, unit="SNPs")


def snp_columns(data: Sequences, snps: Sequence[int] | None = None) -> NDArray[np.intp]:
    """The places named, or all in which sequences differ or show anything but a base."""
    codes = data.matrix
    if snps is None:
        return np.flatnonzero(data.variable | ((BASES[codes] != 1) | (codes == GAP)).any(axis=0))
    columns = np.unique(np.asarray(snps, dtype=np.intp)) - 1
    if len(columns) and columns[-1] >= codes.shape[1]:
        raise DataError(f"sequences — a SNP at place {columns[-1] + 1} of {codes.shape[1]} — count from 1")
    return columns
