"""Membership power: hardly any member of the pool can be recognised from the published frequencies.

## Guarantee
Of the people whose allele frequencies are published, a share of at most `max_power` is recognised as members by the
likelihood ratio, WIP or Homer's test, at a false-positive rate of `fpr`. The share is an upper confidence limit, at the
`confidence` asked for, from attacks on all members. Members whose data decided the choice of SNPs, and the other
members, are judged apart, and the worse of the two counts. By default the limit also covers an attacker who knows the
frequencies of the population exactly, however the SNPs were chosen.

## Adversary
Has the genotypes of a target, the release, and a reference of the same ancestry as large as the one named, or, by
default, the frequencies of the population.

## What it does not protect
An attacker who uses linkage, haplotypes or relatives may do better. The limit for a known population is theoretical,
for unlinked SNPs; on linked ones these statistics achieve less. Where the reference is of another ancestry, the finding
says little: members and the people of the reference then differ by more than membership.

## Parameters
max_power: the largest share of members recognised.
fpr: the false-positive rate.
pool: the members (genotypes, or a .bed, .vcf or table of them). A steward can re-check it, recognising it by its salted
      hash. Its frequencies must be the published ones.
reference: people of the same ancestry who are not in the pool. They serve both as known non-members and as the
           attacker's reference; each is compared with the folds that the person is not in.
phenotype: who is a case, where the release tells cases and controls apart: person → case, or a file or frame with
           columns `person` and `case`. The attacks then look for cases and for controls, among others and among each
           other.
knows: "population" (default) or "reference": what the attacker has. With "population", the criterion is undecided if
       the reference has fewer than five copies of a published allele.
persons: the dataset's own key from samples to persons, with columns `sample` and `person`, if it has one.
confidence: of the upper limit.
folds, subject: as for homer.

## Worked example
>>> import numpy as np
>>> from sharewell.genomes import Frequencies, Genotypes
>>> draw = np.random.default_rng(1)
>>> people = Genotypes.of(draw.binomial(2, draw.uniform(0.05, 0.5, 2000), (600, 2000)))
>>> pool, others = people.take(persons=slice(0, 300)), people.take(persons=slice(300, 600))
>>> criterion = MembershipPower(0.5, pool=pool, reference=others)
>>> print(criterion.check(Frequencies.of(pool)))
membership-power = 0.8737 probability (≤ 0.5: FAILS)
>>> print(criterion.check(Frequencies.of(pool).take(slice(0, 200))))
membership-power = 0.3205 probability (≤ 0.5: holds)

The two hundred SNPs whose frequencies are farthest from those of the others may betray 84 % of the members.

>>> far = np.abs(Frequencies.of(pool).frequency - Frequencies.of(others).frequency).argsort(kind="stable")[-200:]
>>> print(criterion.check(Frequencies.of(pool).take(far)))
membership-power = 0.8377 probability (≤ 0.5: FAILS)

## Why it is safe
The limit assumes nothing about the distribution of scores: the threshold is lowered until its false-positive rate is
hardly below `fpr`, and the share of members beyond it is taken at its upper limit (Clopper and Pearson). The worst of
the three statistics counts. Non-members are never part of the frequencies with which they are compared. Members are
left out of the reference, and the finding says how many: known by name, by sample, or by DNA. Somebody whose calls
agree with a member's at nine tenths of at least fifty common SNPs, and differ at no more than a quarter of those at
which chance makes people differ, is that member genotyped twice (or an identical twin). Too few people
make the limit large, never small. The check compares the pool's frequencies with the published ones, at every SNP and
in every group, so that another pool under the same names is refused. A known population separates members from others
by the root of Σ 2(Mix − Pop)²/(Pop(1 − Pop)), however the SNPs were chosen; the check estimates it from the reference,
corrects it for chance there, and uses its upper limit.

## Cost
One pass over the calls of pool and reference, in blocks: O(people · SNPs) time, memory for one block. The search for
members in the reference takes O(members · people of the reference) comparisons of at most 400 SNPs, as matrix products.

## Source
Sankararaman, Obozinski, Jordan and Halperin, Nature Genetics 2009 (SecureGenome); Clopper and Pearson, 1934. The
estimate for a known population is derived here.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import Annotated, ClassVar, Literal

import numpy as np
from annotated_types import Ge, Interval

from sharewell.algorithm import Criterion, DataError, Declared, Finding, PolicyError, Sense
from sharewell.genomes.data.frequencies import Frequencies
from sharewell.genomes.data.genotypes import Genotypes
from sharewell.genomes.engine.membership import (
    FEWEST,
    KnownPopulation,
    References,
    aside,
    on,
    on_shared,
    scored,
    strangers,
)
from sharewell.genomes.engine.membership_statistics import STATISTICS, bound
from sharewell.genomes.engine.phenotypes import groups
from sharewell.genomes.engine.recognition_curves import auc, power_at, upper_power
from sharewell.genomes.engine.sample_persons import read_key
from sharewell.genomes.engine.selection import Selection
from sharewell.genomes.engine.sources import PeopleEvidence, TableEvidence, opened_people


@dataclass(frozen=True)
class StatisticPower:
    """What one statistic reached."""

    statistic: str
    power: float | None
    error: float | None
    upper: float | None
    """The limit that counts."""
    auc: float | None


@dataclass(frozen=True)
class PowerDetails:
    """Who was judged, and what theory allows. Of several groups the one that is recognised best is told."""

    who: str
    snps: int
    people: int
    reference: int
    reference_left: int
    members: int
    """That were judged."""
    null_people: int
    fpr: float
    confidence: float
    statistics: tuple[StatisticPower, ...]
    bound: float
    """The power of theory with this reference."""
    bound_if_known: float
    """The same if the frequencies of the population were known exactly, for SNPs chosen elsewhere."""
    known: float | None
    """The upper limit if they were known, for these SNPs; None: the reference has too few copies of an allele."""


@dataclass(frozen=True)
class MembershipPower(Declared, Criterion[Frequencies]):
    """The upper limit of the power of the strongest statistic is at most the bound."""

    max_power: Annotated[float, Interval(gt=0, le=1)]
    fpr: Annotated[float, Interval(gt=0, lt=1)] = 0.05
    pool: PeopleEvidence | None = None
    reference: PeopleEvidence | None = None
    phenotype: TableEvidence | None = None
    knows: Literal["population", "reference"] = "population"
    persons: TableEvidence | None = None
    confidence: Annotated[float, Interval(ge=0.5, lt=1)] = 0.95
    folds: Annotated[int, Ge(2)] = 10
    subject: str | None = None

    sense: ClassVar[Sense] = "≤"
    bounded_by: ClassVar[str] = "max_power"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.pool is None or self.reference is None:
            raise ValueError("pool and reference must both be named: the attack is carried out on them")
        if self.max_power <= self.fpr:
            raise ValueError("max_power must be above fpr: guessing alone finds as many")

    def check(self, data: Frequencies) -> Finding:
        """Carry out the attacks on all members."""
        if not isinstance(data, Frequencies):
            raise PolicyError(f"{self.name} — judges published frequencies, and these are none")
        if not data.rows:
            return self._undecided("no SNP is published")
        pool = opened_people(self.pool, f"{self.name} — pool", self.subject, self.persons)
        reference = opened_people(self.reference, f"{self.name} — reference", self.subject)
        reference, members = strangers(reference, pool, None if self.persons is None else read_key(self.persons))
        snps, place = on_shared(self.name, data, reference=reference, pool=pool)
        if len(place) < data.rows:
            what = f"pool or reference lack {data.rows - len(place)} of {data.rows} published SNP(s)"
            return self._undecided(f"{what}: not judged")
        results = [
            finding
            for contest in self._contests(data, on(pool, snps), on(reference, snps))
            for finding in self._judged(contest, data.selection)
        ]
        worst = max(results, key=lambda finding: 2 if finding.value is None else finding.value)
        if not members:
            return worst
        what = f"{members} person(s) of the reference are members, by name or DNA, and were left out of it"
        return replace(worst, note="; ".join(filter(None, (worst.note, what))))

    def _undecided(self, note: str, details: PowerDetails | None = None) -> Finding:
        return self.finding(None, unit="probability", note=note, details=details)

    def _contests(self, data: Frequencies, pool: Genotypes, reference: Genotypes) -> list[Contest]:
        """Who is to be told from whom, by whose frequencies."""
        folds = References.in_folds(reference, self.folds)
        if data.cases is None:
            self._refuse_others(Frequencies.of(pool), data)
            return [Contest("members", data, folds, pool, reference, reference)]
        if self.phenotype is None:
            advice = "name it with phenotype"
            raise PolicyError(
                f"{self.name} — the release counts cases separately, but nothing says who the cases are — {advice}"
            )
        is_case = groups(self.phenotype, pool.persons)
        cases, controls = pool.take(persons=is_case == 1), pool.take(persons=is_case == 0)
        self._refuse_others(Frequencies.of(pool.take(persons=is_case >= 0), cases=cases.persons), data)
        ill, well = data.group("cases"), data.group("controls")
        return [
            Contest("cases", ill, folds, cases, reference, reference),
            Contest("controls", well, folds, controls, reference, reference),
            Contest("cases among controls", ill, References.whole(well), cases, controls, None),
        ]

    def _refuse_others(self, pool: Frequencies, data: Frequencies) -> None:
        """People with other names may be the right ones, and people with these names others: frequencies decide."""
        advice = "name the people whose frequencies were published"
        if pool.people != data.people or pool.case_people != data.case_people:
            what = f"the pool has {pool.people} person(s), the release is of {data.people}"
            raise DataError(f"{self.name} — {what}, or of other cases — {advice}")
        slack = 1e-9 + (0.0 if data.decimals is None else 0.5 * 10.0**-data.decimals)
        other = np.zeros(data.rows, dtype=bool)
        published = data.by_group
        for name, ours in pool.by_group.items():
            if (theirs := published.get(name)) is not None:
                other |= ~((np.abs(ours - theirs) <= slack) | (np.isnan(ours) & np.isnan(theirs)))
        if other.any():
            what = f"the pool has other frequencies at {int(other.sum())} of {data.rows} SNP(s)"
            raise DataError(f"{self.name} — {what} — {advice}")

    def _judged(self, contest: Contest, selection: Selection | None) -> list[Finding]:
        """All members; where half of them were looked at to choose the SNPs, or nobody says, each half."""
        names = list(STATISTICS)
        high, low = (
            scored(contest.pool, contest.references, people, names) for people in (contest.members, contest.nulls)
        )
        parts = [(contest.who, np.ones(contest.members.rows, dtype=bool))]
        if selection is None or selection.looked_at == "half":
            unseen = aside(contest.members.persons)
            parts = [(f"{contest.who} who chose", ~unseen), (f"{contest.who} set aside", unseen)]
        known = contest.known
        results = []
        for who, part in parts:
            reached = []
            for name in names:
                ours, theirs = high[name].values[part], low[name].values
                power, upper = power_at(self.fpr, ours, theirs), upper_power(ours, theirs, self.fpr, self.confidence)
                reached.append(StatisticPower(name, power.value, power.error, upper, auc(ours, theirs).value))
            results.append(self._finding(contest, who, int(part.sum()), reached, known))
        return results

    def _finding(
        self, contest: Contest, who: str, members: int, reached: list[StatisticPower], known: KnownPopulation | None
    ) -> Finding:
        data, size = contest.pool, contest.size
        limit = None if known is None else known.power(self.fpr, NormalDist().inv_cdf(self.confidence))
        details = PowerDetails(
            who,
            data.rows,
            data.people,
            size,
            contest.references.least,
            members,
            contest.nulls.rows,
            self.fpr,
            self.confidence,
            tuple(reached),
            bound(data.rows, data.people, size).power(self.fpr),
            bound(data.rows, data.people).power(self.fpr),
            limit,
        )
        limits = [one.upper for one in reached if one.upper is not None]
        if not limits:
            return self._undecided(f"{who}: there is nobody to judge", details)
        if self.knows == "population" and contest.reference is not None:
            if limit is None:
                what = f"the reference has fewer than {FEWEST} copies of a published allele"
                return self._undecided(f"{what}: a larger one, a higher floor, or knows: reference", details)
            limits.append(limit)
        return self.finding(max(limits), unit="probability", details=details)


@dataclass(frozen=True, eq=False)
class Contest:
    """Members of a published group to be told from null people, by comparing its frequencies with a reference."""

    who: str
    pool: Frequencies
    references: References
    members: Genotypes
    nulls: Genotypes
    reference: Genotypes | None
    """None: the other published group, whose frequencies are known exactly."""

    @property
    def size(self) -> int:
        return self.nulls.rows if self.reference is None else self.reference.rows

    @property
    def known(self) -> KnownPopulation | None:
        """What knowing the population would add."""
        return None if self.reference is None else KnownPopulation.of(self.pool, self.reference)
