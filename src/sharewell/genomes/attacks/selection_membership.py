"""Selection membership: recognises members because the SNPs were chosen by looking at their data (winner's curse).

## Guarantee
None; a measurement. The value is the largest power of the attackers below: the share of members whom they recognise, at
a given false-positive rate. It is mounted on every release of frequencies, whether the policy names it or not.

## Adversary
Has the genotypes of a target and the release. One attacker knows the frequencies of the population exactly. Others have
the reference that the policy names; one looks for members whose data decided the choice of SNPs, one for the other
members. Where cases and controls are published apart, another attacker looks for cases among controls.

## What it does not protect
The attack uses neither linkage nor relatives. Without a reference it cannot be carried out: the value is then what
theory allows for SNPs chosen in this way, and undecided where the release does not say how they were chosen.
Frequencies of the population are estimated from the reference; a SNP at which it has fewer than five copies of an
allele is left out of that estimate, and the finding says so.

## Parameters
reference: people of the same ancestry who are not in the pool. By default the reference that the policy names.
phenotype: who is a case, as for membership-power. By default that of the policy.
fpr: the false-positive rate (0.05).
people: the largest number of members of each kind, and of others, to try (500); the note says if there are more.
snps: the largest number of SNPs to try (20,000); with more of them the true power is larger. The attacker who knows the
      population is computed from all SNPs.
persons: a key from samples to persons, where the dataset has one.
subject: the column of a tabular reference that names the person; its first column if left out.

## Worked example
Of five thousand SNPs, the hundred on which 100 cases differ most from 100 controls are published. A hundred SNPs fixed
beforehand would betray 26 % of the cases to somebody who knows the population.

>>> import numpy as np
>>> from sharewell.genomes import Frequencies, Genotypes
>>> from sharewell.protocols import Truth
>>> draw = np.random.default_rng(1)
>>> people = Genotypes.of(draw.binomial(2, draw.uniform(0.1, 0.5, 5000), (500, 5000)))
>>> pool, others = people.take(persons=slice(0, 200)), people.take(persons=slice(200, 500))
>>> ill = {person: int(i < 100) for i, person in enumerate(pool.persons)}
>>> whole = Frequencies.of(pool, cases=pool.persons[:100])
>>> apart = np.abs(whole.cases - whole.controls) / np.sqrt(whole.frequency * (1 - whole.frequency))
>>> released = whole.take(np.sort(apart.argsort(kind="stable")[-100:]))
>>> result = SelectionMembership(others, ill).mount(released, Truth(pool, np.arange(200)))
>>> for one in result.details.attackers:
...     print(f"{one.who}, {one.knows}: {one.power:.2f}")
cases, the population: 0.65
cases, the reference: 0.58
controls, the population: 0.63
controls, the reference: 0.59
cases among controls, both groups: 0.91

## Why it is safe
The finding holds counts and shares only, and nobody's score. Non-members are never part of the frequencies with which
they are compared.

## Cost
One pass over the counts of all published SNPs, and O(people · SNPs) for those who are tried, both bounded.

## Source
Homer and others, PLoS Genetics 2008; Sankararaman, Obozinski, Jordan and Halperin, Nature Genetics 2009 (the likelihood
ratio). The gain from a choice by the same people, and the estimate for a known population, are derived here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sharewell.algorithm import NOT_SIMULATED, Chance, Count, DataError, Declared, Finding, PolicyError, TwoOrMore
from sharewell.genomes.data.frequencies import Frequencies
from sharewell.genomes.data.genotypes import Genotypes
from sharewell.genomes.data.snps import Texts
from sharewell.genomes.engine.attackers.frequency_attack import Members
from sharewell.genomes.engine.membership import (
    KnownPopulation,
    References,
    aside,
    name_numbers,
    on,
    on_shared,
    scored,
    strangers,
    well_known,
)
from sharewell.genomes.engine.membership_statistics import bound
from sharewell.genomes.engine.phenotypes import groups
from sharewell.genomes.engine.recognition_curves import power_at
from sharewell.genomes.engine.sample_persons import read_key
from sharewell.genomes.engine.sources import opened_people
from sharewell.io.sources import Source
from sharewell.protocols import Attack, Frame, Truth

STATISTIC = "likelihood-ratio"
FOLDS = 10
"""Parts into which the reference is cut, so that its people can be null people."""


@dataclass(frozen=True)
class Attacker:
    """Whom one attacker looks for, by what, and how many are recognised."""

    who: str
    knows: str
    members: int
    """That were tried."""
    null_people: int
    power: float
    error: float | None


@dataclass(frozen=True)
class SelectionDetails:
    """How the SNPs were chosen, and what every attacker reaches."""

    published: int
    candidates: int | None
    looked_at: str | None
    false_positive_rate: float
    allowed_by_theory: float | None
    """The power of the best attacker, for SNPs that were chosen so; None: the release does not say how."""
    attackers: tuple[Attacker, ...]


@dataclass(frozen=True)
class SelectionMembership(Declared, Attack[Frequencies]):
    """The most that attackers gain from a choice of SNPs by the people themselves."""

    reference: Genotypes | Source | Frame | None = None
    phenotype: Source | Frame | None = None
    fpr: Chance = 0.05
    people: TwoOrMore = 500
    snps: Count = 20_000
    persons: Source | Frame | None = None
    subject: str | None = None

    def mount(self, released: Frequencies, truth: Members = None) -> Finding:
        if not isinstance(released, Frequencies):
            raise PolicyError(f"{self.name} — attacks published frequencies, and these are none")
        original = truth.original if isinstance(truth, Truth) else None
        attackers: list[Attacker] = []
        notes: list[str] = []
        if isinstance(original, Genotypes) and released.rows:
            try:
                self._tried(released, original, attackers, notes)
            except (DataError, PolicyError) as error:  # mounted by default: what cannot be tried stops no release
                notes.append(f"not tried: {error}")
        details = self._details(released, attackers)
        if attackers:
            value: float | None = max(one.power for one in attackers)
        else:
            value = details.allowed_by_theory
            notes.append(
                NOT_SIMULATED if value is not None else "undecided: the release does not say how its SNPs were chosen"
            )
        return Finding(self.name, value, unit="probability", details=details, note="; ".join(notes))

    def _details(self, released: Frequencies, attackers: list[Attacker]) -> SelectionDetails:
        chosen, theory = released.selection, None
        if chosen is not None and released.rows:
            shown = released.by_group.values()
            rarest = min(float(np.nanmin(np.minimum(part, 1 - part), initial=0.5)) for part in shown)
            people = max(1, min(released.effective_people, chosen.called))
            number = replace(chosen, called=people).equivalent(released.rows, int(2 * people * rarest))
            theory = bound(number, people).power(self.fpr)
        return SelectionDetails(
            released.rows,
            None if chosen is None else chosen.candidates,
            None if chosen is None else chosen.looked_at,
            self.fpr,
            theory,
            tuple(attackers),
        )

    def _tried(self, released: Frequencies, pool: Genotypes, attackers: list[Attacker], notes: list[str]) -> None:
        """Every attacker who can be tried; who cannot is named in the notes."""
        reference = None
        if self.reference is None:
            notes.append("no reference is named: only published groups are compared with each other")
        else:
            named = opened_people(self.reference, f"{self.name} — reference", self.subject)
            reference, _ = strangers(named, pool, None if self.persons is None else read_key(self.persons))
        snps, place = on_shared(self.name, released, pool=pool, reference=reference)
        data, pool, reference = released.take(place), on(pool, snps), on(reference, snps)
        for who, group, members in self._published(data, pool, notes):
            if reference is None:
                continue
            common = np.flatnonzero(well_known(reference))
            if len(common) < group.rows:
                what = f"{group.rows - len(common)} SNPs that are too rare in the reference to estimate the population"
                notes.append(f"{who}: computed without {what}; with them, power would be larger")
            some = [one.take(snps=common) for one in (members, reference)]
            known = KnownPopulation.of(group.take(common), some[1], Frequencies.of(some[0]))
            if known is not None:
                attackers.append(Attacker(who, "the population", members.rows, 0, known.power(self.fpr), None))
            attackers += self._measured(who, "the reference", group, members, reference, None, notes)
        if data.cases is not None and self.phenotype is not None:
            is_case = groups(self.phenotype, pool.persons)
            cases, controls = pool.take(persons=is_case == 1), pool.take(persons=is_case == 0)
            sides = data.group("cases"), cases, controls, data.group("controls")
            attackers += self._measured("cases among controls", "both groups", *sides, notes)

    def _published(
        self, data: Frequencies, pool: Genotypes, notes: list[str]
    ) -> list[tuple[str, Frequencies, Genotypes]]:
        """Groups whose frequencies are published, and who is in them."""
        if data.cases is None:
            return [("members", data, pool)]
        if self.phenotype is None:
            notes.append("no phenotype is named: who is a case is not known")
            return []
        cases = groups(self.phenotype, pool.persons)
        names = (("cases", 1), ("controls", 0))
        return [(name, data.group(name), pool.take(persons=cases == number)) for name, number in names]

    def _measured(
        self,
        who: str,
        knows: str,
        group: Frequencies,
        members: Genotypes,
        nulls: Genotypes,
        compared: Frequencies | None,
        notes: list[str],
    ) -> list[Attacker]:
        """The likelihood ratio, carried out on some; members who were looked at to choose apart from others."""
        some = _some(group.snps.id, self.snps)
        if len(some) < group.rows:
            group, members, nulls = group.take(some), members.take(snps=some), nulls.take(snps=some)
            compared = None if compared is None else compared.take(some)
            notes.append(f"{who}: tried on {len(some)} SNPs; with all of them, power would be larger")
        parts = [(who, np.arange(members.rows))]
        if group.selection is not None and group.selection.looked_at == "half":
            unseen = aside(members.persons)
            parts = [(f"{who} who chose", np.flatnonzero(~unseen)), (f"{who} set aside", np.flatnonzero(unseen))]
        others = nulls.take(persons=_some(nulls.persons, self.people))
        references = References.in_folds(others, FOLDS) if compared is None else References.whole(compared)
        low = scored(group, references, others, [STATISTIC])[STATISTIC].values
        results = []
        for label, part in parts:
            names = [members.persons[i] for i in part]
            tried = members.take(persons=part[_some(names, self.people)])
            high = scored(group, references, tried, [STATISTIC])[STATISTIC].values
            reached = power_at(self.fpr, high, low)
            if reached.value is not None:
                results.append(Attacker(label, knows, tried.rows, others.rows, reached.value, reached.error))
            if tried.rows < len(part):
                notes.append(f"{label}: {tried.rows} of {len(part)} were tried")
        return results


def _some(names: Sequence[str] | Texts, most: int) -> NDArray[np.intp]:
    """At most this many of them, by their names alone, in their order."""
    if len(names) <= most:
        return np.arange(len(names))
    return np.sort(np.argsort(name_numbers(names, "tried"), kind="stable")[:most])
