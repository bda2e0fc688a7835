"""Normalised certainty penalty (NCP) of people with their codes: the mean of what all parts lost, from 0 to 1.

## Parameters
weight: what the demographics count, from 0 to 1; the codes count the rest (default: half and half). Where DNA is
published too, it counts one third, and the others together two thirds; where there are no demographics, it counts half.

## Worked example
The ages lose all, the codes nothing.

>>> import pyarrow as pa
>>> from sharewell.codes import CodeSets
>>> from sharewell.joint import RTData
>>> from sharewell.tables import Table
>>> people = Table.of(pa.table({"age": [20, 60]}), quasi=["age"])
>>> cells = Table.of(pa.table({"age": ["[20-60]"] * 2}), quasi=["age"], published=True)
>>> codes = CodeSets.of([["401"], ["250"]])
>>> result = NCP().score(RTData.of(people, codes), RTData.of(cells, codes))
>>> result.value, [part.value for part in result.parts]
(0.5, [1.0, 0.0])

## Why it is safe
It weighs `relational-ncp`, `codes-ncp` and `dna-ncp`. Where one of them has no value, there is none; people without
demographics have only the other two.

## Cost
That of its parts.

## Source
Xu, Wang, Pei, Wang, Shi and Fu, 2006. That the parts are added up is ours, to have one number to compare by.
"""

from __future__ import annotations

from dataclasses import dataclass

from sharewell.algorithm import Declared, Finding, Measure, Share
from sharewell.joint.data import RTData
from sharewell.joint.utility.codes_ncp import CodesNCP
from sharewell.joint.utility.dna_ncp import DnaNCP
from sharewell.joint.utility.relational_ncp import RelationalNCP


@dataclass(frozen=True)
class NCP(Declared, Measure[RTData]):
    """All losses, weighed."""

    weight: Share = 0.5

    def score(self, before: RTData, after: RTData) -> Finding:
        RTData.require(before, self.name)
        people, codes = RelationalNCP().score(before, after), CodesNCP().score(before, after)
        if before.dna is not None:
            return self._with_dna(people, codes, DnaNCP().score(before, after), not before.table.schema.quasi)
        if people.value is None or codes.value is None:
            return Finding(self.name, None, parts=(people, codes), note=people.note or codes.note)
        value = self.weight * float(people.value) + (1 - self.weight) * float(codes.value)
        return Finding(self.name, value, parts=(people, codes))

    def _with_dna(self, people: Finding, codes: Finding, dna: Finding, without_people: bool) -> Finding:
        parts = (codes, dna) if without_people else (people, codes, dna)
        values = [float(part.value) for part in parts if part.value is not None]
        if len(values) < len(parts):
            return Finding(self.name, None, parts=parts, note=next(part.note for part in parts if part.value is None))
        if without_people:
            return Finding(self.name, sum(values) / 2, parts=parts)
        both = self.weight * values[0] + (1 - self.weight) * values[1]
        return Finding(self.name, (2 * both + values[2]) / 3, parts=parts)
