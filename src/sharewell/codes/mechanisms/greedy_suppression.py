"""Greedy suppression: public codes are withheld until no combination of p of them betrays a person or a private code.

## Guarantee
(h,k,p)-coherence: every combination of at most p public codes that is still shown is in no record or in at least k, and
no private code is in more than the allowed share of these. A code is withheld from all records or from none; all
others, private ones included, are shown as they are.

## Adversary
That of (h,k,p)-coherence: knows at most p public codes of a target.

## What it does not protect
Anyone of whom more than p public codes, or a private code, are known.

## Parameters
loss: what a withheld code costs: "occurrences" (default), the records that have it; or "codes", each the same.

## Worked example
Ten patients with the codes a … h, of which g and h are private. b alone has h in too many of its records; the other
moles are pairs: cd, df and ef. Withholding d settles two of them; then e is as good as f, and comes first.

>>> from sharewell.codes import CodeSets, Coherence
>>> rows = "abcdefgh acefg cdefh acef efgh defg abde acf ac bh".split()
>>> patients = CodeSets.of([list(row) for row in rows])
>>> coherent = Coherence(k=2, p=2, max_confidence=0.6, private=["g", "h"])
>>> released = GreedySuppression().protect(patients, must=[coherent])
>>> [code for code, label in sorted(released.data.labels.items()) if label is None], released.details.moles
(['b', 'd', 'e'], 4)
>>> print(coherent.check(released.data))
hkp-coherence = 0 moles (≤ 0: holds)

## Why it is safe
Withholding a code leaves the records of every combination without it as they are, so no new mole appears, and one
search finds all moles. A mole that contains a smaller one disappears with it, so only minimal moles matter. A single
code that is a mole must go; of each other minimal mole at least one code is withheld.

## Cost
Counting combinations as the criterion does, size by size, among the codes that are no moles themselves. Then O(minimal
moles · p), and O(codes) for each withheld code. If there are more than ten million minimal moles, or a size is beyond
reach, those found so far are settled first, and the search goes on with the codes that are left.

## Source
Xu, Wang, Fu and Yu, KDD 2008: the code in most minimal moles for its loss goes first. Showing codes again whose moles
are all broken up by others is ours. The greedy choice need not be the best; in the example it is.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from sharewell.algorithm import Declared, Infeasible, Key, Mechanism, Protected
from sharewell.codes.criteria.hkp_coherence import Coherence
from sharewell.codes.data import CodeSets
from sharewell.codes.engine.itemsets import MOST_OCCURRENCES, key_of
from sharewell.codes.engine.packed_sets import Ints, Sets, among
from sharewell.codes.engine.protection.requirements import refuse_few
from sharewell.codes.engine.protection.rule_suppression import cover, without_codes
from sharewell.codes.engine.rules import cohort_occurrences, cohorts

MOST_MOLES = 10_000_000
"""Minimal moles that are held at a time."""


@dataclass(frozen=True)
class GreedySuppressionDetails:
    """What was withheld, how many minimal moles there were, and private codes that no record has."""

    codes: int
    suppressed_codes: int
    suppressed_occurrences: int
    moles: int
    absent_private: int


@dataclass(frozen=True)
class GreedySuppression(Declared, Mechanism[CodeSets]):
    """Withhold codes from all records."""

    loss: Literal["occurrences", "codes"] = "occurrences"

    engine: ClassVar[str] = "moles"

    def protect(self, data: CodeSets, must: Sequence[Coherence], key: Key | None = None) -> Protected[CodeSets]:
        refuse_few(self, data, must, "hkp-coherence", (criterion.k for criterion in must))
        lists = [set(criterion.private) for criterion in must]
        hidden = [np.array([code in private for code in data.names], dtype=bool) for private in lists]
        shown = np.ones(len(data.names), dtype=bool)
        for criterion, private in zip(must, hidden, strict=True):
            for part in cohorts(*_public_private(data, shown, private), 1):
                shown[part.combinations(np.flatnonzero(criterion.moles(part.support, part.shared))).ravel()] = False
        mole_count = int((~shown).sum())
        support = data.sets.supports(len(data.names))
        loss = support if self.loss == "occurrences" else np.ones_like(support)
        complete = False
        while not complete:
            moles, complete = _minimal_moles(data, must, hidden, shown)
            if not complete and not moles.count:
                problem = "combinations of this many codes cannot be counted"
                raise Infeasible(f"{self.name} — {problem}", blocking=["hkp-coherence: p"], relaxations=["a smaller p"])
            mole_count += moles.count
            shown[_hitting(moles, loss, data.names)] = False
        public = ~np.logical_and.reduce(hidden)
        if public.any() and not shown[public].any():
            raise Infeasible(
                f"{self.name} — every public code would have to be suppressed",
                blocking=[criterion.name for criterion in must],
                relaxations=["a smaller k", "a larger max_confidence", "a smaller p"],
            )
        absent = len(set().union(*lists).difference(data.names))
        lost = int(support[~shown].sum())
        details = GreedySuppressionDetails(len(shown), int((~shown).sum()), lost, mole_count, absent)
        return Protected(without_codes(data, np.flatnonzero(~shown).tolist()), details, np.arange(data.records))


def _public_private(data: CodeSets, shown: NDArray[np.bool_], private: NDArray[np.bool_]) -> tuple[Sets, Sets]:
    """The public and the private codes of each record, as far as they are shown."""
    numbers = np.arange(len(shown))
    public = data.sets.renumbered(np.where(shown & ~private, numbers, -1))
    return public, data.sets.renumbered(np.where(shown & private, numbers, -1))


def _minimal_moles(
    data: CodeSets, criteria: Sequence[Coherence], hidden: Sequence[NDArray[np.bool_]], shown: NDArray[np.bool_]
) -> tuple[Sets, bool]:
    """(minimal moles of two codes and more among those shown, are these all?)."""
    lists: list[Ints] = []
    complete = True
    for criterion, private in zip(criteria, hidden, strict=True):
        public, learnt = _public_private(data, shown, private)
        smaller: list[Ints] = []
        for size in range(2, min(criterion.p, public.longest) + 1):
            if sum(map(len, lists)) >= MOST_MOLES or cohort_occurrences(public, learnt, size) > MOST_OCCURRENCES:
                complete = False
                break
            rows = [np.zeros((0, size), dtype=np.int64)]
            for part in cohorts(public, learnt, size):
                rows_found = part.combinations(np.flatnonzero(criterion.moles(part.support, part.shared)))
                rows.append(rows_found[~_holds_one(rows_found, smaller, len(data.names))])
                if sum(map(len, lists)) + sum(map(len, rows)) >= MOST_MOLES:
                    complete = False
                    break
            smaller.append(np.concatenate(rows))
            lists.append(smaller[-1])
    return Sets.of_tables(lists), complete


def _holds_one(rows: Ints, smaller: Sequence[Ints], universe: int) -> NDArray[np.bool_]:
    """Which combinations hold one of the smaller ones."""
    holds = np.zeros(len(rows), dtype=bool)
    for listed in smaller:
        keys = np.sort(key_of(listed, universe))
        for places in itertools.combinations(range(rows.shape[1]), listed.shape[1]):
            holds |= among(key_of(rows[:, places], universe), keys)
    return holds


def _hitting(moles: Sets, loss: Ints, names: Sequence[str]) -> list[int]:
    """Codes, at least one of every mole; those that are not needed are taken out again, the dearest first."""
    chosen = cover(moles, loss, np.argsort(np.argsort(names, kind="stable"), kind="stable"))
    by_code = moles.transposed(len(names))
    hits = np.bincount(by_code.take(np.array(chosen, dtype=np.int64)).items, minlength=moles.count)
    for code in sorted(chosen, key=lambda code: (-loss[code], names[code])):
        if (hits[by_code.row(code)] > 1).all():
            hits[by_code.row(code)] -= 1
            chosen.remove(code)
    return chosen
