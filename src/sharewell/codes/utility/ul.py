"""Utility loss (UL): how uncertain labels of several codes leave a reader, weighted by the records that show them.

## Parameters
singles: also add labels of one code, as if they left something open (some tables in the literature do).
penalty: what a suppressed code costs, times the share of records that held it.
universe: M in the formula, the number of codes in all. Left out, the codes of the original data. With thousands of
codes every term is too small for any computer's numbers: give the size of the largest utility set, or read `log2`.
weight: "one" (default) or "tree": the mean distance of a label's codes in their hierarchy, as a share of the largest.

## Worked example
One label of two codes out of six, shown by two of three records: (2² − 1)/(2⁶ − 1) · 2/3.

>>> from sharewell.codes import CodeSets
>>> before = CodeSets.of([["296.00", "296.01", "296.02"], ["295.00", "295.01", "295.02"], ["296.00", "296.02"]])
>>> shown = [["(296.00,296.01)", "296.02"], ["295.00", "295.01", "295.02"], ["(296.00,296.01)", "296.02"]]
>>> after = CodeSets.of(shown, published=True)
>>> round(UL().score(before, after).value, 6), round(UL(singles=True).score(before, after).value, 6)
(0.031746, 0.058201)

## Why it is safe
A label of |g| codes may stand for any of 2^|g| − 1 non-empty sets of them: UL(g) = (2^|g| − 1) / (2^M − 1) · w(g) ·
(records that show g) / N. The sum is formed in whole numbers and divided once, so that no number of codes overflows;
`log2` gives it where the quotient is too small.

## Cost
O(labels · M / 64) for the whole numbers, O(codes) for the rest.

## Source
Loukides, Gkoulalas-Divanis and Malin, PNAS 2010.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sharewell.algorithm import Count, Declared, Finding, Measure, NotNegative, PolicyError
from sharewell.codes.data import CodeSets, Ints
from sharewell.codes.engine.code_tree import chains_of


@dataclass(frozen=True)
class ULDetails:
    log2: float | None
    """The logarithm to base 2 of the loss; None if nothing is lost."""
    groups: int
    """Labels of several codes."""
    suppressed_codes: int
    from_suppression: float
    """The share of the loss that is the penalty of suppressed codes."""


@dataclass(frozen=True)
class UL(Declared, Measure[CodeSets]):
    """The sum over labels, and the penalty of suppressed codes."""

    singles: bool = False
    penalty: NotNegative = 1.0
    universe: Count | None = None
    weight: Literal["one", "tree"] = "one"

    def score(self, before: CodeSets, after: CodeSets) -> Finding:
        if not before.records or not before.names:
            return Finding(self.name, None, note="there are no codes to lose")
        known = set(before.names)
        supports = after.sets.supports(len(after.names)).tolist()
        weigh = _Distances(before) if self.weight == "tree" else None
        total, groups = Fraction(0), 0
        for members, support in zip(after.members, supports, strict=True):
            codes = known.intersection(members)
            if len(members) > 1 or self.singles:
                groups += len(members) > 1
                weight = Fraction(1) if weigh is None or len(codes) < 2 else weigh.mean(codes)
                total += ((1 << len(codes)) - 1) * support * weight
        universe = self.universe or len(known)
        suppressed = known.difference(after.codes)
        supports_before = before.sets.supports(len(before.names)).tolist()
        lost = sum(support for code, support in zip(before.names, supports_before, strict=True) if code in suppressed)
        penalty = Fraction(str(self.penalty)) * Fraction(lost, before.records)
        loss = total / ((1 << universe) - 1) / before.records + penalty
        value = loss.numerator / loss.denominator
        details = ULDetails(_log2(loss), groups, len(suppressed), float(penalty / loss) if loss else 0.0)
        return Finding(self.name, value, details=details)


def log2_loss(sizes: Ints, supports: Ints | int) -> NDArray[np.float64]:
    """log2 of (2^size − 1) · support: what decides between labels, for any number of codes.

    >>> log2_loss(np.array([1, 2, 5000]), np.array([1, 2, 4])).round(4).tolist()
    [0.0, 2.585, 5002.0]
    """
    sizes = np.asarray(sizes, dtype=np.float64)
    loss: NDArray[np.float64] = sizes + np.log1p(-np.exp2(-sizes)) / math.log(2) + np.log2(supports)
    return loss


def _log2(loss: Fraction) -> float | None:
    return math.log2(loss.numerator) - math.log2(loss.denominator) if loss else None


class _Distances:
    """Distances of codes in their tree: the steps from one up to the first common node and down to the other."""

    def __init__(self, data: CodeSets) -> None:
        if data.hierarchy is None:
            raise PolicyError("ul — weight: tree needs a hierarchy of the codes")
        self.chains = dict(zip(data.names, chains_of(data.names, data.hierarchy)[0], strict=True))
        self.largest = max(1, 2 * (max(map(len, self.chains.values())) - 1))

    def mean(self, codes: Collection[str]) -> Fraction:
        """The mean distance of all pairs, as a share of the largest. Codes below a node have that node in common."""
        pairs = len(codes) * (len(codes) - 1) // 2
        steps = (len(codes) - 1) * sum(len(self.chains[code]) for code in codes)
        below = Counter(node for code in codes for node in set(self.chains[code]))
        common = sum(number * (number - 1) // 2 for number in below.values())
        return Fraction(steps - 2 * common, pairs * self.largest)
