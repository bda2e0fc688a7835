"""Class homogeneity: guesses a person's codes and sensitive values from what most people of the same class have.

## Guarantee
None; a measurement. The value is the largest probability with which somebody who knows the class of a person, and no
code, knows a code or a sensitive value of that person.

## Adversary
Knows the quasi values of a target and that the target is in the data.

## What it does not protect
(k, k^m)-anonymity bounds none of this: all people of a class may have the same code. An attacker who knows some codes
learns more (`rt-linkage`). A code that nearly everybody has, in all classes, counts like others.

## Parameters
threshold: persons of whom a code is known with more than this probability are counted as at risk.

## Worked example
Both of twenty have diabetes; of the three of sixty, two have hypertension.

>>> import pyarrow as pa
>>> from sharewell.codes import CodeSets
>>> from sharewell.joint import RTData
>>> from sharewell.tables import Table
>>> people = Table.of(pa.table({"age": [20, 20, 60, 60, 60]}), quasi=["age"])
>>> data = RTData.of(people, CodeSets.of([["250"], ["250", "401"], ["401"], ["401"], ["428"]]))
>>> result = ClassHomogeneity().mount(data)
>>> result.value, result.details.at_risk, round(result.details.average, 3)
(1.0, 1.0, 0.8)

## Why it is safe
Classes are grouped anew from published cells, and the finding holds numbers only. A label of several codes is shared
out equally among them. Sensitive columns are attacked by `homogeneity` of tables. Withheld people do not count.

## Cost
O(n + occurrences · log occurrences).

## Source
Machanavajjhala, Kifer, Gehrke and Venkitasubramaniam, 2007 (the homogeneity attack), for sets of codes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sharewell import registry
from sharewell.algorithm import Attack, Declared, Finding, Share, Truth
from sharewell.joint.data import RTData


@dataclass(frozen=True)
class ClassHomogeneityDetails:
    """The probability of the code that is known best, for every person."""

    average: float
    at_risk: float
    """The share of persons above the threshold."""
    certain: float
    """The share of persons of whom a code is known for certain."""
    persons: int
    classes: int


@dataclass(frozen=True)
class ClassHomogeneity(Declared, Attack[RTData]):
    """The largest share of a class with a code."""

    threshold: Share = 0.5

    def mount(self, released: RTData, truth: Truth[RTData] | None = None) -> Finding:
        """What is published is all that is needed: the truth adds nothing."""
        RTData.require(released, self.name)
        classes = released.table.classes
        if not classes.count:
            return Finding(self.name, None, unit="probability", note="no published record")
        sizes = classes.sizes.astype(np.int64)
        known = _known_best(released, sizes)
        persons = int(sizes.sum())
        details = ClassHomogeneityDetails(
            float(known @ sizes) / persons,
            float(sizes[known > self.threshold].sum()) / persons,
            float(sizes[known == 1].sum()) / persons,
            persons,
            classes.count,
        )
        codes = Finding(self.name, float(known.max()), column=released.codes.column, unit="probability")
        parts = [codes, *self._sensitive(released)]
        worst = max(parts, key=lambda part: part.value or 0)
        return Finding(self.name, worst.value, worst.column, unit="probability", parts=tuple(parts), details=details)

    def _sensitive(self, released: RTData) -> list[Finding]:
        attack = registry.lookup("tables", "attacks", "homogeneity")
        return [
            Finding(self.name, attack(column=name).mount(released.table).value, column=name, unit="probability")
            for name in released.table.schema.sensitive
        ]


def _known_best(released: RTData, sizes: NDArray[np.int64]) -> NDArray[np.float64]:
    """Of each class, the probability of the code that is known best of its people."""
    sets, members = released.codes.sets, released.codes.members
    owner = released.class_of_row[sets.row_of]
    in_class = (owner >= 0) & (owner < len(sizes))
    width = max(1, len(members))
    keys, count = np.unique(owner[in_class] * width + sets.items[in_class], return_counts=True)
    of_class, label = np.divmod(keys, width)
    spread = np.array([max(1, len(codes)) for codes in members] or [1], dtype=np.float64)
    best = np.zeros(len(sizes))
    np.maximum.at(best, of_class, count / sizes[of_class] / spread[label])
    return best
