"""WIP, the weighted inner product: the likelihood ratio to first order, with a null distribution that is known.

## Guarantee
None; a measurement. The value is the power: the share of members who are recognised, at a given false-positive rate.

## Adversary
As for the likelihood ratio. Sums (g − 2p̄)(Mix − Pop) / (p̄(1 − p̄)), where p̄ is the frequency in pool and reference
together. For people outside the mean is 0 and the variance m(1/N + 1/M), so that theory gives a threshold even to
somebody who has no null people.

## What it does not protect
As for the likelihood ratio, to which it is equal in strength. The threshold of theory holds for SNPs that are not
linked and a reference of the same ancestry; with linkage its false positives are several times as many as promised.

## Parameters
reference, targets, fpr, nulls, folds, group, subject: as for homer. `nulls: theory` takes the threshold of theory.

## Worked example
>>> import numpy as np
>>> from sharewell.genomes import Frequencies, Genotypes
>>> draw = np.random.default_rng(1)
>>> people = Genotypes.of(draw.binomial(2, draw.uniform(0.05, 0.5, 600), (200, 600)))
>>> pool, reference = people.take(persons=slice(0, 50)), people.take(persons=slice(100, 200))
>>> attack = WIP(reference, targets=people.take(persons=slice(0, 100)))
>>> result = attack.mount(Frequencies.of(pool), truth=pool.persons).details
>>> result.power, round(result.auc, 3), result.nominal_fpr
(0.96, 0.985, 0.02)

If the members alone are at hand, people of the reference are the null people, and somewhat less of it is left.

>>> result = WIP(reference, targets=pool).mount(Frequencies.of(pool), truth=pool.persons).details
>>> result.power, result.null_people, result.reference_left
(0.86, 100, 90)

## Why it is safe
As homer: numbers only, and null people are never counted in what they are compared with.

## Cost
One pass over the calls of targets and reference, in blocks: O(people · SNPs) time, memory for one block.

## Source
Derived from the likelihood ratio of Sankararaman, Obozinski, Jordan and Halperin, Nature Genetics 2009; compare the
weighted test of Visscher and Hill, PLoS Genetics 2009.
"""

from __future__ import annotations

from dataclasses import dataclass

from sharewell.genomes.engine.attackers.frequency_attack import OnFrequencies


@dataclass(frozen=True)
class WIP(OnFrequencies):
    """The weighted inner product."""
