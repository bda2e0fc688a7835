"""Membership: uses the likelihood-ratio test to decide whether a target is in the data, or has an attribute.

## Guarantee
None; a measurement. The value is the power of the test: the share of members whom the attacker recognises, when the
share of non-members wrongly taken for members is the false-positive rate.

## Adversary
Knows everything about everybody else, the target's own rows, and how the noise was drawn: the attacker against whom
differential privacy is defined. Compares how likely the counts or answers are with the target and without.

## What it does not protect
An attacker who knows that k people are either all in the data or all absent (a family) can test for all of them at
once, with k times the loss.

## Parameters
fpr: the false-positive rate at which power is reported.
targets: how many people are attacked, everybody at most.
repeats: of answers, how often the question about each target is asked.
seed: of targets, groups and the attacker's own draws.

## Worked example
Two hundred people, half of whom have the attribute. The three cases: one answer about each target with ε = 1; a hundred
such answers about each; one exact answer about each.

>>> import numpy as np
>>> from sharewell.queries.engine.attackers.subset_answers import SimulatedAnswers
>>> bits = np.arange(200) % 2
>>> result = Membership().mount(SimulatedAnswers(bits, epsilon=1.0), truth=bits)
>>> round(result.value, 2), round(result.details.expected_power, 3), round(result.details.bound, 3)
(0.09, 0.134, 0.136)
>>> Membership(repeats=100).mount(SimulatedAnswers(bits, epsilon=1.0), truth=bits).value
1.0
>>> Membership().mount(SimulatedAnswers(bits), truth=bits).value
1.0

## Why it is safe
The finding holds only rates. By the Neyman-Pearson lemma no test has more power at its false-positive rate. The
attacker simulates the noise to set the threshold, and decides ties at random. For a loss of ε and δ no power exceeds
min(e^ε·fpr + δ, 1 − e^(−ε)·(1 − δ − fpr)), which is the bound. `expected_power` is the power in the attacker's
simulation; the value is the share among the actual targets, which varies by chance about it. Where questions about a
target are refused, the attacker says "member" with the probability of the false-positive rate.

## Cost
O(targets · draws · marginals), with 20,000 simulated draws of noise for each pattern of rows.

## Source
Homer and others, 2008; Wasserman and Zhou, 2010; Kairouz, Oh and Viswanath, 2015 (the bound on tests).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sharewell.algorithm import NOT_SIMULATED, Chance, Count, Declared, Finding
from sharewell.queries.data import ConfidentialTable, NoisyTable
from sharewell.queries.engine.attackers.published_marginals import (
    UNKNOWN_NOISE,
    NoiseLaw,
    loss_of,
    marginals_of,
    noise_of,
    true_counts,
)
from sharewell.queries.engine.attackers.subset_answers import SubsetAnswers
from sharewell.queries.engine.attackers.subset_attack import Bits, SubsetAttack

DRAWS, LEAST_DRAWS, MOST_NUMBERS = 20_000, 2_000, 2_000_000
DELTA = 1e-6
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class MembershipDetails:
    targets: int
    fpr: float
    """The rate that was aimed at."""
    false_positives: float | None
    """The share of the others that was taken for members."""
    expected_power: float
    """The power of this test by the law of the noise."""
    epsilon: float | None
    """The loss of what was told about a target; None: it was told exactly."""
    bound: float
    """What no test exceeds, by differential privacy."""


@dataclass(frozen=True)
class _Test:
    """A threshold for the likelihood ratio."""

    threshold: float
    at_threshold: float
    """How often to say yes there."""
    power: float

    def decide(self, ratio: float, rng: np.random.Generator) -> bool:
        near = abs(ratio - self.threshold) < 1e-9
        return bool(rng.random() < self.at_threshold) if near else ratio > self.threshold


@dataclass(frozen=True)
class Membership(Declared, SubsetAttack):
    """The most powerful test."""

    fpr: Chance = 0.05
    targets: Count = 500
    repeats: Count = 1
    seed: int = 7

    def on_table(self, released: NoisyTable, original: ConfidentialTable | None) -> Finding:
        noise = noise_of(released)
        if noise is None:
            return Finding(self.name, None, unit="share", details=self._bounded(released), note=UNKNOWN_NOISE)
        rng = np.random.default_rng(self.seed)
        rows, marginals = int(released.spent.get("rows_per_person") or 1), marginals_of(released)
        epsilon = loss_of(released, DELTA)
        delta = DELTA if released.spent.get("rho") is not None else 0.0
        bound = largest_power(epsilon, delta, self.fpr)
        if original is None:
            test = self._calibrated(noise, (rows,) * len(marginals), rng)
            details = MembershipDetails(0, self.fpr, None, test.power, epsilon, bound)
            return Finding(self.name, test.power, unit="share", details=details, note=NOT_SIMULATED)
        return self._on_table(released, original, noise, (epsilon, bound), rng)

    def _bounded(self, released: NoisyTable) -> MembershipDetails | None:
        """Where nobody knows the most powerful test: what no test exceeds, if the table says what it cost."""
        if not any(isinstance(released.spent.get(unit), int | float) for unit in ("epsilon", "rho")):
            return None
        epsilon = loss_of(released, DELTA)
        bound = largest_power(epsilon, DELTA if released.spent.get("rho") is not None else 0.0, self.fpr)
        return MembershipDetails(0, self.fpr, None, bound, epsilon, bound)

    def _on_table(
        self,
        released: NoisyTable,
        original: ConfidentialTable,
        noise: NoiseLaw,
        limits: tuple[float, float],
        rng: np.random.Generator,
    ) -> Finding:
        """Each target as it is, and a twin who is not in the data."""
        marginals = marginals_of(released)
        people = rng.permutation(np.unique(original.person_of_rows))[: self.targets]
        moved = [_moved(original, marginal.columns, people) for marginal in marginals]
        published = [dict(zip(one.labels, one.counts.tolist(), strict=True)) for one in marginals]
        tests: dict[tuple[int, ...], _Test] = {}
        hits, false = [], []
        for person in people.tolist():
            drawn, shifts = [], []
            for (actual, cells), counts in zip(moved, published, strict=True):
                for cell, number in cells[person].items():
                    drawn.append(counts.get(cell, 0.0) - actual.get(cell, 0))
                    shifts.append(number)
            order = np.argsort(shifts, kind="stable")
            z, by = np.array(drawn)[order], np.array(shifts)[order]
            pattern = tuple(by.tolist())
            if pattern not in tests:
                tests[pattern] = self._calibrated(noise, pattern, rng)
            test = tests[pattern]
            hits.append(test.decide(_ratio(noise, z + by, by), rng))
            false.append(test.decide(_ratio(noise, z, by), rng))
        if not hits:
            return Finding(self.name, None, note="there is nobody in the data")
        power = float(np.mean([one.power for one in tests.values()]))
        details = MembershipDetails(len(people), self.fpr, float(np.mean(false)), power, limits[0], limits[1])
        return Finding(self.name, float(np.mean(hits)), unit="share", details=details)

    def by_asking(self, answers: SubsetAnswers, bits: Bits | None) -> Finding:
        """A random half of the people with the target: the rest of its count is known."""
        rng = np.random.default_rng(self.seed)
        loss = None if answers.epsilon is None else self.repeats * answers.epsilon
        noise = None if answers.epsilon is None else NoiseLaw("discrete-laplace", 1 / answers.epsilon)
        tests = {} if noise is None else {self.repeats: self._calibrated(noise, (1,) * self.repeats, rng)}
        power = tests[self.repeats].power if tests else 1.0
        bound = largest_power(loss, 0.0, self.fpr)
        if bits is None:
            details = MembershipDetails(0, self.fpr, None, power, loss, bound)
            return Finding(self.name, power, unit="share", details=details, note=NOT_SIMULATED)
        said: dict[int, list[bool]] = {0: [], 1: []}
        answered = 0
        for target in rng.permutation(answers.persons)[: self.targets].tolist():
            members = rng.random(answers.persons) < 0.5
            members[target] = False
            others = int(bits[members].sum())
            members[target] = True
            given = [answers.count(members) for _ in range(self.repeats if noise else 1)]
            left = np.array([one - others for one in given if one is not None])
            if len(left) == self.repeats > 1 and len(set(left.tolist())) == 1 and noise is not None:
                left = left[:1]  # a stored answer
            answered += bool(len(left))
            said[int(bits[target])].append(self._said(left, noise, tests, rng))
        share = answered / max(1, sum(map(len, said.values())))
        rates = [float(np.mean(said[bit])) if said[bit] else 0.0 for bit in (0, 1)]
        mixed = [share * one + (1 - share) * self.fpr for one in (power, bound)]
        details = MembershipDetails(sum(map(len, said.values())), self.fpr, rates[0], mixed[0], loss, mixed[1])
        return Finding(self.name, rates[1], unit="share", details=details)

    def _said(self, left: Floats, noise: NoiseLaw | None, tests: dict[int, _Test], rng: np.random.Generator) -> bool:
        """What is said of a target, from what the answers leave for it."""
        number = len(left)
        if not number:
            return bool(rng.random() < self.fpr)
        if noise is None:
            return bool(left[0] >= 0.5)
        if number not in tests:
            tests[number] = self._calibrated(noise, (1,) * number, rng)
        return tests[number].decide(_ratio(noise, left, np.ones(number)), rng)

    def _calibrated(self, noise: NoiseLaw, shifts: Sequence[int], rng: np.random.Generator) -> _Test:
        """The threshold at which this many of those who are not members are taken for one, by draws of the noise."""
        by = np.array(shifts, dtype=np.float64)
        drawn = noise.draw(rng, (max(LEAST_DRAWS, min(DRAWS, MOST_NUMBERS // len(by))), len(by)))
        without, within = _ratios(noise, drawn, by), _ratios(noise, drawn + by, by)
        threshold = float(np.quantile(without, 1 - self.fpr, method="higher"))
        above, at = float((without > threshold + 1e-9).mean()), float((np.abs(without - threshold) < 1e-9).mean())
        share = 0.0 if at == 0 else min(1.0, max(0.0, (self.fpr - above) / at))
        power = float((within > threshold + 1e-9).mean() + share * (np.abs(within - threshold) < 1e-9).mean())
        return _Test(threshold, share, power)


def largest_power(epsilon: float | None, delta: float, fpr: float) -> float:
    """The largest share of members that any test recognises at this false-positive rate.

    >>> round(largest_power(1.0, 0.0, 0.05), 4), largest_power(None, 0.0, 0.05)
    (0.1359, 1.0)
    """
    if epsilon is None or epsilon > 700:
        return 1.0
    return min(1.0, math.exp(epsilon) * fpr + delta, 1 - math.exp(-epsilon) * (1 - delta - fpr))


def _ratio(noise: NoiseLaw, left: Floats, by: Floats) -> float:
    return float(_ratios(noise, left[None, :], by)[0])


def _ratios(noise: NoiseLaw, left: Floats, by: Floats) -> Floats:
    """The logarithm of how much likelier what is left is if the target is in it."""
    result: Floats = (noise.log_likelihood(left - by) - noise.log_likelihood(left)).sum(axis=1)
    return result


Cells = Mapping[tuple[str, ...], int]


def _moved(
    original: ConfidentialTable, columns: Sequence[str], people: NDArray[np.int64]
) -> tuple[Cells, Mapping[int, Cells]]:
    """(the true counts of a marginal, of each of these people the cells with the person's rows)"""
    names = list(original.domains)
    places = [names.index(name) for name in columns]
    labels = [original.domains[name].labels for name in columns]
    chosen = np.isin(original.person_of_rows, people)
    results: dict[int, dict[tuple[str, ...], int]] = {int(person): {} for person in people}
    for person, row in zip(original.person_of_rows[chosen].tolist(), original.codes[chosen].tolist(), strict=True):
        cell = tuple(labels[i][row[place]] for i, place in enumerate(places))
        results[person][cell] = results[person].get(cell, 0) + 1
    return true_counts(original, columns) or {}, results
