"""RBAT: all public codes begin as one label, which is split again and again while every rule stays protected.

## Guarantee
Every PS-rule is protected: the records that may hold what is known are none or at least k, and at most the share c of
them may hold what must not be inferred. One recoding holds for all records. Each public code is shown by a label that
contains it; sensitive codes (those that some rule infers) are shown as they are. Nothing is suppressed.

## Adversary
That of the rules: knows the public codes of one rule of a target.

## What it does not protect
What no rule says.

## Worked example
401.2 must find two records at least, and 295 in at most half of them. All other codes can be shown as they are.

>>> from sharewell.codes import CodeSets, PSRules
>>> data = CodeSets.of([["401.0"], ["401.2", "295"], ["401.3"], ["401.4"]])
>>> rules = PSRules([[["401.2"], ["295"]]], k=2, c=0.5)
>>> released = RBAT().protect(data, must=[rules])
>>> sorted(released.data.names)
['(401.2,401.4)', '295', '401.0', '401.3']
>>> print(rules.check(released.data))
ps-rules = 0 rules (≤ 0: holds)

This is the table of the tutorial from which the example is; 401.2 with 401.0 or 401.3 would be as good. Its other
table, for cd → hi, merges e with f as well, which that rule does not ask for: here they stay apart.

## Why it is safe
A split is kept only if every rule that names a code of the label is protected afterwards; the other rules show the same
labels as before. A rule that the first label fails may stay so, as long as its records do not become too few. If a rule
is unprotected in the end, `Infeasible` names it: RBAT found no recoding, though there may be one, since confidence can
rise and fall as labels are split. Where the codes of a rule are together in more than the share c of all records, no
recoding can protect it, and it is refused at once.

## Cost
A split takes the records of the label's codes, O(occurrences) for each level of the tree, which is about as deep as the
logarithm of the number of codes; and for each rule with a code in the label a pass over bitmaps of all records. The two
codes that lead the halves are the best of all pairs of up to 500 codes; in larger labels, the two most frequent, and no
code is taken out in the end.

## Source
Loukides, Gkoulalas-Divanis and Shao, DEXA 2010. Taking codes out of their label in the end, the most frequent first,
and splits from a start that fails a rule are ours. The order in which codes join a half and labels are split (the most
frequent code, the oldest label first) is our reading. Their second algorithm (Knowledge and Information Systems 2013),
with samples and merges from below, is not here.
"""

from __future__ import annotations

from collections import ChainMap, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sharewell.algorithm import Declared, Infeasible, Key, Mechanism, Protected
from sharewell.codes.criteria.ps_rules import PSRules, Rule
from sharewell.codes.data import CodeSets, Ints, Sets
from sharewell.codes.engine.itemsets import numbers, stretches
from sharewell.codes.engine.labels import write_label
from sharewell.codes.engine.protection.requirements import refuse_few
from sharewell.compiled import numba_or_numpy

Bitmap = NDArray[np.uint64]
_ALL_PAIRS = 500
"""Codes of a label up to which the halves are led by the best of all pairs."""
_LARGE = 50_000
"""Code occurrences beyond which compiled loops pay."""
_SHOWN = 20
"""How many rules a message names."""


@dataclass(frozen=True)
class RuleBasedDetails:
    """How many rules there were, and what became of the codes."""

    rules: int
    codes: int
    labels: int
    generalised_codes: int


@dataclass(frozen=True)
class RBAT(Declared, Mechanism[CodeSets]):
    """Rule-based anonymisation of transactions."""

    engine: ClassVar[str] = "rule_supports"

    def protect(self, data: CodeSets, must: Sequence[PSRules], key: Key | None = None) -> Protected[CodeSets]:
        refuse_few(self, data, must, "ps-rules", (rule.k for criterion in must for rule in criterion.each))
        rules = _Rules(self.name, data, must)
        rules.refuse_hopeless()
        halves = _Halves(data)
        public = sorted(set(range(len(data.names))) - set(rules.sensitive), key=data.names.__getitem__)
        rules.start(public)
        waiting = deque([_Label(public, None)] if public else [])
        final: list[list[int]] = []
        while waiting:
            label = waiting.popleft()
            parts = halves.of(label) if len(label.codes) > 1 else ()
            if parts and rules.allow([part.codes for part in parts]):
                waiting.extend(parts)
            else:
                final.append(label.codes)
        shown = [part for label in final for part in _taken_apart(label, rules)]
        rules.refuse_unprotected()
        singles = [[code] for code in rules.sensitive]
        details = RuleBasedDetails(
            rules=len(rules.rules),
            codes=len(data.names),
            labels=len(shown) + len(singles),
            generalised_codes=sum(len(label) for label in shown if len(label) > 1),
        )
        return Protected(_published(data, shown + singles), details, np.arange(data.records))


