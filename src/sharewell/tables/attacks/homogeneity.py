"""Homogeneity: guess a person's sensitive value as the most frequent one of the person's class.

Guarantee
---------
None; a measurement. The value is the largest probability of a right guess over all published records.

Adversary
---------
Knows the quasi values of a target and that the target is in the data; wants the sensitive value.

What it does not protect
------------------------
An attacker who knows facts about diseases and people (men do not get ovarian cancer) does better than this says.

Parameters
----------
column: one sensitive column; without it every one is attacked, and the finding is about the worst.
threshold: records whose value is guessed with more than this probability are counted as at risk.

Worked example
--------------
>>> import pyarrow as pa
>>> from sharewell.tables import Table
>>> rows = pa.table({"age": ["[20-29]"] * 4 + ["[30-39]"] * 2, "illness": ["flu", "flu", "flu", "hiv", "hiv", "hiv"]})
>>> found = Homogeneity().mount(Table.of(rows, quasi=["age"], sensitive=["illness"]))
>>> found.value, round(found.details.certain, 3), round(found.details.risk.average, 3)
(1.0, 0.333, 0.833)

Why it is safe
--------------
Classes are grouped anew from published cells; the result holds numbers only. Where a subject is known, a value counts
once for each person who has it in the class. A missing value is a value like others: that it is missing may be telling.

Cost
----
O(s · n log n) for s sensitive columns and n records.

Source
------
Machanavajjhala, Kifer, Gehrke and Venkitasubramaniam, 2007 (the homogeneity attack on k-anonymity).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sharewell.errors import PolicyError
from sharewell.findings import Finding
from sharewell.protocols import Truth
from sharewell.tables.attacks.prosecutor import RiskProfile, risk_profile
from sharewell.tables.attacks.simulating import NOT_SIMULATED, SEED, TARGETS, Simulated
from sharewell.tables.classes import Classes
from sharewell.tables.columns import Column
from sharewell.tables.dataset import Table


@dataclass(frozen=True)
class HomogeneityDetails:
    certain: float
    """Share of the records whose class shows one sensitive value alone."""
    baseline: float
    """The probability of a right guess from the whole table, without any class."""
    risk: RiskProfile


@dataclass(frozen=True)
class Homogeneity:
    """The share of the most frequent sensitive value, for every class."""

    column: str | None = None
    threshold: float = 0.5

    name: ClassVar[str] = "homogeneity"

    def mount(self, released: Table, truth: Truth[Table] | None = None) -> Finding:
        columns = [column for column in released.sensitive if self.column in (None, column.name)]
        if not columns:
            what = f"no sensitive column named '{self.column}'" if self.column else "no sensitive column"
            raise PolicyError(f"{self.name} — {what} — give the column the role sensitive, or leave the attack out")
        if not released.classes.count:
            return Finding(self.name, None, note="no published record")
        found = [self._one(released, column, truth is not None) for column in columns]
        worst = max(found, key=lambda finding: (finding.value or 0, finding.details.risk.average))
        parts = tuple(found) if len(found) > 1 else ()
        return replace(worst, column=worst.column if self.column else None, parts=parts)

    def _one(self, released: Table, column: Column, simulate: bool) -> Finding:
        classes = released.classes
        value, chance = _guess(classes, column)
        _, whole = _guess(released.as_classes(classes.order, np.array([0, len(classes.order)])), column)
        simulated = _carried_out(classes, column, value, chance) if simulate else None
        details = HomogeneityDetails(
            float(classes.sizes[chance == 1].sum()) / max(1, int(classes.sizes.sum())),
            float(whole[0]),
            replace(risk_profile(chance, classes.sizes, self.threshold), simulated=simulated),
        )
        note = "" if simulated else NOT_SIMULATED
        return Finding(
            self.name, float(chance.max()), column=column.name, unit="probability", details=details, note=note
        )


def _guess(classes: Classes, column: Column) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The most frequent value of each class (the first in the column's order of equal ones), and its share."""
    owner, code, count = classes.counts(column)
    total = np.bincount(owner, weights=count, minlength=classes.count)
    order = np.lexsort((-code, count, owner))  # of each class, the most frequent value comes last
    last = np.flatnonzero(np.append(owner[order][1:] != owner[order][:-1], True))
    return code[order][last], count[order][last] / total[owner[order][last]]


def _carried_out(classes: Classes, column: Column, guess: NDArray[np.int64], chance: NDArray[np.float64]) -> Simulated:
    """The guess, made for drawn records and compared with their sensitive cells."""
    drawn = np.random.default_rng(SEED).permutation(len(classes.order))[:TARGETS]
    owner = classes.class_of[drawn]
    right = int((column.codes[classes.order[drawn]] == guess[owner]).sum())
    spread = chance[owner] * (1 - chance[owner])
    return Simulated(len(drawn), right, right / len(drawn), float(np.sqrt(spread.sum())) / len(drawn))
