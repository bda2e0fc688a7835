"""Code linkage: an attacker who knows some codes of a person looks for the records that may hold them.

## Guarantee
None; a measurement. The value is the mean probability of picking the right record: 1 / support, over all targets.

## Adversary
Knows of a target all codes, m codes chosen at random, or the codes of one visit, exact and true; and that the target is
in the data. Picks one of the records that may hold all of them, at random.

## What it does not protect
An attacker who knows other facts beside codes, or telling codes rather than random ones, does better than this says;
one with false codes does worse.

## Parameters
knowledge: "all", "m" (default) or "visit"; the last needs visits.
m: how many codes are known, for "m". Persons who have fewer are left out and counted.
draws: how often m codes are drawn for each person; for very many persons less often. Of visits, each is taken once.
k: shares below this support are reported.
population: people among whom the target is looked for, instead of the data: sets of codes, or a file or frame with one
code a row.
subject, code: the columns of that file or frame.

## Worked example
>>> from sharewell.codes import CodeSets
>>> patients = CodeSets.of([["401.0", "401.1"], ["401.2", "401.3"], ["401.0", "401.1"], ["401.4", "401.3"]])
>>> result = CodeLinkage(knowledge="all").mount(patients)
>>> result.value, result.details.unique
(0.75, 0.5)
>>> released = CodeSets.of([["401"]] * 4, published=True, members={"401": patients.codes})
>>> CodeLinkage(knowledge="all").mount(released).value
0.25

## Why it is safe
It reads sets and returns numbers only. In a release, support is published support: the records in which each known code
lies in some label. With the truth the codes are those that persons really have, and the attack is also simulated on
drawn persons; without it, codes that their labels may stand for. Codes that no label covers are left out, as an
attacker would; someone who knows no others picks among all records. Codes that no record may hold count as a
probability of 0, and their share is reported; if none finds anybody, there is no value.

## Cost
O(occurrences + Σ over the sets looked up of the support of their rarest code / 64) time.

## Source
Loukides, Denny and Malin, JAMIA 2010 (uniqueness of patients by their diagnosis codes).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sharewell.algorithm import NOT_SIMULATED, SEED, Count, Declared, Finding, Simulated
from sharewell.codes.data import CodeSets, Ints
from sharewell.codes.engine.attackers.known_codes import Kind, KnownCodes, crowd_of, supports_among
from sharewell.io.sources import Source
from sharewell.protocols import Attack, Frame, Truth

BINS = (0, 1, 2, 5, 10, 20, 100, 1000)
"""Where bins of support begin; the last has no end."""


@dataclass(frozen=True)
class SupportBin:
    """The share of sets of codes with a support from `low` to `high`."""

    low: int
    high: int | None
    share: float


@dataclass(frozen=True)
class CodeLinkageDetails:
    """How many records the sets of codes were looked for in, and their support."""

    knowledge: Kind
    records: int
    persons: int
    """Of whom something was known."""
    left_out: int
    """Persons with too few codes."""
    sets: int
    """Sets of codes looked up."""
    unique: float
    """Share of them with support 1."""
    below_k: float
    """Share with support 1 … k − 1."""
    absent: float
    """Share with support 0."""
    k: int
    support: tuple[SupportBin, ...]
    simulated: Simulated | None


@dataclass(frozen=True)
class CodeLinkage(Declared, Attack[CodeSets]):
    """1 / (records that may hold the codes), for what is known of each person."""

    knowledge: Kind = "m"
    m: Count = 2
    draws: Count = 20
    k: Count = 5
    population: CodeSets | Source | Frame | None = None
    subject: str = "subject"
    code: str = "code"

    picks_record: ClassVar[bool] = True

    def mount(self, released: CodeSets, truth: Truth[CodeSets] | None = None) -> Finding:
        known = KnownCodes.of(released, truth, self.knowledge, self.m, self.draws, frozenset())
        crowd = crowd_of(released, self._population())
        support = supports_among(crowd, known.names, known.sets)
        if not len(support):
            return Finding(self.name, None, unit="probability", note="nobody has enough codes")
        can_simulate = truth is not None and self.population is None
        details = CodeLinkageDetails(
            self.knowledge,
            crowd.sets.count,
            len(np.unique(known.target)),
            known.left_out,
            len(support),
            float((support == 1).mean()),
            float(((support > 0) & (support < self.k)).mean()),
            float((support == 0).mean()),
            self.k,
            _binned(support),
            _simulated(released, known) if can_simulate else None,
        )
        if not support.any():
            note = "undecided: no released record can hold any of these codes — check how both write codes"
            return Finding(self.name, None, unit="probability", details=details, note=note)
        value = float(np.where(support > 0, 1 / np.maximum(support, 1), 0).mean())
        note = "" if can_simulate else NOT_SIMULATED
        return Finding(self.name, value, unit="probability", details=details, note=note)

    def _population(self) -> CodeSets | None:
        if self.population is None or isinstance(self.population, CodeSets):
            return self.population
        listed = Source.of(self.population).read([self.subject, self.code])
        return CodeSets.from_long(listed, subject=self.subject, code=self.code)


def _binned(support: Ints) -> tuple[SupportBin, ...]:
    counts = np.bincount(np.searchsorted(BINS, support, side="right") - 1, minlength=len(BINS))
    highs = [low - 1 for low in BINS[1:]] + [None]
    return tuple(
        SupportBin(low, high, float(count / len(support))) for low, high, count in zip(BINS, highs, counts, strict=True)
    )


def _simulated(released: CodeSets, known: KnownCodes) -> Simulated | None:
    """One pick each for drawn persons, among the records that may hold the codes."""
    rng = np.random.default_rng(SEED + 2)
    right, chances = [], []
    for number in known.drawn():
        candidates = released.atoms.holding(known.codes(int(number)))
        target = known.target[number]
        chances.append(float((candidates == target).any()) / max(1, len(candidates)))
        right.append(len(candidates) > 0 and candidates[int(rng.random() * len(candidates))] == target)
    return Simulated.of(np.array(right, dtype=bool), np.array(chances))
