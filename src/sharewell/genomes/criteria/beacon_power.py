"""Beacon power: hardly anybody can be recognised by asking a beacon about the alleles that they carry.

## Guarantee
Of the people for whom the beacon answers, a share of at most `max_power` is recognised by the likelihood ratio of its
answers, at a false-positive rate of `fpr`, after any of the numbers of questions. It is an upper limit with the
`confidence` asked for, found by carrying out the attack.

## Adversary
Carries the genotypes of a target to the beacon and asks for alleles that the target has, the rarest first; knows how
frequent they are in a reference as large as the one named, and how often the beacon lies.

## What it does not protect
Of every number of questions the limit holds by itself, not of all of them at once. Somebody with alleles that are rarer
than any of these SNPs, or a relative of a member, is not covered, and neither is one who asks more than was tried.

## Parameters
max_power: the largest share of members recognised.
fpr: the false-positive rate.
pool: the members (genotypes, or a .bed, .vcf or table of them). A source: a steward can check it again, by its hash.
reference: people of the same ancestry who are not in the pool: null people, and the attacker's knowledge.
queries: after how many questions it is judged.
error: how often a member's allele is denied, as the attacker takes it; 0.5 suits a beacon that denies rare alleles.
confidence: of the upper limit.
persons: a key from samples to persons, with columns `sample` and `person`, where the dataset has one: the same.
folds, subject: as for homer.

## Worked example
Everybody has an allele of their own: one question is enough, unless the beacon denies what a single person carries.

>>> import numpy as np
>>> from sharewell.genomes import BeaconAnswers, Genotypes
>>> calls = np.zeros((80, 40), dtype=int)
>>> calls[np.arange(40), np.arange(40)] = 1
>>> people = Genotypes.of(calls)
>>> pool, others = people.take(persons=slice(0, 40)), people.take(persons=slice(40, 80))
>>> true = BeaconAnswers.of(pool)
>>> criterion = BeaconPower(0.5, pool=pool, reference=others, queries=(1,))
>>> print(criterion.check(true))
beacon-power = 1 probability (≤ 0.5: FAILS)
>>> silent = BeaconAnswers(true.snps, np.zeros(40, dtype=bool), 40)
>>> print(criterion.check(silent))
beacon-power = 0.0881 probability (≤ 0.5: holds)

## Why it is safe
The limit assumes nothing of how scores are distributed (see membership-power). Equal scores, of which a beacon gives
many, are put in order by lots that follow from names: an attacker cannot do better than to draw. Null people are never
counted in the frequencies by which their own questions are chosen. A pool in which nobody carries an allele that is
answered with yes is not the one for which the beacon answers, and is refused. Too few people make the limit large,
never small.

## Cost
Calls are looked at in the order of the questions, until everybody has asked enough: O(people · SNPs) at most.

## Source
Shringarpure and Bustamante, American Journal of Human Genetics 2015 (the attack); Clopper and Pearson, 1934. That it is
made a criterion is ours.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from annotated_types import Ge, Interval, MinLen, Unit
from numpy.typing import NDArray

from sharewell.algorithm import Count, Criterion, DataError, Declared, Finding, PolicyError, Sense
from sharewell.genomes.attacks.beacon import Questions
from sharewell.genomes.data.beacon_answers import BeaconAnswers
from sharewell.genomes.data.genotypes import Genotypes
from sharewell.genomes.engine.membership import References, name_numbers, on, on_shared, strangers
from sharewell.genomes.engine.recognition_curves import Floats, upper_power
from sharewell.genomes.engine.sample_persons import read_key
from sharewell.genomes.engine.sources import PeopleEvidence, TableEvidence, opened_people


@dataclass(frozen=True)
class AfterQueries:
    """The limit after this many questions."""

    queries: int
    upper: float | None


@dataclass(frozen=True)
class BeaconPowerDetails:
    """Who was judged."""

    snps: int
    people: int
    null_people: int
    fpr: float
    confidence: float
    at: tuple[AfterQueries, ...]


@dataclass(frozen=True)
class BeaconPower(Declared, Criterion[BeaconAnswers]):
    """The upper limit of the attack's power is at most the bound."""

    max_power: Annotated[float, Interval(gt=0, le=1)]
    fpr: Annotated[float, Interval(gt=0, lt=1)] = 0.05
    pool: PeopleEvidence | None = None
    reference: PeopleEvidence | None = None
    queries: Annotated[tuple[Count, ...], MinLen(1), Unit("questions")] = (5, 20, 100, 500)
    error: Annotated[float, Interval(gt=0, lt=1)] = 0.001
    confidence: Annotated[float, Interval(ge=0.5, lt=1)] = 0.95
    persons: TableEvidence | None = None
    folds: Annotated[int, Ge(2)] = 10
    subject: str | None = None

    sense: ClassVar[Sense] = "≤"
    bounded_by: ClassVar[str] = "max_power"

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "queries", tuple(sorted(self.queries)))
        if self.pool is None or self.reference is None:
            raise ValueError("pool and reference must both be named: the attack is carried out on them")
        if self.max_power <= self.fpr:
            raise ValueError("max_power must be above fpr: guessing alone finds as many")

    def check(self, data: BeaconAnswers) -> Finding:
        """Carry out the attack on everybody in the pool."""
        if not isinstance(data, BeaconAnswers):
            raise PolicyError(f"{self.name} — judges the answers of a beacon, and these are none")
        if not data.rows:
            return self.finding(None, unit="probability", note="no SNP is published")
        pool, nulls = self._sides(data)
        snps, place = on_shared(self.name, data, reference=nulls, pool=pool)
        if len(place) < data.rows:
            what = f"pool or reference lack {data.rows - len(place)} of {data.rows} published SNP(s): not judged"
            return self.finding(None, unit="probability", note=what)
        members, others = on(pool, snps), on(nulls, snps)
        if strange := int((data.answers & (members.counts()[0] == 0)).sum()):
            what = f"nobody in the pool has {strange} of the alleles that the beacon says somebody has"
            raise DataError(f"{self.name} — {what} — name the people for whom it answers")
        questions = Questions(data, References.in_folds(others, self.folds), True, self.error, (1.0, 2.0))
        high, low = (questions.scores(people, self.queries, "beacon")[0] for people in (members, others))
        lots = name_numbers((*members.persons, *others.persons), "tie")
        limits = [
            upper_power(*_told_apart(high[:, i], low[:, i], lots), self.fpr, self.confidence)
            for i in range(len(self.queries))
        ]
        at = tuple(AfterQueries(count, limit) for count, limit in zip(self.queries, limits, strict=True))
        details = BeaconPowerDetails(data.rows, data.people, others.rows, self.fpr, self.confidence, at)
        known = [limit for limit in limits if limit is not None]
        value = max(known) if len(known) == len(limits) else None
        return self.finding(value, unit="probability", details=details)

    def _sides(self, data: BeaconAnswers) -> tuple[Genotypes, Genotypes]:
        """The members, and people of the reference who are none."""
        pool = opened_people(self.pool, f"{self.name} — pool", self.subject, self.persons)
        if pool.rows != data.people:
            what = f"the pool has {pool.rows} person(s), the beacon answers for {data.people}"
            raise DataError(f"{self.name} — {what} — name the people for whom it answers")
        reference = opened_people(self.reference, f"{self.name} — reference", self.subject)
        return pool, strangers(reference, pool, None if self.persons is None else read_key(self.persons))[0]


def _told_apart(members: Floats, nulls: Floats, lots: NDArray[np.uint64]) -> tuple[Floats, Floats]:
    """The places of all scores in their order, equal ones by lot."""
    scores = np.concatenate([members, nulls])
    place = np.empty(len(scores))
    place[np.lexsort((lots, scores))] = np.arange(len(scores))
    return place[: len(members)], place[len(members) :]
