"""Homogeneity: guesses that a person has the most frequent sensitive value of the person's class.

## Guarantee
None; a measurement. The value is the largest probability of a right guess over all published records.

## Adversary
Knows the quasi values of a target and that the target is in the data; wants the sensitive value.

## What it does not protect
An attacker who knows facts about diseases and people (men do not get ovarian cancer) does better than this says.

## Parameters
column: one sensitive column; without it every one is attacked, and the finding is about the worst.
threshold: records whose value is guessed with more than this probability are counted as at risk.

## Worked example
>>> import pyarrow as pa
>>> from sharewell.tables import Table
>>> rows = pa.table({"age": ["[20-29]"] * 4 + ["[30-39]"] * 2, "illness": ["flu", "flu", "flu", "hiv", "hiv", "hiv"]})
>>> result = Homogeneity().mount(Table.of(rows, quasi=["age"], sensitive=["illness"]))
>>> result.value, round(result.details.certain, 3), round(result.details.risk.average, 3)
(1.0, 0.333, 0.833)

## Why it is safe
Classes are grouped anew from published cells; the result holds numbers only. Where a subject is known, the share of a
value is that of the persons who have it in the class, as in h-affiliation. A missing value is a value like others: that
it is missing may be telling. With the truth the guess is made for drawn persons of drawn classes, and counted as right
if the person has the value there: within a class everybody is as likely to be drawn, so that on average it is right as
often as the share says, and no more often than a bound on the share allows.

## Cost
O(s · n log n) for s sensitive columns and n records.

## Source
Machanavajjhala, Kifer, Gehrke and Venkitasubramaniam, 2007 (the homogeneity attack on k-anonymity).
"""

from __future__ import annotations

from dataclasses import dataclass

from sharewell.algorithm import NOT_SIMULATED, Attack, Declared, Finding, Share, Simulated, Truth
from sharewell.tables.attacks.prosecutor import RiskProfile, risk_profile
from sharewell.tables.data import Column, Floats, Ints, Table
from sharewell.tables.engine.attackers.attacked_columns import most_frequent, mount_on_columns
from sharewell.tables.engine.attackers.simulation import Appearances, has_value, person_of


@dataclass(frozen=True)
class HomogeneityDetails:
    certain: float
    """Share of the records in whose class everybody has the guessed value."""
    baseline: float
    """The probability of a right guess from the whole table, without any class."""
    risk: RiskProfile


@dataclass(frozen=True)
class Homogeneity(Declared, Attack[Table]):
    """The share of the most frequent sensitive value, for every class."""

    column: str | None = None
    threshold: Share = 0.5

    def mount(self, released: Table, truth: Truth[Table] | None = None) -> Finding:
        return mount_on_columns(self.name, released, self.column, lambda column: self._one(released, column, truth))

    def _one(self, released: Table, column: Column, truth: Truth[Table] | None) -> Finding:
        classes = released.classes
        value, chance = most_frequent(classes, column)
        _, overall = most_frequent(classes.as_one(), column)
        simulated = None if truth is None else _simulate(released, column, value, chance, truth)
        details = HomogeneityDetails(
            float(classes.sizes[chance == 1].sum()) / max(1, int(classes.sizes.sum())),
            float(overall[0]),
            risk_profile(chance, classes.sizes, self.threshold, simulated),
        )
        note, most = "" if simulated else NOT_SIMULATED, float(chance.max())
        return Finding(self.name, most, column=column.name, unit="probability", details=details, note=note)


def _simulate(released: Table, column: Column, guess: Ints, chance: Floats, truth: Truth[Table]) -> Simulated | None:
    """The guess, made for drawn persons of drawn classes; right if one of the person's records there has the value."""
    classes, persons = released.classes, person_of(truth)
    everybody = Appearances.of(classes, persons)
    drawn = everybody.drawn()
    owner = everybody.owner[drawn]
    right = has_value(classes, persons, column, owner, everybody.person[drawn], guess[owner])
    return Simulated.of(right, chance[owner])
