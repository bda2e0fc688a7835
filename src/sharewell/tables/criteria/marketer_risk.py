"""Marketer risk: of all published records, at most a given share is matched to the right person.

Guarantee
---------
Whoever matches every record to somebody is right for an expected share Q = Σ n·(1/N) / Σ n of the released persons, at
most `max`. Without a population N is the number n of persons in the class itself, and Q is classes over persons.

Adversary
---------
Wants to match as many records as possible and does not mind errors; holds the population list, or knows the quasi
values of everybody in the data.

What it does not protect
------------------------
Single persons: an average may be small while somebody is alone in a class (see prosecutor-risk, journalist-risk).

Parameters
----------
max: the largest average allowed, as a decimal or a fraction such as 1/11.
population: a file or frame with the people; without it, the released persons themselves are the population.
covers, by, count, subject, unit: as for k-map.

Worked example
--------------
>>> import pyarrow as pa
>>> from sharewell.tables import Table
>>> table = Table.of(pa.table({"age": ["[20-29]"] * 2 + ["[30-39]"] * 4}), quasi=["age"])
>>> print(MarketerRisk("1/3").check(table))
marketer-risk = 0.3333 (≤ 0.3333: holds)

Why it is safe
--------------
The check groups the published cells anew, and the sum is compared with the bound in whole numbers. Mechanisms that
withhold records take the classes with the fewest people first: of all choices that one withholds the fewest persons.

Cost
----
O(n log n) time without a population; with one, as for k-map.

Source
------
El Emam and Dankar, 2008; Dankar and El Emam, 2010 (marketer risk); Liu and others, 2015 (Q).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from sharewell.findings import Finding, Sense
from sharewell.tables.attacks.prosecutor import risk_profile
from sharewell.tables.classes import Classes
from sharewell.tables.criteria.against_population import AgainstPopulation, Ints
from sharewell.tables.criteria.averages import Average, judge_mean
from sharewell.tables.criteria.by_ratio import exact
from sharewell.tables.dataset import Table


@dataclass(frozen=True)
class MarketerRisk(AgainstPopulation):
    """The average of 1/N over the released persons is at most `max`."""

    max: Fraction
    population: Any = field(default=None, kw_only=True)

    name: ClassVar[str] = "marketer-risk"
    sense: ClassVar[Sense] = "≤"

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "max", exact("max", self.max))
        if not 0 < self.max <= 1:
            raise ValueError("max must be more than 0, at most 1")

    @property
    def bound(self) -> Fraction:
        return self.max

    def overall(self, classes: Classes, people: Ints | None) -> list[Average]:
        """For mechanisms: 1/N of each class, given how many people fit it."""
        persons = np.maximum(self.released(classes), 1)
        people = persons if people is None else np.maximum(self.settled(classes, people), 1)
        return [Average(persons, people, persons, self.max)]

    def check(self, data: Table) -> Finding:
        """Group the published cells anew and, with a population, count the people who fit each class."""
        notes = []
        if self.population is None:
            persons = people = np.maximum(self.released(data.classes), 1)
        else:
            found = self.matched(data)
            persons, people, notes = np.maximum(self.released(found.classes), 1), found.people, found.notes
            people = np.maximum(people, 1)
        details = risk_profile(1 / people, persons, float(self.max))
        told = {"details": details, "note": "; ".join(notes)}
        return judge_mean(self.name, persons, people, int(persons.sum()), self.max, **told)
