"""Lost patterns: frequent combinations or sequences of codes that are no longer frequent, and rules that look stronger.

## Parameters
min_support: in how many records a pattern is frequent; by itself one in a hundred, two at least.
size: combinations of up to this many codes are counted (2 by itself, and for sequences always).
min_confidence: also count rules a … > b whose confidence reached this only in the release ("ghosts"); the release shows
them, and the data did not.
kind: "itemset" (default), or "sequence" for codes that follow each other in visits.
sensitive: patterns that were to be hidden. What holds one of them is not counted as lost.
file: instead of `sensitive`, a file with one pattern a line.

## Worked example
Two patients lost 401.2. Then {401.2, 303} is in one record, and whoever has 401.2 seems always to have 303.

>>> from sharewell.codes import CodeSets
>>> before = CodeSets.of([["401.2", "295"], ["401.2", "295", "303"], ["401.2", "295", "303", "780"], ["303"]])
>>> after = CodeSets.of([["295"], ["295", "303"], ["401.2", "295", "303", "780"], ["303"]], published=True)
>>> result = LostPatterns(min_support=2, min_confidence=0.8, sensitive=["401.2 295"]).score(before, after)
>>> result.details.frequent, result.details.lost, result.details.ghost_rules
(5, 2, 0)
>>> LostPatterns(min_support=1, min_confidence=0.8, sensitive=["401.2 295"]).score(before, after).details.ghost_rules
2

## Why it is safe
Supports are counted before and after; a published record counts if every code may lie in one of its labels. Only
patterns that were frequent before are considered: deletion makes none frequent, but labels of several codes can. In
sequences a label of several codes shows none of them.

## Cost
That of all combinations of `size` frequent codes that occur; if they are too many to count, there is no value.

## Source
Oliveira and Zaïane, 2002: misses cost and artifactual patterns.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

import numpy as np

from sharewell.algorithm import Count, Declared, Finding, Measure, PositiveShare
from sharewell.codes.data import CodeSets, Ints
from sharewell.codes.engine.attackers.known_codes import supports_among
from sharewell.codes.engine.combinations import Pattern, patterns
from sharewell.codes.engine.frequent_itemsets import Frequent, frequent
from sharewell.codes.engine.sequences import Spans, Timeline
from sharewell.io.sources import Source


@dataclass(frozen=True)
class LostDetails:
    """Patterns of each size that were frequent, and how many of them no longer are; rules that look stronger."""

    min_support: int
    frequent: int
    lost: int
    by_size: tuple[tuple[int, int], ...]
    strong_rules: int | None
    """Rules that reached the confidence before; None without `min_confidence`."""
    ghost_rules: int | None


@dataclass(frozen=True)
class LostPatterns(Declared, Measure[CodeSets]):
    """The share of the frequent patterns that were lost."""

    min_support: Count | None = None
    size: Count = 2
    min_confidence: PositiveShare | None = None
    kind: Literal["itemset", "sequence"] = "itemset"
    sensitive: Sequence[Any] = ()
    file: Source | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.min_confidence is not None and self.kind == "sequence":
            raise ValueError("min_confidence must be left out for sequences: it is for combinations")
        object.__setattr__(self, "sensitive", patterns(self.sensitive, self.file))

    def score(self, before: CodeSets, after: CodeSets) -> Finding:
        least = max(2, math.ceil(before.records / 100)) if self.min_support is None else self.min_support
        if self.kind == "sequence":
            return self._finding(least, *self._sequences(before, after, least))
        itemsets = frequent(before.sets, len(before.names), least, self.size)
        if itemsets is None:
            return Finding(self.name, None, unit="share", note="there are too many combinations to count: lower size")
        number = {code: i for i, code in enumerate(before.names)}
        listed = [{code for part in pattern for code in part} for pattern in self.sensitive]
        itemsets = itemsets.without(
            [[number[code] for code in codes] for codes in listed if codes <= set(number)], len(before.names)
        )
        now = supports_among(after.atoms, before.names, itemsets.sets)
        strong = ghosts = None
        if self.min_confidence is not None:
            strong, ghosts = _rules(itemsets, now, least, Fraction(str(self.min_confidence)))
        return self._finding(least, itemsets.sets.lengths, now, strong, ghosts)

    def _finding(
        self, least: int, sizes: Ints, now: Ints, strong: int | None = None, ghosts: int | None = None
    ) -> Finding:
        is_lost = now < least
        widest = int(sizes.max(initial=0))
        by_size = tuple((int((sizes == n).sum()), int(is_lost[sizes == n].sum())) for n in range(1, widest + 1))
        details = LostDetails(least, len(now), int(is_lost.sum()), by_size, strong, ghosts)
        value = int(is_lost.sum()) / len(now) if len(now) else 0.0
        return Finding(self.name, value, unit="share", details=details)

    def _sequences(self, before: CodeSets, after: CodeSets, least: int) -> tuple[Ints, Ints]:
        """(codes of each frequent sequence of one or two codes, its support afterwards)."""
        universe = max(1, len(before.names))
        number = {code: i for i, code in enumerate(before.names)}
        common = np.bincount(Spans.of(Timeline.of(before, self.name)).sets.items, minlength=universe) >= least
        keys, counts = _steps(before, np.where(common, np.arange(universe), -1), universe, self.name)
        code_of = [number.get(codes[0], -1) if len(codes) == 1 else -1 for codes in after.members]
        now, after_counts = _steps(after, np.array(code_of, dtype=np.int64), universe, self.name)
        hidden = [pattern for pattern in self.sensitive if _plain(pattern)]
        sensitive = {tuple(number.get(part[0], -1) for part in pattern) for pattern in hidden}
        keys = keys[(counts >= least) & ~np.isin(keys, _keys(sensitive, universe))]
        support_after = dict(zip(now.tolist(), after_counts.tolist(), strict=True))
        shown = np.array([support_after.get(key, 0) for key in keys.tolist()], dtype=np.int64)
        return np.where(keys < universe, 1, 2), shown


def _plain(pattern: Pattern) -> bool:
    return len(pattern) <= 2 and all(len(part) == 1 for part in pattern)


def _keys(sequences: set[tuple[int, ...]], universe: int) -> list[int]:
    """One code is its own number; a pair comes after all of these. What holds a sensitive code is sensitive too."""
    alone = {sequence[0] for sequence in sequences if len(sequence) == 1 and sequence[0] >= 0}
    pairs = [sequence for sequence in sequences if len(sequence) == 2 and min(sequence) >= 0]
    keys = alone | {universe + first * universe + second for first, second in pairs}
    for item in alone:
        keys |= {universe + item * universe + other for other in range(universe)}
        keys |= {universe + other * universe + item for other in range(universe)}
    return sorted(keys)


def _steps(data: CodeSets, number: Ints, universe: int, name: str) -> tuple[Ints, Ints]:
    """(keys of single codes and of pairs that follow each other, rising; in how many records), under other numbers."""
    timeline = Timeline.of(data, name)
    if not len(number):
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    spans = Spans.of(timeline, number >= 0)
    single = np.bincount(number[spans.sets.items], minlength=universe)
    keys, counts = spans.pairs(len(number))
    first, second = np.divmod(keys, len(number))
    pairs = universe + number[first] * universe + number[second]
    order = np.argsort(pairs, kind="stable")
    some = np.flatnonzero(single)
    return np.concatenate([some, pairs[order]]), np.concatenate([single[some], counts[order]])


def _rules(itemsets: Frequent, now: Ints, least: int, bound: Fraction) -> tuple[int, int]:
    """(rules with one code on the right that were strong, those that are strong and frequent only now)."""
    rows = itemsets.sets.tuples()
    place = {row: i for i, row in enumerate(rows)}
    supports, shown = itemsets.supports.tolist(), now.tolist()
    strong = ghosts = 0
    for i, row in enumerate(rows):
        for code in row if len(row) > 1 else ():
            antecedent = place[tuple(other for other in row if other != code)]
            before = supports[i] >= bound * supports[antecedent]
            strong += before
            ghosts += not before and shown[i] >= least and shown[i] >= bound * shown[antecedent]
    return strong, ghosts
