"""Beacon: do a beacon's answers of yes and no reveal whether somebody is in its pool?

## Guarantee
None; a measurement. The value is the power: the share of members who are recognised, at a given false-positive rate,
with the number of questions for which it is greatest.

## Adversary
Has the genotypes of a target and asks the beacon for alleles that the target carries, the rarest first or in any order.
If the target is in it every answer is yes, but for errors. Somebody else's rare alleles are often absent: with
D_n = (1 − f)^(2n), the chance that n people do not carry an allele of frequency f, a no has the probability δ D_(N−1)
inside and D_N outside; the statistic is the log of that likelihood ratio, summed over the answers.

## What it does not protect
A panel without rare alleles makes the attack look weak: a whole genome has far more of them. Relatives in the beacon
betray each other too. An attacker who adapts the questions to the answers needs fewer.

## Parameters
reference: people, or frequencies of the population. Without it f is unknown: D_n is its mean over the `spectrum`, and
           questions can only be asked in random order.
targets: people who are looked for; everybody of the original, unless given.
queries: numbers of questions.
order: "rarest" (first, default) or "random".
error: δ, the chance that a carrier's allele was not seen. A beacon that flips answers has a greater one.
fpr: the false-positive rate at which power is reported.
nulls, folds, subject: as for homer; "theory" draws the answers that an outsider would get.
spectrum: a and b of a Beta distribution, of the frequency of an allele that somebody carries; (1, 2) is neutral.

## Worked example
Twenty people in the beacon, sixty outside. Five rare alleles betray everybody, five at random hardly anybody.

>>> import numpy as np
>>> from sharewell.genomes import BeaconAnswers, Frequencies, Genotypes
>>> draw = np.random.default_rng(1)
>>> f = np.exp(draw.uniform(np.log(0.001), np.log(0.5), 4000))
>>> people = Genotypes.of(draw.binomial(2, f, (80, 4000)))
>>> inside, known = people.take(persons=slice(0, 20)), Frequencies.of_arrays(f, people=100_000, snps=people.snps)
>>> beacon = BeaconAnswers.of(inside)
>>> Beacon(known, people, queries=(5,)).mount(beacon, truth=inside.persons).value
1.0
>>> Beacon(known, people, queries=(5,), order="random").mount(beacon, truth=inside.persons).value
0.2

## Why it is safe
It reads the answers, the reference and the targets, and returns numbers only. Null people are never counted in the
frequencies by which their own questions are chosen. Without the truth, answers are drawn from the model for somebody
inside and outside, and the finding says that nothing was carried out.

## Cost
Calls are looked at in the order of the questions, until everybody has asked enough: O(people · SNPs) at most.

## Source
Shringarpure and Bustamante, American Journal of Human Genetics 2015; Raisaro and others, JAMIA 2017 (rarest first).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Literal

import numpy as np
from annotated_types import Ge, Gt, Interval, MinLen, Unit
from numpy.typing import NDArray

from sharewell.algorithm import NOT_SIMULATED, SEED, Count, DataError, Declared, Finding, PolicyError
from sharewell.genomes.data.beacon_answers import BeaconAnswers
from sharewell.genomes.data.frequencies import Frequencies
from sharewell.genomes.data.genotypes import Genotypes
from sharewell.genomes.engine.attackers.frequency_attack import Lineup, Members, Nulls, members_of
from sharewell.genomes.engine.membership import References, name_numbers, on, on_shared
from sharewell.genomes.engine.recognition_curves import Floats, Point, auc, power_at, roc, threshold
from sharewell.genomes.engine.sources import opened, opened_people
from sharewell.io.sources import Source
from sharewell.protocols import Attack, Frame, Truth

Answering = Literal["beacon", "inside", "outside"]
"""The beacon itself; or what the model says that somebody inside, or outside, hears."""
_BLOCK = 1 << 20


@dataclass(frozen=True)
class BeaconAt:
    """After this many questions."""

    queries: int
    power: float | None
    power_error: float | None
    auc: float | None
    above: int
    """Targets above the threshold."""
    roc: tuple[Point, ...]


@dataclass(frozen=True)
class BeaconDetails:
    """How well members were told from others."""

    snps: int
    left_out: int
    people: int
    reference: int
    reference_left: int
    members: int
    null_people: int
    nulls: Nulls
    fpr: float
    order: str
    asked: float
    """Alleles that a target carries and could ask for, at most as many as were to be asked: the mean."""
    at: tuple[BeaconAt, ...]


@dataclass(frozen=True)
class Beacon(Declared, Attack[BeaconAnswers]):
    """The log likelihood ratio of a beacon's answers."""

    reference: Genotypes | Frequencies | Source | Frame | None = None
    targets: Genotypes | Source | Frame | None = None
    queries: Annotated[tuple[Count, ...], MinLen(1), Unit("questions")] = (5, 20, 100, 500)
    order: Literal["rarest", "random"] = "rarest"
    error: Annotated[float, Interval(gt=0, lt=1)] = 0.001
    fpr: Annotated[float, Interval(gt=0, lt=1)] = 0.05
    nulls: Nulls = "auto"
    folds: Annotated[int, Ge(2)] = 10
    spectrum: tuple[Annotated[float, Gt(0)], Annotated[float, Gt(0)]] = (1.0, 2.0)
    subject: str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "queries", tuple(sorted(self.queries)))
        if self.order == "rarest" and self.reference is None:
            raise ValueError("order: rarest needs a reference; choose random without one")

    def mount(self, released: BeaconAnswers, truth: Members = None) -> Finding:
        if not isinstance(released, BeaconAnswers):
            raise PolicyError(f"{self.name} — attacks the answers of a beacon, and these are none")
        lineup = self._lineup(released, truth)
        details = self._details(lineup)
        best = max((one.power for one in details.at if one.power is not None), default=None)
        note = "" if details.members else NOT_SIMULATED
        return Finding(self.name, best, unit="probability", details=details, note=note)

    def _lineup(self, released: BeaconAnswers, truth: Members) -> Lineup[BeaconAnswers]:
        given = truth.original if self.targets is None and isinstance(truth, Truth) else self.targets
        if given is None:
            raise PolicyError(f"{self.name} — no targets — name people whose alleles are asked for")
        targets = opened_people(given, f"{self.name} — targets", self.subject)
        if not targets.rows:
            raise DataError(f"{self.name} — nobody among the targets")
        reference = None if self.reference is None else opened(self.reference, self.subject)
        snps, place = on_shared(self.name, released, reference=reference, targets=targets)
        sides = on(reference, snps), on(targets, snps)
        lineup = Lineup(released.take(place), *sides, members_of(truth), self.folds)
        return replace(lineup, left_out=released.rows - len(place), nulls=lineup.choice(self.nulls, self.fpr))

    def _details(self, lineup: Lineup[BeaconAnswers]) -> BeaconDetails:
        questions, targets, reference = self._questions(lineup), lineup.targets, lineup.reference
        assert targets is not None
        scores, asked = questions.scores(targets, self.queries, "beacon")
        inside, outside = lineup.insiders, lineup.outsiders
        carried_out = bool(inside.any())
        members = scores[inside] if carried_out else questions.scores(targets, self.queries, "inside")[0]
        if lineup.nulls == "reference" and isinstance(reference, Genotypes):
            nulls = questions.scores(lineup.strangers(reference), self.queries, "beacon")[0]
        elif lineup.nulls == "targets":
            nulls = scores[outside]
        else:
            nulls = questions.scores(targets, self.queries, "outside")[0]
        at = []
        for i, count in enumerate(self.queries):
            high, low = members[:, i], nulls[:, i]
            power, area = power_at(self.fpr, high, low), auc(high, low)
            above = int((scores[lineup.fair, i] > threshold(low, self.fpr)).sum()) if len(low) else 0
            at.append(BeaconAt(count, power.value, power.error, area.value, above, roc(high, low)))
        return BeaconDetails(
            snps=lineup.pool.rows,
            left_out=lineup.left_out,
            people=lineup.pool.people,
            reference=lineup.people_of_reference,
            reference_left=0 if questions.references is None else questions.references.least,
            members=int(inside.sum()),
            null_people=0 if lineup.nulls == "theory" else len(nulls),
            nulls=lineup.nulls,
            fpr=self.fpr,
            order=self.order,
            asked=float(asked.mean()),
            at=tuple(at),
        )

    def _questions(self, lineup: Lineup[BeaconAnswers]) -> Questions:
        references = None
        if lineup.nulls == "reference" and isinstance(lineup.reference, Genotypes):
            references = References.in_folds(lineup.reference, self.folds)
        elif lineup.reference is not None:
            references = References.whole(lineup.reference)
        return Questions(lineup.pool, references, self.order == "rarest", self.error, self.spectrum)


