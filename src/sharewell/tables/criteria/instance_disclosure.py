"""Instance disclosure: nobody in a population is known, with more than a given probability, to be in the data.

## Guarantee
Where all released people share a disease, being in the data is the disclosure. For everybody on the population list who
fits a class, the probability r = n/N of being among its n released persons (or cases) is at most `max`, or the bound
of the disease. Averages over the released persons (or cases), of r (called R) and of q = 1/N (called Q), can be bounded
too; somebody with records in several classes counts once in them, by the class with the largest r, or q.

## Adversary
Holds the population list with true quasi values; wants to know which of these people are in the data, not which record
is whose.

## What it does not protect
Attackers who know more columns, or know for other reasons who is in the data. r is that probability only where no other
published class covers the same people: otherwise the criterion is undecided, unless `accept_overlap` allows an
estimate.

## Parameters
population, max, min, accept_overlap, covers, coverage, comparable, by, count, subject, unit: as for delta-presence.
average: the largest R allowed.
reidentification: the largest Q allowed.
case: a sensitive column and the value, or the list of values, that makes a record a case, such as {status: case};
      the others are controls, whose presence discloses nothing.
bounds: a sensitive column, and bounds that differ from `max` by its value: {disease: {HIV: 1/100, influenza: 1/5}}.
        Values are compared by meaning: in a column of numbers 1.0 is 1, and True is true. The note says how many
        values of `case` and `bounds` occur in no record: they may be misspelt.

## Worked example
Nine people, six of them patients; published as zip3 and year of birth.

>>> import pyarrow as pa
>>> from sharewell.tables import Table
>>> people = pa.table({"zip": ["00101"] * 3 + ["00202"] * 6, "born": [1927] * 3 + [1935] * 6})
>>> shown = pa.table({"zip": ["001*"] * 3 + ["002*"] * 3, "born": ["1927"] * 3 + ["1935"] * 3})
>>> table = Table.of(shown, quasi=["zip", "born"], published=True)
>>> result = InstanceDisclosure(people, 1, average="3/4", reidentification="1/4").check(table)
>>> print(result)
instance-disclosure = 1 (≤ 1: holds)
>>> for part in result.parts:
...     print(part)
average instance risk R = 0.75 (≤ 0.75: holds)
average re-identification risk Q = 0.25 (≤ 0.25: holds)

## Why it is safe
As delta-presence: cells are grouped anew, N is counted on the whole list, whole numbers are compared. A record without
a person counts as a person of its own; in the averages, also as one person's together with all others without one. A
person with records of several diseases counts for each of their bounds, and once in the averages.

## Cost
O(people · log people) where classes do not overlap, O(people · classes) where every class covers everybody.

A search over levels knows of the bounds on classes what it knows of delta-presence, and nothing of the averages.

## Source
Liu, Li, Motiwalla, Li, Zheng and Franklin, 2015.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

import numpy as np

from sharewell.algorithm import ExactPositiveShare, Finding, PolicyError, Role
from sharewell.plain_data import JsonObject
from sharewell.tables.criteria.delta_presence import DeltaPresence, PresenceCounts, PresenceRisk, persons_among
from sharewell.tables.data import Bools, Classes, Ints, Table
from sharewell.tables.engine.checks.exact_averages import Average, OverallBound, over_persons, worse
from sharewell.tables.engine.checks.exact_criteria import as_fraction, visible
from sharewell.tables.engine.checks.population_classes import PopulationMatch
from sharewell.tables.engine.checks.sensitive_columns import as_written, having, unmatched
from sharewell.tables.engine.worst_class import tallies


@dataclass(frozen=True)
class InstanceDisclosure(DeltaPresence):
    """n/N of every class, and its averages, are at most the bounds."""

    average: ExactPositiveShare | None = field(default=None, kw_only=True)
    reidentification: ExactPositiveShare | None = field(default=None, kw_only=True)
    case: JsonObject | None = field(default=None, kw_only=True)
    bounds: JsonObject | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "case", _case(self.case))
        object.__setattr__(self, "bounds", _bounds(self.bounds))

    def counted(self, classes: Classes) -> list[PresenceCounts]:
        """Cases whose disease has no bound of its own, then those of each disease that has."""
        mask = self.concerned(classes)
        if self.bounds is None:
            return [PresenceCounts(persons_among(classes, mask, self.unit), self.max)]
        ((column, bounds),) = self.bounds.items()
        groups = [(~self._having(classes, column, list(bounds)), self.max)]
        groups += [(self._having(classes, column, [value]), bound) for value, bound in bounds.items()]
        return [PresenceCounts(persons_among(classes, mask & some, self.unit), bound) for some, bound in groups]

    def concerned(self, classes: Classes) -> Bools:
        """The records of cases."""
        if self.case is None:
            return np.ones(len(classes.order), dtype=bool)
        ((column, values),) = self.case.items()
        return self._having(classes, column, values)

    def _having(self, classes: Classes, name: str, values: Sequence[str]) -> Bools:
        """Which places of `order` hold one of the values."""
        column = classes.columns.get(name)
        if column is None or column.role is not Role.SENSITIVE:
            raise PolicyError(f"{self.name} — no sensitive column named '{name}' — give the column the role sensitive")
        wanted = having(column, values)
        return wanted[column.codes[classes.order]] if len(wanted) else np.zeros(len(classes.order), dtype=bool)

    def check(self, data: Table) -> Finding:
        finding, classes = super().check(data), visible(data)
        named = ((self.case or {}, "values of cases"), (self.bounds or {}, "values with a bound"))
        both = [(name, list(values), kind) for cases, kind in named for name, values in cases.items()]
        notes = [unmatched([classes.columns[name]], values, kind) for name, values, kind in both]
        return replace(finding, note="; ".join(filter(None, [*notes, finding.note])))

    def overall(self, classes: Classes, people: Ints) -> list[OverallBound]:
        """For mechanisms: the averages R and Q, given how many people fit each class."""
        people = np.maximum(self.settled(classes, people), 1)
        return [
            over_persons(classes, number, self.unit, ask, self.concerned(classes))
            for _, number, ask in self._averages(classes, people)
        ]

    def averages(self, match: PopulationMatch, refused: bool) -> list[Finding]:
        """Each person counts once, by the class with the largest probability."""
        people, among = np.maximum(match.people, 1), self.concerned(match.classes)
        parts = []
        for name, number, ask in self._averages(match.classes, people):
            readings = [ask(*tally) for tally in tallies(match.classes, number, self.unit, among)]
            parts.append(worse([one.judge(name) for one in readings]))
        return [Finding(p.name, p.value, None, p.bound, p.sense, None if refused else p.ok) for p in parts]

    def _averages(self, classes: Classes, people: Ints) -> list[tuple[str, Ints, Callable[[Ints, Ints], Average]]]:
        """What each is called, a number by which the worst class comes first, and the average by such numbers."""
        risk = PresenceRisk.of(persons_among(classes, self.concerned(classes), self.unit), people)

        def presence(ranks: Ints, persons: Ints) -> Average:
            return Average(persons * risk.present[ranks], risk.people[ranks], persons, self.average or Fraction(1))

        def identity(fitting: Ints, persons: Ints) -> Average:
            return Average(persons, fitting, persons, self.reidentification or Fraction(1))

        averages: list[tuple[str, Ints, Callable[[Ints, Ints], Average]]] = []
        if self.average is not None:
            averages.append(("average instance risk R", risk.rank, presence))
        if self.reidentification is not None:
            averages.append(("average re-identification risk Q", people, identity))
        return averages


def _one_column(name: str, mapping: object) -> tuple[str, object]:
    if not isinstance(mapping, Mapping) or len(mapping) != 1:
        raise ValueError(f"{name} must be a mapping with one column")
    ((column, rest),) = mapping.items()
    return str(column), rest


def _case(cases: object) -> dict[str, list[str]] | None:
    """column → the values that make a case."""
    if cases is None:
        return None
    column, values = _one_column("case", cases)
    values = values if isinstance(values, list | tuple) else [values]
    if not values or any(isinstance(value, list | dict) for value in values):
        raise ValueError("case must name a value, or a list of values")
    return {column: list(as_written(values))}


def _bounds(bounds_given: object) -> dict[str, dict[str, Fraction]] | None:
    """column → value → bound."""
    if bounds_given is None:
        return None
    column, by_value = _one_column("bounds", bounds_given)
    if not isinstance(by_value, Mapping) or not by_value:
        raise ValueError("bounds must map values of the column to their bounds")
    texts = as_written(by_value)
    bounds = {text: as_fraction("bounds", bound) for text, bound in zip(texts, by_value.values(), strict=True)}
    if not all(0 < bound <= 1 for bound in bounds.values()):
        raise ValueError("bounds must be more than 0, at most 1")
    return {column: bounds}
