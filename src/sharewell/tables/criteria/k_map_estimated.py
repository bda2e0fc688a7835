"""k-map, estimated: classes are so large that at least k people of a population of known size fit each of them.

## Guarantee
With a probability of at least 1 − `significance` over the draw of the sample, at least k people of the population fit
*every* class of a release that the criterion accepts, whatever the population is like. No list of the population is
needed.

## Adversary
Holds a population list with true quasi values, and does not know which of these people are in the data (the
journalist).

## What it does not protect
The number of people is estimated, not counted: the estimate assumes that the data is a random sample of the population
without replacement, which a hospital's patients rarely are. Where a list is available, use k-map. Nothing is estimated,
and every class must hold k persons, if the sample size is not given, if classes may have been fitted to the sample
(`groupings`), or if a person has several records.

## Parameters
k: the least number of people who fit a class.
population_size: how many people there are (N), released ones included.
significance: the largest probability that some class is accepted wrongly.
sample_size: how many persons the data held before anything was withheld (n). A release fills it in, and the certificate
             shows it: the published files do not show it, and too small a number would make the criterion too weak.
groupings: from how many possible groupings the release was chosen: 1 if the levels were fixed before anybody saw the
           data, the number of nodes for optimal-recoding. If left out, classes may have been fitted to the data, as
           Mondrian and clustering fit them: their ranges end where the sample does, and no estimate holds.
unit: "person" (default), or "record" to count rows although a subject is known.

## Worked example
One in a hundred people of the population is in the data. Five of them in one class are so improbable if only ten people
or fewer fit the class that eleven or more must.

>>> import pyarrow as pa
>>> from sharewell.tables import Table
>>> table = Table.of(pa.table({"age": ["[20-29]"] * 400 + ["[30-39]"] * 595 + ["[90-99]"] * 5}), quasi=["age"])
>>> print(KMapEstimated(11, 100_000, sample_size=1000, groupings=1).check(table))
k-map-estimated = 5 records (≥ 5: holds)
>>> print(KMapEstimated(11, 100_000, sample_size=1000, groupings=1000).check(table))
k-map-estimated = 5 records (≥ 6: FAILS)
>>> print(KMapEstimated(11, 100_000).check(table))
k-map-estimated = 5 records (≥ 11: FAILS)

## Why it is safe
Let F people of the population fit a class. The number of them in the sample is hypergeometric; let p(F) be the
probability that it is t or more. A population of N people has at most N/F classes of F people each, so that the
expected number of classes with F < k people and t or more of them in the sample is at most the largest N/F · p(F),
whatever the population is like and however classes depend on each other. The check asks for the least t at which this,
times the number of groupings, is at most the significance. A class of k persons needs no estimate, so it never asks for
more than k. Withholding classes can only remove wrong ones; the sample size is the one before that.

## Cost
O(n log n) time, O(n) memory for n records; O(k log k) for the least size.

What holds of a class holds of every larger one. A search over levels therefore rules out every level below one at
which too much is withheld, and takes all above one that fits to fit.

## Source
El Emam and Dankar, 2008 (hypothesis testing for k-map), whose test is of one class; Bonferroni's bound over all classes
that a population can have is ours.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from sharewell.algorithm import Chance, Count, Declared, Finding, Sense
from sharewell.tables.data import Bools, Classes, Table
from sharewell.tables.engine.checks.class_criterion import ClassCriterion, class_profile
from sharewell.tables.engine.checks.exact_criteria import visible
from sharewell.tables.engine.unique_persons import refuse_more_than


@dataclass(frozen=True)
class KMapEstimated(ClassCriterion, Declared):
    """Every class is large enough for k people of the population, by estimate."""

    k: Count
    population_size: Count
    significance: Chance = 0.01
    unit: Literal["person", "record"] = "person"
    sample_size: Count | None = None
    groupings: Count | None = None

    sense: ClassVar[Sense] = "≥"
    bounded_by: ClassVar[str] = "k"
    """The most that is asked of a class; how much is, depends on the share that was sampled."""
    growing: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.sample_size is not None and self.sample_size > self.population_size:
            raise ValueError("sample_size must be at most population_size")

    def parameters_from(self, original: Table) -> dict[str, int]:
        """For a release: the size of the sample, which published files do not tell."""
        if self.sample_size is not None:
            return {}
        persons = original.persons if self.unit == "person" else original.rows
        refuse_more_than(self.population_size, persons, self.name)
        return {"sample_size": persons} if persons else {}

    def least(self, classes: Classes) -> int:
        """How large a class must be."""
        released = self._released(classes)
        refuse_more_than(self.population_size, released, self.name)
        if self.sample_size is None or self.groupings is None or classes.subject is not None:
            return self.k
        refuse_more_than(self.sample_size, released, self.name, "sample_size")
        return self._estimated

    @cached_property
    def _estimated(self) -> int:
        """The least t at which a wrongly accepted class is improbable enough."""
        assert self.sample_size is not None
        assert self.groupings is not None
        low, high = 1, self.k
        while low < high:
            middle = (low + high) // 2
            wrong = self.groupings * expected_wrong(middle, self.k, self.sample_size, self.population_size)
            low, high = (low, middle) if wrong <= self.significance else (middle + 1, high)
        return low

    def worst(self, classes: Classes) -> NDArray[np.number]:
        return classes.persons if self.unit == "person" else classes.sizes

    def holds(self, classes: Classes) -> Bools:
        return np.asarray(self.worst(classes) >= self.least(classes))

    def _released(self, classes: Classes) -> int:
        """All persons of the table, not only those of these classes."""
        if self.unit == "person" and classes.subject is not None:
            subject = classes.columns[classes.subject]
            seen = np.bincount(subject.codes, minlength=subject.size) > 0
            return int(seen[: subject.known].sum())
        return max((len(column.codes) for column in classes.columns.values()), default=len(classes.order))

    def check(self, data: Table) -> Finding:
        """Group the published cells anew and judge the smallest class."""
        classes = visible(data)
        reached = self.worst(classes)
        least = self.least(classes)
        value = int(reached.min()) if len(reached) else None
        details = class_profile(classes, int((reached < least).sum()))
        unit = "persons" if self.unit == "person" and data.schema.subject else "records"
        return Finding.judge(self.name, value, self.sense, least, unit=unit, details=details)


def expected_wrong(least: int, k: int, sample: int, people: int) -> float:
    """At most this many classes of fewer than k people have `least` or more in the sample, on the average.

    The largest N/F · P(X ≥ least) over F < k, for a hypergeometric X: `tail` grows with F by the chance that one person
    more is the one that makes it `least`, `mass` is the probability of one fewer. O(k), sums of positive numbers only.

    >>> round(expected_wrong(2, 3, 10, 100), 6)  # 100/2 · 10/100 · 9/99
    0.454545
    """
    below, mass = least - 1, 1.0
    for i in range(below):
        mass *= max(0, sample - i) / (people - i) if people > i else 0.0
    tail = largest = 0.0
    for size in range(below, min(k - 1, people)):
        tail += mass * max(0, sample - below) / (people - size)
        largest = max(largest, tail * people / (size + 1))
        mass *= (size + 1) / (size + 1 - below) * max(0, people - sample - (size - below)) / (people - size)
    return largest * (1 + 1e-9)  # more than what rounding may take away
