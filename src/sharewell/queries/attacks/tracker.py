"""Tracker: subtracts two answers that differ in one person, or published counts that differ in one cell.

## Guarantee
None; a measurement. For answers, the value is the share of targets whose secret bit (yes or no) the attacker guesses
right; tossing a coin gets one in two. For a published table, it is the share of cells that differences of marginals
reveal exactly.

## Adversary
Knows enough about everybody to ask about a group with a target and about the same group without. For example, a ward
has ten patients: 3 of them are positive, and 2 of the 9 below 80 are; so the one patient of 80 or more is positive.

## What it does not protect
The attack subtracts only two answers at a time. The attack reconstruction solves longer combinations.

## Parameters
targets: how many people are attacked, everybody at most.
group: how many others are in the group.
seed: of targets and groups.

## Worked example
>>> import numpy as np
>>> from sharewell.queries.engine.attackers.subset_answers import SimulatedAnswers
>>> from sharewell.queries.engine.exact_control import ExactControl
>>> bits = np.arange(40) % 2
>>> Tracker(targets=40).mount(SimulatedAnswers(bits), truth=bits).value
1.0
>>> control = ExactControl(persons=40, least=5)
>>> result = Tracker(targets=40).mount(SimulatedAnswers(bits, control=control), truth=bits)
>>> result.details.revealed, result.value
(0, 0.4)

## Why it is safe
Where a question about a target is refused, the attack tosses a coin, since the refusal does not depend on any bit. The
target's bit changes the answer about the group with the target by one, and the other answer not at all. After answers
with a total loss E, nobody guesses the bit right with a probability above e^E/(1 + e^E), on average over both bits.
That is the bound, with E the loss of the two answers for each target.

## Cost
Two answers for each target; O(cells · marginals²) for a table.

## Source
Denning, Denning and Schwartz, 1979 (the tracker).
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
from sharewell.queries.engine.attackers.subset_answers import SubsetAnswers, largest_belief, most_exact
from sharewell.queries.engine.attackers.subset_attack import Bits, SubsetAttack


@dataclass(frozen=True)
class TrackerDetails:
    targets: int
    """People, or cells of a table."""
    revealed: int
    """Targets of whom both questions were answered, or cells that were told exactly."""
    refused: int
    bound: float
    """What no attacker exceeds on average, by differential privacy."""


@dataclass(frozen=True)
class Tracker(Declared, SubsetAttack):
    """The difference of two answers."""

    targets: Count = 100
    group: Count = 9
    seed: int = 7

    def on_table(self, released: NoisyTable, original: ConfidentialTable | None) -> Finding:
        noise = noise_of(released)
        if noise is None:
            return Finding(self.name, None, note=UNKNOWN_NOISE)
        estimates = _differences(marginals_of(released), noise, original)
        if not estimates:
            return Finding(self.name, None, note="there is one marginal, and nothing to subtract it from")
        exact = [one.exact for one in estimates]
        details = TrackerDetails(len(exact), sum(one == 1 for one in exact), 0, most_exact(loss_of(released)))
        note = NOT_SIMULATED if original is None else ""
        return Finding(self.name, sum(exact) / len(exact), unit="share", details=details, note=note)

    def by_asking(self, answers: SubsetAnswers, bits: Bits | None) -> Finding:
        rng = np.random.default_rng(self.seed)
        people, revealed = rng.permutation(answers.persons)[: self.targets].tolist(), 0
        right = []
        for target in people:
            members = np.zeros(answers.persons, np.bool_)
            others = np.delete(np.arange(answers.persons), target)
            members[rng.permutation(others)[: self.group]] = True
            without = answers.count(members)
            members[target] = True
            both = answers.count(members)
            guess = int(rng.integers(2))
            if without is not None and both is not None:
                revealed, guess = revealed + 1, int(both - without >= 0.5)
            if bits is not None:
                right.append(guess == int(bits[target]))
        bounds = [largest_belief(None if answers.epsilon is None else 2 * answers.epsilon), 0.5]
        share = revealed / len(people)
        bound = share * bounds[0] + (1 - share) * bounds[1]
        details = TrackerDetails(len(people), revealed, len(people) - revealed, bound)
        if bits is None:
            return Finding(self.name, bound, unit="share", details=details, note=NOT_SIMULATED)
        return Finding(self.name, sum(right) / len(right), unit="share", details=details)


def _differences(marginals: list[Marginal], noise: NoiseLaw, original: ConfidentialTable | None) -> list[Estimate]:
    """Every cell of a marginal as what another one tells of more people, less all other cells of its own."""
    results = []
    for one, other in itertools.permutations(marginals, 2):
        columns = tuple(name for name in one.columns if name in other.columns)
        if columns == one.columns == other.columns:
            continue
        actual = true_counts(original, one.columns)
        whole, own = summed(other, columns), summed(one, columns)
        places = [one.columns.index(name) for name in columns]
        for labels, count in zip(one.labels, one.counts.tolist(), strict=True):
            cell = tuple(labels[place] for place in places)
            if cell not in whole:
                continue
            (total, added), (mine, number) = whole[cell], own[cell]
            variance = noise.variance * (added + number - 1)
            results.append(
                Estimate(total - (mine - count), variance, None if actual is None else actual.get(labels, 0))
            )
    return results
