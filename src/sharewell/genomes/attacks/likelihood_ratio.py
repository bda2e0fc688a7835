"""Likelihood ratio: the strongest test of membership from published allele frequencies, if SNPs are not linked.

## Guarantee
None; a measurement. The value is the power: the share of members who are recognised, at a given false-positive rate.

## Adversary
Has the genotypes of a target, the published frequencies Mix of N people, and the frequencies Pop of a population, or of
M people of it. Sums g ln(Mix/Pop) + (2 − g) ln((1 − Mix)/(1 − Pop)) over the SNPs, frequencies being clipped to a
quarter of an allele: 1/(4N), 1/(4M).

## What it does not protect
Where Pop is known and SNPs are not linked no test is stronger (Neyman and Pearson). An attacker who uses linkage, pairs
of SNPs or relatives can do better. An attacker whose reference is of another ancestry does worse.

## Parameters
reference, targets, fpr, nulls, folds, group, subject: as for homer.

## Worked example
>>> import numpy as np
>>> from sharewell.genomes import Frequencies, Genotypes
>>> draw = np.random.default_rng(1)
>>> people = Genotypes.of(draw.binomial(2, draw.uniform(0.05, 0.5, 600), (200, 600)))
>>> pool, reference = people.take(persons=slice(0, 50)), people.take(persons=slice(100, 200))
>>> attack = LikelihoodRatio(reference, targets=people.take(persons=slice(0, 100)))
>>> result = attack.mount(Frequencies.of(pool), truth=pool.persons)
>>> result.value, round(result.details.auc, 3)
(0.96, 0.988)

Whose power is not yet known is told what theory allows.

>>> attack.mount(Frequencies.of(pool)).note
'computed, not simulated'

## Why it is safe
As homer: numbers only, and null people are never counted in what they are compared with.

## Cost
One pass over the calls of targets and reference, in blocks: O(people · SNPs) time, memory for one block.

## Source
Sankararaman, Obozinski, Jordan and Halperin, Nature Genetics 2009. Separation of members from others with a reference
of M people, √(m M/(N(N + M))): derived here, and checked by simulation.
"""

from __future__ import annotations

from dataclasses import dataclass

from sharewell.genomes.engine.attackers.frequency_attack import OnFrequencies


@dataclass(frozen=True)
class LikelihoodRatio(OnFrequencies):
    """The log likelihood ratio of being in the pool."""
