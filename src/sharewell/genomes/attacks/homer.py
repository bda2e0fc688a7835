"""Homer's test: do published allele frequencies reveal whether somebody is among the people counted?

## Guarantee
None; a measurement. The value is the power: the share of members who are recognised, at a given false-positive rate.

## Adversary
Has the genotypes of a target, the published frequencies, and a reference of the same ancestry. At each SNP asks whether
the target is nearer to the published frequency than to the reference: D = |g/2 − Pop| − |g/2 − Mix|. The statistic is
T = mean(D) / (sd(D) / √m), and large for members.

## What it does not protect
The likelihood ratio and WIP recognise more: a small power here is no promise. Linked SNPs, another ancestry and
relatives shift T; its mean for people outside is 0 only where pool and reference are equally large. So the threshold
of theory (1.645 for 5 %) fails; `nominal_fpr` shows by how much.

## Parameters
reference: people (genotypes, or a .bed, .vcf or table of them) or frequencies of the population. Where the release
           tells cases and controls apart, and `group: cases` is attacked, the controls will do.
targets: people who are looked for; everybody of the original, unless given.
fpr: the false-positive rate at which power is reported.
nulls: who sets the threshold. "targets": targets known not to be members. "reference": people of the reference, each
       compared with the folds of it that the person is not in. "theory": nobody. "auto" (default): the first for which
       there are enough people.
folds: into how many parts the reference is cut where its people are null people.
group: "all" (default), "cases" or "controls" of the release.
subject: the column that names the person, where people come from a table; its first, unless given.

## Worked example
Fifty people in the pool, fifty others, and a hundred for a reference.

>>> import numpy as np
>>> from sharewell.genomes import Frequencies, Genotypes
>>> draw = np.random.default_rng(1)
>>> people = Genotypes.of(draw.binomial(2, draw.uniform(0.05, 0.5, 600), (200, 600)))
>>> pool, reference = people.take(persons=slice(0, 50)), people.take(persons=slice(100, 200))
>>> attack = Homer(reference, targets=people.take(persons=slice(0, 100)))
>>> result = attack.mount(Frequencies.of(pool), truth=pool.persons)
>>> result.value, round(result.details.auc, 3), result.details.null_people
(0.9, 0.982, 50)
>>> round(result.details.bound.power, 3)
0.882

## Why it is safe
It reads the release, the reference and the targets, and returns numbers only: no score of any person. Null people are
never counted in the frequencies that they are compared with. Without the truth the theoretical bound is reported
instead, and the finding says so.

## Cost
One pass over the calls of targets and reference, in blocks: O(people · SNPs) time, memory for one block.

## Source
Homer and others, PLoS Genetics 2008; Braun and others, PLoS Genetics 2009 (its false positives).
"""

from __future__ import annotations

from dataclasses import dataclass

from sharewell.genomes.engine.attackers.frequency_attack import OnFrequencies


@dataclass(frozen=True)
class Homer(OnFrequencies):
    """T of Homer and others."""
