"""k^m-anonymity: anybody who knows up to m codes of a person finds at least k records that may contain them, or none.

## Guarantee
Every combination of at most m original codes has a published support of 0 or at least k: the number of records in which
each of its codes lies in some label.

## Adversary
Knows at most m codes of a target, and that the target is in the data.

## What it does not protect
Anyone of whom more than m codes are known. What all k records have in common: an attacker learns it without finding the
person.

## Parameters
k: the least number of records.
m: how many codes an attacker may know.

## Worked example
Four patients with hypertension. Alone, 401.2 and 401.4 occur twice, but together with 401.3 only once.

>>> from sharewell.codes import CodeSets
>>> original = CodeSets.of([["401.2", "401.3"], ["401.3", "401.4"], ["401.2"], ["401.4"]])
>>> print(KmAnonymity(2, m=2).check(original))
km-anonymity = 1 records (≥ 2: FAILS)
>>> released = CodeSets.of([["(401.2,401.4)", "401.3"]] * 2 + [["(401.2,401.4)"]] * 2, published=True)
>>> print(KmAnonymity(2, m=2).check(released))
km-anonymity = 2 records (≥ 2: holds)

## Why it is safe
Combinations of labels are counted anew from the published records, each label with the codes it may stand for. Codes
that lie in the same labels count as one, so no combination is missed or counted smaller than it is.

## Cost
Σ over records of C(length, m) occurrences, in bounded memory. If they are too many to count, fewer codes may show a
failure; else the answer is undecided, which fails.

## Source
Terrovitis, Mamoulis and Kalnis, 2008.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sharewell.algorithm import Count, Criterion, Declared, Finding, Sense
from sharewell.codes.data import CodeSets
from sharewell.codes.engine.itemsets import MOST_OCCURRENCES, SizeCounts, count, occurrences

_QUICKLY = 50_000_000
"""Occurrences that are counted in a moment."""


@dataclass(frozen=True)
class KmDetails:
    """For each size the combinations that occur, and those below k."""

    records: int
    by_size: tuple[SizeCounts, ...]


@dataclass(frozen=True)
class KmAnonymity(Declared, Criterion[CodeSets]):
    """Every combination of at most m codes is in no record or in at least k."""

    k: Count
    m: Count = 2

    sense: ClassVar[Sense] = "≥"
    bounded_by: ClassVar[str] = "k"

    def counted(self, data: CodeSets) -> tuple[SizeCounts, ...]:
        """The combinations of each size up to m that occur."""
        atoms = data.atoms
        return tuple(count(atoms.sets, atoms.count, size, self.k) for size in self._sizes(data))

    def check(self, data: CodeSets) -> Finding:
        """The support of the rarest combination. Records without a code cannot fail."""
        atoms = data.atoms
        if beyond := [size for size in self._sizes(data) if occurrences(atoms.sets, size) > MOST_OCCURRENCES]:
            note = f"combinations of {beyond[0]} codes are too many to count: choose a smaller m"
            return self._from_fewer_codes(data, note)
        by_size = self.counted(data)
        least = min((counts.least for counts in by_size if counts.least is not None), default=data.records or None)
        details = KmDetails(data.records, by_size)
        return self.finding(least, unit="records", details=details)

    def _from_fewer_codes(self, data: CodeSets, note: str) -> Finding:
        """Combinations of fewer codes, if quickly counted, may show a failure; they never show that it holds."""
        atoms, by_size = data.atoms, []
        for size in self._sizes(data):
            if occurrences(atoms.sets, size) > _QUICKLY:
                break
            by_size.append(count(atoms.sets, atoms.count, size, self.k))
            if by_size[-1].below:
                details = KmDetails(data.records, tuple(by_size))
                least = by_size[-1].least
                known = note if least == 1 else f"at most; {note}"
                return self.finding(least, unit="records", details=details, note=known)
        return self.finding(None, unit="records", note=note)

    def _sizes(self, data: CodeSets) -> range:
        return range(1, min(self.m, data.atoms.sets.longest) + 1)
