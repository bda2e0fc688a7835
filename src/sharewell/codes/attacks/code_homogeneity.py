"""Code homogeneity: how many of the records that fit the known codes of a person have the same sensitive code?

## Guarantee
None; a measurement. The value is the largest probability with which a sensitive code is guessed right.

## Adversary
Knows all codes of a target that are not sensitive, or m of them chosen at random, and that the target is in the data.
Guesses the sensitive code that most matching records hold, without having to find the person.

## What it does not protect
An attacker who knows facts about diseases and people does better than this says. Labels that may stand for a sensitive
code or for another are not guessed. Labels are guessed one at a time: that somebody has one of several sensitive codes
may be surer than which.

## Parameters
sensitive: the sensitive codes.
knowledge: "m" (default) or "all".
m: how many codes are known, for "m". Persons who have fewer are left out and counted.
draws: how often m codes are drawn for each person.
threshold: what is guessed with more than this probability counts as at risk.

## Worked example
Two patients with hypertension cannot be told apart by it. Both have schizophrenia (295).

>>> from sharewell.codes import CodeSets
>>> patients = CodeSets.of([["401.0", "401.1", "295"], ["401.0", "401.1", "303", "295"], ["250", "303"], ["250"]])
>>> result = CodeHomogeneity(sensitive=["295", "303"], knowledge="all").mount(patients)
>>> result.value, result.details.certain, result.details.baseline
(1.0, 0.5, 0.5)

## Why it is safe
It reads sets and returns numbers only. A published record holds a sensitive code for certain if one of its labels
stands for nothing but sensitive codes; only such labels are guessed. With the truth, known codes are those that persons
really have and some label covers, and a guess is right if the person really has a code of the label.

## Cost
Up to 2,000 persons are drawn, with a fixed seed; for each, the records that hold the rarest known code are looked at.

## Source
Machanavajjhala, Kifer, Gehrke and Venkitasubramaniam, 2007 (homogeneity); Cao, Karras, Raïssi and Tan, 2010 (of codes).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from annotated_types import MinLen
from numpy.typing import NDArray

from sharewell.algorithm import NOT_SIMULATED, Attack, Count, Declared, Finding, Share, Simulated, Truth
from sharewell.codes.data import CodeSets
from sharewell.codes.engine.attackers.known_codes import KnownCodes
from sharewell.codes.engine.packed_sets import Ints, Sets, numbering


@dataclass(frozen=True)
class CodeHomogeneityDetails:
    """For drawn persons: how surely a sensitive code is guessed."""

    labels: int
    """Published labels that stand for sensitive codes alone."""
    persons: int
    left_out: int
    average: float
    certain: float
    """Share of persons for whom all matching records hold the same sensitive code."""
    at_risk: float
    """Share whose guess is right with more than the threshold."""
    baseline: float
    """The probability of a right guess without knowing anything."""
    simulated: Simulated | None


@dataclass(frozen=True)
class CodeHomogeneity(Declared, Attack[CodeSets]):
    """The share of the most frequent sensitive code among matching records."""

    sensitive: Annotated[Sequence[str], MinLen(1)]
    knowledge: Literal["all", "m"] = "m"
    m: Count = 2
    draws: Count = 20
    threshold: Share = 0.5

    def mount(self, released: CodeSets, truth: Truth[CodeSets] | None = None) -> Finding:
        hidden = frozenset(str(code).strip() for code in self.sensitive)
        telling = [label for label, codes in enumerate(released.members) if hidden.issuperset(codes)]
        known = KnownCodes.of(released, truth, self.knowledge, self.m, self.draws, hidden)
        drawn = known.drawn()
        if not len(drawn):
            return Finding(self.name, None, unit="probability", note="nobody has enough codes")
        telling_sets = released.sets.renumbered(numbering(telling, len(released.names)))
        guess, chance = _guesses(released, telling_sets, [known.codes(int(number)) for number in drawn])
        simulated = None
        if truth is not None:
            meant = [set(released.members[telling[number]]) if number >= 0 else set() for number in guess]
            rows = truth.rows[known.target[drawn]].tolist()
            has = [{truth.original.names[i] for i in truth.original.sets.row(row)} for row in rows]
            simulated = Simulated.of(np.array([bool(m & h) for m, h in zip(meant, has, strict=True)]), chance)
        details = CodeHomogeneityDetails(
            len(telling),
            len(drawn),
            known.left_out,
            float(chance.mean()),
            float((chance == 1).mean()),
            float((chance > self.threshold).mean()),
            float(telling_sets.supports(max(1, len(telling))).max() / max(1, released.records)),
            simulated,
        )
        note = "" if simulated else NOT_SIMULATED
        return Finding(self.name, float(chance.max()), unit="probability", details=details, note=note)


def _guesses(
    released: CodeSets, telling_sets: Sets, known: Sequence[Sequence[str]]
) -> tuple[Ints, NDArray[np.float64]]:
    """For each set of codes the sensitive label that most matching records hold (−1 if none does), and their share."""
    guess, chance = np.full(len(known), -1), np.zeros(len(known))
    for place, codes in enumerate(known):
        rows = released.atoms.holding(codes)
        counts = np.bincount(telling_sets.take(rows).items, minlength=1)
        if counts.any():
            guess[place], chance[place] = counts.argmax(), counts.max() / len(rows)
    return guess, chance
