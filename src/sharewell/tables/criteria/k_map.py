"""k-map: at least k people of a population fit every published combination of quasi values.

## Guarantee
Whoever looks for the person behind a published record in the population finds at least k people who fit it equally
well, and is right with probability at most 1/k. Classes of the release itself may be smaller than k.

## Adversary
Holds the population list with true quasi values, and does not know which of these people are in the data (the
journalist).

## What it does not protect
Somebody known to be in the data (see k-anonymity), and the fact of being in it (see delta-presence). An attacker with
more columns than the list has narrows the people down further.

## Parameters
population: a file or frame with the people; `columns` of the source map names where they differ. Or a list of such
files, each of which may lack people.
k: the least number of people who fit a class.
covers: "fully" (default): a class with fewer people than released persons is an error; "partly": N is raised to n.
coverage: with `covers: partly`, the share of all people whom the list has at least. It never raises N; a list that
lacks more of the released people is an error. Of several lists: that of all together, or one share for each.
comparable: do several lists give a person the same identifier, in the column `subject`? Then whoever is on two of them
counts once. False by default: nobody knows who is on two of them, and N is that of the list on which most people fit.
by: the quasi columns that the list has, where it lacks some; without it, lacking one is an error.
count: a column of the list that says for how many people each of its rows stands.
subject: the column of the list that identifies its persons. If left out: a column named like the release's own subject,
         or like a person identifier. A person with several rows counts once, and fits a class if any of the rows does.
unit: "person" (default), or "record" to count rows, on both sides, although persons are known.

## Worked example
>>> import pyarrow as pa
>>> from sharewell.tables import KAnonymity, Table
>>> people = pa.table({"age": [40, 40, 45, 45], "area": ["NW10", "NW10", "NW15", "NW15"]})
>>> table = Table.of(pa.table({"age": [40, 45], "area": ["NW10", "NW15"]}), quasi=["age", "area"])
>>> print(KMap(people, 2).check(table))
k-map = 2 people (≥ 2: holds)
>>> print(KAnonymity(2).check(table))
k-anonymity = 1 records (≥ 2: FAILS)

## Why it is safe
The check groups the published cells anew and counts on the whole list, by the meaning that cells have for any reader.
A list without the released people is refused; where it is accepted as partial, n is a lower bound of the true N. Where
the list names its persons, a row without a person counts for nobody. Where it names none and its rows repeat, each row
counts as a person, and the finding says so.

## Cost
O(people · log people) where classes do not overlap, O(people · classes) where every class covers everybody.

What holds of a class holds of every larger one. A search over levels therefore rules out every level below one at
which too much is withheld, and takes all above one that fits to fit.

## Source
Sweeney, 2001 (k-map); El Emam and Dankar, 2008.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sharewell.algorithm import Count, Finding, Sense
from sharewell.tables.data import Bools, Classes, Ints, Table
from sharewell.tables.engine.checks.class_criterion import class_profile
from sharewell.tables.engine.checks.population_classes import PopulationClassCriterion


@dataclass(frozen=True)
class KMap(PopulationClassCriterion):
    """At least k people of the population fit every class."""

    k: Count

    sense: ClassVar[Sense] = "≥"
    bounded_by: ClassVar[str] = "k"
    growing: ClassVar[bool] = True

    def worst_against(self, classes: Classes, fitting: Ints) -> NDArray[np.number]:
        """N of each class, given how many people fit it."""
        return self.settled(classes, fitting)

    def holds_against(self, classes: Classes, fitting: Ints) -> Bools:
        return np.asarray(self.settled(classes, fitting) >= self.k)

    def check(self, data: Table) -> Finding:
        """Group the published cells anew and count the people who fit each class."""
        match = self.matched(data)
        value = int(match.people.min()) if match.classes.count else None
        details = class_profile(match.classes, int((match.people < self.k).sum()))
        return self.finding(value, unit="people", details=details, note="; ".join(match.notes))
