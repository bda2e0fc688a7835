"""k-anonymity: every published combination of quasi values belongs to at least k persons.

Guarantee
---------
Whoever knows the quasi values of a person finds at least k persons who fit them equally well, so that choosing one of
them at random is right with probability at most 1/k. Where a person owns several records this is distinct
k-anonymity (Tao): k *persons*, however many records they have.

Adversary
---------
Knows the quasi values of a target, and that the target is in the data (the prosecutor).

What it does not protect
------------------------
A class whose persons all share one sensitive value discloses it (see l-diversity). Knowledge of the number of records
a person owns, of a second release of the same people, or of the sensitive values themselves is not covered.

Parameters
----------
k: the least number of persons in a class.
unit: "person" (default), or "record" to count rows although a subject is known; the finding then says so.

Worked example
--------------
>>> import pyarrow as pa
>>> from sharewell.tables import Table
>>> visits = pa.table({"who": ["a", "a", "b", "c"], "age": ["[20-29]"] * 4})
>>> table = Table.of(visits, quasi=["age"], subject="who")
>>> print(KAnonymity(4).check(table))
k-anonymity = 3 persons (≥ 4: FAILS)
>>> print(KAnonymity(4, unit="record").check(table))
k-anonymity = 4 records (≥ 4: holds)

Why it is safe
--------------
The check groups the published cells anew and counts distinct persons; it uses nothing a mechanism computed. Records
without a subject value add no person, the smallest number they can be.

Cost
----
O(n log n) time, O(n) memory for n records.

Source
------
Samarati and Sweeney, 1998 (k-anonymity); Tao, Chen, Xiao, Zhou and Zhang, 2012 (distinct k-anonymity).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from sharewell.findings import Sense
from sharewell.tables.classes import Classes
from sharewell.tables.criteria.by_class import ByClass
from sharewell.tables.dataset import Table


@dataclass(frozen=True)
class KAnonymity(ByClass):
    """At least k persons in every class."""

    k: int
    unit: Literal["person", "record"] = "person"

    name: ClassVar[str] = "k-anonymity"
    sense: ClassVar[Sense] = "≥"

    def __post_init__(self) -> None:
        if self.k < 1:
            raise ValueError("k must be 1 or more")

    @property
    def bound(self) -> int:
        return self.k

    @property
    def least_records(self) -> int:  # type: ignore[override]
        return self.k

    def worst(self, classes: Classes) -> NDArray[np.number]:
        return classes.persons if self.unit == "person" else classes.sizes

    def counted_in(self, data: Table) -> str:
        return "persons" if self.unit == "person" and data.schema.subject else "records"
