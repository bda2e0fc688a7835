"""SuppressControl: codes are removed from all records until no sensitive code follows too certainly from others.

## Guarantee
ρ-uncertainty, up to the number of known codes that the criterion names: of the records that hold a combination of
published codes, at most the share ρ holds any further sensitive code. The remaining codes are shown in all their
records, so their counts are exact. None of the codes left out could be shown again.

## Adversary
Knows codes of a target, public and sensitive, as many as the criterion says, and wants to know a sensitive one.

## What it does not protect
Identity. What the criterion does not judge: larger combinations, and knowledge from outside the data.

## Parameters
None. The criterion says what is sensitive.

## Worked example
Two patients cannot be told apart by their hypertension; both have schizophrenia (295).

>>> from sharewell.codes import CodeSets, RhoUncertainty
>>> patients = [["401.0", "401.1", "295"], ["401.0", "401.1", "303", "295"], ["401.0", "303"], ["250"]]
>>> unsure = RhoUncertainty(0.5, sensitive=["295", "303"])
>>> released = SuppressControl().protect(CodeSets.of(patients), must=[unsure])
>>> sorted(code for code, label in released.data.labels.items() if label is None)
['295', '303']
>>> print(unsure.check(released.data))
rho-uncertainty = 0 confidence (≤ 0.5: holds)

Ten patients with the codes a … h, of which g and h are sensitive: of all ways to leave codes out, leaving out just
these two loses least, for a ρ of 0.5, 0.6 and 0.75 alike.

>>> ten = CodeSets.of([list(row) for row in "abcdefgh acefg cdefh acef efgh defg abde acf ac bh".split()])
>>> for rho in (0.5, 0.6, 0.75):
...     shown = SuppressControl().protect(ten, must=[RhoUncertainty(rho, ["g", "h"], size=8)]).data.labels
...     "".join(code for code in sorted(shown) if shown[code] is None)
'gh'
'gh'
'gh'

## Why it is safe
Rules are examined by the number of known codes, from none on. A rule that is too sure must lose a code, a known one or
the sensitive one; the code in most such rules for its number of records goes first. Leaving a code out of all records
changes no support of other combinations, so no rule becomes surer and no size is examined twice. In the end each code
is shown again that makes no rule too sure. The same is done with sensitive codes alone, which always works, and the
cheaper result is taken.

## Cost
For each size, Σ over records of C(length, size) occurrences, once more for each sensitive code of the record; then each
rule that is too sure is touched once for each of its codes.

## Source
Cao, Karras, Raïssi and Tan, PVLDB 2010, in our reading. Showing codes again, and trying sensitive codes alone, is ours:
in the second example the choice by rules alone leaves out b, d and g or h.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sharewell.algorithm import Declared, Key, Mechanism, Protected
from sharewell.codes.criteria.rho_uncertainty import RhoUncertainty
from sharewell.codes.data import CodeSets
from sharewell.codes.engine.protection.rule_suppression import (
    Requirement,
    put_back,
    refuse,
    refuse_nothing,
    settle,
    without_codes,
)


@dataclass(frozen=True)
class SuppressControlDetails:
    """How many codes there were, how many are left out, how many of those are sensitive, and their occurrences."""

    codes: int
    suppressed: int
    suppressed_sensitive: int
    suppressed_occurrences: int
    occurrences: int


@dataclass(frozen=True)
class SuppressControl(Declared, Mechanism[CodeSets]):
    """Global suppression against sensitive rules."""

    engine: ClassVar[str] = "too_sure"

    def protect(self, data: CodeSets, must: Sequence[RhoUncertainty], key: Key | None = None) -> Protected[CodeSets]:
        refuse(self, data, must)
        universe = len(data.names)
        number = {code: i for i, code in enumerate(data.names)}
        needs = [Requirement.of(criterion, number) for criterion in must]
        support = data.sets.supports(universe)
        rank = np.argsort(np.argsort(data.names, kind="stable"), kind="stable")
        sensitive = {item for criterion in needs for item in criterion.sensitive}
        only_sensitive = np.where(np.isin(np.arange(universe), list(sensitive)), support, -1)
        solutions = []
        for cost in (support, only_sensitive):
            removed = settle(data.sets, universe, needs, cost, rank)
            solutions.append(put_back(data.sets, universe, removed, needs, support, rank))
        removed = min(solutions, key=lambda some: int(support[some].sum()))
        released = without_codes(data, removed)
        refuse_nothing(self, released, must)
        lost, total = int(support[removed].sum()), int(support.sum())
        details = SuppressControlDetails(universe, len(removed), len(sensitive.intersection(removed)), lost, total)
        return Protected(released, details, np.arange(data.records))
