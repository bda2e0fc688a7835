"""Joined record: at least k persons look the same to anybody who knows demographics, some codes and some SNPs.

## Guarantee
Every class of equal quasi cells has at least k persons. Inside each class, every combination of at most m original
codes and the cells of at most `snps` positions of the DNA has a published support of 0 or at least k. The published
support is the number of records of the class in which some label covers each code, and each position shows the same
cell. A cell counts only with its equals: `{0,1}` is not counted for somebody who shows `1`. The attacker who knows of a
1 picks the record that shows it alone, since others show `{0,1}` only because cells were coarsened.

## Adversary
Knows the quasi values of a target, at most m of the target's codes and the true values of at most `snps` SNPs (or bases
of the sequence), and that the target is in the data.

## What it does not protect
People about whom more codes or SNPs are known: a cheek swab reveals all SNPs. Setting `snps` to the number of positions
covers that attacker too. Codes that somebody is known not to have. What all matching records have in common: an
attacker learns it without finding the person, and DNA also says something about relatives. Whoever knows the mechanism
and how the data came out may reason from minimality: cells were coarsened, so that something was too rare, and some of
the records that show the same are then likelier than others. A label of codes counts for all codes that it covers.

## Parameters
k: the least number of persons.
m: how many codes an attacker may know.
snps: how many SNPs, or bases, an attacker may know.

## Worked example
The figure of 2-complete anonymous codes beside DNA in the tutorial cited below, with three bases shown. Two records
have the same codes, and so have the other two; the first base tells the records of each pair apart.

>>> import pyarrow as pa
>>> from sharewell.codes import CodeSets
>>> from sharewell.joint import RTData, SnpCells
>>> from sharewell.tables import Table
>>> people = Table.of(pa.table({"who": ["1", "2", "3", "4"]}), quasi=[], subject="who")
>>> members = {"401": ("401.0", "401.1", "401.2", "401.3", "401.4")}
>>> shown = [["401.0", "401.1"], ["401", "401.3"], ["401.0", "401.1"], ["401", "401.3"]]
>>> codes = CodeSets.of(shown, published=True, members=members)
>>> dna = SnpCells.reopened({"dna": pa.chunked_array([["ACT", "GCC", "CCA", "CAT"]])}, "bases")
>>> print(JoinedRecord(2, m=2).check(RTData.of(people, codes, dna)))
joined-record = 1 persons (≥ 2: FAILS)

If both records of a pair show the bases of both, two records fit whatever is known.

>>> alike = SnpCells.reopened({"dna": pa.chunked_array([["MCW", "SMY", "MCW", "SMY"]])}, "bases")
>>> print(JoinedRecord(2, m=2, snps=3).check(RTData.of(people, codes, alike)))
joined-record = 2 persons (≥ 2: holds)

## Why it is safe
The criterion groups and counts the published cells from scratch. A value that is known of a person stands for the cell
that the person's record shows, and at least k records show it beside the known codes. Records that could hold the value
in a wider cell come on top and are not relied on; a missing call (`*`), too, must be shown by k. Records that show the
same DNA show the same cells, so the support of codes among them is never more than the support of codes and cells. If
the former is k already, the criterion holds, and the true value is at least the one reported. Otherwise every
combination that occurs is counted. Withheld records that still show codes or DNA are judged as one more class.

## Cost
That of k-km-anonymity where it is enough to compare records that show the same DNA. Otherwise, for P pairs of a record
and a combination of its codes and V cells that occur, P · V additions for one SNP and P · V² for two. If that is too
many, the result is undecided.

## Source
Poulis, Loukides, Gkoulalas-Divanis and Skiadopoulos, ECML PKDD 2013, for demographics and codes; Gkoulalas-Divanis and
Loukides, tutorial on medical data privacy, SIAM Data Mining 2012 (codes released with DNA). Counting SNPs like codes is
ours.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sharewell import registry
from sharewell.algorithm import Count, Criterion, Declared, Finding, PolicyError, Sense
from sharewell.joint.data import RTData
from sharewell.joint.engine.class_labels import codes_by_class
from sharewell.joint.engine.code_combinations import Combinations
from sharewell.joint.engine.known_values import MOST_STEPS, KnownValues
from sharewell.joint.engine.snp_cells import SnpCells

_AT_LEAST = "at least: among records that show the same DNA"
_TOO_MANY = "combinations of codes and SNPs are too many to count: choose a smaller m or snps"


@dataclass(frozen=True)
class JoinedDetails:
    """Classes, those with too few persons, withheld records that show something, and different rows of DNA."""

    classes: int
    too_small: int
    withheld: int
    places: int
    dna_shown: int


@dataclass(frozen=True)
class JoinedRecord(Declared, Criterion[RTData]):
    """k persons who show the same, for whatever is known of demographics, codes and DNA together."""

    k: Count
    m: Count = 2
    snps: Count = 1

    sense: ClassVar[Sense] = "≥"

    @property
    def bound(self) -> int:
        return self.k

    def check(self, data: RTData) -> Finding:
        """The fewest persons of a class, or records that show what is known inside one: whichever is less."""
        dna = _dna_of(data, self.name)
        people: Finding = registry.lookup("tables", "criteria", "k-anonymity")(self.k).check(data.table)
        inside = self.joined(data)
        strange = int((data.class_of_row == data.table.classes.count).sum())
        reached = [people.value, *([inside.value] if data.rows else []), *([strange] if strange else [])]
        known = [value for value in reached if value is not None]
        value = min(known) if known and len(known) == len(reached) else None
        too_small = int((data.table.classes.persons < self.k).sum())
        details = JoinedDetails(
            data.table.classes.count, too_small, strange, dna.places, int(dna.groups.max(initial=-1)) + 1
        )
        parts = (people, inside)
        unit, note = people.unit, inside.note
        return Finding.judge(self.name, value, "≥", self.k, unit=unit, parts=parts, details=details, note=note)

    def joined(self, data: RTData) -> Finding:
        """The rarest combination of codes and cells inside a class."""
        dna = _dna_of(data, self.name)
        alike = self._among_equal_dna(data, dna)
        if alike is not None and alike >= self.k:
            return self._finding(alike, _AT_LEAST)
        among, values = Combinations.of(data, self.m), KnownValues.of(dna)
        if among is None or values.steps(among, self.snps) > MOST_STEPS:
            return self._finding(None, _TOO_MANY)
        return self._finding(values.fewest(among, self.snps))

    def _finding(self, value: int | None, note: str = "") -> Finding:
        name = "codes and DNA inside classes"
        return Finding.judge(name, value, "≥", self.k, unit="records", note=note)

    def _among_equal_dna(self, data: RTData, dna: SnpCells) -> int | None:
        """The fewest records that hold a combination of codes and show the same DNA; None if they were not counted."""
        classes = data.class_of_row
        width = int(dna.groups.max(initial=0)) + 1
        group = np.where(classes < 0, -1, classes * width + dna.groups)
        shown = group >= 0
        if not shown.any():
            return None
        number = np.unique(group[shown], return_inverse=True)[1]
        fewest = int(np.bincount(number).min())
        if fewest < self.k:
            return fewest
        group[shown] = number
        criterion = registry.lookup("codes", "criteria", "km-anonymity")(self.k, self.m)
        finding: Finding = criterion.check(codes_by_class(data.codes, group.astype(np.intp)))
        if finding.value is None:  # no code is told of anybody, or there are too many combinations
            return fewest if not len(data.codes.sets.items) else None
        return min(fewest, int(finding.value))


def _dna_of(data: RTData, name: str) -> SnpCells:
    RTData.require(data, name)
    if data.dna is None:
        raise PolicyError(
            f"{name} — there is no DNA beside the codes — use k-km-anonymity, or say genotypes: {{csv: …}}"
        )
    return data.dna
