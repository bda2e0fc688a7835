"""Which codes must be suppressed even if every utility set became one label: as few utility sets as possible.

A set-based method suppresses a code when it meets a combination that it cannot merge any further, and so it gives up
codes of a utility set although suppressing another code of the same combination would have done. Here all combinations
are looked at together, with every utility set as one label: no merging can show more of them. A combination that is
not met even then must lose a label, and the labels are chosen as a greedy hitting set. Codes that no study counts go
first. The method then merges as little as it needs among what is left.

Suppression never breaks a combination that is met: its other labels are shown by the same records or by more.

Cost: O(rounds · codes of the combinations · log) beside counting; one round without `strict`, a few with it.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from sharewell.algorithm import Infeasible, Protected
from sharewell.codes.data import CodeSets, Ints, Sets
from sharewell.codes.engine.protection.policy_constraints import Constraints

Method = Callable[[Constraints, int], None]
"""Merges codes until all combinations are met, and suppresses this many of them at most."""


@dataclass(frozen=True, order=True)
class Kept:
    """What a release keeps, the most important first."""

    utility_sets: int
    """Sets of which every code is shown, so that their cases can be counted."""
    occurrences: int
    """Code occurrences that are shown, by whatever label."""
    exact: int
    """Code occurrences that are shown as themselves."""

    @classmethod
    def by(cls, constraints: Constraints) -> Kept:
        groups = constraints.groups
        shown = groups.label_of >= 0
        counts = groups.data.sets.supports(len(shown))
        alone = shown & (groups.size[groups.label_of] == 1)
        sets = sum(bool(shown[codes].all()) for codes in constraints.utility_sets)
        return cls(sets, int(counts[shown].sum()), int(counts[alone].sum()))


def least_lossy(first: Constraints, method: Method, most_suppressed: int) -> Protected[CodeSets]:
    """The release of a method; or, if it keeps more, that of the method after the unavoidable suppression.

    The second is only tried where the first suppresses a code, or fails.
    """
    failure = None
    try:
        method(first, most_suppressed)
        first.refuse_failure()
        if not first.groups.suppressed:
            return first.published()
    except Infeasible as error:
        failure = error
    unavoidable = unavoidable_suppression(first.anew())
    if len(unavoidable) <= min(most_suppressed, first.allowed):
        second = first.anew()
        for code in unavoidable.tolist():
            second.suppress(code)
        with suppress(Infeasible):
            method(second, len(unavoidable))
            second.refuse_failure()
            if failure is not None or Kept.by(second) > Kept.by(first):
                return second.published()
    if failure is not None:
        raise failure
    return first.published()


def unavoidable_suppression(constraints: Constraints) -> Ints:
    """The codes to suppress so that all combinations are met once utility sets are merged. Uses up the constraints.

    Chosen once as if all utility sets were worth the same, and once as if each were worth its patients; the codes that
    keep more are returned.
    """
    constraints.merge_utility_sets()
    alike = _suppressed(constraints, equal=True)
    for label in alike[2]:
        constraints.restore(label)
    return max(alike, _suppressed(constraints, equal=False), key=lambda one: one[0])[1]


def _suppressed(constraints: Constraints, equal: bool) -> tuple[Kept, Ints, list[int]]:
    """What is kept when as little is suppressed as it takes, the codes of it that combinations name, and its labels.

    equal: whether all utility sets are worth the same, or each as much as it has patients.
    """
    suppressed: list[int] = []
    while len(unmet := constraints.all_unmet()):
        for label in _hitting_set(constraints, unmet, equal):
            constraints.suppress(label)
            suppressed.append(label)
    for label in _most_wanted(constraints, suppressed):
        constraints.restore(label)
        if len(constraints.all_unmet()):
            constraints.suppress(label)
    codes = np.flatnonzero(constraints.groups.label_of < 0)
    labels = [label for label in suppressed if constraints.groups.label_of[label] < 0]
    return Kept.by(constraints), codes[constraints.are_named(codes)], labels


def _most_wanted(constraints: Constraints, labels: list[int]) -> list[int]:
    """Those that a study counts first, then those in the fewest combinations: they leave most room for others."""
    named, first = constraints.times_named(labels), constraints.groups.first
    return sorted(labels, key=lambda label: (not constraints.is_counted(label), named[label], first[label]))


def _hitting_set(constraints: Constraints, unmet: Ints, equal: bool) -> list[int]:
    """Labels of which every unmet combination has one: always the one that hits most combinations for its price.

    A label that a study counts is chosen only where a combination has no other. The price of a label is the number of
    patients who have it, or, if utility sets are worth the same, 1 for each of them.
    """
    groups = constraints.groups
    rows = [_choices(constraints, itemset) for itemset in unmet.tolist()]
    naming = Sets.of(rows).transposed(len(groups.label_of))
    counts = np.bincount(np.concatenate(rows), minlength=len(groups.label_of))
    waiting = np.ones(len(rows), dtype=bool)

    def rank(label: int, hits: int) -> tuple[bool, float, int, int]:
        counted = constraints.is_counted(label)
        return counted, -hits / (1 if counted and equal else groups.support[label]), int(groups.first[label]), label

    queue = [(*rank(label, int(counts[label])), int(counts[label])) for label in np.flatnonzero(counts).tolist()]
    heapq.heapify(queue)
    chosen: list[int] = []
    while waiting.any():
        *_, label, known = heapq.heappop(queue)
        hits = int(waiting[naming.row(label)].sum())
        if hits and hits < known:  # others have hit some since: it must queue again
            heapq.heappush(queue, (*rank(label, hits), hits))
        elif hits:
            waiting[naming.row(label)] = False
            chosen.append(label)
    return chosen


def _choices(constraints: Constraints, itemset: int) -> list[int]:
    labels = constraints.labels(itemset)
    return [label for label in labels if not constraints.is_counted(label)] or labels
