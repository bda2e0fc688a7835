"""Relational NCP: the share of detail that the demographics lost, from 0 (nothing) to 1 (everything).

## Parameters
tightest: as for `ncp` of tables: score each class as if its tightest range or set of values were published.

## Worked example
>>> import pyarrow as pa
>>> from sharewell.codes import CodeSets
>>> from sharewell.joint import RTData
>>> from sharewell.tables import Table
>>> before = Table.of(pa.table({"age": [20, 40, 60]}), quasi=["age"])
>>> cells = Table.of(pa.table({"age": ["[20-40]", "[20-40]", "60"]}), quasi=["age"], published=True)
>>> codes = CodeSets.of([["401"], ["401"], ["250"]])
>>> round(RelationalNCP().score(RTData.of(before, codes), RTData.of(cells, codes)).value, 6)
0.333333

## Why it is safe
It is the NCP of the table of people; the codes do not count.

## Cost
O(d + n) for d distinct cells.

## Source
Xu, Wang, Pei, Wang, Shi and Fu, 2006; Poulis, Loukides, Gkoulalas-Divanis and Skiadopoulos, ECML PKDD 2013 (Rum).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from sharewell import registry
from sharewell.algorithm import Declared, Finding, Measure
from sharewell.joint.data import RTData


@dataclass(frozen=True)
class RelationalNCP(Declared, Measure[RTData]):
    """Mean loss per quasi cell, with one part for each column."""

    tightest: bool = False

    def score(self, before: RTData, after: RTData) -> Finding:
        measure = registry.lookup("tables", "utility", "ncp")(tightest=self.tightest)
        finding: Finding = measure.score(before.table, after.table)
        return replace(finding, name=self.name)
