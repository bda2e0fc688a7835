"""Utility policy: codes are shown as a group only inside given sets, and few of them are left out.

## Guarantee
Every label that stands for more than one code lies inside one set, and no more than a given share of the codes
is suppressed. A set is what a study may count as one disease: if its codes form a set and none is suppressed, the
numbers of its cases and controls stay exact.

## Adversary
None: this bounds the cost of protection for those who use the data.

## What it does not protect
Nobody. Ask for it beside a privacy policy.

## Parameters
sets: the utility sets, as lists of codes that share none: what a study counts. A code in no set is shown as itself or
not at all.
others: further sets, inside which codes may be merged although no study counts them. Mechanisms suppress their codes
before they give up a code of `sets`.
max_suppressed: the largest share of the codes that may be left out; 1 (default) sets no limit.
codes: all codes before protection, against which suppression is counted. Left out, the release itself must tell them.
file: instead of `sets`, a file with one set a line, its codes separated by spaces, `;` or `,`.

## Worked example
>>> from sharewell.codes import CodeSets
>>> policy = UtilityPolicy([["296.00", "296.01"]])
>>> shown = [["(296.00,296.01)", "296.02"], ["295.00", "295.01", "295.02"], ["(296.00,296.01)", "296.02"]]
>>> print(policy.check(CodeSets.of(shown, published=True)))
utility-policy = 0 breaches (≤ 0: holds)

The second table of the tutorial, with the row that was lost put back: (295.00,295.01) is in no set.

>>> shown = [["(296.00,296.01,296.02)"], ["(295.00,295.01)", "295.02"], ["(296.00,296.01,296.02)"]]
>>> print(UtilityPolicy([["296.00", "296.01", "296.02"]]).check(CodeSets.of(shown, published=True)))
utility-policy = 1 breaches (≤ 0: FAILS)

Whole categories as sets, read off the codes or from a tree:

>>> UtilityPolicy.extract(["296.00", "296.01", "401.1", "401.9", "780"]).sets
(('296.00', '296.01'), ('401.1', '401.9'))

## Why it is safe
Labels are read from the published records. A breach is a label that lies in no set, or a suppressed code beyond the
allowed number: the share of all codes, rounded down. Without a list of all codes a limit on suppression is undecided.

## Cost
O(codes) time and memory.

## Source
Loukides, Gkoulalas-Divanis and Malin, PNAS 2010. Their pseudo-code for extracting utility policies was not available:
`extract` is our reading.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, ClassVar

from sharewell.algorithm import Criterion, Finding, Sense
from sharewell.codes.data import CodeSets
from sharewell.codes.engine.combinations import from_named_file, listed
from sharewell.exact_shares import part_of
from sharewell.io.sources import Source
from sharewell.parameters import As, Declared, Share

if TYPE_CHECKING:
    from sharewell.codes.engine.code_tree import CodeHierarchy


@dataclass(frozen=True)
class UtilityDetails:
    """Labels of several codes, how many of them lie in no set, and codes that are not published."""

    groups: int
    outside: int
    suppressed: int | None
    allowed: int | None


@dataclass(frozen=True)
class UtilityPolicy(Declared, Criterion[CodeSets]):
    """Labels stay inside the sets, and few codes are suppressed."""

    sets: Annotated[Sequence[Sequence[str]], As(from_named_file)] = ()
    max_suppressed: Share = 1.0
    codes: Sequence[str] | None = None
    file: Source | None = None
    others: Annotated[Sequence[Sequence[str]], As(from_named_file)] = ()

    sense: ClassVar[Sense] = "≤"
    bound: ClassVar[int] = 0
    relaxes: ClassVar[str] = "max_suppressed"

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "sets", listed(self.sets if self.file is None else self.file, "sets"))
        if self.codes is not None:
            object.__setattr__(self, "codes", tuple(dict.fromkeys(str(code).strip() for code in self.codes)))
        object.__setattr__(self, "others", listed(self.others, "others"))
        if len(self.set_of) < sum(len(utility_set) for utility_set in (*self.sets, *self.others)):
            raise ValueError("sets must not share a code")

    @classmethod
    def extract(
        cls,
        codes: CodeSets | Iterable[str],
        level: int | str = "category",
        diseases: Mapping[str, Iterable[str]] | None = None,
        hierarchy: CodeHierarchy | None = None,
        max_suppressed: float = 1.0,
    ) -> UtilityPolicy:
        """One set for each disease, or for each node of a level.

        diseases: name → codes or their beginnings (`250` for all that begin with it). A code goes to the first disease
        that has it; codes of none may not be generalised. A disease of one code is a set too.
        level: without diseases, "category", "block" or "chapter" of the tree, or how many steps to climb from a code.
        Without a tree the category is what stands before the dot, or the first three characters.
        """
        from sharewell.codes.engine.policy_lists import utility_sets

        return cls(utility_sets(codes, level, diseases, hierarchy), max_suppressed)

    @cached_property
    def set_of(self) -> dict[str, int]:
        """The number of the set of each code; those of `others` come last."""
        return {code: i for i, utility_set in enumerate((*self.sets, *self.others)) for code in utility_set}

    def allows(self, group: Iterable[str]) -> bool:
        """May these codes be shown as one label?"""
        members = set(group)
        return len(members) < 2 or len({self.set_of.get(code, -1 - i) for i, code in enumerate(members)}) == 1

    def allowed(self, codes: int) -> int:
        """How many of this many codes may be suppressed."""
        return part_of(self.max_suppressed, codes)

    def allowed_of(self, names: Collection[str]) -> int:
        """How many codes of some data may be suppressed. Those of `codes` that it lacks count as suppressed already."""
        if self.codes is None or self.max_suppressed == 1:
            return self.allowed(len(names))
        return min(len(names), self.allowed(len(self.codes)) - len(set(self.codes).difference(names)))

    def check(self, data: CodeSets) -> Finding:
        groups = [members for members in data.members if len(members) > 1]
        outside = sum(not self.allows(members) for members in groups)
        known = self.codes if self.codes is not None else data.labels if data.published else data.names
        suppressed = allowed = None
        word = ""
        if known is not None:
            suppressed, allowed = len(set(known) - set(data.codes)), self.allowed(len(set(known)))
        elif data.codes_before is not None:
            suppressed, allowed = max(0, data.codes_before - len(data.codes)), self.allowed(data.codes_before)
            word = "how many codes there were is the certificate's word" if self.max_suppressed < 1 else ""
        details = UtilityDetails(len(groups), outside, suppressed, allowed)
        value: int | None = outside
        note = word
        if not data.records:
            value, note = None, "there is no record"
        elif self.max_suppressed < 1:
            if suppressed is None or allowed is None:
                value, note = None, "how many codes were suppressed is unknown: name all `codes`"
            else:
                value = outside + max(0, suppressed - allowed)
        return self.finding(value, unit="breaches", details=details, note=note)
