"""k-map, estimated: classes so large that at least k people of a population of known size probably fit them.

Guarantee
---------
With the stated significance, at least k people of the population fit every class; no list of the population is needed.

Adversary
---------
Holds a population list with true quasi values, and does not know who of them is in the data (the journalist).

What it does not protect
------------------------
The number of people is estimated, not counted: the release is taken for a random sample of the population, which a
hospital's patients rarely are. Where a list can be had, use k-map.

Parameters
----------
k: the least number of people who fit a class.
population_size: how many people there are (N), released ones included.
significance: how probable it may be that a class is accepted wrongly.
unit: "person" (default), or "record" to count rows although a subject is known.

Worked example
--------------
A tenth of the population is released: a class of 4 then stands for 5 people or more with probability above 0.99.

>>> import pyarrow as pa
>>> from sharewell.tables import Table
>>> table = Table.of(pa.table({"age": ["[20-29]"] * 4 + ["[30-39]"] * 6}), quasi=["age"])
>>> print(KMapEstimated(5, population_size=100).check(table))
k-map-estimated = 4 records (≥ 4: holds)
>>> print(KMapEstimated(5, population_size=20).check(table))
k-map-estimated = 4 records (≥ 5: FAILS)

Why it is safe
--------------
If k people fit, the number of them in a sample of fraction f = n/N is about Poisson with mean f·k, and at least one if
a class is published at all. A class at least as large as the quantile of that zero-truncated distribution is unlikely
to come from fewer than k people; never more than k is asked for. Withholding records lowers n and with it f, so that
what holds before still holds after.

Cost
----
O(n log n) time, O(n) memory for n records.

Source
------
El Emam and Dankar, 2008 (hypothesis testing for k-map), as ARX defines it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from sharewell.errors import DataError
from sharewell.findings import Finding, Sense
from sharewell.tables.classes import Classes
from sharewell.tables.criteria.by_class import ByClass, class_profile
from sharewell.tables.criteria.by_ratio import visible
from sharewell.tables.dataset import Table


@dataclass(frozen=True)
class KMapEstimated(ByClass):
    """Every class is large enough for k people of the population, by estimate."""

    k: int
    population_size: int
    significance: float = 0.01
    unit: Literal["person", "record"] = "person"

    name: ClassVar[str] = "k-map-estimated"
    sense: ClassVar[Sense] = "≥"
    growing: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.k < 1:
            raise ValueError("k must be 1 or more")
        if self.population_size < 1:
            raise ValueError("population_size must be 1 or more")
        if not 0 < self.significance < 1:
            raise ValueError("significance is a probability: more than 0, less than 1")

    @property
    def bound(self) -> int:
        """The most that is asked of a class; how much is, depends on the share that is released."""
        return self.k

    def least(self, released: int) -> int:
        """How large a class must be, where so many persons are released."""
        if released > self.population_size:
            raise DataError(
                f"{self.name} — {released} released where population_size is {self.population_size}"
                " — give the number of people there are"
            )
        mean = self.k * released / self.population_size
        if mean == 0:
            return 1
        mass, reached, size = mean * math.exp(-mean) / -math.expm1(-mean), 0.0, 1
        while size < self.k and reached < 1 - self.significance:
            reached += mass
            size += 1
            mass *= mean / size
        return size

    def worst(self, classes: Classes) -> NDArray[np.number]:
        return classes.persons if self.unit == "person" else classes.sizes

    def holds(self, classes: Classes) -> NDArray[np.bool_]:
        return np.asarray(self.worst(classes) >= self.least(self._released(classes)))

    def _released(self, classes: Classes) -> int:
        """All persons of the table, not only those of these classes."""
        if self.unit == "person" and classes.subject is not None:
            subject = classes.columns[classes.subject]
            seen = np.bincount(subject.codes, minlength=subject.size) > 0
            return int(seen[: subject.size - subject.has_missing].sum())
        return max((len(column.codes) for column in classes.columns.values()), default=len(classes.order))

    def check(self, data: Table) -> Finding:
        """Group the published cells anew and judge the smallest class."""
        classes = visible(data)
        reached = self.worst(classes)
        least = self.least(self._released(classes))
        value = int(reached.min()) if len(reached) else None
        details = class_profile(classes, int((reached < least).sum()))
        unit = "persons" if self.unit == "person" and data.schema.subject else "records"
        return Finding.judge(self.name, value, self.sense, least, unit=unit, details=details)
