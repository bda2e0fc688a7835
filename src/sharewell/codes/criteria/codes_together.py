"""Codes together: every release of codes keeps its criteria even for a reader of earlier ones about the same people.

## Guarantee
An attacker who knows up to m codes of somebody, or one of the combinations that a policy lists, and has this release
and the earlier ones that the policy names, still finds at least k records: the k and m of each release hold for what
all of them together show of a person. sharewell judges this on every release of codes that names an earlier release of
codes. A release that fails it, or in which it cannot be decided, is refused.

## Adversary
Has all of these releases, and knows some codes of a target and in which of the releases the target is. Also knows which
records of two releases belong together, as anyone may who sees the same rare codes in both, or the same pseudonym.

## What it does not protect
Releases that the policy does not name, and two datasets of codes in one release, which are only listed. What a person's
other codes are: two labels of one person may together leave one code possible. Attackers who know several records of
one person and that they belong together, where a release publishes visits. Releases in pieces (disassociation),
sequences of visits, and codes in datasets of another kind: these are listed as not judged. `hkp-coherence`, `ps-rules`,
`rho-uncertainty` and `hidden-patterns` can only be judged where the releases show the same labels of the same people;
else the result is undecided. Persons of two files are matched by their identifiers: one whose identifier changes counts
as somebody else. If fewer than half of the persons are in both releases, or the codes of one identifier fit each other
no better than those of strangers, the result is undecided, unless the policy claims that identifiers are kept
(`release: {same_identifiers: true}`).

## Parameters
None. The bounds are those of the releases' own criteria.

## Worked example
Each of two releases shows every label of two people. But Ann is the only one with `E11` in the first and `E11.9` in the
second.

>>> import numpy as np
>>> from sharewell.codes import CodeSets, KmAnonymity
>>> from sharewell.people_evidence import PeopleEvidence
>>> def linked(title, rows, **members):
...     people = PeopleEvidence("", "the same file", None, np.arange(len(rows)))
...     return LinkedSets(title, CodeSets.of(rows, published=True, members=members), people)
>>> first = linked("first", [["E11"], ["E11"], ["I10"], ["I10"]], E11=["E11.0", "E11.9"])     # Ann, Bob, Cleo and Dan
>>> second = linked("second", [["E11.9"], ["E11.0"], ["E11.9"], ["E11.0"]])
>>> promised = {"first": [KmAnonymity(2, m=1)], "second": [KmAnonymity(2, m=1)]}
>>> print(judge_codes([first, second], promised))
codes-together = 4 combinations (≤ 0: FAILS)

If the second release has the labels of the first, it adds nothing.

>>> again = linked("second", [["E11"], ["E11"], ["I10"], ["I10"]], E11=["E11.0", "E11.9"])
>>> print(judge_codes([first, again], promised))
codes-together = 0 combinations (≤ 0: holds)

## Why it is safe
A reader who does not know which records belong together considers every way to pair them, the true one included, and
finds no fewer records. Who knows it reads one file with the labels of all releases beside each other. In that file a
known code is a fact about a person: for each release the labels that may stand for it, if the person's record has them.
The check collects the facts that any code gives in any record, and counts for every combination of up to m of them the
records that show all, among persons who are in the same releases. What somebody truly knows is among these
combinations. The steward's evidence says which records belong together: visits are joined visit by visit if both
releases read the same file in the same way, everything else by person. Where a person has several records in a release,
a record is joined with each of them, and counts once. Visits of two files are not joined if somebody has several: a
visit beside each other visit of its person would count as a record that nobody has. Then, or where evidence is missing,
a criterion cannot be judged on joined records, or there is too much to count, the result is undecided.

## Cost
That of `km-anonymity` on joined records, whose length is the number of different facts; at most 400 million
combinations. For `privacy-policy`, for each combination O(what is shown of it · joined records).

## Source
Ganta, Kasiviswanathan and Smith, 2008: Composition attacks and auxiliary information in data privacy, for tables; that
the known facts are codes is our reading.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from sharewell.algorithm import Declared, Finding
from sharewell.codes.criteria.complete_k_anonymity import CompleteKAnonymity
from sharewell.codes.criteria.km_anonymity import KmAnonymity
from sharewell.codes.criteria.privacy_policy import PrivacyPolicy
from sharewell.codes.criteria.utility_policy import UtilityPolicy
from sharewell.codes.data import CodeSets
from sharewell.codes.engine.code_identifier_doubts import code_identifier_doubts
from sharewell.codes.engine.joined_sets import JoinedSets, LinkedSets, TooMany, joined_sets, repeats
from sharewell.people_evidence import NotComparable, owners_of
from sharewell.protocols import AnyCriterion, JointCriterion, PublishedDataset

CODES = "codes"
MOST_REASONS = 4
"""Reasons that a note gives; the rest are counted."""
MOST_DATASETS = 6
"""Datasets that are judged at once."""
__all__ = ["CodesTogether", "LinkedSets", "judge_codes"]


@dataclass(frozen=True)
class CodesTogetherDetails:
    """How the datasets came to be judged."""

    datasets: int
    criteria: int
    """Criteria that were judged on joined records."""
    joined: int
    """Joined records of all datasets."""
    fewest: int | None
    """The fewest records of persons who are in the same datasets."""


@dataclass(frozen=True)
class CodesTogether(Declared, JointCriterion):
    """Every criterion of every release of codes holds for what all of them show of a person."""

    needs_kind: ClassVar[str] = CODES
    kinds: ClassVar[tuple[str, ...]] = (CODES,)
    judges_all: ClassVar[bool] = True
    remedies: ClassVar[tuple[str, ...]] = (
        "give codes the labels that the earlier release has for them, or coarser ones, for the same people",
        "publish only people who are in no earlier release",
        "where it is undecided: name persons by the same column under the same secret key",
        "where persons may have been renumbered: give them their earlier identifiers, or claim the same ones",
    )
    needs_people: ClassVar[bool] = True

    def relevant(self, datasets: Sequence[PublishedDataset]) -> list[PublishedDataset]:
        """Sets of codes, if one of them is of an earlier release, and one promises something."""
        sets = [one for one in datasets if isinstance(one.data, CodeSets) and one.data.visits is None]
        several = any(one.release for one in sets) and any(not one.release for one in sets)
        return sets if several and any(_promises(one.criteria) for one in sets) else []

    def check(self, datasets: Sequence[PublishedDataset]) -> Finding:
        linked = [
            LinkedSets(one.title, one.data, owners, one.people, one.same_identifiers)
            for one in datasets
            for owners in [owners_of(one, one.data.records, one.data.persons)]
        ]
        return judge_codes(linked, {one.title: one.criteria for one in datasets})


def judge_codes(datasets: Sequence[LinkedSets], asked: Mapping[str, Sequence[AnyCriterion]]) -> Finding:
    """How many combinations fail, over all criteria; undecided if any of these cannot be judged and none fails."""
    failing = criteria = rows = 0
    fewest: list[int] = []
    blocked: list[str] = []
    unsure = [f"more than {MOST_DATASETS} datasets are not judged at once"] if len(datasets) > MOST_DATASETS else []
    for own in datasets if not unsure else ():
        others = [one for one in datasets if one is not own]
        try:
            parts = joined_sets(own, others)
        except (NotComparable, TooMany) as problem:
            unsure.append(str(problem))
            continue
        rows += sum(part.rows for part in parts)
        fewest += [part.owners for part in parts]
        for criterion in _promises(asked[own.title]):
            try:
                fails = _failing(criterion, own, others, parts)
                reason = "cannot be judged on joined records"
            except TooMany as problem:
                fails, reason = None, f"cannot be judged: {problem}"
            if fails is None:
                unsure.append(f"{criterion.name} of {own.title} {reason}")
            elif fails:
                blocked.append(f"{criterion.name} of {own.title} fails for {fails} combinations")
            criteria, failing = criteria + 1, failing + (fails or 0)
    unsure += code_identifier_doubts(datasets)
    details = CodesTogetherDetails(len(datasets), criteria, rows, min(fewest, default=None))
    value = None if unsure and not failing else failing
    reasons = list(dict.fromkeys(blocked or unsure))
    more = [f"and {len(reasons) - MOST_REASONS} more"] if len(reasons) > MOST_REASONS else []
    note = "; ".join([*reasons[:MOST_REASONS], *more])
    return Finding.judge(CodesTogether.name, value, "≤", 0, unit="combinations", details=details, note=note)


def _promises(criteria: Sequence[AnyCriterion]) -> list[AnyCriterion]:
    """Those that protect somebody; a utility policy bounds what protection costs."""
    return [one for one in criteria if not isinstance(one, UtilityPolicy)]


def _failing(
    criterion: AnyCriterion, own: LinkedSets, others: Sequence[LinkedSets], parts: Sequence[JoinedSets]
) -> int | None:
    """How many combinations break a criterion; None: that cannot be told.

    Where presence in the releases tells persons apart, at least k must be in the same ones, whatever they show.
    """
    if not isinstance(criterion, KmAnonymity | CompleteKAnonymity | PrivacyPolicy):
        return 0 if len(parts) == 1 and all(repeats(own, other) for other in others) else None
    results = [int(part.owners < criterion.k) for part in parts if len(parts) > 1]
    for part in parts:
        if isinstance(criterion, KmAnonymity):
            rare = part.rare(criterion.m, criterion.k)
            if rare is None:
                return sum(results) or None
            results.append(rare)
        elif isinstance(criterion, CompleteKAnonymity):
            results.append(part.small_groups(criterion.k))
        else:
            results += [part.rare_parts(codes, criterion.k, criterion.strict) for codes in criterion.itemsets]
    return sum(results)
