"""Sparse linkage: an attacker who knows a few codes of a person, some of them wrong, finds the record that stands out.

## Guarantee
None; a measurement. The value is the share of targets for whom the attacker claims a record and is right.

## Adversary
Knows some codes of a target, a few of them wrong, and that the target is in the data; where visits are published in
their order, also roughly when each code was given. Scores every record by the known codes that it may hold, giving rare
codes more weight, and claims the best record only if it stands out: if its score exceeds the second best by a given
multiple of the standard deviation of all scores (the eccentricity).

## What it does not protect
An attacker who takes a record that does not stand out may be right by chance: `best` says how often the target is among
the best. One who knows more codes, or chooses revealing ones, does better.

## Parameters
known: how many codes the attacker knows, right and wrong. Persons with too few codes for the right ones are left out
and counted.
wrong: how many of these are codes that the person does not have.
eccentricity: by how many standard deviations the best score must exceed the second best for a claim. The lower it is,
the more claims are made, and the more of them are wrong.
off: where visits are published, by how many places in their order the attacker may be mistaken: a code that many places
away counts e times less.

## Worked example
Of 21 patients, twenty have two codes each, in all combinations of a few frequent ones; one has two rare codes in
addition. An attacker who knows four codes of this patient, one of them wrong, finds the record.

>>> from sharewell.codes import CodeSets
>>> frequent = [f"40{i}" for i in range(5)]
>>> rows = [[a, b] for a in frequent for b in frequent if a != b]
>>> rows += [["400", "401", "295.1", "042"]]
>>> result = SparseLinkage(known=4, wrong=1, eccentricity=1.5).mount(CodeSets.of(rows))
>>> result.details.targets, result.details.left_out, result.value, result.details.false_claims
(1, 20, 1.0, 0.0)

If a release shows the two rare codes as one label that four others have too, nobody stands out.

>>> shown = [[*row, "(042,295.1)"] for row in rows[:4]] + rows[4:20] + [["400", "401", "(042,295.1)"]]
>>> SparseLinkage(known=4, wrong=1, eccentricity=1.5).mount(CodeSets.of(shown, published=True)).details.claims
0.0

## Why it is safe
The attack reads sets and returns numbers only. The weight of a code is 1 / ln(1 + its published support); a record may
hold a code if one of its labels covers it. With the truth, the known codes are those that persons really have; without
it, codes that their labels may stand for. Codes that no label covers are left out, as an attacker would leave them out.
Wrong codes are drawn evenly from all that the person does not have. Draws use a fixed seed.

## Cost
O(Σ over targets and known codes of the support of the code), bounded: from large data fewer targets are drawn, up to
2,000.

## Source
Narayanan and Shmatikov, 2008 (robust de-anonymisation of large sparse datasets: the weights, and the eccentricity;
there films, ratings and their dates).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sharewell.algorithm import Attack, Count, Declared, Finding, Natural, NotNegative, Positive, Truth
from sharewell.attack_simulation import NOT_SIMULATED, SEED, Simulated
from sharewell.codes.data import CodeSets
from sharewell.codes.engine.attackers.known_codes import KnownCodes
from sharewell.codes.engine.attackers.scoreboard import Guess, Scoreboard

_MOST_WORK = 400_000_000
"""Scores of records that are added up in all."""


@dataclass(frozen=True)
class SparseLinkageDetails:
    """How many were looked for, and what came of it."""

    records: int
    targets: int
    left_out: int
    """Persons with too few codes."""
    claims: float
    """Share of the targets for whom a record is claimed."""
    false_claims: float
    """Share of the targets for whom a wrong record is claimed."""
    best: float
    """Share of the targets whose record has the best score, alone or with others."""
    by_order: bool
    """Did the order of visits help?"""
    simulated: Simulated | None


@dataclass(frozen=True)
class SparseLinkage(Declared, Attack[CodeSets]):
    """The share of targets whose record stands out, by a few codes of which some are wrong."""

    known: Count = 5
    wrong: Natural = 1
    eccentricity: NotNegative = 1.5
    off: Positive = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.wrong >= self.known:
            raise ValueError("wrong must be less than known: some codes must be right")

    def mount(self, released: CodeSets, truth: Truth[CodeSets] | None = None) -> Finding:
        right_codes = self.known - self.wrong
        known = KnownCodes.of(released, truth, "m", right_codes, 1, frozenset())
        board = Scoreboard.of(released, truth, self.off)
        targets = known.drawn()
        work = max(1, board.work_of(known, targets))
        note = "" if truth is not None else NOT_SIMULATED
        if work > _MOST_WORK:
            fewer = max(1, len(targets) * _MOST_WORK // work)
            note = "; ".join(filter(None, [note, f"{fewer} of {len(targets)} targets drawn: the data is large"]))
            targets = targets[:fewer]
        if not len(targets):
            return Finding(self.name, None, unit="share", note="nobody has enough codes")
        rng = np.random.default_rng(SEED + 3)
        claims = [board.claim(known, int(one), self.wrong, self.eccentricity, rng) for one in targets]
        right = np.array([claim.chance for claim in claims])
        claimed = np.array([claim.made for claim in claims])
        details = SparseLinkageDetails(
            released.records,
            len(targets),
            known.left_out,
            float(claimed.mean()),
            float((claimed - right).mean()),
            float(np.mean([claim.best for claim in claims])),
            board.by_order,
            None if truth is None else _simulated(claims),
        )
        return Finding(self.name, float(right.mean()), unit="share", details=details, note=note)


def _simulated(claims: list[Guess]) -> Simulated | None:
    """One pick for every claim; without a claim, none is right."""
    chances = np.array([claim.chance for claim in claims])
    return Simulated.of(np.random.default_rng(SEED + 4).random(len(chances)) < chances, chances)
