"""ρ-uncertainty: no codes of a person imply a sensitive code with more than a given confidence.

## Guarantee
For every combination of at most `size` codes that occurs in the release, public or sensitive, and every sensitive code
outside it: of the records that may hold the combination, at most the share `rho` may hold the sensitive code too. The
combination may be empty, so no sensitive code is in more than that share of all records.

## Adversary
Knows at most `size` codes of a target, sensitive ones too, and that the target is in the data; wants to know another
sensitive code of the target.

## What it does not protect
Identity. An attacker who knows more than `size` codes, or facts about diseases and people outside the data. That a code
is *not* held.

## Parameters
rho: the largest confidence, 0 to 1; a fraction such as 1/11 is taken exactly.
sensitive: the sensitive codes.
size: how many codes an attacker may know (default 2). The paper sets no limit; the number of combinations grows with
every code, so there is one here, and each finding states it. The longest record's number of codes is as good as none.
strict: the confidence must lie below `rho`; without it (default), `rho` itself is allowed.
file: instead of `sensitive`, a file that lists the codes, separated by spaces, `;`, `,` or lines.

## Worked example
Two patients cannot be told apart by their hypertension; both have schizophrenia (295).

>>> from sharewell.codes import CodeSets
>>> data = CodeSets.of([["401.0", "401.1", "295"], ["401.0", "401.1", "303", "295"], ["401.0", "303"], ["250"]])
>>> print(RhoUncertainty(0.5, sensitive=["295", "303"]).check(data))
rho-uncertainty = 1 confidence (≤ 0.5: FAILS)
>>> print(RhoUncertainty(0.5, sensitive=["295", "303"]).check(CodeSets.of([["401.0", "401.1"]] * 3 + [["303"]])))
rho-uncertainty = 0.25 confidence (≤ 0.5: holds)

Ten patients with the codes a … h, of which g and h are sensitive. Of the rules whose antecedent is not limited, 169
have a confidence above one half, 167 above 0.6 and 155 above 0.75.

>>> ten = CodeSets.of([list(row) for row in "abcdefgh acefg cdefh acef efgh defg abde acf ac bh".split()])
>>> [RhoUncertainty(rho, ["g", "h"], size=8).check(ten).details.above for rho in (0.5, 0.6, 0.75)]
[169, 167, 155]

## Why it is safe
Every combination of labels that occurs is counted anew from the published records, with each code that it may stand
for. Confidence is not monotone: a larger combination may tell less or more, so all sizes are counted. A label that may
stand for a sensitive code and for others counts as the sensitive code: whoever knows one of the others is told it with
confidence 1. So generalising a sensitive code does not protect it; leaving it out does. Shares are compared as
fractions.

## Cost
Σ over records of C(length, size) occurrences, twice, and once more for each sensitive code of the record. If they are
too many to count, the answer is undecided, which fails.

## Source
Cao, Karras, Raïssi and Tan, PVLDB 2010, in our reading. They ask for a confidence below ρ, which is `strict`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sharewell.algorithm import Count, Criterion, Declared, ExactShare, Finding, PolicyError, Sense
from sharewell.codes.data import CodeSets, Ints
from sharewell.codes.engine.combinations import flat
from sharewell.codes.engine.itemsets import MOST_OCCURRENCES, occurrences
from sharewell.codes.engine.rules import most_of, rules
from sharewell.io.sources import Source


@dataclass(frozen=True)
class RulesOfSize:
    """The rules with antecedents of one size: how many, how many of them too sure, and the surest."""

    size: int
    rules: int
    above: int
    surest: Fraction


@dataclass(frozen=True)
class Uncertainty:
    """What was counted. `blurred`: sensitive codes whose labels stand for other codes as well."""

    records: int
    sensitive: int
    blurred: int
    size: int
    above: int
    by_size: tuple[RulesOfSize, ...]


@dataclass(frozen=True)
class RhoUncertainty(Declared, Criterion[CodeSets]):
    """No sensitive code follows from up to `size` others with more than the confidence rho."""

    rho: ExactShare
    sensitive: Sequence[str] = ()
    size: Count = 2
    strict: bool = False
    file: Source | None = None

    sense: ClassVar[Sense] = "≤"
    bounded_by: ClassVar[str] = "rho"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.strict and not self.rho:
            raise ValueError("rho must be above 0 if strict: no confidence is below 0")
        if self.file is None and not self.sensitive:
            raise ValueError("sensitive must list the sensitive codes")
        listed: list[list[str]] | Source = [[code] for code in self.sensitive] if self.file is None else self.file
        object.__setattr__(self, "sensitive", tuple(sorted(flat(listed, "sensitive"))))

    def too_sure(self, together: Ints, alone: Ints) -> NDArray[np.bool_]:
        """For each rule: do more of the records that hold the antecedent hold the consequent than may?"""
        most = alone - most_of(1 - self.rho, alone) - 1 if self.strict else most_of(self.rho, alone)
        return np.asarray(together > most)

    def check(self, data: CodeSets) -> Finding:
        """The largest confidence of all; 0 if nothing sensitive is published."""
        if not isinstance(data, CodeSets):
            raise PolicyError(f"{self.name} — judges sets of codes, one a person — this release has another form")
        if not data.records:
            return self._judged(None, note="there is no record")
        sets, longest = data.atoms.sets, data.atoms.sets.longest
        any_number = self.size >= longest - 1
        sizes = range(min(self.size, longest - 1) + 1)
        if beyond := [size for size in sizes if occurrences(sets, size) > MOST_OCCURRENCES]:
            return self._judged(None, note=f"combinations of {beyond[0]} codes are too many: choose a smaller size")
        present = {code: data.atoms.of_code[code] for code in self.sensitive if code in data.atoms.of_code}
        shared = np.bincount(list(data.atoms.of_code.values()), minlength=1)
        blurred = sum(int(shared[atom]) > 1 for atom in present.values())
        by_size = tuple(self._counted(data, sorted(set(present.values())), size) for size in sizes if present)
        surest = max((counts.surest for counts in by_size), default=Fraction(0))
        above = sum(counts.above for counts in by_size)
        details = Uncertainty(data.records, len(present), blurred, self.size, above, by_size)
        known = "known codes: any number" if any_number else f"known codes: at most {self.size}, more are not judged"
        return self._judged(Fraction(1) if blurred else surest, known, details)

    def _counted(self, data: CodeSets, sensitive: Sequence[int], size: int) -> RulesOfSize:
        number = above = 0
        surest = Fraction(0)
        for part in rules(data.atoms.sets, data.atoms.count, sensitive, size):
            if len(part.alone):
                number += len(part.alone)
                above += int(self.too_sure(part.together, part.alone).sum())
                best = int((part.together / part.alone).argmax())
                surest = max(surest, Fraction(int(part.together[best]), int(part.alone[best])))
        return RulesOfSize(size, number, above, surest)

    def _judged(self, value: Fraction | None, note: str, details: Uncertainty | None = None) -> Finding:
        finding = self.finding(value, unit="confidence", details=details, note=note)
        if self.strict and value == self.rho:
            return replace(finding, ok=False, note=f"must lie below the bound; {note}")
        return finding
