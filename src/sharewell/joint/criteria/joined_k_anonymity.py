"""Joined k-anonymity: facts that an attacker knows about a person from several datasets fit at least k persons.

## Guarantee
Treat everything that the named datasets publish about a person as one record. Whatever the stated attacker knows about
a person (all of the named columns, and any few rows, codes or SNPs of each other dataset) fits the published records of
at least k persons. This holds against recipients who can join the records of a person, and therefore also against those
who cannot.

## Adversary
Has all the datasets and knows which records belong to the same person. Knows about a target what `knows` lists and no
more, whichever rows, codes, words or SNPs these are, and in which of the datasets the target is. Whoever knows a code
or word that was left out of the target's record may look among records that are seen like it: that show no code or word
any more, or that show some and may lack others. Such records count only with their equals, and how a record is seen
counts as one fact that may be known. So do coarser facts: a category counts with the same category, not with codes.

## What it does not protect
Facts that `knows` leaves out: shifted dates unless they are named, kept columns, the order of visits and of words,
where in a note words were left out, the number of visible rows, codes or words, and the knowledge that somebody does
*not* have a code. What all candidates have in common: `joined-inference` bounds that. Whoever knows how facts were left
out may exclude worlds in which other facts would have gone (minimality).

## Parameters
k: the least number of persons.
knows: what the attacker knows from each dataset. A list of columns (all known at once; for a dataset with one record
per person), or a number: any that many codes, SNPs or rows. `{any: 1, columns: [ward, year]}` says which columns of a
row are known; without `columns`, its quasi columns are. Of a record that holds codes and DNA (kind joint),
`{columns: [age], codes: 2, snps: 1}`. Of notes, any that many words. Datasets that are not named are not part of the
record.
at_most: how many of all these rows, codes, words and SNPs are known at once. With 1, the attacker knows the columns
and one more fact, from any of the datasets; if left out, as many of each dataset as `knows` says.

## Worked example
Age and codes are each published so that nobody is unique; together they single out everybody.

>>> import numpy as np
>>> from sharewell.protocols import PersonFacts
>>> who, none = ["a", "b", "c", "d"], np.zeros(4, int)
>>> people = PersonFacts(who, {"age": np.array([0, 0, 1, 1])}, ("age",))
>>> codes = PersonFacts(who, {}, sets=(np.arange(5), np.array([0, 1, 0, 1])))
>>> print(JoinedKAnonymity(2, {"people": ["age"], "codes": 1}).judge({"people": people, "codes": codes}))
joined-k-anonymity = 1 persons (≥ 2: FAILS)
>>> alike = PersonFacts(who, {}, sets=(np.arange(5), np.array([0, 0, 1, 1])))
>>> print(JoinedKAnonymity(2, {"people": ["age"], "codes": 1}).judge({"people": people, "codes": alike}))
joined-k-anonymity = 2 persons (≥ 2: holds)

## Why it is safe
Published cells cover the true values, so everybody whose published facts equal those of the target may be the target.
The criterion counts only these persons: some of the candidates, and never more than there are. Combinations of fewer
facts fit no fewer persons, and are counted too. The criterion reads the published files and counts from scratch. If the
enumeration would take too long, the result is undecided, and undecided fails.

## Cost
At worst, the sum over persons of the number of combinations that can be known about each; combinations that fit the
same persons are visited once. At most 4 · 10⁸ steps.

## Source
k-anonymity (Sweeney 2002) for records joined by person; what is known about set-valued data as in k^m-anonymity
(Terrovitis, Mamoulis and Kalnis 2008; Poulis, Loukides, Gkoulalas-Divanis and Skiadopoulos 2013).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar

from annotated_types import MinLen

from sharewell.algorithm import Count, Finding, Sense
from sharewell.joint.engine.combination_walk import fewest, given_up
from sharewell.joint.engine.joined_facts import JoinedCriterion
from sharewell.plain_data import Json
from sharewell.protocols import PersonFacts


@dataclass(frozen=True)
class JoinedDetails:
    """What was counted."""

    persons: int
    groups: int
    """Groups of persons who show the same in what is known for sure."""
    failing: int
    """Persons found of whom some knowledge fits too few; the search stops at one who is alone."""
    examined: int


@dataclass(frozen=True)
class JoinedKAnonymity(JoinedCriterion):
    """At least k persons fit whatever is known of a person."""

    k: Count
    knows: Annotated[Mapping[str, Json], MinLen(1)]
    at_most: Count | None = None

    sense: ClassVar[Sense] = "≥"
    unit: ClassVar[str] = "persons"
    remedies: ClassVar[tuple[str, ...]] = (
        "person: {using: joined-suppression}, which leaves out facts that single people out",
        "a smaller k, or an attacker who knows less",
        "coarser columns, or fewer datasets of the same people",
    )

    @property
    def bound(self) -> int:
        return self.k

    def judge(self, datasets: Mapping[str, PersonFacts]) -> Finding:
        joined = self.joined(datasets)
        result = fewest(joined, self.k)
        note = self.knowledge(datasets)
        value = result.least
        if not result.decided and value is not None and value >= self.k:
            value, note = None, f"{note}; undecided: {given_up(result.examined, result.groups)}"
        details = JoinedDetails(joined.persons, result.groups, result.failing, result.examined)
        if not joined.persons:  # nobody can be found among nobody
            value = self.k
        return Finding.judge(self.name, value, "≥", self.k, unit=self.unit, details=details, note=note)
