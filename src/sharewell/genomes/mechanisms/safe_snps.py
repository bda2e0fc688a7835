"""Safe SNPs: allele frequencies of as many useful, unlinked SNPs as leave members of the pool hard to recognise.

## Guarantee
Two, of which the rule says which hold. *Empirical*: with the confidence asked for, none of three statistics (Homer's,
the likelihood ratio, its first-order form) recognises more than the share `max_power` of the members at a
false-positive rate of `fpr`, for an attacker with this reference. *Closed form*: no statistic at all does, even with
the true frequencies of the population, if SNPs are unlinked and pool and population are of one ancestry; the choice of
the SNPs is counted in it.

## Adversary
Has the genotypes of a target and frequencies of a reference, knows how the SNPs were chosen, and asks whether the
target is in the pool; where cases and controls are told apart, also which of them the target is.

## What it does not protect
Relatives of members are recognised too, less often. By the empirical rule alone, an attacker with a larger reference
does better than the one who was tried, the more so where SNPs were chosen by a phenotype: the selection-membership
attack tells the power of one who knows the true frequencies. What goes along with the SNPs (further statistics, r², a
second release about the same people) is not counted. That a SNP was chosen by a phenotype tells that cases and controls
differ at it, but not which way: unless the groups are published, we know of no attack on that. People of another
ancestry than the reference are told from it, not from the pool.

## Parameters
max_power: the share of members that may be recognised; above fpr, which blind guessing reaches.
fpr: the false-positive rate (0.05).
reference: people who are not in the pool, of the same ancestry: genotypes, a file or frame of them, or, for the closed
form, frequencies. Who is in the pool as well is left out of it.
phenotype: person → case or not, or a file or frame with columns person and case: SNPs are ranked by the chi-square of
their alleles, which takes a look at the pool. Without it, by how frequent the rarer allele is in the reference; without
a reference, in an order drawn by lot.
publish: "pool", or "groups" for cases and controls apart; persons whose phenotype is not known are then left out.
rule: "empirical", "closed-form" or "both". Unless given: both with genotypes of a reference, the closed form without.
Alone, and with a reference, the closed form is that of an attacker who has no more than this many people, as long as
nobody in the pool was looked at to choose.
floor: SNPs whose rarer allele is less frequent are left out (0.05): in the reference, in the pool, and in each group.
ld, window: SNPs are linked from this r² on (0.1), at most this many bases apart (1,000,000); in the reference, or among
the pool where there is none.
missing: SNPs are left out of which more calls are missing, as a share (0.05).
confidence: of the empirical rule (0.95).
subject: the column of a tabular reference that names the person; its first, unless given.

## Worked example
Two thousand SNPs of 400 people, and 400 others as the reference.

>>> import numpy as np
>>> from sharewell.genomes import Genotypes
>>> rng = np.random.default_rng(1)
>>> people = Genotypes.of(rng.binomial(2, rng.uniform(0.1, 0.5, 2000), (800, 2000)))
>>> pool, others = people.take(persons=slice(0, 400)), people.take(persons=slice(400, 800))
>>> released = SafeSNPs(max_power=0.5, reference=others).protect(pool, must=[])
>>> released.data.rows, released.details.stopped_by, released.details.set_aside[0].upper <= 0.5
(1082, 'number', True)
>>> smaller = pool.take(persons=slice(0, 100))
>>> released = SafeSNPs(max_power=0.5, reference=others).protect(smaller, must=[])
>>> released.data.rows, released.details.stopped_by, released.details.allowed_snps
(149, 'power', 270)

Ranked by a phenotype, and with cases and controls apart, far fewer: the choice favours SNPs that betray members.

>>> ill = {person: i % 2 for i, person in enumerate(pool.persons)}
>>> released = SafeSNPs(max_power=0.5, phenotype=ill, publish="groups").protect(pool, must=[])
>>> released.data.rows, released.data.selection.candidates, released.details.bound_known <= 0.5
(22, 2000, True)

## Why it is safe
SNPs are offered in an order in which nobody in the pool has a say: by the reference, or by lot. A SNP that is rare in
the pool is passed over, and counts as if it were published. Only a phenotype needs the pool; then the closed form
counts, for whatever rule, the SNPs that would tell as much had nobody chosen them (`genomes/engine/selection.py`).

For the empirical rule half of the members and half of the reference choose; the others, found by their names alone, are
set aside. Among the former, SNPs are added one by one for as long as the upper limit of the power stays within what is
allowed, looked at whenever there are a tenth more of them. The limits are Clopper and Pearson's for the members, and of
the same kind for the threshold: nothing is assumed of how scores are distributed. The power grows with the number of
SNPs. So an unsafe number is published only if the limit at the first unsafe look was wrong, which has the probability
1 − confidence, however many looks came before it. Then both halves are tried. While the power in one exceeds what is
allowed by more than 1.645 standard errors, or a criterion that was asked for fails, the least useful fifth of the SNPs
is left out; `shortened` says how often, and if it is not 0 these people had a say. Linked SNPs are left out not for
the sake of these statistics, which lose by linkage, but because others could gain by it. With few people the limits are
wide: of 200 members and 200 others, half of whom choose, a power of 0.15 is published where 0.4 is allowed.

Closed form: unlinked SNPs separate members from others by √(m/N) standard deviations, or √(m M/(N(N + M))) with M
reference people, and the power is Φ(√(m/N) − z), z the normal quantile of 1 − fpr; so m = N (z + Φ⁻¹(max_power))² at
most. N is the least number of people called at a SNP; of two groups that are told apart, N₁N₀/(N₁ + N₀), since one may
serve as the reference for the other. Fewer than ten are refused.

## Cost
One pass over the calls to rank, one over the SNPs that are offered: O(SNPs offered · people), and r² of each with those
taken on its chromosome, by products of matrices over at most 2,000 people.

## Source
Sankararaman, Obozinski, Jordan and Halperin, Nature Genetics 2009 (bound and procedure; SecureGenome), in our reading;
statistics of Homer and others, PLoS Genetics 2008. The test by fixed sequence, the split and the limit for chosen SNPs
are ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar, Literal

import numpy as np
from annotated_types import Ge, Interval, Unit

from sharewell.algorithm import Criteria, Declared, Infeasible, Key, PolicyError, refuse_failing
from sharewell.genomes.criteria.minor_frequency import MinorFrequency
from sharewell.genomes.criteria.safe_number import LEAST
from sharewell.genomes.data.frequencies import Frequencies
from sharewell.genomes.data.genotypes import Genotypes
from sharewell.genomes.engine.ld import Unlinked, standardised
from sharewell.genomes.engine.membership_statistics import bound, safe_number
from sharewell.genomes.engine.packed_calls import Ints
from sharewell.genomes.engine.phenotypes import groups
from sharewell.genomes.engine.protection.form_check import OF_BEACONS, OF_SEQUENCES, Publishing, refuse_unfit
from sharewell.genomes.engine.protection.pool_and_reference import Ranked, Sides
from sharewell.genomes.engine.protection.snp_addition import Contest, Limit, Reached, Tally, in_pieces, looks, reached
from sharewell.genomes.engine.selection import most_selected
from sharewell.genomes.engine.sources import opened
from sharewell.io.sources import Source
from sharewell.key_scope import drawing_key
from sharewell.protocols import Frame, Protected

Rule = Literal["both", "empirical", "closed-form"]
KEPT, TRIES = 0.8, 25
"""The share of the SNPs that is left where a criterion fails, and how often that is tried."""
BEYOND = 1.645
"""Standard errors by which people set aside may exceed what is allowed."""


@dataclass(frozen=True)
class SafeSNPsDetails:
    """How many SNPs were published, why no more, and what attackers reach."""

    rule: Rule
    people: int
    reference: int | None
    """People of the reference, without those left out; None: the true frequencies are known."""
    left_out: int
    """People of the reference who are in the pool as well."""
    snps: int
    candidates: int
    """Shared with the reference, frequent and complete enough."""
    linked: int
    """Candidates left out on the way because they were linked with one taken before."""
    published: int
    stopped_by: Literal["power", "number", "candidates"]
    shortened: int
    """How often the least useful fifth was left out, because of a criterion or of the people set aside."""
    allowed_snps: int | None
    """By the closed form: published, or passed over because of the pool."""
    ranked_by: Literal["phenotype", "reference", "lot"]
    chosen_on: tuple[Reached, ...]
    """Power among those who chose: the best statistic on each group."""
    set_aside: tuple[Reached, ...]
    """The same among people whom the choice did not see."""
    bound: float
    """Power of the best attacker with such a reference, SNPs being unlinked."""
    bound_known: float
    """Power of one who knows the true frequencies."""


@dataclass(frozen=True, eq=False)
class _Chosen:
    """SNPs in the order of their use, and why there are no more."""

    snps: Ints
    linked: int
    stopped_by: Literal["power", "number", "candidates"]


@dataclass(frozen=True, eq=False)
class _Final:
    """What is published, and what attackers reach among those who chose and those set aside."""

    snps: Ints
    released: Frequencies
    seen: tuple[Reached, ...]
    unseen: tuple[Reached, ...]
    shortened: int


@dataclass(frozen=True)
class SafeSNPs(Declared, Publishing[Genotypes, Frequencies]):
    """Frequencies of useful SNPs, until members could be recognised."""

    max_power: Annotated[float, Interval(gt=0, lt=1)]
    fpr: Annotated[float, Interval(gt=0, lt=1)] = 0.05
    reference: Source | Frame | None = None
    phenotype: Source | Frame | None = None
    publish: Literal["pool", "groups"] = "pool"
    rule: Rule | None = None
    floor: Annotated[float, Interval(ge=0, le=0.5)] = 0.05
    ld: Annotated[float, Interval(gt=0, le=1)] = 0.1
    window: Annotated[int, Ge(0), Unit("bases")] = 1_000_000
    missing: Annotated[float, Interval(ge=0, lt=1)] = 0.05
    confidence: Annotated[float, Interval(ge=0.5, lt=1)] = 0.95
    subject: str | None = None

    engine: ClassVar[str] = "check"
    refuses: ClassVar[tuple[str, ...]] = (*OF_BEACONS, *OF_SEQUENCES)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.max_power <= self.fpr:
            raise ValueError("max_power must be above fpr: blind guessing has a power of fpr")
        if self.publish == "groups" and self.phenotype is None:
            raise ValueError("publish groups needs a phenotype")

    def protect(self, data: Genotypes, must: Criteria[Frequencies], key: Key | None = None) -> Protected[Frequencies]:
        """The key decides between equal scores only."""
        refuse_unfit(self.name, data)
        reference = None if self.reference is None else opened(self.reference, self.subject)
        people = reference if isinstance(reference, Genotypes) else None
        rule: Rule = self.rule or ("both" if people is not None else "closed-form")
        if rule != "closed-form" and people is None:
            raise PolicyError(f"{self.name} — rule {rule} needs genotypes of a reference — or say rule: closed-form")
        cases = None if self.phenotype is None else groups(self.phenotype, data.persons)
        sides = Sides.of(data, reference, cases, apart=self.publish == "groups", halves=rule != "closed-form")
        floor = max(self.floor, *(one.floor for one in must if isinstance(one, MinorFrequency)), 0.0)
        ranked = sides.ranked(floor, self.missing)
        if not len(ranked.candidates):
            what = f"none of {sides.pool.count} SNP(s) has two alleles, both frequent, and few missing calls"
            raise Infeasible(f"{self.name} — {what}", relaxations=["a lower floor", "a higher share of missing calls"])
        size = None if sides.known is None else sides.known.people
        alone = rule == "closed-form" and not sides.apart and not ranked.by_pool
        allowed = None if rule == "empirical" else self._number(sides, ranked, floor, size if alone else None)
        tallies: list[Tally] = []
        if rule != "closed-form":
            tallies = self._tallies(sides, drawing_key(key or Key.fresh(), self, data.content))
        chosen = self._choose(sides, ranked, allowed, tallies)
        aside = [] if rule == "closed-form" else [one for one in sides.contests(False) if one.complete]
        final = self._within(sides, ranked, chosen.snps, tallies, aside, must)
        n = sides.effective(final.snps)
        told_by = final.released.selection
        assert told_by is not None
        number = told_by.equivalent(len(final.snps), int(2 * n * floor))
        details = SafeSNPsDetails(
            rule=rule,
            people=sides.pool.rows,
            reference=size,
            left_out=sides.left_out,
            snps=data.count,
            candidates=len(ranked.candidates),
            linked=chosen.linked,
            published=len(final.snps),
            stopped_by=chosen.stopped_by,
            shortened=final.shortened,
            allowed_snps=allowed,
            ranked_by="phenotype" if ranked.by_pool else "lot" if sides.known is None else "reference",
            chosen_on=final.seen,
            set_aside=final.unseen,
            bound=bound(number, n, size if alone else None).power(self.fpr),
            bound_known=bound(number, n).power(self.fpr),
        )
        rows = sides.numbers[final.snps]
        return Protected(final.released, details, rows, reproducible=not tallies or key is not None)

    @property
    def limit(self) -> Limit:
        return Limit(self.fpr, self.max_power, self.confidence)

    def _number(self, sides: Sides, ranked: Ranked, floor: float, reference: int | None) -> int:
        """How many SNPs the closed form allows: fewer, where the pool decides which."""
        people = sides.effective(ranked.candidates)
        if people < LEAST:
            what = f"{people} people at some SNP, and the closed form needs {LEAST}"
            raise Infeasible(f"{self.name} — {what}", relaxations=["more people", "a lower share of missing calls"])
        allowed = safe_number(people, reference, self.fpr, self.max_power)
        if ranked.by_pool:
            allowed = most_selected(allowed, len(ranked.order), people, int(2 * people * floor))
        if not allowed:
            helps = ["a higher max_power", "more people"] + ["no phenotype", "fewer SNPs"] * ranked.by_pool
            raise Infeasible(f"{self.name} — not one SNP is allowed", relaxations=helps)
        return allowed

    def _tallies(self, sides: Sides, key: Key) -> list[Tally]:
        lots = np.empty(len(sides.people))
        by_name = np.argsort(np.array(sides.people), kind="stable")
        lots[by_name] = key.rng(self.name, "lots").random(len(lots))
        tallies = [Tally(contest, self.limit, lots) for contest in sides.contests(True)]
        if any(tally.rank > len(tally.contest.nulls) or tally.most < 0 for tally in tallies):
            raise self._too_few(tallies, "too few people to show that the power is small")
        return tallies

    def _choose(self, sides: Sides, ranked: Ranked, allowed: int | None, tallies: list[Tally]) -> _Chosen:
        """Until they are too many or too many members would be recognised; what the pool leaves out counts too."""
        candidates = ranked.candidates
        if allowed is not None and not ranked.by_pool:
            candidates = candidates[ranked.left_out(candidates) < allowed]
        result = self._added(sides, candidates, allowed, tallies)
        if allowed is None or ranked.by_pool:
            return result
        within = int(np.searchsorted(ranked.spent(result.snps), allowed, "right"))
        if not within:
            what = f"all of the {allowed} SNP(s) that may be looked at are rare in the pool, or incomplete"
            raise Infeasible(f"{self.name} — {what}", relaxations=["a lower floor", "a reference", "more people"])
        cut = within < len(result.snps) or len(candidates) < len(ranked.candidates)
        number = within < len(result.snps) or (cut and result.stopped_by == "candidates")
        return replace(result, snps=result.snps[:within], stopped_by="number" if number else result.stopped_by)

    def _added(self, sides: Sides, candidates: Ints, allowed: int | None, tallies: list[Tally]) -> _Chosen:
        """SNPs are added, the most useful first."""
        panel, most = sides.linkage_panel, len(candidates) if allowed is None else allowed
        unlinked = Unlinked(sides.pool.snps, self.ld, self.window, len(panel))
        look, chosen, linked, shown = looks(most), np.zeros(0, dtype=np.int64), 0, 0
        within = np.ones(0, dtype=bool)
        for which in in_pieces(candidates, len(sides.people)):
            calls = sides.calls(which)
            taken = np.flatnonzero(unlinked.take(which, standardised(calls[:, panel])))
            new = taken[: most - len(chosen)]
            linked += len(which) - len(taken) if len(new) == len(taken) else int(taken[len(new)]) - len(new)
            if len(new):
                each = [tally.add(which[new], calls[new]) for tally in tallies]
                within = np.logical_and.reduce([np.ones(len(new), dtype=bool), *each])
                numbers = len(chosen) + 1 + np.arange(len(new))
                chosen = np.concatenate([chosen, which[new]])
                failed = numbers[look[numbers] & ~within]
                passed = numbers[look[numbers] & (numbers < failed[0] if len(failed) else True)]
                shown = int(passed[-1]) if len(passed) else shown
                if len(failed):
                    break
            if len(new) < len(taken):
                return _Chosen(chosen, linked, "number")
        else:
            if within[-1:].all():  # nothing is left to offer: the end is looked at like every other number
                return _Chosen(chosen, linked, "candidates")
        if not shown:
            raise self._too_few(tallies, "not one SNP leaves the power within what is allowed")
        return _Chosen(chosen[:shown], linked, "power")

    def _within(
        self,
        sides: Sides,
        ranked: Ranked,
        snps: Ints,
        tallies: Sequence[Tally],
        aside: Sequence[Contest],
        criteria: Criteria[Frequencies],
    ) -> _Final:
        """What is published: all of them or, while criteria fail or people are recognised too often, fewer."""
        for shortened in range(TRIES):
            kept = np.sort(snps)
            released = sides.frequencies(kept)
            selection = ranked.selection(snps, sides.effective(kept), halves=bool(tallies))
            released = replace(released, selection=selection)
            contests = [tally.contest for tally in tallies], aside
            seen, unseen = (
                tuple(reached(contest, kept, sides.calls, self.limit) for contest in some) for some in contests
            )
            over = [one for one in (*seen, *unseen) if one.power - BEYOND * one.error > self.max_power]
            last = len(snps) == 1 or shortened == TRIES - 1
            if not over and (last or not any(one.check(released).failed for one in criteria)):
                refuse_failing(self.name, released, criteria, ["a lower max_power in safe-snps"])
                return _Final(kept, released, seen, unseen, shortened)
            if last:
                break
            snps = snps[: max(1, int(KEPT * len(snps)))]
        what = f"members are recognised too often: {over[0].power:.3f} by {over[0].statistic}"
        raise Infeasible(f"{self.name} — {what}", relaxations=["a lower max_power", "a higher confidence"])

    def _too_few(self, tallies: Sequence[Tally], what: str) -> Infeasible:
        least = min((tally.contest for tally in tallies), key=lambda one: min(len(one.members), len(one.nulls)))
        people = f"{len(least.members)} member(s) and {len(least.nulls)} other(s) choose, about as many are set aside"
        return Infeasible(
            f"{self.name} — {what}",
            blocking=[people],
            relaxations=["more people", "a higher max_power", "a lower confidence", "rule: closed-form"],
        )
