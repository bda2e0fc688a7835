"""Beacon release: publishes all answers of a beacon at once, with some rare alleles denied.

## Guarantee
Of alleles that at most `carriers` people carry, each is denied with the probability `flip`; of alleles rarer than
`floor`, every one. An allele is answered the same way however often and in whatever panel it is asked for, under one
key. All other answers are true, and no answer says yes falsely. Every required criterion is checked on the answers.

## Adversary
Asks for rare alleles of the target: a yes that only the target can account for betrays the membership.

## What it does not protect
Frequent alleles, asked for by the hundred, betray members still, the more the smaller the beacon is: see the beacon
attack. An allele that one more person carries tomorrow may change from no to yes, and so tells of that person: release
newcomers together, or under a new key. Whoever knows how answers are flipped takes a no for less.

## Parameters
flip: the probability with which the allele of few carriers is denied (1).
carriers: up to how many people are few (1).
floor: alleles less frequent than this are denied all (0).

## Worked example
The second allele has one carrier and is denied; the third has two.

>>> from sharewell.genomes import Genotypes
>>> people = Genotypes.of([[0, 0, 1, 2], [0, 1, 0, 2], [0, 0, 1, 2]])
>>> released = BeaconRelease().protect(people, must=[])
>>> released.data.answers.tolist(), released.details.denied
([False, False, True, True], 1)

## Why it is safe
Carriers are counted, not alleles: somebody with two copies is one person. Which alleles are flipped follows from the
key, the place and the alleles alone, so that asking again, or comparing panels, gains nothing; without the key nobody
can tell a denied allele from one that nobody carries.

## Cost
One pass over the calls, and a keyed digest for each allele of few carriers.

## Source
Raisaro, Tramèr, Ji and others, JAMIA 2017 (flipping answers of unique alleles); Shringarpure and Bustamante, 2015 (the
attack). Answering questions one by one, with a budget, is not done here: these answers are given to everybody.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sharewell.algorithm import Criteria, Declared, Infeasible, Key, Natural, Protected, Share, refuse_failing
from sharewell.genomes.data.beacon_answers import BeaconAnswers
from sharewell.genomes.data.genotypes import Genotypes
from sharewell.genomes.engine.protection.form_check import OF_FREQUENCIES, OF_SEQUENCES, Publishing, refuse_unfit

BLOCK = 1 << 22
"""Calls that are looked at at once."""


@dataclass(frozen=True)
class BeaconReleaseDetails:
    """How many alleles there are, how many are answered yes, and how many carried ones are denied."""

    people: int
    snps: int
    yes: int
    denied: int
    """Of those that somebody carries."""
    by_floor: int
    """Denied because they are rarer than the floor."""
    flip: float
    carriers: int
    floor: float

    @property
    def dictionary(self) -> dict[str, dict[str, object]]:
        """What a recipient must know about the answers."""
        how = {"falsified": "alleles of few carriers are denied", "probability": self.flip, "carriers": self.carriers}
        return {"answer": how | {"floor": self.floor}}


@dataclass(frozen=True)
class BeaconRelease(Declared, Publishing[Genotypes, BeaconAnswers]):
    """Yes or no for every allele, with those of few carriers denied."""

    flip: Share = 1.0
    carriers: Natural = 1
    floor: Share = 0.0

    engine: ClassVar[str] = "check"
    refuses: ClassVar[tuple[str, ...]] = (*OF_SEQUENCES, *OF_FREQUENCIES)
    falsifies: ClassVar[bool] = True

    def protect(
        self, data: Genotypes, must: Criteria[BeaconAnswers], key: Key | None = None
    ) -> Protected[BeaconAnswers]:
        refuse_unfit(self.name, data)
        if data.rows == 1:
            raise Infeasible(f"{self.name} — one person — a beacon of one answers for that person alone")
        alleles, called = data.counts()
        carried = alleles > 0
        rare = carried & (alleles < self.floor * 2 * called * (1 - 1e-12))
        few = np.flatnonzero(carried & ~rare & (_carriers(data) <= self.carriers))
        secret = key or Key.fresh()
        flipped = few if self.flip == 1 else few[self._drawn(secret.lasting, data, few)]
        answers = carried & ~rare
        answers[flipped] = False
        released = BeaconAnswers(data.snps, answers, data.rows, published=True)
        refuse_failing(self.name, released, must, ["a higher flip", "more carriers", "a higher floor"])
        details = BeaconReleaseDetails(
            people=data.rows,
            snps=data.count,
            yes=int(answers.sum()),
            denied=int(rare.sum()) + len(flipped),
            by_floor=int(rare.sum()),
            flip=self.flip,
            carriers=self.carriers,
            floor=self.floor,
        )
        drew = bool(len(few)) and 0 < self.flip < 1
        return Protected(released, details, np.arange(data.count), reproducible=key is not None or not drew)

    def _drawn(self, key: Key, data: Genotypes, snps: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Which of them are flipped: a lot for each allele, from the key and where the allele is.

        The lot lasts for all releases under a key: a yes tells the truth, so that drawing anew would answer sooner or
        later whatever is denied here.
        """
        sites, lots = data.snps, np.empty(len(snps))
        for i, snp in enumerate(snps.tolist()):
            place = sites.chromosome[snp], str(sites.position[snp]), sites.effect[snp], sites.other[snp]
            # Where places are not told, the name is all that an allele has.
            digest = key.digest("beacon", *(place if sites.position[snp] > 0 else (*place, sites.id[snp])))
            lots[i] = int.from_bytes(digest[:8], "big") / 2**64
        return np.asarray(lots < self.flip)


def _carriers(data: Genotypes) -> NDArray[np.int64]:
    """How many people have one copy or two of each effect allele."""
    result = np.empty(data.count, dtype=np.int64)
    for which, calls in data.blocks(max(1, BLOCK // data.rows)):
        result[which] = (calls > 0).sum(axis=1)
    return result
