"""Marketer risk: an attacker matches at most a given share of all published records to the right person.

## Guarantee
Whoever matches every record to somebody is right for an expected share Q = Σ n·(1/N) / Σ n of the released persons, at
most `max`. Somebody with records in several classes counts once, by the class with the largest 1/N. Without a
population N is the number n of persons in the class itself, and Q is classes over persons if nobody is in several.

## Adversary
Wants to match as many records as possible and does not mind errors; holds the population list, or knows the quasi
values of everybody in the data.

## What it does not protect
Single persons: an average may be small while somebody is alone in a class (see prosecutor-risk, journalist-risk).

## Parameters
max: the largest average allowed, as a decimal or a fraction such as 1/11.
population: a file or frame with the people, or a list of such; without it, the released persons themselves are the
population.
covers, coverage, by, count, subject, unit, comparable: as for k-map.

## Worked example
>>> import pyarrow as pa
>>> from sharewell.tables import Table
>>> table = Table.of(pa.table({"age": ["[20-29]"] * 2 + ["[30-39]"] * 4}), quasi=["age"])
>>> print(MarketerRisk("1/3").check(table))
marketer-risk = 0.3333 (≤ 0.3333: holds)

## Why it is safe
The check groups the published cells anew, and the sum is compared with the bound in whole numbers. Records without a
person count in the average both as another person's each and as one person's. Mechanisms that withhold records take the
classes with the fewest people first: without a population, where a record is a person, no other choice withholds fewer.

## Cost
O(n log n) time without a population; with one, as for k-map.

Without a population, and where a record is a person, a level withholds no more than any below it: a search rules out
all below one at which too much is withheld. Else nothing is known of other levels.

## Source
El Emam and Dankar, 2008; Dankar and El Emam, 2010 (marketer risk); Liu and others, 2015 (Q).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np

from sharewell.algorithm import ExactPositiveShare, Finding
from sharewell.io.sources import Registers
from sharewell.tables.attacks.prosecutor import risk_profile
from sharewell.tables.data import Classes, Ints, Table
from sharewell.tables.engine.checks.exact_averages import Average, OverallBound, over_persons, worse
from sharewell.tables.engine.checks.population_classes import PopulationCriterion
from sharewell.tables.engine.worst_class import tallies


@dataclass(frozen=True)
class MarketerRisk(PopulationCriterion):
    """The average of 1/N over the released persons is at most `max`."""

    max: ExactPositiveShare
    population: Registers | None = field(default=None, kw_only=True)

    bounded_by: ClassVar[str] = "max"

    def overall(self, classes: Classes, people: Ints | None) -> list[OverallBound]:
        """For mechanisms: 1/N of each class, given how many people fit it."""
        people = np.maximum(self.released(classes) if people is None else self.settled(classes, people), 1)
        return [over_persons(classes, people, self.unit, lambda fit, number: Average(number, fit, number, self.max))]

    def check(self, data: Table) -> Finding:
        """Group the published cells anew and, with a population, count the people who fit each class."""
        if self.population is None:
            classes, people, notes = data.classes, self.released(data.classes), []
        else:
            match = self.matched(data)
            classes, people, notes = match.classes, match.people, match.notes
        counted = tallies(classes, np.maximum(people, 1), self.unit)
        profiles = [risk_profile(1 / sizes, persons, float(self.max)) for sizes, persons in counted]
        details = max(profiles, key=lambda profile: profile.average)
        finding = worse([Average(persons, sizes, persons, self.max).judge(self.name) for sizes, persons in counted])
        return replace(finding, details=details, note="; ".join(notes))
