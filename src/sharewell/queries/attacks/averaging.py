"""Averaging: asks for the same number several times and averages the noise away.

## Guarantee
None; a measurement. The value is the share of counts that the attacker finds exactly, after rounding the mean.

## Adversary
Asks the same question again and again, or finds the same number in several published marginals.

## What it does not protect
This attack repeats one question literally. Questions that mean the same, but are written so differently that the ledger
does not recognise them, get fresh answers, each of which is charged to the budget. The attack reconstruction combines
answers to different questions.

## Parameters
repeats: how often each question is asked.
questions: how many questions, each about a random half of the people.
seed: of the random halves.

## Worked example
Forty people, and answers with ε = 0.1 each. A thousand fresh answers nearly reveal the count; a thousand copies of one
stored answer reveal no more than one.

>>> import numpy as np
>>> from sharewell.queries.engine.attackers.subset_answers import SimulatedAnswers
>>> bits = np.arange(40) % 2
>>> fresh = Averaging(repeats=1000).mount(SimulatedAnswers(bits, epsilon=0.1), truth=bits)
>>> fresh.value, fresh.details.fresh, round(fresh.details.bound, 2)
(0.8, 1000.0, 1.0)
>>> stored = Averaging(repeats=1000).mount(SimulatedAnswers(bits, epsilon=0.1, stored=True), truth=bits)
>>> stored.value, stored.details.fresh, round(stored.details.bound, 3)
(0.05, 1.0, 0.05)

## Why it is safe
The attack reads only answers or published counts. It takes answers that are all alike for one stored answer. From
published marginals it takes every number that two of them contain, and weights each by its noise. For a total loss E of
all answers that were averaged, the bound on the share is tanh(E/2): no estimator whose error does not depend on where
the true number lies hits it more often. With a budget, E cannot exceed the budget.

## Cost
repeats · questions answers; O(cells · marginals²) for a table.

## Source
Dinur and Nissim, 2003; Dwork and Roth, 2014, section 3 (composition); Ghosh, Roughgarden and Sundararajan, 2009 (the
best use of noisy counts).
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np

from sharewell.algorithm import NOT_SIMULATED, Count, Declared, Finding
from sharewell.queries.data import ConfidentialTable, NoisyTable
from sharewell.queries.engine.attackers.published_marginals import (
    UNKNOWN_NOISE,
    Estimate,
    Marginal,
    NoiseLaw,
    loss_of,
    marginals_of,
    noise_of,
    summed,
    true_counts,
)
from sharewell.queries.engine.attackers.subset_answers import SubsetAnswers, most_exact
from sharewell.queries.engine.attackers.subset_attack import Bits, SubsetAttack


@dataclass(frozen=True)
class AveragingDetails:
    """How much the attacker had, and how far off the means were."""

    numbers: int
    fresh: float
    """Different estimates of one number, on average."""
    refused: int
    error: float | None
    """The root of the mean square error."""
    bound: float
    """What no attacker exceeds on average, by differential privacy."""


@dataclass(frozen=True)
class Averaging(Declared, SubsetAttack):
    """The mean of answers to one question."""

    repeats: Count = 100
    questions: Count = 20
    seed: int = 7

    def on_table(self, released: NoisyTable, original: ConfidentialTable | None) -> Finding:
        noise = noise_of(released)
        if noise is None:
            return Finding(self.name, None, note=UNKNOWN_NOISE)
        estimates, fresh = _estimates(marginals_of(released), noise, original)
        bound = most_exact(loss_of(released))
        return self._finding(estimates, fresh, 0, bound, original is not None)

    def by_asking(self, answers: SubsetAnswers, bits: Bits | None) -> Finding:
        rng = np.random.default_rng(self.seed)
        times = 1 if answers.epsilon is None else self.repeats  # an exact answer is not asked for twice
        estimates, fresh, refused, bounds = [], [], 0, []
        for _ in range(self.questions):
            members = rng.random(answers.persons) < 0.5
            given = [one for one in (answers.count(members) for _ in range(times)) if one is not None]
            if not given:
                refused += 1
                continue
            number = 1 if len(set(given)) == 1 else len(given)
            loss = None if answers.epsilon is None else number * answers.epsilon
            variance = 0.0 if answers.epsilon is None else NoiseLaw("discrete-laplace", 1 / answers.epsilon).variance
            actual = None if bits is None else int(bits[members].sum())
            estimates.append(Estimate(float(np.mean(given)), variance / number, actual))
            fresh.append(number)
            bounds.append(most_exact(loss))
        if not estimates:
            return Finding(self.name, 0.0, unit="share", note="every question was refused")
        return self._finding(
            estimates, float(np.mean(fresh)), refused, float(np.sum(bounds)) / self.questions, bits is not None
        )

    def _finding(self, estimates: list[Estimate], fresh: float, refused: int, bound: float, known: bool) -> Finding:
        """A question that was refused is a count that the attacker does not know."""
        numbers = len(estimates) + refused
        value = sum(one.exact for one in estimates) / numbers
        squares = [(one.value - one.actual) ** 2 for one in estimates if one.actual is not None]
        error = float(np.sqrt(np.mean(squares))) if squares else None
        details = AveragingDetails(numbers, fresh, refused, error, bound)
        return Finding(self.name, value, unit="share", details=details, note="" if known else NOT_SIMULATED)


def _estimates(
    marginals: list[Marginal], noise: NoiseLaw, original: ConfidentialTable | None
) -> tuple[list[Estimate], float]:
    """Every number that two marginals tell, from both; where there is none, the published counts themselves."""
    shared = {
        tuple(name for name in one.columns if name in other.columns)
        for one, other in itertools.combinations(marginals, 2)
    } or {one.columns for one in marginals}
    estimates, fresh = [], []
    for columns in sorted(shared):
        actual = true_counts(original, columns)
        answers = [summed(one, columns) for one in marginals if set(columns) <= set(one.columns)]
        for cell in answers[0]:
            sums = [one[cell] for one in answers if cell in one]
            weights = np.array([1 / number for _, number in sums])
            value = float(np.array([total for total, _ in sums]) @ weights / weights.sum())
            truth = None if actual is None else actual.get(cell, 0)
            estimates.append(Estimate(value, noise.variance / float(weights.sum()), truth))
            fresh.append(len(sums))
    return estimates, float(np.mean(fresh))
