"""Journalist risk: the person of a published record can be identified in a population with at most a given probability.

## Guarantee
The probability 1/N of picking the right one among the N people of the population who fit a class is at most `max`; with
a `share`, for all but that share of the released persons.

## Adversary
Holds the population list with true quasi values, and does not know who of them is in the data (the journalist).

## What it does not protect
Somebody known to be in the data (see prosecutor-risk), the fact of being in it (see delta-presence), and with a share
above 0 the persons within it.

## Parameters
population: a file or frame with the people; `columns` of the source map names where they differ. Or a list of such
files, each of which may lack people.
max: the largest probability allowed, as a decimal or a fraction such as 1/11.
share: the share of the released persons who may have more; 0 by default.
covers, coverage, by, count, subject, unit, comparable: as for k-map.

## Worked example
>>> import pyarrow as pa
>>> from sharewell.tables import Table
>>> people = pa.table({"age": [40, 40, 45, 45, 45, 45]})
>>> table = Table.of(pa.table({"age": [40, 45]}), quasi=["age"])
>>> print(JournalistRisk(people, "1/4").check(table))
journalist-risk = 0.5 (≤ 0.25: FAILS)
>>> print(JournalistRisk(people, "1/4", share="1/2").check(table))
journalist-risk = 0.25 (≤ 0.25: holds)

## Why it is safe
The check groups the published cells anew and counts on the whole list. A person counts once, by the class of largest
risk; records without a person count in the share both as another person's each and as one person's. The value
shown is the least risk that at most `share` of the persons exceed, so that it keeps the bound exactly if they do; it is
compared as a fraction.

## Cost
O(people · log people) where classes do not overlap, O(people · classes) where every class covers everybody.

What holds of a class holds of every larger one. A search over levels therefore rules out every level below one at
which too much is withheld, and takes all above one that fits to fit. With a share, nothing is known of levels above;
below, as many are withheld at least as the persons at risk ask for.

## Source
El Emam and Dankar, 2008.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sharewell.algorithm import ExactPositiveShare, ExactShareBelowOne, Finding
from sharewell.tables.attacks.prosecutor import risk_profile
from sharewell.tables.data import Bools, Classes, Ints, Table
from sharewell.tables.engine.checks.exact_averages import OverallBound, ShareAtRisk, over_persons
from sharewell.tables.engine.checks.population_classes import PopulationClassCriterion
from sharewell.tables.engine.worst_class import risk_exceeded_by_persons, tallies


@dataclass(frozen=True)
class JournalistRisk(PopulationClassCriterion):
    """1/N is at most `max` in every class, or for all but a share of the released persons."""

    max: ExactPositiveShare
    share: ExactShareBelowOne = field(default=Fraction(0), kw_only=True)

    bounded_by: ClassVar[str] = "max"
    growing: ClassVar[bool] = True

    def worst_against(self, classes: Classes, fitting: Ints) -> NDArray[np.number]:
        """The risk of each class, given how many people fit it."""
        return np.asarray(1 / np.maximum(self.settled(classes, fitting), 1))

    def holds_against(self, classes: Classes, fitting: Ints) -> Bools:
        """Decided on whole numbers."""
        return np.asarray(np.maximum(self.settled(classes, fitting), 1) >= self._least_people)

    @property
    def _least_people(self) -> int:
        return -(-self.max.denominator // self.max.numerator)

    @property
    def for_all_but_a_share(self) -> bool:
        """May some persons be at a greater risk? Then all classes are judged together."""
        return self.share > 0

    def overall(self, classes: Classes, people: Ints) -> list[OverallBound]:
        """For mechanisms: who is at risk, given how many people fit each class, and how many may be."""
        people = np.maximum(self.settled(classes, people), 1)
        least = self._least_people
        return [over_persons(classes, people, self.unit, lambda n, m: ShareAtRisk(n, m, least, self.share))]

    def check(self, data: Table) -> Finding:
        """Group the published cells anew and count the people who fit each class."""
        match = self.matched(data)
        counted = tallies(match.classes, np.maximum(match.people, 1), self.unit)
        value, (people, persons) = risk_exceeded_by_persons(self.share, counted)
        details = risk_profile(1 / people, persons, float(self.max))
        return self.finding(value, details=details, note="; ".join(match.notes))
