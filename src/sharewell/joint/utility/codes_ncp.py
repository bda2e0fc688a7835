"""Codes NCP: the share of detail that the codes of people lost, from 0 (nothing) to 1 (everything).

## Worked example
Two of three codes are shown by a label of two out of three: 2 · (2/3) / 3.

>>> import pyarrow as pa
>>> from sharewell.codes import CodeSets
>>> from sharewell.joint import RTData
>>> from sharewell.tables import Table
>>> people = Table.of(pa.table({"age": [20, 40, 60]}), quasi=["age"])
>>> before = CodeSets.of([["401.1"], ["401.2"], ["250"]])
>>> after = CodeSets.of([["(401.1,401.2)"], ["(401.1,401.2)"], ["250"]], published=True)
>>> round(CodesNCP().score(RTData.of(people, before), RTData.of(people, after)).value, 6)
0.444444

## Why it is safe
It is the NCP of codes: each record is compared with its own release. The demographics do not count.

## Cost
O(Σ length · published length).

## Source
Xu, Wang, Pei, Wang, Shi and Fu, 2006; Poulis, Loukides, Gkoulalas-Divanis and Skiadopoulos, ECML PKDD 2013 (Tum).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from sharewell import registry
from sharewell.algorithm import Declared, Finding, Measure
from sharewell.joint.data import RTData


@dataclass(frozen=True)
class CodesNCP(Declared, Measure[RTData]):
    """Mean loss for each code of each person."""

    def score(self, before: RTData, after: RTData) -> Finding:
        measure = registry.lookup("codes", "utility", "ncp")()
        finding: Finding = measure.score(before.codes, after.codes)
        return replace(finding, name=self.name)
