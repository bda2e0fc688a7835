"""k-anonymity: every published combination of quasi values belongs to at least k persons.

## Guarantee
Whoever knows the quasi values of a person finds at least k persons who fit them equally well, so that choosing one of
them at random is right with probability at most 1/k. Where a person owns several records this is distinct
k-anonymity (Tao): k *persons*, however many records they have.

## Adversary
Knows the quasi values of a target, and that the target is in the data (the prosecutor).

## What it does not protect
A class whose persons all share one sensitive value discloses it (see l-diversity). Knowledge of the number of records
a person owns, of a second release of the same people, or of the sensitive values themselves is not covered.

## Parameters
k: the least number of persons in a class.
unit: "person" (default), or "record" to count rows although a subject is known; the finding then says so.
missing: "own" (default) takes a missing cell as a value of its own, so that a class shows equal cells; what holds then
holds under both readings. "wildcard" takes it, and `*`, to fit every value, and counts the candidates that somebody who
knows the true values of a person is left with: see `sharewell.tables.engine.wildcards`. They need not look alike.

## Worked example
>>> import pyarrow as pa
>>> from sharewell.tables import Table
>>> visits = pa.table({"who": ["a", "a", "b", "c"], "age": ["[20-29]"] * 4})
>>> table = Table.of(visits, quasi=["age"], subject="who")
>>> print(KAnonymity(4).check(table))
k-anonymity = 3 persons (≥ 4: FAILS)
>>> print(KAnonymity(4, unit="record").check(table))
k-anonymity = 4 records (≥ 4: holds)

Somebody aged 42 may own either record; somebody else whose age is not on file owns the second for certain.

>>> gaps = Table.of(pa.table({"age": [42, None], "sex": ["F", "F"]}), quasi=["age", "sex"])
>>> KAnonymity(2, missing="wildcard").check(gaps).value
1

## Why it is safe
The check groups the published cells anew and counts distinct persons; it uses nothing a mechanism computed. Records
without a subject value add no person, the smallest number they can be. Mechanisms always make classes of k persons,
which is enough for both readings of missing values.

## Cost
O(n log n) time, O(n) memory for n records.

What holds of a class holds of every larger one. A search over levels therefore rules out every level below one at
which too much is withheld, and takes all above one that fits to fit.

## Source
Samarati and Sweeney, 1998 (k-anonymity); Tao, Chen, Xiao, Zhou and Zhang, 2012 (distinct k-anonymity); Templ, 2008
(missing values as wildcards; his count is more generous than ours, and protects less).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from sharewell.algorithm import Count, Declared, Finding, Sense
from sharewell.tables.data import Classes, Table
from sharewell.tables.engine.checks.class_criterion import ClassCriterion, class_profile
from sharewell.tables.engine.wildcards import NOTE, candidates


@dataclass(frozen=True)
class KAnonymity(ClassCriterion, Declared):
    """At least k persons in every class."""

    k: Count
    unit: Literal["person", "record"] = "person"
    missing: Literal["own", "wildcard"] = "own"

    sense: ClassVar[Sense] = "≥"
    bounded_by: ClassVar[str] = "k"
    growing: ClassVar[bool] = True

    @property
    def least_records(self) -> int:
        return self.k

    def worst(self, classes: Classes) -> NDArray[np.number]:
        return classes.persons if self.unit == "person" else classes.sizes

    def check(self, data: Table) -> Finding:
        if self.missing == "own":
            return super().check(data)
        reached = candidates(data, self.unit == "person")
        value = int(reached.min()) if len(reached) else None
        profile = class_profile(data.classes, int((reached < self.k).sum()))
        return self.finding(value, unit=self.counted_in(data), details=profile, note=NOTE)

    def counted_in(self, data: Table) -> str:
        return "persons" if self.unit == "person" and data.schema.subject else "records"
