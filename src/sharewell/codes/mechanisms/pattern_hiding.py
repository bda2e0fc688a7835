"""Pattern hiding: codes are deleted from a few records until listed combinations are rare and listed rules weak.

## Guarantee
Hidden patterns of kind `itemset` and `rule`: no listed combination is in more records than allowed, no listed rule
holds in a larger share of the records to which it applies. Records lose codes and gain none, and no combination becomes
more frequent.

## Adversary
That of hidden patterns: mines the release for frequent combinations and strong rules.

## What it does not protect
Identity. Rules that are not listed: deleting a code from records in which a rule fails makes it look stronger, so new
strong rules can appear (`lost-patterns` counts them).

## Parameters
objective: which records lose a code. "distortion" (default): those where one deletion breaks most listed patterns, then
the shortest, which take part in the fewest other patterns. "side-effects": those where other frequent combinations
suffer least.
frequent: for side-effects, in how many records a combination is frequent; by itself one in a hundred, and more than any
bound that is asked for.
size: for side-effects, of how many codes combinations are watched (2 by itself).

## Worked example
Three patients have 401.2 and 295. One may.

>>> from sharewell.codes import CodeSets, HiddenPattern
>>> data = CodeSets.of([["401.2", "295"], ["401.2", "295", "303"], ["401.2", "295", "303", "780"], ["401.2"]])
>>> hidden = PatternHiding().protect(data, [HiddenPattern(["401.2 295"], max_support=1)])
>>> [sorted(hidden.data.names[i] for i in hidden.data.sets.row(r)) for r in range(4)]
[['295'], ['295', '303'], ['295', '303', '401.2', '780'], ['401.2']]

The shortest records lost the code that most patients have. A rule loses what it concludes:

>>> weak = HiddenPattern(["401.2 > 295"], max_confidence=0.5, kind="rule")
>>> hidden = PatternHiding().protect(data, [weak])
>>> hidden.details.deleted, hidden.data.support(["401.2"]), hidden.data.support(["401.2", "295"])
(1, 4, 2)

## Why it is safe
Deleting one code of a combination from a record that holds it lowers its support by one. From a rule only codes that it
concludes are deleted, so its confidence falls with each. A deletion for one rule can raise the confidence of another:
all listed patterns are checked again after each, until none is left. Every step deletes something, so this ends; with
all listed codes deleted every bound is met. The criteria are checked before the result is returned.

## Cost
For each pattern O(records that hold it · patterns with a code in common), and for side-effects the count of
combinations of `size` codes in the records with a listed code. Memory: the records of each watched combination.

## Source
Atallah et al., 1999, and Verykios et al., 2004: deleting the code with the highest support from the shortest records.
Sun and Yu, 2005, watch the border of the frequent combinations; how a deletion's harm to the border is weighed, and
that it counts more if it breaks several listed patterns, are our reading.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sharewell.algorithm import Count, Criteria, Declared, Key, Mechanism, PolicyError, Protected, refuse_failing
from sharewell.codes.criteria.hidden_patterns import HiddenPattern
from sharewell.codes.data import CodeSets
from sharewell.codes.engine.frequent_itemsets import frequent
from sharewell.codes.engine.packed_sets import Ints, Sets, among, common
from sharewell.codes.engine.protection import pattern_deletion
from sharewell.codes.engine.protection.pattern_deletion import ROUNDS, HidingDetails, Objective


@dataclass(frozen=True)
class PatternHiding(Declared, Mechanism[CodeSets]):
    """Combinations and rules hidden by deletion."""

    objective: Objective = "distortion"
    frequent: Count | None = None
    size: Count = 2

    engine: ClassVar[str] = "shows"

    def protect(self, data: CodeSets, must: Criteria[CodeSets], key: Key | None = None) -> Protected[CodeSets]:
        criteria = pattern_deletion.patterns_to_hide(self, data, must, ("itemset", "rule"))
        listed = _listed(data, criteria)
        watched = None
        if self.objective == "side-effects":
            least = pattern_deletion.frequent_from(self.frequent, data, criteria)
            watched = _WatchedItemsets.of(data, listed, least, self.size)
        work = _RecordDeletion(data, listed, watched)
        before = len(work.failing())
        work.settle()
        released = pattern_deletion.published(self.name, data, work.left())
        refuse_failing(self.name, released, criteria)
        details = HidingDetails(
            patterns=sum(len(criterion.patterns) for criterion in criteria),
            shown_before=before,
            deleted=len(data.sets.items) - len(released.sets.items),
            changed_records=int((data.sets.lengths != released.sets.lengths).sum()),
            watched=None if watched is None else len(watched.holders),
            lost=None if watched is None else watched.lost,
        )
        return Protected(released, details, np.arange(data.records))


@dataclass(frozen=True)
class _ListedPattern:
    """A pattern by the numbers of its codes."""

    whole: tuple[int, ...]
    given: tuple[int, ...] | None
    """The first side of a rule."""
    victims: tuple[int, ...]
    """What may be deleted for it."""
    criterion: HiddenPattern


def _listed(data: CodeSets, criteria: Sequence[HiddenPattern]) -> list[_ListedPattern]:
    """Those whose codes all occur; the others are hidden, and stay so."""
    number = {code: i for i, code in enumerate(data.names)}
    patterns = []
    for criterion in criteria:
        for parts in criterion.patterns:
            if all(code in number for part in parts for code in part):
                sides = [tuple(number[code] for code in part) for part in parts]
                items = tuple(item for side in sides for item in side)
                weaker = criterion.max_confidence is not None
                antecedent = sides[0] if criterion.kind == "rule" else None
                patterns.append(_ListedPattern(items, antecedent, sides[1] if weaker else items, criterion))
    return patterns


class _WatchedItemsets:
    """The border of the frequent combinations that are not listed: who holds each of them."""

    def __init__(self, sets: Sets, holders: list[Ints], least: int) -> None:
        self.sets, self.holders, self.least = sets, holders, least
        self.with_item: dict[int, list[int]] = {}
        for number, item in zip(sets.row_of.tolist(), sets.items.tolist(), strict=True):
            self.with_item.setdefault(item, []).append(number)

    @classmethod
    def of(cls, data: CodeSets, listed: Sequence[_ListedPattern], least: int, size: int) -> _WatchedItemsets:
        universe = len(data.names)
        touching = np.zeros(universe, dtype=bool)
        touching[[item for pattern in listed for item in pattern.victims]] = True
        rows = np.unique(data.sets.row_of[touching[data.sets.items]])
        itemsets = frequent(data.sets.take(rows), universe, least, size, touching)
        if itemsets is None:
            problem = f"there are too many combinations of {size} codes to watch"
            raise PolicyError(f"pattern-hiding — {problem} — choose a smaller size or a larger frequent")
        border = itemsets.without([pattern.whole for pattern in listed], universe).border()
        by_item = data.sets.transposed(universe)
        holders = [
            data.sets.holding(border.sets.row(i).tolist(), by_item).astype(np.int64) for i in range(border.sets.count)
        ]
        return cls(border.sets, holders, least)

    @property
    def lost(self) -> int:
        return sum(len(rows) < self.least for rows in self.holders)

    @property
    def weights(self) -> NDArray[np.float64]:
        return pattern_deletion.weights(np.array([len(rows) for rows in self.holders], dtype=np.int64), self.least)

    def met(self, rows: Ints, item: int) -> tuple[Ints, Ints]:
        """(combinations with an item, the places of the rows that hold them)."""
        numbers = self.with_item.get(item, [])
        places = [np.flatnonzero(among(rows, self.holders[number])) for number in numbers]
        repeated = np.repeat(np.array(numbers, dtype=np.int64), list(map(len, places)))
        return repeated, np.concatenate([*places, np.zeros(0, dtype=np.int64)])

    def delete(self, item: int, rows: Ints) -> None:
        for number in self.with_item.get(item, []):
            self.holders[number] = _without(self.holders[number], rows)


class _RecordDeletion:
    """Records while codes are deleted: who still has which listed code."""

    def __init__(self, data: CodeSets, listed: list[_ListedPattern], watched: _WatchedItemsets | None) -> None:
        self.data, self.listed, self.watched = data, listed, watched
        by_item = data.sets.transposed(len(data.names))
        concerned = {item for pattern in listed for item in pattern.whole}
        self.rows = {item: by_item.row(item).astype(np.int64) for item in sorted(concerned)}
        self.lengths = data.sets.lengths.copy()
        self.deleted: dict[int, list[int]] = {}
        self._excess: dict[int, int] = {}
        self._holders: dict[int, Ints] = {}

    def holders(self, number: int) -> Ints:
        """The records that hold a pattern."""
        if number not in self._holders:
            self._holders[number] = self.holding(self.listed[number].whole)
        return self._holders[number]

    def holding(self, items: Sequence[int]) -> Ints:
        return common(self.rows[item] for item in items)

    def excess(self, number: int) -> int:
        """How many records hold a pattern beyond what is allowed."""
        if number not in self._excess:
            pattern = self.listed[number]
            most = pattern.criterion.allowed(None if pattern.given is None else len(self.holding(pattern.given)))
            self._excess[number] = 0 if most is None else max(0, len(self.holders(number)) - most)
        return self._excess[number]

    def failing(self) -> list[int]:
        return [number for number in range(len(self.listed)) if self.excess(number)]

    def settle(self) -> None:
        """Hide the pattern that is furthest from its bound, and look at all of them again."""
        while failing := self.failing():
            self._hide(max(failing, key=lambda which: (self.excess(which), -which)))

    def _hide(self, number: int) -> None:
        pattern, step = self.listed[number], max(1, -(-self.excess(number) // ROUNDS))
        rows = self.holders(number)
        rows = rows[self._by_content(rows)]
        order = sorted(pattern.victims, key=lambda item: (-len(self.rows[item]), self.data.names[item]))
        met = {item: self.watched.met(rows, item) for item in order} if self.watched else {}
        untouched = np.ones(len(rows), dtype=bool)
        while (excess := self.excess(number)) > 0:
            failing = [other for other in self.failing() if set(self.listed[other].victims) & set(order)]
            scores = [self._scores(rows, item, failing, met.get(item)) for item in order]
            best, victim = scores[0].copy(), np.zeros(len(rows), dtype=np.int64)
            for place, score in enumerate(scores[1:], start=1):
                less = _less(score, best)
                best[:, less], victim[less] = score[:, less], place
            ranked = np.lexsort((np.arange(len(rows)), self.lengths[rows], *best[::-1], ~untouched))
            chosen = ranked[: min(step, excess)]
            untouched[chosen] = False
            for place, item in enumerate(order):
                self._delete(item, np.sort(rows[chosen[victim[chosen] == place]]))

    def _scores(
        self, rows: Ints, item: int, failing: Sequence[int], met: tuple[Ints, Ints] | None
    ) -> NDArray[np.float64]:
        """What deleting an item does in each record, the most important first; less is better."""
        breaks = np.zeros(len(rows))
        for number in failing:
            if item in self.listed[number].victims:
                breaks -= among(rows, self.holders(number))
        if met is None or self.watched is None:
            return breaks[None]
        harm = np.bincount(met[1], weights=self.watched.weights[met[0]], minlength=len(rows))
        return np.stack([np.round(harm, 9), breaks])

    def _delete(self, item: int, rows: Ints) -> None:
        if not len(rows):
            return
        self.rows[item] = _without(self.rows[item], rows)
        self.lengths[rows] -= 1
        for row in rows.tolist():
            self.deleted.setdefault(row, []).append(item)
        if self.watched:
            self.watched.delete(item, rows)
        for number, pattern in enumerate(self.listed):
            if item in pattern.whole:
                self._excess.pop(number, None)
                self._holders.pop(number, None)

    def _by_content(self, rows: Ints) -> Ints:
        """An order that follows from what the records hold, so that the order of the input does not matter."""
        deleted = [sorted(self.deleted.get(row, ())) for row in rows.tolist()]
        keys = list(zip(self.data.sets.take(rows).keys(), deleted, strict=True))
        return np.array(sorted(range(len(rows)), key=keys.__getitem__), dtype=np.int64)

    def left(self) -> Sets:
        """What the records still hold."""
        sets, universe = self.data.sets, len(self.data.names)
        deleted = np.array(
            [row * universe + item for row, items in self.deleted.items() for item in items], dtype=np.int64
        )
        keep = ~among(sets.row_of * universe + sets.items, np.sort(deleted))
        return Sets.of_pairs(sets.row_of[keep], sets.items[keep], sets.count)


def _less(scores: NDArray[np.float64], other: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Column by column: does the first lot of scores come before the other?"""
    less, same = np.zeros(scores.shape[1], dtype=bool), np.ones(scores.shape[1], dtype=bool)
    for a, b in zip(scores, other, strict=True):
        less |= same & (a < b)
        same &= a == b
    return less


def _without(rows: Ints, removed: Ints) -> Ints:
    return rows[~among(rows, removed)]
