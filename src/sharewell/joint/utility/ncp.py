"""Normalised certainty penalty (NCP) of people with their codes: the mean of what both parts lost, from 0 to 1.

## Guarantee
None; a measure of cost.

## Adversary
None.

## What it does not protect
Not a privacy measure.

## Parameters
weight: what the demographics count, from 0 to 1; the codes count the rest (default: half and half).

## Worked example
The ages lose all, the codes nothing.

>>> import pyarrow as pa
>>> from sharewell.codes import CodeSets
>>> from sharewell.joint import RTData
>>> from sharewell.tables import Table
>>> people = Table.of(pa.table({"age": [20, 60]}), quasi=["age"])
>>> cells = Table.of(pa.table({"age": ["[20-60]"] * 2}), quasi=["age"], published=True)
>>> codes = CodeSets.of([["401"], ["250"]])
>>> found = NCP().score(RTData.of(people, codes), RTData.of(cells, codes))
>>> found.value, [part.value for part in found.parts]
(0.5, [1.0, 0.0])

## Why it is safe
It weighs `relational-ncp` and `codes-ncp`. Where one of them has no value, there is none.

## Cost
That of its parts.

## Source
Xu, Wang, Pei, Wang, Shi and Fu, 2006. That both parts are added up is ours, to have one number to compare by.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sharewell.findings import Finding
from sharewell.joint.data import RTData
from sharewell.joint.utility.codes_ncp import CodesNCP
from sharewell.joint.utility.relational_ncp import RelationalNCP
from sharewell.parameters import Declared, Share
from sharewell.protocols import Measure


@dataclass(frozen=True)
class NCP(Declared, Measure[RTData]):
    """Both losses, weighed."""

    weight: Share = 0.5

    name: ClassVar[str] = "ncp"

    def score(self, before: RTData, after: RTData) -> Finding:
        people, codes = RelationalNCP().score(before, after), CodesNCP().score(before, after)
        if people.value is None or codes.value is None:
            return Finding(self.name, None, parts=(people, codes), note=people.note or codes.note)
        value = self.weight * float(people.value) + (1 - self.weight) * float(codes.value)
        return Finding(self.name, value, parts=(people, codes))
