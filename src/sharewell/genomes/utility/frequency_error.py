"""Frequency error: how far published allele frequencies are from the true ones.

## Guarantee
None; a measure of cost. The value is the mean absolute error of the SNPs that are published.

## Worked example
Of three SNPs two are published, one of them rounded by 0.05.

>>> from sharewell.genomes import Frequencies
>>> before = Frequencies.of_arrays([0.25, 0.40, 0.01], people=100)
>>> after = Frequencies(before.snps.take([0, 1]), [0.3, 0.4], 100, published=True)
>>> result = FrequencyError().score(before, after)
>>> round(result.value, 3), result.details.published, round(result.details.largest, 3)
(0.025, 0.6666666666666666, 0.05)

## Why it is safe
SNPs are matched by place and alleles, and turned where the other allele was counted. The share of SNPs that are
published at all stands beside the error: leaving out what is hard to publish must not look like being exact.

## Cost
One pass over the packed calls.

## Source
The plain mean absolute and root mean square errors.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sharewell.algorithm import Declared, Finding, Measure, PolicyError
from sharewell.genomes.data.frequencies import Frequencies
from sharewell.genomes.data.genotypes import Genotypes


@dataclass(frozen=True)
class FrequencyErrorDetails:
    """Absolute errors of published frequencies, and the share of SNPs that are published."""

    snps: int
    published: float
    mean: float | None
    root_mean_square: float | None
    largest: float | None
    relative: float | None
    """The mean error as a share of the rarer allele's true frequency, where it is not 0."""


@dataclass(frozen=True)
class FrequencyError(Declared, Measure[Frequencies]):
    """The mean absolute error of what is published."""

    def score(self, before: Genotypes | Frequencies, after: Frequencies) -> Finding:
        if not isinstance(after, Frequencies):
            raise PolicyError(f"{self.name} — measures published frequencies, and these are none")
        true = before if isinstance(before, Frequencies) else Frequencies.of(before)
        ours, _, _ = true.snps.shared(after.snps)
        if not len(ours):
            details = FrequencyErrorDetails(true.rows, 0.0, None, None, None, None)
            return Finding(self.name, None, details=details, note="no SNP of the original is published")
        exact, shown = true.frequency[ours], after.on(true.snps).frequency
        both_published = np.isfinite(exact) & np.isfinite(shown)
        if not both_published.any():
            details = FrequencyErrorDetails(true.rows, 0.0, None, None, None, None)
            return Finding(self.name, None, details=details, note="no frequency is published on both sides")
        error, rarer = np.abs(shown - exact)[both_published], np.minimum(exact, 1 - exact)[both_published]
        some = rarer > 0
        details = FrequencyErrorDetails(
            snps=true.rows,
            published=int(both_published.sum()) / true.rows,
            mean=float(error.mean()),
            root_mean_square=float(np.sqrt(np.square(error).mean())),
            largest=float(error.max()),
            relative=float((error[some] / rarer[some]).mean()) if some.any() else None,
        )
        return Finding(self.name, details.mean, details=details)
