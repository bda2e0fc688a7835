"""Population uniqueness: at most a given share of the population is unique in it, estimated from the release alone.

## Guarantee
The estimated share of people who are alone with their published quasi values, in a population of known size, is at
most `max`. No list of the population is needed.

## Adversary
Holds the population list with true quasi values; whoever is unique in it, and in the data, is found for certain.

## What it does not protect
The release is taken for a random sample of the population, which a hospital's patients rarely are; and estimators
differ. Where a list can be had, use k-map. Classes of two people or three are not looked at. Records that were withheld
are not seen: the estimate is of the sample that is left, and where much was withheld that is no random one.

## Parameters
max: the largest share of unique people allowed, as a decimal or a fraction.
population_size: how many people there are (N), released ones included.
estimator: "pitman", "zayatz", "snb", or "dankar" (default), which chooses: Pitman where at most a tenth of the people
           is released, else the smaller of Zayatz and SNB; Zayatz also where the one chosen finds no solution.
unit: "person" (default), or "record" to count rows although a subject is known.

## Worked example
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

## Why it is safe
The check groups the published cells anew. An estimator that finds no solution says so: the finding is undecided, and
so fails; it is never taken for an estimate of 0. Without a unique person in the data nobody in it is unique in the
population, and the share is 0; if everybody is released, the share is counted and not estimated. A person counts once,
however many classes they have records in: N is the number of persons, the estimator is asked about memberships in
classes (as many for each person as in the release), and who is alone in u classes is unique with up to u times the
probability that one such membership is unique in the population. Records without a person count in it both as another
person's each and as one person's.

## Cost
O(n log n) time for n records; the estimators themselves look at class sizes only. Pitman's takes about a tenth of a
second: optimal recoding, which asks for thousands of estimates, is then slow, and is better given few `steps`.

A search over levels knows nothing of other levels: all are looked at unless their loss rules them out.

## Source
Zayatz, 1991 (equivalence class model); Pitman, 1995, and Hoshino, 2001 (Pitman model); Chen and Keller-McNulty, 1998
(slide negative binomial); Dankar, El Emam, Neisa and Roffey, 2012 (decision rule).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import numpy as np

from sharewell.algorithm import Count, Criterion, Declared, ExactShareBelowOne, Finding
from sharewell.tables.data import Classes, Floats, Indices, Ints, Table
from sharewell.tables.engine.checks.class_criterion import class_profile
from sharewell.tables.engine.checks.exact_averages import OverallBound, worse
from sharewell.tables.engine.unique_persons import UniquePersons, estimate, memberships


@dataclass(frozen=True)
class PopulationUniqueness(Declared, Criterion[Table]):
    """By estimate, at most this share of the population is unique."""

    max: ExactShareBelowOne
    population_size: Count
    estimator: Literal["dankar", "pitman", "zayatz", "snb"] = "dankar"
    unit: Literal["person", "record"] = "person"

    bounded_by: ClassVar[str] = "max"

    def overall(self, classes: Classes, people: Ints | None) -> list[UniquenessEstimate]:
        """For mechanisms: the estimate from some of the classes; the smallest of them go first."""
        return [UniquenessEstimate(self, classes)]

    def estimates(self, classes: Classes, kept: Indices | None = None) -> list[UniquePersons]:
        """From some of the classes, or all: one in each reading of the records without a person."""
        every = memberships(classes, self.unit, kept)
        return [estimate(one, self.population_size, self.estimator, self.name) for one in every]

    def judge(self, estimate: UniquePersons) -> Finding:
        return self.finding(estimate.share, unit="of the people", note=estimate.note)

    def check(self, data: Table) -> Finding:
        """Group the published cells anew and estimate from the sizes of the classes."""
        finding = worse([self.judge(one) for one in self.estimates(data.classes)])
        alone = int((memberships(data.classes, self.unit)[0].sizes == 1).sum())
        return replace(finding, details=class_profile(data.classes, alone))


@dataclass(frozen=True, eq=False)
class UniquenessEstimate(OverallBound):
    """The share of unique people, estimated from some classes."""

    criterion: PopulationUniqueness
    classes: Classes

    @property
    def risk(self) -> Floats:
        return np.asarray(1 / memberships(self.classes, self.criterion.unit)[0].sizes)

    def holds(self, kept: Indices) -> bool:
        """In every reading. Undecided is no."""
        return all(self.criterion.judge(one).ok for one in self.criterion.estimates(self.classes, kept))
