"""Hidden patterns: listed combinations, rules or sequences of codes are too rare or too weak to be discovered.

## Guarantee
No listed pattern is held by more records than allowed, and no listed rule holds in more than the allowed share of the
records to which it applies. Where both bounds are given, both hold. A published record counts as holding a code if one
of its labels may stand for it.

## Adversary
Mines the release for frequent combinations, strong rules or frequent sequences, to use what they say about people or
the hospital. Need not know anybody in the data.

## What it does not protect
Identity: ask for k^m-anonymity or a privacy policy too. Patterns that are not listed, even those that say nearly the
same. Someone who knows how frequent a pattern is elsewhere may see that it is too rare here. Patterns written into the
policy are published with it; those in a `file` are not.

## Parameters
patterns: what is to be hidden. A text such as `401.2 295`, `401.2 295 > 303`, or lists of codes.
max_support: the most records that may hold a pattern (a rule: both its sides). None sets no bound.
max_confidence: of a rule a > c, the largest share of the records with a that may have c too. None sets no bound.
kind: "itemset" (default), "rule" (two parts), or "sequence": each part within one visit, later than the part before it.
Codes of one visit follow each other only if the data says in which order they were written down.
file: instead of `written_patterns`, a file with one pattern a line.

## Worked example
Two of three patients with 401.2 have 295 as well.

>>> from sharewell.codes import CodeSets
>>> data = CodeSets.of([["401.2", "295"], ["401.2", "295", "303"], ["401.2"], ["303"]])
>>> print(HiddenPattern(["401.2 295"], max_support=1).check(data))
hidden-patterns = 1 patterns shown (≤ 0: FAILS)
>>> HiddenPattern(["401.2 > 295"], max_confidence=0.5, kind="rule").check(data).details.largest_confidence
Fraction(2, 3)

In a sequence the order of visits matters:

>>> seen = CodeSets.of_visits([[["401.2"], ["295"]], [["295"], ["401.2"]], [["295", "401.2"]]])
>>> HiddenPattern(["401.2 > 295"], max_support=1, kind="sequence").check(seen).details.largest_support
1

## Why it is safe
Records are counted anew from the published labels, and shares are compared as fractions. The earliest place of each
part decides whether a record has a sequence: if that fails, no other place can do.

## Cost
O(records that hold the rarest code of the pattern · log) for each pattern; for a sequence, of its visits.

## Source
Atallah, Bertino, Elmagarmid, Ibrahim and Verykios, 1999 (combinations); Verykios, Elmagarmid, Bertino, Saygin and
Dasseni, 2004 (rules); Gkoulalas-Divanis and Loukides, KDD 2011 (sequences). Some authors hide a rule by making it rare
*or* weak; here every given bound must hold.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Literal

from sharewell.algorithm import Criterion, Declared, Finding, Natural, Sense, Share
from sharewell.codes.data import CodeSets
from sharewell.codes.engine.combinations import Pattern, patterns
from sharewell.codes.engine.sequences import Timeline
from sharewell.io.sources import Source

Kind = Literal["itemset", "rule", "sequence"]


@dataclass(frozen=True)
class PatternCounts:
    """How many records hold a pattern; for a rule, and how many of them its first side."""

    support: int
    given: int | None = None

    @property
    def confidence(self) -> Fraction | None:
        return Fraction(self.support, self.given) if self.given else None


@dataclass(frozen=True)
class HiddenDetails:
    """How many patterns are listed, shown (not hidden), or in no record; the most that one of them shows."""

    listed: int
    shown: int
    absent: int
    largest_support: int
    largest_confidence: Fraction | None


@dataclass(frozen=True)
class HiddenPattern(Declared, Criterion[CodeSets]):
    """No listed pattern is held too often, no listed rule holds too well."""

    patterns: Sequence[Any] = ()
    max_support: Natural | None = None
    max_confidence: Share | None = None
    kind: Kind = "itemset"
    file: Source | None = None

    sense: ClassVar[Sense] = "≤"
    bound: ClassVar[int] = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.max_support is None and self.max_confidence is None:
            raise ValueError("max_support or max_confidence must be given")
        if self.max_confidence is not None and self.kind != "rule":
            raise ValueError("max_confidence must be left out unless kind is rule")
        listed = patterns(self.patterns, self.file)
        if not listed:
            raise ValueError("patterns must hold a pattern")
        parts = {"itemset": (1,), "rule": (2,)}.get(self.kind)
        if parts and any(len(pattern) not in parts for pattern in listed):
            raise ValueError(f"patterns of kind {self.kind} must have {parts[0]} part(s), set apart by >")
        if self.kind == "rule" and any(set(antecedent) & set(consequent) for antecedent, consequent in listed):
            raise ValueError("patterns: the two sides of a rule must not share a code")
        object.__setattr__(self, "patterns", listed)

    @property
    def relaxes(self) -> str | None:
        """How often a pattern may be held, or else how well a rule may hold."""
        return "max_confidence" if self.max_support is None else "max_support"

    def allowed(self, applicable: int | None = None) -> int | None:
        """How many records may hold a pattern; a rule, by how many its first side is held. None: any number."""
        bounds = [] if self.max_support is None else [self.max_support]
        if self.max_confidence is not None and applicable is not None:
            bounds.append(int(Fraction(str(self.max_confidence)) * applicable))
        return min(bounds, default=None)

    def shows(self, data: CodeSets) -> list[PatternCounts]:
        """What the data shows of each pattern."""
        listed: Sequence[Pattern] = self.patterns
        if self.kind == "sequence":
            timeline = Timeline.of(data, self.name)
            return [PatternCounts(len(timeline.holders(pattern))) for pattern in listed]
        supports = [data.support(code for part in pattern for code in part) for pattern in listed]
        applicable = [data.support(pattern[0]) if self.kind == "rule" else None for pattern in listed]
        return [PatternCounts(*pattern) for pattern in zip(supports, applicable, strict=True)]

    def check(self, data: CodeSets) -> Finding:
        """How many listed patterns are not hidden."""
        counts = self.shows(data)
        over = [(most := self.allowed(count.given)) is not None and count.support > most for count in counts]
        shares = [count.confidence for count in counts if count.confidence is not None]
        details = HiddenDetails(
            listed=len(counts),
            shown=sum(over),
            absent=sum(count.support == 0 for count in counts),
            largest_support=max(count.support for count in counts),
            largest_confidence=max(shares, default=None),
        )
        value = sum(over) if data.records else None
        return self.finding(value, unit="patterns shown", details=details)
