"""DNA and codes: the probability that somebody who knows a person's codes, DNA, or both picks the right record.

## Guarantee
None; a measurement. The value is the mean probability of picking the right record by codes and DNA together: 1 / (the
records that show the same of both).

## Adversary
Knows what the release shows of a target's codes, of their DNA, or of both, and that the target is in the data. Picks
one of the records that show the same.

## What it does not protect
Records that show the same are never more than those that could be meant, so this says too much rather than too little
of an attacker who knows the original values. Attackers who know only some codes are measured by code-linkage. Anonymous
codes do not help somebody whose DNA is known and unique: look at all three numbers.

## Parameters
codes: the codes published beside the DNA: sets of codes with their persons, or a file or frame with one code a row.
subject, code: the columns of that file.
k: shares in classes of fewer records are reported.

## Worked example
By codes two records are alike, by DNA two others; together everybody is alone.

>>> from sharewell.codes import CodeSets
>>> from sharewell.genomes import Sequences
>>> who = ["Ann", "Bob", "Eve"]
>>> codes = CodeSets.of([["401"], ["401"], ["250"]], persons=who)
>>> result = DnaAndCodes(codes).mount(Sequences.of(["ACT", "ACG", "ACG"], ids=who))
>>> [round(one.probability, 3) for one in (result.details.codes, result.details.dna, result.details.both)]
[0.667, 0.667, 1.0]
>>> hidden = CodeSets.of([["*"]] * 3, published=True, members={"*": ("250", "401")}, persons=who)
>>> result = DnaAndCodes(hidden).mount(Sequences.of(["ACT", "ACG", "ACG"], ids=who))
>>> round(result.value, 3), result.details.both.unique
(0.667, 0.3333333333333333)

## Why it is safe
It groups what is published and returns numbers. Both sides may be generalised or not: records are alike if they show
the same labels and the same symbols. Persons without codes show none.

## Cost
O(n log n) comparisons of records.

## Source
Gkoulalas-Divanis and Loukides, tutorial on medical data privacy, SIAM Data Mining 2012 (diagnosis codes linked to DNA);
the three probabilities are our reading.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sharewell.algorithm import NOT_SIMULATED, Attack, Count, Declared, Finding, Truth
from sharewell.io.sources import Source
from sharewell.joint.engine.codes_beside_dna import Dna, Ints, codes_by_person, equal_rows, owners, published_dna


@dataclass(frozen=True)
class Reidentification:
    """What an attacker reaches who knows one thing."""

    probability: float
    """Of picking the right record, on the average."""
    unique: float
    """Share of records that are alone."""
    below_k: float
    """Share of records in classes of fewer than k."""
    smallest: int

    @classmethod
    def of(cls, classes: Ints, k: int) -> Reidentification:
        size = np.bincount(classes)[classes]
        return cls(float((1 / size).mean()), float((size == 1).mean()), float((size < k).mean()), int(size.min()))


@dataclass(frozen=True)
class DnaAndCodesDetails:
    records: int
    without_codes: int
    """Records of persons of whom no code is published."""
    k: int
    codes: Reidentification
    dna: Reidentification
    both: Reidentification


@dataclass(frozen=True)
class DnaAndCodes(Declared, Attack[Dna]):
    """P(re-identified | codes), P(· | DNA), P(· | both)."""

    codes: Source | object
    subject: str = "subject"
    code: str = "code"
    k: Count = 5

    of_persons: ClassVar[bool] = True
    """Reads DNA of persons, not what is told of all of them together."""

    def mount(self, released: Dna, truth: Truth[Dna] | None = None) -> Finding:
        persons = owners(self.name, released, truth)
        if not len(persons):
            return Finding(self.name, None, unit="probability", note="nothing is released")
        codes_of = codes_by_person(self.codes, self.subject, self.code)
        number: dict[frozenset[str], int] = {}
        by_codes = np.array([number.setdefault(codes_of.get(person, frozenset()), len(number)) for person in persons])
        by_dna = equal_rows(published_dna(released)[0])
        both = np.unique(by_codes * (by_dna.max() + 1) + by_dna, return_inverse=True)[1]
        details = DnaAndCodesDetails(
            len(persons),
            sum(not codes_of.get(person) for person in persons),
            self.k,
            *(Reidentification.of(classes, self.k) for classes in (by_codes, by_dna, both)),
        )
        value = details.both.probability
        return Finding(self.name, value, unit="probability", details=details, note=NOT_SIMULATED)
