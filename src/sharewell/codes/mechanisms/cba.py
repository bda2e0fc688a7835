"""CBA: hides listed combinations by the cheapest clusters of codes, and suppresses no more codes than necessary.

## Guarantee
Every combination of the privacy policy (and with `strict` every part of it) is shown by no record or by at least k.
Every label of several codes lies inside one utility set. The release is truthful: each code is a member of its label.

## Adversary
That of the privacy policy: knows a listed combination of codes of a target, or a part of it.

## What it does not protect
Combinations that the policy does not list.

## Parameters
None. The policies are what must hold: `privacy-policy`, and `utility-policy` if codes may not be merged at will.

## Worked example
>>> from sharewell.codes import CodeSets, PrivacyPolicy, UtilityPolicy
>>> data = CodeSets.of([["296.00", "296.01", "296.02"], ["295.00", "295.01", "295.02"], ["296.00", "296.02"]])
>>> policies = [PrivacyPolicy([["296.00", "296.01", "296.02"]], k=2), UtilityPolicy([["296.00", "296.01", "296.02"]])]
>>> released = CBA().protect(data, must=policies)
>>> released.data.support(["296.00", "296.01", "296.02"]), sorted(released.data.names)
(2, ['(296.00,296.01)', '295.00', '295.01', '295.02', '296.02'])

The tutorial shows (296.00,296.01,296.02) here, which meets the policy too and loses more. Its table is garbled: the
third row shows 295.02, which belongs to the second, and (295.00,295.01) lies in no set of the utility policy shown.

Ten patients, of whom an attacker may know a, b and c, or d, e, f, g and h: CBA comes near the best recoding there is,
(a,b) c (d,e) f (g,h), which loses 0.0286 (UL with single codes); CBA loses 0.0298, the other methods here 0.0686.

>>> rows = ["abcdefgh", "acefg", "cdefh", "acef", "efgh", "defg", "abde", "acf", "ac", "bh"]
>>> ten = CodeSets.of([list(row) for row in rows])
>>> sorted(CBA().protect(ten, must=[PrivacyPolicy([list("abc"), list("defgh")], k=5)]).data.names)
['(a,b)', '(d,g)', '(e,h)', 'c', 'f']

## Why it is safe
Combinations that lack the fewest records come first. While a combination would fail even if its labels were whole
utility sets, its rarest label is suppressed; a label whose suppression turns out needless is shown again. Then labels
of the combination are merged inside utility sets, always the pair that loses least (UL) for each record that comes to
show the combination, until it is met; a merge that gains no record is made only if none does. Every combination leaves
fewer labels, so this ends. Combinations that were met are checked again at the end, and suppressing more codes than the
utility policy allows is `Infeasible`.

If codes were suppressed, a second run first looks for what must be suppressed even with every utility set as one label,
takes codes that no study counts before others, and merges among the rest; the run that keeps more utility sets, then
more code occurrences, is published. So suppression is the last resort, and no fewer utility sets are kept than by
showing each as one label.

## Cost
As UGACLIP, for each label of the combination that may be the cheapest to merge.

## Source
Loukides, Gkoulalas-Divanis and Malin, ITAB 2010 ("Privacy-preserving publication of diagnosis codes for effective
biomedical analysis"), in our reading: while a combination is too rare, the pair of codes inside a utility set that
loses least, one of them in the combination, is merged; no more codes are suppressed than required. Weighing the loss by
the records gained, suppressing before merging, and the last check are ours. The second run is ours.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sharewell.algorithm import Criteria, Declared, Key, Mechanism, Protected
from sharewell.codes.data import CodeSets
from sharewell.codes.engine.protection.policy_constraints import Constraints, Partner
from sharewell.codes.engine.protection.unavoidable_suppression import least_lossy


@dataclass(frozen=True)
class CBA(Declared, Mechanism[CodeSets]):
    """Clustering-based anonymisation."""

    engine: ClassVar[tuple[str, ...]] = ("least", "allows")

    def protect(self, data: CodeSets, must: Criteria[CodeSets], key: Key | None = None) -> Protected[CodeSets]:
        return least_lossy(Constraints(self, data, must), _clustered, most_suppressed=len(data.names))


def _clustered(constraints: Constraints, most_suppressed: int) -> None:
    """Codes merged, or suppressed where merging cannot help; `refuse_failure` counts how many were."""
    while (itemset := constraints.next_unmet("least missing")) is not None:
        _suppress(constraints, itemset)
        merges = constraints.groups.merges
        while not constraints.is_met(itemset):
            if cheapest := _cheapest(constraints, itemset):
                constraints.merge(*cheapest)
            else:
                constraints.back_to(merges, itemset)
                constraints.suppress(constraints.labels(itemset)[0])


def _cheapest(constraints: Constraints, itemset: int) -> tuple[int, Partner] | None:
    """The merge that loses least for each record it gains; where none gains any, the one that loses least."""
    labels = constraints.labels(itemset)
    bounds = constraints.least_possible_losses(labels)
    if helped := constraints.helped(itemset):
        least = bounds[[labels.index(label) for label in helped]] - np.log2(constraints.missing(itemset))
        if merge := _least(helped, np.round(least, 9), lambda label: constraints.helpful_partner(itemset, label)):
            return merge
    return _least(labels, bounds, lambda label: constraints.partner(itemset, label, helpful=False))


def _least(
    labels: list[int], bounds: NDArray[np.float64], partner: Callable[[int], Partner | None]
) -> tuple[int, Partner] | None:
    """The label and partner of least loss, the first among equals. No partner loses less than the label's bound."""
    best: tuple[float, int, Partner] | None = None
    for place in np.argsort(bounds, kind="stable").tolist():
        if best is not None and (bounds[place], place) > best[:2]:
            continue
        candidate = partner(labels[place])
        if candidate is not None and (best is None or (candidate.loss, place) < best[:2]):
            best = candidate.loss, place, candidate
    return None if best is None else (labels[best[1]], best[2])


def _suppress(constraints: Constraints, itemset: int) -> None:
    """As few labels as it takes until merging can do the rest, rare ones rather than frequent ones."""
    suppressed: list[int] = []
    while constraints.cannot_be_met(itemset):
        suppressed.append(constraints.labels(itemset)[0])
        constraints.suppress(suppressed[-1])
    for label in reversed(suppressed[:-1]):
        constraints.restore(label)
        if constraints.cannot_be_met(itemset):
            constraints.suppress(label)
