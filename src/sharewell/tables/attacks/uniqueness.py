"""Uniqueness: who is the only one with the published values, in the data and in the population.

## Guarantee
None; a measurement. The value is the share of the published records that single somebody out: alone in the data, and
where the population is known or its size is, alone there too. Where a larger share of the persons is singled out by any
of their records, the value is that share: many records of a few persons do not hide the others.

## Adversary
Claims a match only where it seems certain: a target (or somebody on the population list) fits one published person and
no other.

## What it does not protect
Classes of two or three, where a guess is still good (see prosecutor, linkage). Without the list, whether somebody who
is alone in the data is alone in the population is an estimate that takes the data for a random sample of it.

## Parameters
population: a file or frame with the people; `columns` of the source map names where they differ.
population_size: how many people there are, where no list can be had; the share is then estimated.
estimator: "dankar" (default), "pitman", "zayatz" or "snb", as for population-uniqueness.
threshold: records whose probability exceeds this are counted as at risk.
subject: the column by which the list names its persons, as for linkage.

## Worked example
Ages 30, 31, 31 and 40 are published. Two of four are alone in the data; of these, one fits a single person of the list
and one fits two. Known to be in the data, both are found; by the list, one is.

>>> import pyarrow as pa
>>> from sharewell.tables import Table
>>> table = Table.of(pa.table({"age": [30, 31, 31, 40]}), quasi=["age"])
>>> Uniqueness().mount(table).value
0.5
>>> result = Uniqueness(population=pa.table({"age": [30, 31, 31, 31, 40, 40]})).mount(table)
>>> result.value, result.details.in_sample, result.details.in_population, result.details.risk.average
(0.25, 2, 1.0, 0.375)

## Why it is safe
Classes are grouped anew from published cells; the result holds numbers only. The probability of a record is that a
claim about it is right: 0 if it is not alone in the data; else 1/N for the N people of the list who fit it; else, by
size, the estimated share of those alone in the data who are alone in the population; else 1, which is right for a
target known to be in the data. The estimate is of persons, as for population-uniqueness: somebody who is alone in u
classes counts once, with up to u times the probability of one. With the truth the claims are made and counted: about
drawn persons by their true values, or, with a list that has the subject column, about drawn records by the people who
fit.

## Cost
O(n log n); with a list as linkage.

## Source
Skinner and Elliot, 2002; for the estimators see population-uniqueness.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from sharewell.algorithm import NOT_SIMULATED, Attack, Count, Declared, Finding, Share, Simulated, Truth
from sharewell.io.sources import Evidence, Source
from sharewell.tables.attacks.linkage import PopulationLinkage
from sharewell.tables.attacks.prosecutor import CUSTOMARY, RiskProfile, risk_profile, says_nobody
from sharewell.tables.data import Bools, Classes, Floats, Table
from sharewell.tables.engine.attackers.covering_classes import covering
from sharewell.tables.engine.attackers.simulation import draw_rows, person_of
from sharewell.tables.engine.unique_persons import estimate, memberships


@dataclass(frozen=True)
class UniquenessDetails:
    persons: int
    """Distinct persons; a record without a person counts as another person's."""
    in_sample: int
    """Of these, alone in a class."""
    in_population: float | None
    """Of these, alone in the population: counted on the list, or estimated by its size; None without either."""
    known_by: str
    """What is known of the population: "list", "size", or "nothing"."""
    risk: RiskProfile


@dataclass(frozen=True)
class Uniqueness(Declared, Attack[Table]):
    """The share of records that single out a person."""

    population: Evidence | None = None
    population_size: Count | None = None
    estimator: Literal["dankar", "pitman", "zayatz", "snb"] = "dankar"
    threshold: Share = CUSTOMARY
    subject: str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.population is not None and self.population_size is not None:
            raise ValueError("population and population_size cannot both be given")

    def mount(self, released: Table, truth: Truth[Table] | None = None) -> Finding:
        classes = released.classes
        if not classes.count:
            return Finding(self.name, None, note="no published record")
        persons = np.maximum(classes.persons, 1)
        alone = persons == 1
        notes: list[str] = []
        if self.population is not None:
            listed = PopulationLinkage.of(Source.of(self.population), released, truth, subject=self.subject)
            if listed.nobody_fits:
                records = int(classes.sizes.sum())
                return Finding(self.name, None, unit="share", note="; ".join(listed.notes(records, records)))
            notes += listed.list_notes
            chance = np.where(alone & (listed.fits > 0), 1.0 / np.maximum(listed.fits, 1), 0.0)
            singled = (alone & (listed.fits == 1)).astype(float)
            simulated = None if listed.rows is None else _claimed_by_list(released, listed, alone)
            known = "list"
        else:
            right, note = self._estimated(classes)
            notes += [note] if note else []
            chance = singled = np.where(alone, right, 0.0)
            simulated = None if truth is None or says_nobody(released) else _claimed(released, truth)
            known = "nothing" if self.population_size is None else "size"
        counted, in_sample, singled_out = _of_persons(classes, alone, singled)
        details = UniquenessDetails(
            counted,
            in_sample,
            None if known == "nothing" else singled_out,
            known,
            risk_profile(chance, classes.sizes, self.threshold, simulated),
        )
        notes += [NOT_SIMULATED] if simulated is None else []
        value = max(float(singled @ classes.sizes) / int(classes.sizes.sum()), singled_out / counted)
        return Finding(self.name, value, unit="share", details=details, note="; ".join(notes))

    def _estimated(self, classes: Classes) -> tuple[float, str]:
        """The probability that who is alone in the data is alone in the population; 1 where nothing is known."""
        if self.population_size is None:
            return 1.0, ""
        estimates = [estimate(one, self.population_size, self.estimator, self.name) for one in memberships(classes)]
        unsolved = next((one for one in estimates if one.chance is None), None)
        if unsolved is not None:
            return 1.0, f"{unsolved.note}: taken for certain"
        worst = max(estimates, key=lambda one: one.chance or 0.0)
        return worst.chance or 0.0, worst.note


def _of_persons(classes: Classes, alone: Bools, singled: Floats) -> tuple[int, int, float]:
    """Persons; those who are alone in any of their classes; and those singled out there, by any of these."""
    owner, size = classes.owners()
    pairs = np.unique(classes.class_of * max(1, size) + owner)
    where, person = np.divmod(pairs, max(1, size))
    likely = np.bincount(person, weights=singled[where], minlength=size)
    return len(np.unique(person)), len(np.unique(person[alone[where]])), float(np.minimum(likely, 1.0).sum())


def _claimed(released: Table, truth: Truth[Table]) -> Simulated | None:
    """Drawn persons: claimed if their true values fit one published person alone, and right if that is them."""
    persons, classes = person_of(truth), released.classes
    targets = draw_rows(persons, ~released.suppressed)
    pairs = covering(released, truth, targets)
    candidates = pairs.per_target(np.maximum(classes.persons, 1)[pairs.owner])
    includes_owner = pairs.per_target(pairs.includes_own(classes, persons, persons[targets])) > 0
    right = includes_owner & (candidates == 1)
    return Simulated.of(right, right.astype(float))


def _claimed_by_list(released: Table, listed: PopulationLinkage, alone: Bools) -> Simulated | None:
    """Drawn records: claimed if alone in the data and one person of the list fits, and right if that is them."""
    assert listed.rows is not None
    classes = released.classes
    unique = np.zeros(released.rows, dtype=bool)
    unique[classes.order] = (alone & (listed.fits == 1))[classes.class_of]
    chance = np.where(unique[listed.rows], listed.chances[listed.rows], 0.0)
    return Simulated.of(chance == 1, chance)
