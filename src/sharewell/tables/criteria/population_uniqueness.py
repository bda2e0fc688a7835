"""Population uniqueness: at most a given share of the population is unique in it, by estimate from the release alone.

Guarantee
---------
The estimated share of people who are alone with their published quasi values, in a population of known size, is at
most `max`. No list of the population is needed.

Adversary
---------
Holds the population list with true quasi values; whoever is unique in it, and in the data, is found for certain.

What it does not protect
------------------------
The release is taken for a random sample of the population, which a hospital's patients rarely are; and estimators
differ. Where a list can be had, use k-map. Classes of two people or three are not looked at. Records that were withheld
are not seen: the estimate is of the sample that is left, and where much was withheld that is no random one.

Parameters
----------
max: the largest share of unique people allowed, as a decimal or a fraction.
population_size: how many people there are (N), released ones included.
estimator: "pitman", "zayatz", "snb", or "dankar" (default), which chooses: Pitman where at most a tenth of the people
           is released, else the smaller of Zayatz and SNB; Zayatz also where the one chosen finds no solution.
unit: "person" (default), or "record" to count rows although a subject is known.

Worked example
--------------
Twenty records, N = 100: eight classes of one, two of two, one of eight.

>>> import pyarrow as pa
>>> from sharewell.tables import Table
>>> sizes = [1] * 8 + [2, 2, 8]
>>> ages = [str(age) for age, size in enumerate(sizes) for _ in range(size)]
>>> table = Table.of(pa.table({"age": ages}), quasi=["age"])
>>> for estimator in ("zayatz", "pitman"):
...     print(PopulationUniqueness("1/4", population_size=100, estimator=estimator).check(table))
population-uniqueness = 0.2473 of the people (≤ 0.25: holds)
population-uniqueness = 0.2267 of the people (≤ 0.25: holds)

Why it is safe
--------------
The check groups the published cells anew. An estimator that finds no solution says so: the finding is undecided, and
so fails; it is never taken for an estimate of 0. Without a unique person in the data nobody in it is unique in the
population, and the share is 0; if everybody is released, the share is counted and not estimated.

Cost
----
O(n log n) time for n records; the estimators themselves look at class sizes only. Pitman's takes about a tenth of a
second: optimal recoding, which asks for thousands of estimates, is then slow, and is better given few `steps`.

Source
------
Zayatz, 1991 (equivalence class model); Pitman, 1995, and Hoshino, 2001 (Pitman model); Chen and Keller-McNulty, 1998
(slide negative binomial); Dankar, El Emam, Neisa and Roffey, 2012 (decision rule).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, ClassVar, Literal

import numpy as np
from annotated_types import Interval
from numpy.typing import NDArray

from sharewell.errors import DataError
from sharewell.findings import Finding, Sense
from sharewell.parameters import Count, Declared
from sharewell.tables.classes import Classes
from sharewell.tables.criteria.averages import Ints
from sharewell.tables.criteria.by_class import class_profile
from sharewell.tables.dataset import Table
from sharewell.tables.population_uniques import ESTIMATORS, Estimate, Sizes


@dataclass(frozen=True)
class PopulationUniqueness(Declared):
    """By estimate, at most this share of the population is unique."""

    max: Annotated[Fraction, Interval(ge=0, lt=1)]
    population_size: Count
    estimator: Literal["dankar", "pitman", "zayatz", "snb"] = "dankar"
    unit: Literal["person", "record"] = "person"

    name: ClassVar[str] = "population-uniqueness"
    sense: ClassVar[Sense] = "≤"

    @property
    def bound(self) -> Fraction:
        return self.max

    def overall(self, classes: Classes, people: Ints | None) -> list[Estimated]:
        """For mechanisms: the estimate from some of the classes; the smallest of them go first."""
        return [Estimated(self, self._persons(classes))]

    def estimate(self, persons: Ints) -> Estimate:
        """From the number of persons in each class."""
        sizes = Sizes.of(persons)
        if sizes.total > self.population_size:
            raise DataError(
                f"{self.name} — {sizes.total} released where population_size is {self.population_size}"
                " — give the number of people there are"
            )
        return ESTIMATORS[self.estimator](sizes, self.population_size) if len(persons) else Estimate(None, "")

    def check(self, data: Table) -> Finding:
        """Group the published cells anew and estimate from the sizes of the classes."""
        persons = self._persons(data.classes)
        found = self.estimate(persons)
        value = None if found.uniques is None else found.uniques / self.population_size
        unit, details = "of the people", class_profile(data.classes, int((persons == 1).sum()))
        return Finding.judge(self.name, value, self.sense, self.max, unit=unit, details=details, note=found.note)

    def _persons(self, classes: Classes) -> Ints:
        return np.maximum(classes.persons if self.unit == "person" else classes.sizes, 1).astype(np.int64)


@dataclass(frozen=True, eq=False)
class Estimated:
    """The share of unique people, estimated from some classes."""

    criterion: PopulationUniqueness
    persons: Ints

    @property
    def risk(self) -> NDArray[np.float64]:
        return np.asarray(1 / self.persons)

    def holds(self, kept: NDArray[np.intp]) -> bool:
        """Undecided is no."""
        uniques = self.criterion.estimate(self.persons[kept]).uniques
        judged = None if uniques is None else uniques / self.criterion.population_size
        return bool(Finding.judge(self.criterion.name, judged, "≤", self.criterion.max).ok)

    def least_withheld_below(self) -> int:
        return 0
