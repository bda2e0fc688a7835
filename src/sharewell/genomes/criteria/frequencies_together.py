"""Frequencies together: all datasets of allele frequencies of the same people keep what each of them promises.

## Guarantee
Of the people whose allele frequencies are published in several datasets, a share of at most `max_power` is recognised
by somebody who has all of these datasets, at the false-positive rate `fpr`: for every safe-number and membership-power
that any of the datasets asks for. sharewell judges it on every release that publishes two such datasets of the same
people, earlier releases that the policy names included. Datasets are about the same people if they read the same file
or share the name of a person or a sample. A release that fails it, or in which it cannot be decided, is refused.

## Adversary
Has the genotypes of a target, all of the datasets, and knows that they are about the same people; otherwise as in
safe-number and membership-power.

## What it does not protect
Against datasets that the policy neither publishes nor names, and against answers of beacons or sequences of the same
people: these are listed as not judged together. People who have other names in each file are not recognised as the
same. Neither are SNPs that two files name by other names of their own, or by places on two assemblies, if no rs number
tells them. Theory is for unlinked SNPs, as in safe-number.

## Worked example
A thousand people may publish 2,705 SNPs if half of them may be recognised. Two datasets of 2,000 other SNPs each are
within that number; together they are not.

>>> import numpy as np
>>> from sharewell.genomes import Frequencies, SafeNumber, Snps
>>> from sharewell.genomes.engine.selection import Selection
>>> from sharewell.io.sources import Source
>>> rule, shares = SafeNumber(0.5), np.full(2000, 0.25)
>>> def part(name):
...     snps = Snps.of([f"{name}{i}" for i in range(2000)])
...     made = Frequencies.of_arrays(shares, people=1000, snps=snps, selection=Selection(2000, "nobody", 1000))
...     return PublishedDataset(name, made, Source(), "genomes", (rule,), frozenset({0}))
>>> bool(rule.check(part("one").data).ok)
True
>>> print(FrequenciesTogether().check([part("one"), part("two")]))
frequencies-together = 0.6388 probability (≤ 0.5: FAILS)
>>> print(FrequenciesTogether().check([part("one"), part("one")]))  # the same SNPs tell nothing more
frequencies-together = 0.4088 probability (≤ 0.5: holds)

## Why it is safe
The logarithms of the likelihood ratios of independent SNPs add, and so do the squares by which datasets separate
members from others: Σ m/N over the datasets, with the number m that would tell as much had nobody looked at the people
to choose them (see safe-number). A SNP in several datasets counts once, and only if it can tell nothing more there:
where the same alleles were counted, whatever is published of it follows from the same counts, and m/N is what the
counts themselves tell: two roundings of them, or two draws of noise, tell no more. What was counted is known from
frequencies that are exact, from decimals finer than one allele, and from the file of counts that every release of
frequencies keeps in internal/. Within one release the certificate may say instead that two datasets count the same
persons of the same file. Rounded or noisy frequencies alone do not show it: somebody may have left and somebody else
have come, and then one frequency less another could be a single person's genotype. So shared SNPs of other counts, of
cases told apart in two ways, or of people of whom it is not known whether they are the same, are undecided, and so
refused. So are SNPs of which it is not clear whether they are shared: of one name at two places, of one place with
other alleles (as on the other strand), or listed twice. Names and places are compared in one form, however a file
writes them (`1`, `chr01`, `NC_000001.11`; a place within a name; several rs numbers in one), and by the names of the
source file as well as those published. Where one dataset has SNPs by place and the other by rs number alone, or names
of its own that the other does not use, nothing compares them, and they are undecided, too, unless the certificate says
that the same persons of the same file are counted. SNPs chosen by looking at the people count as chosen, even if
another dataset has them that nobody chose, unless that one has all of them and at least as many SNPs as there were
candidates. Where theory says too much, because SNPs are linked, membership-power is carried out on the SNPs of all
datasets, with the numbers that were counted wherever two datasets publish a SNP.

## Cost
O(SNPs) for each pair of datasets; with membership-power at most once more its cost.

## Source
Sankararaman, Obozinski, Jordan and Halperin, Nature Genetics 2009 (the likelihood ratio and its power); the addition
over datasets follows from independence.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sharewell.algorithm import DataError, Declared, Finding, Number
from sharewell.genomes.criteria.membership_power import MembershipPower
from sharewell.genomes.criteria.safe_number import LEAST, NOT_SAID, SafeNumber, fewest_copies
from sharewell.genomes.data.frequencies import Frequencies
from sharewell.genomes.data.snps import Ints, Snps, texts
from sharewell.genomes.engine.exact_counts import SLACK, ExactCounts, exact_counts
from sharewell.genomes.engine.membership_statistics import FEW_PEOPLE, FEW_PEOPLE_SHARE, Bound
from sharewell.protocols import JointCriterion, PublishedDataset

Promise = SafeNumber | MembershipPower
OTHER_PEOPLE = (
    "are in two datasets and not of the same people, or of cases told apart in two ways: leave them out of one dataset"
)
NOT_KNOWN = (
    "are in two datasets, rounded or with noise, and it is not known whether the same people were counted: name the"
    " whole folder of an earlier release, with its internal/, or leave these SNPs out"
)
UNCLEAR = (
    "may be in two datasets under other names, places or alleles: write them as the other dataset does, or leave them"
    " out"
)
UNCOMPARED = (
    "cannot be looked for in the other dataset, which names SNPs in another way: name them in both by rs number or"
    " chromosome and position"
)

EXACT_DECIMALS = 99
"""As many as numbers have that were not rounded: more than any policy allows."""


@dataclass(frozen=True)
class Contribution:
    """What one dataset adds to the others."""

    snps: int
    """That no dataset before it publishes."""
    equivalent: int
    """This many SNPs that nobody chose would tell as much."""
    people: int
    chosen: bool

    def square(self, reference: int | None) -> float:
        """By how much it separates members from others, squared."""
        share = 1.0 if reference is None or self.chosen else reference / (self.people + reference)
        return self.equivalent / self.people * share


@dataclass(frozen=True)
class TogetherDetails:
    """SNPs of all datasets, each counted once."""

    datasets: int
    snps: int
    equivalent: int
    """This many that nobody chose would tell as much."""
    fewest_people: int
    carried_out: bool
    """Was membership-power carried out, and is the value not that of theory?"""


@dataclass(frozen=True)
class FrequenciesTogether(Declared, JointCriterion):
    """The power over all SNPs of all datasets is at most the bound of each."""

    needs_kind: ClassVar[str] = "genomes"
    judges_all: ClassVar[bool] = True
    kinds: ClassVar[tuple[str, ...]] = ("genomes",)
    remedies: ClassVar[tuple[str, ...]] = (
        "publish one of these datasets, or all SNPs in one dataset",
        "publish fewer SNPs, and none that another of these datasets has of other people",
    )
    by_columns: ClassVar[bool] = False  # linked SNPs count as unlinked ones, which is more than they tell

    def relevant(self, datasets: Sequence[PublishedDataset]) -> list[PublishedDataset]:
        """Frequencies, where one of the datasets asks that its members are not recognised."""
        results = [one for one in datasets if isinstance(one.data, Frequencies)]
        return results if any(_asked(one) for one in results) else []

    def check(self, datasets: Sequence[PublishedDataset]) -> Finding:
        asked = [criterion for one in datasets for criterion in _asked(one)]
        strictest = min(one.max_power for one in asked)
        every = [_Dataset(one, exact_counts(one.data, one.falsified, one.internal)) for one in datasets]
        pairs = list(combinations(every, 2))
        for why, undecided_snps in (
            (UNCLEAR, _unclear_snps),
            (OTHER_PEOPLE, _snps_of_other_people),
            (NOT_KNOWN, _snps_of_unknown_people),
            (UNCOMPARED, _uncompared_snps),
        ):
            if twice := sum(undecided_snps(one, other) for one, other in pairs):
                return self._undecided(strictest, f"{twice} SNP(s) {why}")
        if any(one.data.selection is None for one in datasets):
            return self._undecided(strictest, NOT_SAID)
        parts = _contributions([replace(one.data, snps=one.snps) for one in every])
        if min(one.people for one in parts) < LEAST:
            return self._undecided(strictest, f"fewer than {LEAST} people: theory is not made for them")
        results = [self._judged(criterion, parts, every) for criterion in asked]
        return max(results, key=_severity)

    def _judged(self, criterion: Promise, parts: Sequence[Contribution], every: Sequence[_Dataset]) -> Finding:
        reference = criterion.reference if isinstance(criterion, SafeNumber) else None
        square = sum(one.square(reference) for one in parts)
        few = min(one.people for one in parts) < FEW_PEOPLE
        power = Bound(math.sqrt(square / (FEW_PEOPLE_SHARE if few else 1.0))).power(criterion.fpr)
        if power > criterion.max_power and isinstance(criterion, MembershipPower):
            return self._carried_out(criterion, parts, every)
        return self._finding(criterion, power, parts, False, "publish all SNPs in one dataset, or fewer of them")

    def _carried_out(
        self, criterion: MembershipPower, parts: Sequence[Contribution], every: Sequence[_Dataset]
    ) -> Finding:
        """Attack the pool with the SNPs of all datasets; without the pool, or with another, nothing is known."""
        if len({one.data.people for one in every}) > 1 or any(one.data.cases is not None for one in every):
            return self._undecided(criterion.max_power, "more SNPs than theory allows, of several groups of people")
        try:
            reached = criterion.check(_united(every))
        except DataError as error:
            return self._undecided(criterion.max_power, f"not carried out on all SNPs: {error}")
        return self._finding(criterion, reached.value, parts, True, reached.note)

    def _finding(
        self, criterion: Promise, value: Number | None, parts: Sequence[Contribution], carried_out: bool, note: str
    ) -> Finding:
        numbers = (sum(one.snps for one in parts), sum(one.equivalent for one in parts))
        details = TogetherDetails(len(parts), *numbers, min(one.people for one in parts), carried_out)
        result = Finding.judge(self.name, value, "≤", criterion.max_power, unit="probability", details=details)
        return result if result.ok else replace(result, note=note)

    def _undecided(self, bound: float, note: str) -> Finding:
        return Finding.judge(self.name, None, "≤", bound, unit="probability", note=note)


def _asked(dataset: PublishedDataset) -> list[Promise]:
    return [one for one in dataset.criteria if isinstance(one, SafeNumber | MembershipPower)]


def _severity(finding: Finding) -> tuple[int, float]:
    """What fails comes first, then what is undecided, then what is nearest to its bound."""
    rank = {False: 2, None: 1, True: 0}[finding.ok]
    return rank, 0.0 if finding.value is None else float(finding.value) / float(finding.bound or 1)


@dataclass(frozen=True)
class _Dataset:
    """A published dataset, and what was counted for it."""

    published: PublishedDataset
    exact: ExactCounts | None
    """None: not known."""

    @property
    def data(self) -> Frequencies:
        data: Frequencies = self.published.data
        return data

    @cached_property
    def snps(self) -> Snps:
        """With the names of the file that was read, whatever the policy renames them to."""
        return self._named(lambda name: self.published.renamed.get(name, name))

    @cached_property
    def all_names(self) -> Snps:
        """With the names of the file and those that were published, as lists."""
        return self._named(lambda name: ";".join({name: None, self.published.renamed.get(name, name): None}))

    def _named(self, name_of: Callable[[str], str]) -> Snps:
        snps = self.data.snps
        return (
            replace(snps, id=texts([name_of(name) for name in snps.id], len(snps))) if self.published.renamed else snps
        )

    @property
    def sharpness(self) -> tuple[bool, int]:
        """Small where the published numbers are nearest to those that were counted."""
        decimals = self.data.decimals
        return self.published.falsified, -EXACT_DECIMALS if decimals is None else -decimals

    def best_known(self, in_several: NDArray[np.bool_]) -> NDArray[np.float64]:
        """The frequencies that an attack uses.

        Two roundings of one number, or two draws of noise around it, tell more of it than either: where a SNP is in
        several datasets, and where noise was added, the number that was counted.
        """
        if self.exact is None:
            return self.data.frequency
        counted = np.isfinite(self.exact.frequency) & (in_several | self.published.falsified)
        return np.where(counted, self.exact.frequency, self.data.frequency)


def _unclear_snps(one: _Dataset, other: _Dataset) -> int:
    """SNPs that both may publish, written in two ways."""
    named = len(one.snps.unclear(other.snps))
    if named or not (one.published.renamed or other.published.renamed):
        return named
    known, _, _ = one.snps.shared(other.snps)
    return len(np.setdiff1d(one.all_names.unclear(other.all_names), known))


def _uncompared_snps(one: _Dataset, other: _Dataset) -> int:
    """SNPs that both may publish, and that nothing compares; of people who are all the same they only count twice."""
    if _counted_alike(one.published, other.published):
        return 0
    return max(len(one.all_names.uncompared(other.all_names)), len(other.all_names.uncompared(one.all_names)))


def _snps_of_other_people(one: _Dataset, other: _Dataset) -> int:
    """SNPs that both publish, of people, or of groups of them, that are not the same."""
    ours, theirs = one.data, other.data
    shared = one.snps.shared(other.snps)
    numbers = (ours.people, ours.case_people), (theirs.people, theirs.case_people)
    if numbers[0] != numbers[1] and (ours.people != theirs.people or None not in (numbers[0][1], numbers[1][1])):
        return len(shared[0])
    slack = SLACK + sum(0.5 * 10.0**-data.decimals for data in (ours, theirs) if data.decimals is not None)
    apart = any(
        _differ(ours.by_group.get(name), theirs.by_group.get(name), shared, slack) for name in ("cases", "controls")
    )
    noisy = one.published.falsified or other.published.falsified
    if one.exact is not None and other.exact is not None:
        apart |= _differ(one.exact.frequency, other.exact.frequency, shared, SLACK)
        # Noise is added to counts, in which missing calls are filled in: the same share of fewer people is another one.
        apart |= noisy and _called_otherwise(one.exact, other.exact, shared)
    elif not noisy:
        apart |= _differ(ours.frequency, theirs.frequency, shared, slack)
    return len(shared[0]) if apart else 0


def _snps_of_unknown_people(one: _Dataset, other: _Dataset) -> int:
    """SNPs that both publish, of whom the published numbers do not show whether the people are the same.

    Within half a decimal, or behind noise, somebody may have left and somebody else have come.
    """
    known = one.exact is not None and other.exact is not None
    groups_rounded = any(data.decimals is not None and data.cases is not None for data in (one.data, other.data))
    if (known and not groups_rounded) or _counted_alike(one.published, other.published):
        return 0
    return len(one.snps.shared(other.snps)[0])


def _counted_alike(one: PublishedDataset, other: PublishedDataset) -> bool:
    """Does the certificate say that both count the same persons of the same file? Of earlier releases it does not."""
    here = not one.release and not other.release
    return here and one.people == other.people and one.counted is not None and one.counted == other.counted


Shared = tuple[Ints, Ints, NDArray[np.bool_]]
"""SNPs of two datasets, as `Snps.shared` finds them."""


def _differ(mine: NDArray[np.float64] | None, other: NDArray[np.float64] | None, shared: Shared, slack: float) -> bool:
    """Do two datasets that both tell these frequencies tell different ones?"""
    if mine is None or other is None:
        return False
    here, there, flipped = shared
    other = np.where(flipped, 1 - other[there], other[there])
    both_published = np.isfinite(mine[here]) & np.isfinite(other)
    return bool((np.abs(mine[here] - other)[both_published] > slack).any())


def _called_otherwise(one: ExactCounts, other: ExactCounts, shared: Shared) -> bool:
    """Were, or may, more people have been called in one dataset than in the other?"""
    here, there, _ = shared
    return one.called is None or other.called is None or bool((one.called[here] != other.called[there]).any())


def _contributions(every: Sequence[Frequencies]) -> list[Contribution]:
    """Each dataset beside those before it.

    Those with the fewest people come first: they tell most of each SNP. Then those whose SNPs nobody chose. What was
    chosen adds nothing to these if they hold all candidates; if not, it counts in full: that a SNP was chosen is why
    it tells more, wherever else it stands.
    """
    results: list[Contribution] = []
    before: list[Frequencies] = []
    for data in sorted(every, key=lambda one: (one.effective_people, _is_chosen(one))):
        selection = data.selection
        assert selection is not None
        shown = _told_snps(data)
        people, new = min(data.effective_people, selection.called), int((shown & ~_known(data.snps, before)).sum())
        copies = fewest_copies([*data.by_group.values()], people, data.decimals)
        if _is_chosen(data):
            chosen_before = [one for one in before if _is_chosen(one)]
            counted = 0 if _hold_candidates(data, before) else int((shown & ~_known(data.snps, chosen_before)).sum())
            equivalent = selection.equivalent(counted, copies) if counted else 0
        else:
            equivalent = selection.equivalent(data.rows, copies) - (data.rows - new) if new else 0
        results.append(Contribution(new, equivalent, max(1, people), _is_chosen(data)))
        before.append(data)
    return results


def _is_chosen(data: Frequencies) -> bool:
    """Was somebody looked at to choose its SNPs?"""
    return data.selection is not None and data.selection.looked_at != "nobody"


def _told_snps(data: Frequencies) -> NDArray[np.bool_]:
    return np.asarray(np.any([np.isfinite(part) for part in data.by_group.values()], axis=0))


def _hold_candidates(chosen: Frequencies, before: Sequence[Frequencies]) -> bool:
    """Is there a dataset that nobody chose, with these SNPs and no fewer in all than they were chosen from?"""
    assert chosen.selection is not None
    least = max(chosen.selection.candidates, chosen.rows)
    return any(
        int(_told_snps(one).sum()) >= least and bool((_known(chosen.snps, [one]) | ~_told_snps(chosen)).all())
        for one in before
        if not _is_chosen(one)
    )


def _known(snps: Snps, before: Sequence[Frequencies]) -> NDArray[np.bool_]:
    """Which SNPs a dataset before publishes."""
    known = np.zeros(len(snps), dtype=bool)
    for data in before:
        here, there, _ = snps.shared(data.snps)
        shown = np.any([np.isfinite(part[there]) for part in data.by_group.values()], axis=0)
        known[here[shown]] = True
    return known


def _united(datasets: Sequence[_Dataset]) -> Frequencies:
    """All SNPs of all datasets as one. How they were chosen is not said, so that members are judged in halves."""
    every = sorted(datasets, key=lambda one: one.sharpness)
    kept, values = [], []
    for i, one in enumerate(every):
        new = ~_known(one.data.snps, [before.data for before in every[:i]])
        in_several = _known(one.data.snps, [other.data for other in every if other is not one])
        kept.append(one.data.snps.take(new))
        values.append(one.best_known(in_several)[new])
    rounded = [one.data.decimals for one in every if one.data.decimals is not None]
    return Frequencies(
        Snps(**{name: np.concatenate([one.columns[name] for one in kept]) for name in kept[0].columns}),
        np.concatenate(values),
        every[0].data.people,
        min(rounded, default=None),
        published=True,
    )
