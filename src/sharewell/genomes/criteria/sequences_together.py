"""Sequences together: every release of DNA sequences keeps its criteria together with earlier ones of the same people.

## Guarantee
An attacker who knows the whole sequence of somebody, and has this release and the earlier ones that the policy names,
still finds at least k persons of whom all releases show the same, and at least l labels beside them. The k and l of
each release hold for what all of them together show of a person. sharewell judges this on every release of sequences
that names an earlier release of sequences. A release that fails it, or in which it cannot be decided, is refused.

## Adversary
Has all of these releases, and knows the true sequence of a target and in which of the releases the target is. Also
knows which rows of two releases belong together, as anyone may who sees the same rare variant in both.

## What it does not protect
Releases that the policy does not name, and two datasets of sequences in one release, which are only listed. Genotypes
in datasets of kind `joint`, and answers of beacons, which are listed as well; for frequencies there is
`frequencies-together`. Relatives, and what all persons of a group share. Of `snp-bins` only B′ is judged, and, if it
names some places, only where whole sequences are shared by B′ persons. Persons of two files are matched by their
identifiers. If fewer than half of the persons are in both releases, or the sequences of one identifier fit each other
no better than those of strangers, the result is undecided, unless the policy claims that identifiers are kept
(`release: {same_identifiers: true}`).

## Parameters
None. The bounds are those of the releases' own criteria.

## Worked example
Each of two releases shows every sequence of two people, and the two together single out everybody.

>>> import numpy as np
>>> from sharewell.genomes import KIdentical, Sequences
>>> from sharewell.people_evidence import PeopleEvidence
>>> def linked(title, texts):
...     people = PeopleEvidence("", "the same file", None, np.arange(len(texts)))
...     return LinkedSequences(title, Sequences.of(texts, published=True), people)
>>> first = linked("first", ["AW", "AW", "RC", "RC"])
>>> promised = {"first": [KIdentical(2)], "second": [KIdentical(2)]}
>>> print(judge_sequences([first, linked("second", ["AN", "RT", "AN", "RT"])], promised))
sequences-together = 8 groups (≤ 0: FAILS)
>>> print(judge_sequences([first, linked("second", ["NW", "NW", "NC", "NC"])], promised))
sequences-together = 0 groups (≤ 0: holds)

## Why it is safe
Persons of whom all releases show the same, and who are in the same releases, cannot be told apart by what is published:
if the true sequence of one of them fits, so do all of them. A reader who does not know which rows belong together
considers every way to pair them, the true one included, and finds no fewer. The check groups persons anew by the
published texts; the steward's evidence says which rows belong together. Where several releases show labels, the labels
are also counted among only those persons of a group whose label is the same in all, for a reader who knows that the
target's has not changed. Where evidence is missing, or a promise is not one of these, the result is undecided.

## Cost
O(m · n log n) for m releases of n sequences.

## Source
Ganta, Kasiviswanathan and Smith, 2008: Composition attacks and auxiliary information in data privacy, for tables; for
sequences it is our reading.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from sharewell.algorithm import Declared, Finding
from sharewell.genomes.criteria.diverse_sequences import DiverseSequences
from sharewell.genomes.criteria.k_identical import KIdentical
from sharewell.genomes.criteria.snp_bins import SnpBins
from sharewell.genomes.data.sequences import Sequences
from sharewell.genomes.engine.joined_sequences import (
    JoinedSequences,
    LinkedSequences,
    joined_sequences,
    sequence_identifier_doubts,
)
from sharewell.people_evidence import NotComparable, owners_of
from sharewell.protocols import AnyCriterion, JointCriterion, PublishedDataset

GENOMES = "genomes"
MOST_REASONS = 4
"""Reasons that a note gives; the rest are counted."""
__all__ = ["LinkedSequences", "SequencesTogether", "judge_sequences"]


@dataclass(frozen=True)
class SequencesTogetherDetails:
    """How the datasets came to be judged."""

    datasets: int
    criteria: int
    groups: int
    """Groups of persons of whom all releases show the same, over all datasets."""
    smallest: int | None
    """The fewest persons of a group."""


@dataclass(frozen=True)
class SequencesTogether(Declared, JointCriterion):
    """Every criterion of every release of sequences holds for what all of them show of a person."""

    needs_kind: ClassVar[str] = GENOMES
    kinds: ClassVar[tuple[str, ...]] = (GENOMES,)
    judges_all: ClassVar[bool] = True
    remedies: ClassVar[tuple[str, ...]] = (
        "give persons the groups that the earlier release has for them",
        "publish only people who are in no earlier release",
        "where it is undecided: name persons by the same column under the same secret key",
        "where persons may have been renumbered: give them their earlier identifiers, or claim the same ones",
    )
    needs_people: ClassVar[bool] = True

    def relevant(self, datasets: Sequence[PublishedDataset]) -> list[PublishedDataset]:
        """Sequences, if some are of an earlier release and some of this one."""
        shown = [one for one in datasets if isinstance(one.data, Sequences)]
        several = any(one.release for one in shown) and any(not one.release for one in shown)
        return shown if several and any(one.criteria for one in shown) else []

    def check(self, datasets: Sequence[PublishedDataset]) -> Finding:
        linked = [
            LinkedSequences(one.title, one.data, owners, one.people, one.same_identifiers)
            for one in datasets
            for owners in [owners_of(one, one.data.rows, one.data.ids)]
        ]
        return judge_sequences(linked, {one.title: one.criteria for one in datasets})


def judge_sequences(datasets: Sequence[LinkedSequences], asked: Mapping[str, Sequence[AnyCriterion]]) -> Finding:
    """How many groups fail, over all criteria; undecided if any of these cannot be judged and none fails."""
    failing = criteria = groups = 0
    smallest: list[int] = []
    blocked: list[str] = []
    unsure: list[str] = []
    for own in datasets:
        try:
            joined = joined_sequences(own, [one for one in datasets if one is not own])
        except NotComparable as problem:
            unsure.append(str(problem))
            continue
        groups += len(joined.sizes)
        smallest += [int(joined.sizes.min())] if len(joined.sizes) else []
        for criterion in asked[own.title]:
            fails = _failing(criterion, joined)
            if fails is None:
                unsure.append(f"{criterion.name} of {own.title} cannot be judged on a part of a group")
            elif fails:
                blocked.append(f"{criterion.name} of {own.title} fails in {fails} of {len(joined.sizes)} groups")
            criteria, failing = criteria + 1, failing + (fails or 0)
    unsure += sequence_identifier_doubts(datasets)
    details = SequencesTogetherDetails(len(datasets), criteria, groups, min(smallest, default=None))
    value = None if unsure and not failing else failing
    reasons = list(dict.fromkeys(blocked or unsure))
    more = [f"and {len(reasons) - MOST_REASONS} more"] if len(reasons) > MOST_REASONS else []
    note = "; ".join([*reasons[:MOST_REASONS], *more])
    return Finding.judge(SequencesTogether.name, value, "≤", 0, unit="groups", details=details, note=note)


def _failing(criterion: AnyCriterion, joined: JoinedSequences) -> int | None:
    """In how many groups a criterion fails; None: it cannot be judged there."""
    if isinstance(criterion, KIdentical):
        return int((joined.sizes < criterion.k).sum())
    if isinstance(criterion, DiverseSequences):
        return sum(int((one < criterion.l).sum()) for one in joined.labels())
    if isinstance(criterion, SnpBins):
        fails = int((joined.sizes < criterion.B_prime).sum())
        return fails if criterion.snps is None or not fails else None
    return None
