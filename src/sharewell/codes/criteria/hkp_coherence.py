"""(h,k,p)-coherence: up to p public codes lead to at least k records, and to no private code in most of them.

## Guarantee
For every combination of at most p public codes, the published records that may hold it are none or at least k, and no
private code is in more than the share `max_confidence` of them. A combination that breaks this is called a mole.

## Adversary
Knows at most p public codes of a target, and that the target is in the data. Does not know private codes.

## What it does not protect
Anyone of whom more than p public codes, or a private code, are known. A private code that many people have can be
inferred without knowing anything; the details give its share.

## Parameters
k: the least number of records.
p: how many public codes an attacker may know.
max_confidence: the largest share of the records found that may have the same private code. The literature calls it h,
and sometimes 1/h.
private: the private codes; all others are public.
file: instead of `private`, a file that lists them.

## Worked example
Four patients; schizophrenia (295) is private. Each of the last three codes of hypertension finds one person, and so do
401.2 and 401.3 together. In the release, nothing does.

>>> from sharewell.codes import CodeSets
>>> original = CodeSets.of([["401.0", "401.1"], ["401.2", "401.3", "295"], ["401.0", "401.1"], ["401.4"]])
>>> coherent = Coherence(k=2, p=2, max_confidence=0.5, private=["295"])
>>> print(coherent.check(original))
hkp-coherence = 4 moles (≤ 0: FAILS)
>>> shown = [["401.0", "401.1"], ["(401.2,401.4)", "295"], ["401.0", "401.1"], ["(401.2,401.4)"]]
>>> result = coherent.check(CodeSets.of(shown, published=True))
>>> print(result, result.details.smallest, result.details.confidence)
hkp-coherence = 0 moles (≤ 0: holds) 2 1/2

The tutorial from which the example is calls this release (2,2,2)-coherent, and so writes 1/h for the share that Xu and
others call h. It also says that suppression made it; but two codes were merged, which suppression cannot do. By
suppression alone 401.2, 401.3 and 401.4 would all have to go.

## Why it is safe
Every combination of at most p public codes is counted anew from the published records, and again among those that may
hold each private code. Codes that lie in the same labels count as one, so none is missed. A label that stands for
public and private codes counts as both. Shares are compared as whole numbers.

## Cost
Σ over records of C(public codes, size) · (1 + private codes) occurrences for each size up to p. If a size has more than
4 · 10⁹, moles of smaller sizes decide; if there are none, the answer is undecided, which fails.

## Source
Xu, Wang, Fu and Yu, KDD 2008.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sharewell.algorithm import Count, Criterion, Declared, ExactShare, Finding, Sense
from sharewell.codes.data import CodeSets, Ints, Sets
from sharewell.codes.engine.combinations import flat
from sharewell.codes.engine.itemsets import MOST_OCCURRENCES
from sharewell.codes.engine.rules import cohort_occurrences, cohorts, most_of
from sharewell.io.sources import Source


@dataclass(frozen=True)
class Moles:
    """Combinations of one size that occur, and how many of them are moles."""

    size: int
    distinct: int
    moles: int


@dataclass(frozen=True)
class CoherenceDetails:
    """The smallest cohort and the largest share of one private code in a cohort, over the sizes that were counted."""

    records: int
    by_size: tuple[Moles, ...]
    smallest: int | None
    confidence: Fraction
    baseline: Fraction
    """The share of all records that may have the most frequent private code."""
    absent: int
    """Private codes that no record shows."""


@dataclass(frozen=True)
class Coherence(Declared, Criterion[CodeSets]):
    """No combination of at most p public codes is a mole."""

    k: Count
    p: Count
    max_confidence: ExactShare
    private: Sequence[str] = ()
    file: Source | None = None

    sense: ClassVar[Sense] = "≤"
    bound: ClassVar[int] = 0
    relaxes: ClassVar[str] = "max_confidence"

    def __post_init__(self) -> None:
        super().__post_init__()
        listed: Sequence[str] | Source = self.private if self.file is None else self.file
        if not listed:
            raise ValueError("private must list the private codes")
        object.__setattr__(self, "private", flat(listed, "private"))

    def moles(self, support: Ints, shared: Ints) -> NDArray[np.bool_]:
        """Which cohorts are too small, or have too many records with one private code."""
        failing: NDArray[np.bool_] = (support < self.k) | (shared > most_of(self.max_confidence, support))
        return failing

    def check(self, data: CodeSets) -> Finding:
        """Records without a public code cannot fail."""
        if not data.records:
            return self.finding(None, unit="moles", note="there is no record")
        public, private = self._apart(data)
        most = np.zeros(data.records + 1, dtype=np.int64)  # by size of the cohort: most records with one private code
        seen = np.zeros(data.records + 1, dtype=bool)
        by_size: list[Moles] = []
        note = ""
        for size in range(1, min(self.p, public.longest) + 1):
            if cohort_occurrences(public, private, size) > MOST_OCCURRENCES:
                note = f"combinations of {size} codes are too many to count: choose a smaller p"
                break
            distinct = moles = 0
            for part in cohorts(public, private, size):
                distinct, moles = distinct + len(part.support), moles + int(self.moles(part.support, part.shared).sum())
                np.maximum.at(most, part.support, part.shared)
                seen[part.support] = True
            by_size.append(Moles(size, distinct, moles))
        sizes = np.flatnonzero(seen).tolist()
        baseline = int(np.bincount(private.items, minlength=1).max())
        details = CoherenceDetails(
            data.records,
            tuple(by_size),
            min(sizes, default=None),
            max((Fraction(int(most[size]), size) for size in sizes), default=Fraction(0)),
            Fraction(baseline, data.records),
            len(set(self.private) - set(data.codes)),
        )
        total = sum(of_size.moles for of_size in by_size)
        value = None if note and not total else total
        return self.finding(value, unit="moles", details=details, note=note)

    def _apart(self, data: CodeSets) -> tuple[Sets, Sets]:
        """For each record what may be known of it, and what may be learnt. Codes of the same labels are one."""
        atoms = data.atoms
        hidden = set(self.private)
        known, learnt = np.full(atoms.count, -1, dtype=np.int64), np.full(atoms.count, -1, dtype=np.int64)
        for code, atom in atoms.of_code.items():
            (learnt if code in hidden else known)[atom] = atom
        return atoms.sets.renumbered(known), atoms.sets.renumbered(learnt)
