"""Retained codes: the share of the codes that are published unchanged.

## Worked example
Two of six codes became one label.

>>> from sharewell.codes import CodeSets
>>> before = CodeSets.of([["296.00", "296.01", "296.02"], ["295.00", "295.01", "295.02"], ["296.00", "296.02"]])
>>> shown = [["(296.00,296.01)", "296.02"], ["295.00", "295.01", "295.02"], ["(296.00,296.01)", "296.02"]]
>>> result = RetainedCodes().score(before, CodeSets.of(shown, published=True))
>>> round(result.value, 4), result.details.generalised, result.details.suppressed
(0.6667, 2, 0)

## Why it is safe
A code is retained if a label in some record stands for it alone, generalised if only labels of several codes cover it,
and suppressed if none does.

## Cost
O(codes).

## Source
The tutorial case study of Gkoulalas-Divanis and Loukides counts them: suppression alone left 5 of 6,000 codes.
"""

from __future__ import annotations

from dataclasses import dataclass

from sharewell.algorithm import Declared, Finding, Measure
from sharewell.codes.data import CodeSets


@dataclass(frozen=True)
class RetainedDetails:
    codes: int
    retained: int
    generalised: int
    suppressed: int
    largest_label: int
    """The codes of the widest label."""


@dataclass(frozen=True)
class RetainedCodes(Declared, Measure[CodeSets]):
    """Codes shown as themselves, of all."""

    def score(self, before: CodeSets, after: CodeSets) -> Finding:
        if not before.names:
            return Finding(self.name, None, note="there are no codes to retain")
        known = set(before.names)
        alone = known.intersection(members[0] for members in after.members if len(members) == 1)
        covered = known.intersection(after.codes)
        details = RetainedDetails(
            codes=len(known),
            retained=len(alone),
            generalised=len(covered - alone),
            suppressed=len(known - covered),
            largest_label=max(map(len, after.members), default=0),
        )
        return Finding(self.name, len(alone) / len(known), details=details)
