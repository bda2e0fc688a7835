"""DNA NCP: the share of detail that the DNA of people lost, from 0 (nothing) to 1 (everything).

## Worked example
Of three calls of a SNP one is shown as one of two, which is half of what there is to lose.

>>> import pyarrow as pa
>>> from sharewell.codes import CodeSets
>>> from sharewell.joint import RTData, SnpCells
>>> from sharewell.tables import Table
>>> people, codes = Table.of(pa.table({"age": [20, 40, 60]}), quasi=["age"]), CodeSets.of([["401"]] * 3)
>>> before = SnpCells.of_calls([[0], [1], [2]], names=["rs1"])
>>> after = SnpCells.reopened({"rs1": pa.chunked_array([["0", "{0,1}", "2"]])}, "calls")
>>> round(DnaNCP().score(RTData.of(people, codes, before), RTData.of(people, codes, after)).value, 6)
0.166667

## Why it is safe
A cell of s values out of v loses (s − 1) / (v − 1): v is 3 for calls and 4 for bases, where N loses all. Of a call that
may have been several values before, what was open already is no loss. Missing calls do not count. Whoever is withheld
loses all.

## Cost
O(persons · places).

## Source
Xu, Wang, Pei, Wang, Shi and Fu, 2006; for bases the level in the lattice of Malin, 2005, divided by its height.
"""

from __future__ import annotations

from dataclasses import dataclass

from sharewell.algorithm import Declared, Finding, Measure
from sharewell.joint.data import RTData


@dataclass(frozen=True)
class DnaNCP(Declared, Measure[RTData]):
    """Mean loss for each cell of DNA that was known."""

    def score(self, before: RTData, after: RTData) -> Finding:
        RTData.require(before, self.name)
        RTData.require(after, self.name)
        if before.dna is None or after.dna is None:
            return Finding(self.name, None, note="no DNA is published")
        shown, persons = after.dna, before.codes.persons
        if after.rows < before.rows and persons is not None and after.codes.persons is not None:
            place = {person: row for row, person in enumerate(persons)}
            shown = shown.spread([place[person] for person in after.codes.persons], before.rows)
        if before.rows != shown.rows or not before.rows:
            return Finding(self.name, None, note="not one record for each person")
        return Finding(self.name, before.dna.lost(shown))