def _taken_apart(label: list[int], rules: _Rules) -> list[list[int]]:
    """Each code that can be shown by itself is taken out, the most frequent first (their numbers fall by support)."""
    if len(label) > _ALL_PAIRS:
        return [label]
    parts, rest = [], label
    for code in sorted(label):
        if len(rest) > 1:
            others = [other for other in rest if other != code]
            if rules.allow([[code], others]):
                parts.append([code])
                rest = others
    return [*parts, rest]


def _published(data: CodeSets, groups: Sequence[Sequence[int]]) -> CodeSets:
    members = [[data.names[code] for code in group] for group in groups]
    texts = [write_label(codes) for codes in members]
    labels: dict[str, str | None] = {code: text for codes, text in zip(members, texts, strict=True) for code in codes}
    return data.recoded(labels, dict(zip(texts, members, strict=True)))


class _Rules:
    """The rules, and which records show them under the current labels."""

    def __init__(self, name: str, data: CodeSets, criteria: Sequence[PSRules]) -> None:
        number = {code: i for i, code in enumerate(data.names)}
        self.name, self._data = name, data
        self._by_code = data.sets.transposed(len(data.names))
        self.rules: list[Rule] = [rule for criterion in criteria for rule in criterion.each]
        self._places = [
            f"{place}" if len(criteria) == 1 else f"{place} of list {list_number}"
            for list_number, criterion in enumerate(criteria, start=1)
            for place in range(1, len(criterion.each) + 1)
        ]
        self.sensitive = sorted({number[code] for rule in self.rules for code in rule.inferred if code in number})
        """Codes that some rule infers: they are shown as they are."""
        self._known = [_numbered(rule.known, number) for rule in self.rules]
        """For each rule the codes that are known; none if one of them does not occur, so that nobody is found."""
        self._naming: dict[int, list[int]] = {}
        """For each code the rules that know it."""
        for i, codes in enumerate(self._known):
            for code in codes:
                self._naming.setdefault(code, []).append(i)
        inferred = {rule.inferred: _numbered(rule.inferred, number) for rule in self.rules}
        self._inferred = {side: self._bitmap(self._holding(codes)) for side, codes in inferred.items()}
        """The records that hold all that a rule infers."""
        self._shows: dict[int, Bitmap] = {}
        """The records that show the label of each code that a rule knows."""
        self._protected = np.ones(len(self.rules), dtype=bool)
        self._enough = np.ones(len(self.rules), dtype=bool)

    def start(self, public: Sequence[int]) -> None:
        """With all public codes as one label, and each sensitive code by itself."""
        self._shows = self._changed([public, *([code] for code in self.sensitive)])
        for i in range(len(self.rules)):
            self._protected[i], self._enough[i] = self._judged(i, self._shows)

    def allow(self, parts: Sequence[Sequence[int]]) -> bool:
        """Split a label into parts, unless a rule would come to harm: protected before and not after, or too few."""
        changed = self._changed(parts)
        touched = sorted({i for code in changed for i in self._naming[code]})
        after: list[tuple[bool, bool]] = []
        shows = ChainMap(changed, self._shows)
        for i in touched:
            protected, enough = self._judged(i, shows)
            if (self._protected[i] and not protected) or (self._enough[i] and not enough):
                return False
            after.append((protected, enough))
        self._shows |= changed
        for i, (protected, enough) in zip(touched, after, strict=True):
            self._protected[i], self._enough[i] = protected, enough
        return True

    def refuse_hopeless(self) -> None:
        """Codes that are together in too many of all records stay so under every recoding that suppresses nothing."""
        records, failing = self._data.records, []
        for i, (rule, codes) in enumerate(zip(self.rules, self._known, strict=True)):
            if codes:
                both = _ones(self._bitmap(self._holding(codes)) & self._inferred[rule.inferred])
                if both * rule.c.denominator > rule.c.numerator * records:
                    failing.append(i)
        if failing:
            raise Infeasible(
                f"{self.name} — no recoding protects {len(failing)} of {len(self.rules)} rules: "
                "more than the share c of all records hold all their codes",
                blocking=[self._named(failing)],
                relaxations=["a larger c", "leaving out the sensitive codes of these rules"],
            )

    def refuse_unprotected(self) -> None:
        if failing := np.flatnonzero(~self._protected).tolist():
            raise Infeasible(
                f"{self.name} — found no recoding that protects {len(failing)} of {len(self.rules)} rules",
                blocking=[self._named(failing)],
                relaxations=["a larger c", "a smaller k", "leaving out the sensitive codes of these rules"],
            )

    def _named(self, failing: Sequence[int]) -> str:
        names = ", ".join(self._places[i] for i in failing[:_SHOWN]) + (", …" if len(failing) > _SHOWN else "")
        return f"rules (by their place in the policy): {names}"

    def _judged(self, i: int, shows: Mapping[int, Bitmap]) -> tuple[bool, bool]:
        """(is the rule protected, does it find enough records or nobody)?"""
        rule, codes = self.rules[i], self._known[i]
        if not codes:
            return True, True
        showing = np.bitwise_and.reduce([shows[code] for code in codes])
        support, both = _ones(showing), _ones(showing & self._inferred[rule.inferred])
        return rule.protected(support, both), not 0 < support < rule.k

    def _changed(self, labels: Sequence[Sequence[int]]) -> dict[int, Bitmap]:
        """The records that show each label, for those of its codes that a rule knows."""
        changed: dict[int, Bitmap] = {}
        for label in labels:
            if known := [code for code in label if code in self._naming]:
                records = self._by_code.take(np.array(label, dtype=np.int64)).items
                changed |= dict.fromkeys(known, self._bitmap(records))
        return changed

    def _holding(self, codes: Sequence[int]) -> NDArray[np.int32]:
        """The records that hold all of some codes; of none, no record."""
        return self._data.sets.holding(codes, self._by_code) if codes else np.zeros(0, dtype=np.int32)

    def _bitmap(self, records: NDArray[np.int32]) -> Bitmap:
        flags = np.zeros(-(-self._data.records // 64) * 64, dtype=bool)
        flags[records] = True
        return np.packbits(flags).view(np.uint64)


def _numbered(codes: Sequence[str], number: Mapping[str, int]) -> list[int]:
    """The numbers of codes; none if one of them does not occur."""
    return [number[code] for code in codes] if all(code in number for code in codes) else []


def _ones(bits: Bitmap) -> int:
    return int(np.bitwise_count(bits).sum())


@dataclass(frozen=True, eq=False)
class _Label:
    """Codes in the order of their texts; and for every two of them how many records hold both, if that was counted."""

    codes: list[int]
    both: Ints | None


class _Halves:
    """How a label is split in two."""

    def __init__(self, data: CodeSets) -> None:
        self._names, self._large = data.names, len(data.sets.items) > _LARGE
        self._by_code = data.sets.transposed(len(data.names))
        self._support = data.sets.supports(len(data.names))
        self._held = np.zeros((2, data.records), dtype=bool)
        """Which records show the halves that are growing."""

    def of(self, label: _Label) -> tuple[_Label, _Label]:
        """Two codes lead; each other one, the most frequent first, joins the half that then loses less (UL)."""
        both = label.both
        if both is None and len(label.codes) <= _ALL_PAIRS:
            both = self._counted(label.codes)
        leaders = self._leaders(label.codes, both)
        halves: list[list[int]] = [[], []]
        support = [0, 0]
        for code in (*leaders, *(code for code in sorted(label.codes) if code not in leaders)):
            rows = self._by_code.row(code)
            grown = [support[i] + len(rows) - int(self._held[i, rows].sum()) for i in (0, 1)]
            losses = [((2 << len(halves[i])) - 1) * grown[i] for i in (0, 1)]  # UL up to a factor
            joined = leaders.index(code) if code in leaders else int(losses[1] < losses[0])
            halves[joined].append(code)
            self._held[joined, rows] = True
            support[joined] = grown[joined]
        self._held[:, self._by_code.take(np.array(label.codes, dtype=np.int64)).items] = False
        return self._part(label.codes, halves[0], both), self._part(label.codes, halves[1], both)

    def _part(self, codes: list[int], half: list[int], both: Ints | None) -> _Label:
        if both is None:
            return _Label(sorted(half, key=self._names.__getitem__), None)
        places = np.flatnonzero(np.isin(codes, half))
        return _Label([codes[i] for i in places], both[np.ix_(places, places)])

    def _leaders(self, codes: list[int], both: Ints | None) -> tuple[int, int]:
        """The two codes whose common label would lose most: most records would show it. Of equals, the first."""
        if both is None:
            first, second, *_ = sorted(codes)  # the most frequent
            return first, second
        support = self._support[codes]
        shown = np.triu(support[:, None] + support[None, :] - both, 1)
        place = np.unravel_index(np.argmax(shown), shown.shape)
        return codes[place[0]], codes[place[1]]

    def _counted(self, codes: list[int]) -> Ints:
        """How many records hold both of two codes, above the diagonal."""
        size = len(codes)
        holders = self._by_code.take(np.array(codes, dtype=np.int64))
        present, rows = np.unique(holders.items, return_inverse=True)
        sets = Sets.of_pairs(rows, holders.row_of, len(present))
        bits = max(1, (size - 1).bit_length())
        fill = numba_or_numpy(self._large, "sharewell.codes.engine.itemsets_kernel:combinations", numbers)
        counts = np.zeros(1 << 2 * bits, dtype=np.int64)
        for low, high in stretches(sets, size, 2):
            counts += np.bincount(fill(sets.starts, sets.items, 2, low, high, bits), minlength=len(counts))
        return counts.reshape(1 << bits, 1 << bits)[:size, :size].copy()
