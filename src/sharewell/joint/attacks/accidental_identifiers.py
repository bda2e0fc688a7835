"""Accidental identifiers: persons singled out by a few published columns beside their codes.

## Guarantee
None; a measurement. The value is the largest share of the persons whom one combination of columns singles out.

## Adversary
Knows up to three published values of a target, at least one of them in a column that is kept or sensitive. Knows no
code: who knows codes too is the attacker of `rt-linkage`.

## What it does not protect
As for the attack of this name on tables.

## Parameters
size: the largest number of columns in a combination (1, 2 or 3).
combinations: the largest number of combinations to examine, smaller ones first; on large tables fewer.

## Worked example
All are of one class by age, but the ward tells one of them from the others.

>>> import pyarrow as pa
>>> from sharewell.codes import CodeSets
>>> from sharewell.joint import RTData
>>> from sharewell.tables import Table
>>> rows = pa.table({"age": ["[20-29]"] * 3, "ward": ["A", "A", "B"]})
>>> data = RTData.of(Table.of(rows, quasi=["age"], keep=["ward"]), CodeSets.of([["401"]] * 3))
>>> round(RTAccidentalIdentifiers().mount(data).value, 3)
0.333

## Why it is safe
It is the attack on tables, mounted on the people without their codes. The finding holds numbers and names of columns.

## Cost
O(c · n) for c combinations of columns and n persons; c · n is bounded.

## Source
Sweeney, 2000 (few columns single most people out).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from annotated_types import Interval

from sharewell import registry
from sharewell.algorithm import Attack, Count, Declared, Finding, Truth
from sharewell.joint.data import RTData


@dataclass(frozen=True)
class RTAccidentalIdentifiers(Declared, Attack[RTData]):
    """Persons alone by kept and sensitive columns, with each other and with quasi columns."""

    size: Annotated[int, Interval(ge=1, le=3)] = 3
    combinations: Count = 300

    def mount(self, released: RTData, truth: Truth[RTData] | None = None) -> Finding:
        """What is published is all that is needed: the truth adds nothing."""
        attack = registry.lookup("tables", "attacks", self.name)(self.size, self.combinations)
        finding: Finding = attack.mount(released.table)
        return finding
