"""Complete k-anonymity: every published set of labels is the set of at least k records.

## Guarantee
Whoever knows any number of codes of a person, even all of them, finds the person's record among at least k equal ones.

## Adversary
Knows all codes of a target, and that the target is in the data.

## What it does not protect
What the k equal records have in common.

## Parameters
k: the least number of equal records.

## Worked example
>>> from sharewell.codes import CodeSets
>>> original = CodeSets.of([["401.0", "401.1"], ["401.2", "401.3"], ["401.0", "401.1"], ["401.4", "401.3"]])
>>> print(CompleteKAnonymity(2).check(original))
complete-k-anonymity = 1 records (≥ 2: FAILS)
>>> released = CodeSets.of([["401.0", "401.1"], ["(401.2,401.4)", "401.3"]] * 2, published=True)
>>> print(CompleteKAnonymity(2).check(released))
complete-k-anonymity = 2 records (≥ 2: holds)

## Why it is safe
Published records are grouped anew by the labels they show. Records without a code are one group.

## Cost
O(occurrences) time and memory.

## Source
He and Naughton, 2009.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sharewell.algorithm import Count, Criterion, Declared, Finding, Sense
from sharewell.codes.data import CodeSets, Ints


@dataclass(frozen=True)
class GroupDetails:
    """How many groups of equal records there are, how many are too small, and the records in these."""

    groups: int
    failing: int
    records_failing: int


@dataclass(frozen=True)
class CompleteKAnonymity(Declared, Criterion[CodeSets]):
    """At least k records show each set of labels."""

    k: Count

    sense: ClassVar[Sense] = "≥"
    bounded_by: ClassVar[str] = "k"

    def class_sizes(self, data: CodeSets) -> Ints:
        """How many records show each set of labels."""
        return data.sets.equal()[1]

    def check(self, data: CodeSets) -> Finding:
        sizes = self.class_sizes(data)
        small = sizes < self.k
        value = int(sizes.min()) if len(sizes) else None
        details = GroupDetails(len(sizes), int(small.sum()), int(sizes[small].sum()))
        return self.finding(value, unit="records", details=details)
