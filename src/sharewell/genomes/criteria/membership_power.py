"""Membership power: hardly any member of the pool is recognised from the published frequencies.

Guarantee
---------
Of the people whose allele frequencies are published, a share of at most `max_power` is recognised as members by the
likelihood ratio, WIP or Homer's test, at a false-positive rate of `fpr`. It is an upper limit with the `confidence`
asked for, found by carrying out the attacks on people who were never looked at when SNPs were chosen.

Adversary
---------
Has the genotypes of a target, the release, and a reference of the same ancestry as large as the one named.

What it does not protect
------------------------
An attacker who uses linkage, haplotypes or relatives may do better, and so may one with a larger reference: the finding
tells what theory allows with the frequencies of the population known. If the pool named is not the one that was
published, or the reference is of another ancestry, the finding says nothing.

Parameters
----------
max_power: the largest share of members recognised.
fpr: the false-positive rate.
pool: the members (genotypes, or a .bed, .vcf or table of them). A source: a steward can check it again, by its hash.
reference: people of the same ancestry who are not in the pool. They are null people and the attacker's reference, each
           compared with the folds of it that the person is not in.
phenotype: who is a case, where the release tells cases and controls apart: person → case, or a file or frame with
           columns `person` and `case`. Then cases are looked for among others and among controls, and controls too.
confidence: of the upper limit.
judged: "aside" (default): the half of members and of others that is set aside by name (`membership.aside`); whatever
        chooses SNPs may look at the other half only. "all": everybody, where nothing was chosen.
folds, subject: as for homer.

Worked example
--------------
>>> import numpy as np
>>> from sharewell.genomes import Frequencies, Genotypes
>>> draw = np.random.default_rng(1)
>>> people = Genotypes.of(draw.binomial(2, draw.uniform(0.05, 0.5, 2000), (600, 2000)))
>>> pool, others = people.take(persons=slice(0, 300)), people.take(persons=slice(300, 600))
>>> criterion = MembershipPower(0.5, pool=pool, reference=others)
>>> print(criterion.check(Frequencies.of(pool)))
membership-power = 0.833 probability (≤ 0.5: FAILS)
>>> print(criterion.check(Frequencies.of(pool).take(slice(0, 200))))
membership-power = 0.4113 probability (≤ 0.5: holds)

Why it is safe
--------------
The limit assumes nothing of how scores are distributed: the threshold is lowered until its false-positive rate is
hardly below `fpr`, and the share of members beyond it is taken at its upper limit (Clopper and Pearson). The worst of
the three statistics counts. Null people are never counted in what they are compared with. Too few people make the limit
large, never small.

Cost
----
One pass over the calls of pool and reference, in blocks: O(people · SNPs) time, memory for one block.

Source
------
Sankararaman, Obozinski, Jordan and Halperin, Nature Genetics 2009 (SecureGenome); Clopper and Pearson, 1934.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from sharewell.errors import DataError, PolicyError
from sharewell.findings import Finding, Sense
from sharewell.genomes.frequencies import Frequencies
from sharewell.genomes.genotypes import Genotypes
from sharewell.genomes.membership import References, aside, on, on_shared, scored
from sharewell.genomes.opening import as_evidence, opened_people
from sharewell.genomes.phenotypes import groups
from sharewell.genomes.statistics import STATISTICS, auc, bound, power_at, upper_power
from sharewell.io.sources import Source


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
    """The same if the frequencies of the population were known exactly."""


@dataclass(frozen=True)
class MembershipPower:
    """The upper limit of the power of the strongest statistic is at most the bound."""

    max_power: float
    fpr: float = 0.05
    pool: Genotypes | Source | Any = None
    reference: Genotypes | Source | Any = None
    phenotype: Source | Any = None
    confidence: float = 0.95
    judged: Literal["aside", "all"] = "aside"
    folds: int = 10
    subject: str | None = None

    name: ClassVar[str] = "membership-power"
    sense: ClassVar[Sense] = "≤"

    def __post_init__(self) -> None:
        for field in ("pool", "reference", "phenotype"):
            object.__setattr__(self, field, as_evidence(getattr(self, field)))
        if self.pool is None or self.reference is None:
            raise ValueError("pool and reference must both be named: the attack is carried out on them")
        if not 0 < self.fpr < 1:
            raise ValueError("fpr must be between 0 and 1")
        if not self.fpr < self.max_power <= 1:
            raise ValueError("max_power must be above fpr: so many are found by guessing alone")
        if not 0.5 <= self.confidence < 1:
            raise ValueError("confidence must be 0.5 or more, and below 1")
        if self.judged not in ("aside", "all"):
            raise ValueError("judged must be aside or all")
        if self.folds < 2:
            raise ValueError("folds must be 2 or more")

    @property
    def bound(self) -> float:
        return self.max_power

    def check(self, data: Frequencies) -> Finding:
        """Carry out the attacks on the people set aside."""
        if not isinstance(data, Frequencies):
            raise PolicyError(f"{self.name} — judges published frequencies, and these are none")
        if not data.rows:
            return Finding.judge(self.name, None, "≤", self.max_power, unit="probability", note="no SNP is published")
        pool = opened_people(self.pool, f"{self.name} — pool", self.subject)
        reference = self._strangers(pool)
        snps, place = on_shared(self.name, data, reference=reference, pool=pool)
        if len(place) < data.rows:
            what = f"pool or reference lack {data.rows - len(place)} of {data.rows} published SNP(s)"
            return Finding.judge(self.name, None, "≤", self.max_power, unit="probability", note=f"{what}: not judged")
        found = [self._judged(one) for one in self._contests(data, on(pool, snps), on(reference, snps))]
        return max(found, key=lambda finding: 2 if finding.value is None else finding.value)

    def _contests(self, data: Frequencies, pool: Genotypes, reference: Genotypes) -> list[Contest]:
        """Who is to be told from whom, by whose frequencies."""
        folds = References.in_folds(reference, self.folds)
        nulls = self._few(reference)
        if data.cases is None:
            self._refuse_others(pool.rows, data)
            return [Contest("members", data, folds, self._few(pool), nulls, reference.rows)]
        if self.phenotype is None:
            advice = "name it with phenotype"
            raise PolicyError(f"{self.name} — the release tells cases apart, and nobody says who they are — {advice}")
        told = groups(self.phenotype, pool.persons)
        cases, controls = pool.take(persons=told == 1), pool.take(persons=told == 0)
        self._refuse_others(cases.rows + controls.rows, data)
        ill, well = data.group("cases"), data.group("controls")
        few, others = self._few(cases), self._few(controls)
        return [
            Contest("cases", ill, folds, few, nulls, reference.rows),
            Contest("controls", well, folds, others, nulls, reference.rows),
            Contest("cases among controls", ill, References.whole(well), few, others, well.people),
        ]

    def _refuse_others(self, people: int, data: Frequencies) -> None:
        if people != data.people:
            what = f"the pool has {people} person(s), the release is of {data.people}"
            raise DataError(f"{self.name} — {what} — name the people whose frequencies were published")

    def _strangers(self, pool: Genotypes) -> Genotypes:
        """The reference without members."""
        reference = opened_people(self.reference, f"{self.name} — reference", self.subject)
        inside = frozenset(pool.persons)
        outside = np.array([person not in inside for person in reference.persons], dtype=bool)
        return reference if outside.all() else reference.take(persons=outside)

    def _judged(self, contest: Contest) -> Finding:
        data, names = contest.pool, list(STATISTICS)
        high, low = (scored(data, contest.references, people, names) for people in (contest.members, contest.nulls))
        found = []
        for name in names:
            ours, theirs = high[name].values, low[name].values
            power, upper = power_at(self.fpr, ours, theirs), upper_power(ours, theirs, self.fpr, self.confidence)
            found.append(StatisticPower(name, power.value, power.error, upper, auc(ours, theirs).value))
        limits = [one.upper for one in found if one.upper is not None]
        details = PowerDetails(
            contest.who,
            data.rows,
            data.people,
            contest.reference,
            contest.references.least,
            contest.members.rows,
            contest.nulls.rows,
            self.fpr,
            self.confidence,
            tuple(found),
            bound(data.rows, data.people, contest.reference).power(self.fpr),
            bound(data.rows, data.people).power(self.fpr),
        )
        value = max(limits) if limits else None
        note = "" if limits else "nobody was set aside to be judged"
        return Finding.judge(self.name, value, "≤", self.max_power, unit="probability", details=details, note=note)

    def _few(self, people: Genotypes) -> Genotypes:
        return people if self.judged == "all" else people.take(persons=aside(people.persons))


@dataclass(frozen=True, eq=False)
class Contest:
    """Members of a published group to be told from null people, by comparing its frequencies with a reference."""

    who: str
    pool: Frequencies
    references: References
    members: Genotypes
    nulls: Genotypes
    reference: int
