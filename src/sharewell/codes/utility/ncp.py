"""Normalised certainty penalty (NCP) of codes: the share of detail lost for each code that a record held.

Guarantee
---------
None; a measure of cost.

Adversary
---------
None.

What it does not protect
------------------------
Not a privacy measure.

Parameters
----------
None.

Worked example
--------------
Three of eight codes held are shown by a label of two out of six: 3 · (2/6) / 8.

>>> from sharewell.codes import CodeSets
>>> before = CodeSets.of([["296.00", "296.01", "296.02"], ["295.00", "295.01", "295.02"], ["296.00", "296.02"]])
>>> shown = [["(296.00,296.01)", "296.02"], ["295.00", "295.01", "295.02"], ["(296.00,296.01)", "296.02"]]
>>> NCP().score(before, CodeSets.of(shown, published=True)).value
0.125

Why it is safe
--------------
A code shown as itself loses 0; one shown by a label of several codes loses the share of all codes that the label may
stand for; one that is not shown loses 1. Where labels differ by record, each record is compared with its own release,
and the tightest label counts. The release must be in the order of the original: another order is noticed only if a
label then covers no code of its record.

Cost
----
O(codes) for one recoding of all records, O(Σ length · published length) where labels differ by record.

Source
------
Xu, Wang, Pei, Wang, Shi and Fu, 2006; Terrovitis, Mamoulis and Kalnis, 2008.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sharewell.codes.data import CodeSets
from sharewell.codes.engine.measures.label_width import widths
from sharewell.findings import Finding
from sharewell.parameters import Declared
from sharewell.protocols import Measure


@dataclass(frozen=True)
class NCPDetails:
    occurrences: int
    exact: float
    """The share of occurrences that are shown as they are."""
    suppressed: float


@dataclass(frozen=True)
class NCP(Declared, Measure[CodeSets]):
    """Mean loss for each code of each record."""

    name: ClassVar[str] = "ncp"

    def score(self, before: CodeSets, after: CodeSets) -> Finding:
        found = widths(before, after)
        if found is None:
            return Finding(self.name, None, note="which published record is whose cannot be told")
        width, times = found
        total = int(times.sum())
        if not total:
            return Finding(self.name, None, note="there are no codes to lose")
        lost = int((width * times)[width > 1].sum()) / len(before.names) + int(times[width == 0].sum())
        exact, gone = int(times[width == 1].sum()), int(times[width == 0].sum())
        return Finding(self.name, lost / total, details=NCPDetails(total, exact / total, gone / total))