@dataclass(frozen=True, eq=False)
class Questions:
    """In which order alleles are asked for, and what each answer is worth."""

    beacon: BeaconAnswers
    references: References | None
    rarest: bool
    error: float
    spectrum: tuple[float, float]

    def scores(self, people: Genotypes, queries: Sequence[int], who: Answering) -> tuple[Floats, NDArray[np.int64]]:
        """Persons × numbers of questions: the log likelihood ratio; and how many questions each could ask."""
        result, asked = np.zeros((people.rows, len(queries))), np.zeros(people.rows, dtype=np.int64)
        groups = [np.arange(people.rows)] if self.references is None else self.references.groups(people.persons)
        lots = name_numbers(self.beacon.snps.id, "question")
        draw = np.random.default_rng(SEED)
        for number, group in enumerate(groups):
            if len(group):
                result[group], asked[group] = self._asked(people.take(persons=group), number, queries, who, lots, draw)
        return result, asked

    def _asked(
        self,
        people: Genotypes,
        group: int,
        queries: Sequence[int],
        who: Answering,
        lots: NDArray[np.uint64],
        draw: np.random.Generator,
    ) -> tuple[Floats, NDArray[np.int64]]:
        rare, yes, no, inside, outside = self._worth(group)
        order = np.lexsort((lots, rare)) if self.rarest else np.argsort(lots, kind="stable")
        order = order[np.isfinite(rare[order])]
        result, asked = np.zeros((people.rows, len(queries))), np.zeros(people.rows, dtype=np.int64)
        step = max(1, _BLOCK // people.rows)
        for first in range(0, len(order), step):
            which = order[first : first + step]
            carried = people.take(snps=which).array().T > 0
            turn = asked + np.cumsum(carried, axis=0)
            if who == "beacon":
                worth = np.where(self.beacon.answers[which], yes[which], no[which])[:, None]
            else:
                chance = (inside if who == "inside" else outside)[which][:, None]
                worth = np.where(draw.random(carried.shape) < chance, yes[which][:, None], no[which][:, None])
            for i, count in enumerate(queries):
                result[:, i] += np.where(carried & (turn <= count), worth, 0.0).sum(axis=0)
            asked = turn[-1]
            if asked.min() >= queries[-1]:
                break
        return result, np.minimum(asked, queries[-1])

    def _worth(self, group: int) -> tuple[Floats, Floats, Floats, Floats, Floats]:
        """For each SNP: its frequency, what a yes and a no add, the chance of a yes to a target inside and outside."""
        people = self.beacon.people
        if self.references is None:
            a, b = self.spectrum
            absent, before = (np.full(self.beacon.rows, _log_absent(a, b, n)) for n in (people, people - 1))
            rare = np.zeros(self.beacon.rows)
        else:
            least = 1 / (4 * (self.references.sizes[group] or 1))
            rare = np.clip(self.references.pop[:, group], least, 1 - least)
            absent, before = 2 * people * np.log1p(-rare), 2 * (people - 1) * np.log1p(-rare)
        inside, outside = -self.error * np.exp(before), -np.expm1(absent)
        yes, no = np.log1p(inside) - np.log(outside), math.log(self.error) + before - absent
        return rare, yes, no, 1 + inside, outside


def _log_absent(a: float, b: float, people: int) -> float:
    """The log of the mean of (1 − f)^(2n) where f is Beta(a, b)."""

    def log_beta(x: float, y: float) -> float:
        return math.lgamma(x) + math.lgamma(y) - math.lgamma(x + y)

    return log_beta(a, b + 2 * people) - log_beta(a, b)
