"""GWAS: the associations of SNPs with a disease that can still be found in the release.

## Guarantee
None; a measure of cost. The value is the share of the hits of the original that survive.

## Parameters
phenotype: person → case or not, or a file or frame with columns person and case.
test: "allelic" (chi-square of the alleles, default) or "trend" (Cochran and Armitage, by persons).
threshold: a SNP is a hit if chance alone explains it with less than this probability (5e-8).

## Worked example
One of two SNPs goes with the disease. Rounding its frequencies to one decimal does not hide that.

>>> import numpy as np
>>> from dataclasses import replace
>>> from sharewell.genomes import Frequencies, Genotypes
>>> ill = np.arange(200) < 100
>>> calls = np.stack([np.where(ill, np.arange(200) % 3, np.arange(200) % 2), np.arange(200) % 3], axis=1)
>>> people = Genotypes.of(calls)
>>> measure = GWAS(dict(zip(people.persons, ill)), threshold=1e-4)
>>> measure.hits(people)
('snp1',)
>>> after = Frequencies.of(people, cases=[name for name, case in zip(people.persons, ill) if case])
>>> after = replace(after, cases=after.cases.round(1), controls=after.controls.round(1), published=True)
>>> result = measure.score(people, after)
>>> result.value, result.details.hits, result.details.new
(1.0, 1, 0)

## Why it is safe
It returns numbers only; `hits` and `surviving` name SNPs, never people. The statistics are computed anew from what is
published: from frequencies of cases and controls with the numbers of both, as if nobody's call were missing. By trend
they take the two alleles of a person for independent, since frequencies do not tell. A release that does not tell cases
from controls has no statistics: then a hit survives if its SNP is published, and the finding says so.

## Cost
One pass over the calls.

## Source
Pearson's chi-square of one degree of freedom; Armitage, 1955.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sharewell.algorithm import Chance, Declared, Finding, PolicyError, Sense
from sharewell.genomes.data.frequencies import Frequencies
from sharewell.genomes.data.genotypes import Genotypes
from sharewell.genomes.engine.association import Floats, Group, Test, chi_square, counted, critical
from sharewell.genomes.engine.phenotypes import Groups, groups
from sharewell.io.sources import Source
from sharewell.protocols import Frame, Measure

Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class GWASDetails:
    """Hits before, and what became of them."""

    snps: int
    published: int
    cases: int
    controls: int
    hits: int
    surviving: int
    lost: int
    """Hits whose SNP is published but is no hit any more."""
    unpublished: int
    new: int
    """Hits of the release that the original does not have."""
    largest_before: float | None
    largest_after: float | None
    error: float | None
    """The mean absolute change of chi-square, over published SNPs."""


@dataclass(frozen=True)
class GWAS(Declared, Measure[Genotypes]):
    """The share of hits that survive."""

    phenotype: Source | Frame
    test: Test = "allelic"
    threshold: Chance = 5e-8

    sense: ClassVar[Sense] = "≥"
    """More is better: hits that survive."""

    def score(self, before: Genotypes, after: Genotypes | Frequencies) -> Finding:
        ours, first, second, is_case = self._both(before, after)
        least = critical(self.threshold)
        hits, there = _beyond(first, least), np.zeros(before.count, dtype=bool)
        there[ours] = True
        again = _beyond(second, least) if second is not None else hits[ours]
        kept = hits[ours] & again
        change = np.abs(second - first[ours]) if second is not None else np.zeros(0)
        change = change[np.isfinite(change)]
        details = GWASDetails(
            snps=before.count,
            published=len(ours),
            cases=int((is_case == 1).sum()),
            controls=int((is_case == 0).sum()),
            hits=int(hits.sum()),
            surviving=int(kept.sum()),
            lost=int((hits[ours] & ~again).sum()),
            unpublished=int((hits & ~there).sum()),
            new=int((again & ~hits[ours]).sum()),
            largest_before=_largest(first),
            largest_after=None if second is None else _largest(second),
            error=float(change.mean()) if len(change) else None,
        )
        value = details.surviving / details.hits if details.hits else None
        notes = ["" if details.hits else "the original has no hit at this threshold"]
        if second is None:
            notes.append("cases and controls are not published separately: a hit survives if its SNP is published")
        return Finding(self.name, value, unit="share", details=details, note="; ".join(filter(None, notes)))

    def hits(self, data: Genotypes) -> tuple[str, ...]:
        """The names of SNPs that go with the disease."""
        result = chi_square(*counted(data, groups(self.phenotype, data.persons)), self.test)
        return tuple(str(name) for name in data.snps.id[_beyond(result, critical(self.threshold))])

    def surviving(self, before: Genotypes, after: Genotypes | Frequencies) -> tuple[str, ...]:
        """The names of those that are still found."""
        ours, first, second, _ = self._both(before, after)
        least = critical(self.threshold)
        kept = _beyond(first[ours], least) & (True if second is None else _beyond(second, least))
        return tuple(str(name) for name in before.snps.id[ours[kept]])

    def _both(
        self, before: Genotypes, after: Genotypes | Frequencies
    ) -> tuple[NDArray[np.int64], Floats, Floats | None, Groups]:
        """Published SNPs, chi-squares before (of all) and after (of these; None: not told), and who is a case."""
        if not isinstance(before, Genotypes) or not isinstance(after, Genotypes | Frequencies):
            raise PolicyError(f"{self.name} — compares genotypes with frequencies, or with other genotypes")
        is_case = groups(self.phenotype, before.persons)
        first = chi_square(*counted(before, is_case), self.test)
        ours = before.snps.shared(after.snps)[0]
        if not len(ours):
            return ours, first, np.zeros(0), is_case
        shown = after.on(before.snps)
        if isinstance(shown, Genotypes):
            return ours, first, chi_square(*counted(shown, groups(self.phenotype, shown.persons)), self.test), is_case
        if shown.cases is None:
            return ours, first, None, is_case
        ill, well = shown.group("cases"), shown.group("controls")
        cases, controls = (Group.of_frequencies(one.frequency, one.people) for one in (ill, well))
        return ours, first, chi_square(cases, controls, self.test), is_case


def _beyond(values: Floats, least: float) -> Bools:
    return np.asarray(np.nan_to_num(values, nan=-1.0) > least)


def _largest(values: Floats) -> float | None:
    return float(np.nanmax(values)) if np.isfinite(values).any() else None
