"""Which clusters are merged, and when it is enough.

Merging makes classes larger: the demographics lose detail, and the codes keep more. With a bound on the loss of the
demographics as many clusters are merged as it allows; with a bound on the loss of the codes, as few as it takes.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sharewell.joint.engine.protection.class_codes import ClassCodes, Coded
from sharewell.joint.engine.protection.clusters import Clusters

Rule = Literal["R", "T", "RT"]
_SLACK = 1e-9
"""Sums of shares are not exact; a bound is not missed by this."""


def merge_within(clusters: Clusters, rule: Rule, bound: float) -> int:
    """Rmerge: the cluster that loses least with its best partner, as long as the demographics stay within the bound."""
    waiting, merges = clusters.alive.copy(), 0
    lost = clusters.lost * clusters.cells
    most = (bound + _SLACK) * clusters.cells
    while waiting.any():
        one = int(np.where(waiting, clusters.loss, np.inf).argmin())
        united = clusters.united(one)
        apart = clusters.loss * clusters.size
        after = lost - apart - apart[one] + united * (clusters.size + clusters.size[one])
        fits = clusters.alive & (after <= most)
        fits[one] = False
        if not fits.any():
            waiting[one] = False
            continue
        other = _partner(clusters, rule, one, united, fits)
        lost = float(after[other])
        clusters.merge(one, other)
        waiting[other] = False
        merges += 1
    return merges


def merge_until(
    clusters: Clusters, rule: Rule, bound: float, codes: ClassCodes, occurrences: int
) -> tuple[dict[int, Coded], int]:
    """Tmerge: the cluster that loses most with its best partner, until the codes are within the bound.

    In one round each cluster is merged once, so that nobody's codes are protected more than log2(clusters) times.
    """
    coded = {i: codes.of(rows) for i, rows in enumerate(clusters.members)}
    lost, merges = sum(one.loss for one in coded.values()), 0
    most = (bound + _SLACK) * occurrences
    while lost > most and len(coded) > 1:
        fresh = clusters.alive.copy()
        for one in sorted(coded, key=lambda i: (-coded[i].loss, i)):
            if not fresh[one]:
                continue
            fresh[one] = False
            if not fresh.any():
                break
            other = _partner(clusters, rule, one, clusters.united(one), fresh)
            fresh[other] = False
            clusters.merge(one, other)
            merges += 1
            lost -= coded[one].loss + coded.pop(other).loss
            coded[one] = codes.of(clusters.members[one])
            lost += coded[one].loss
            if lost <= most:
                break
    return coded, merges


def _partner(clusters: Clusters, rule: Rule, one: int, united: NDArray[np.float64], fits: NDArray[np.bool_]) -> int:
    """By the loss of the union (R), by how alike the codes are (T), or by the sum of both ranks (RT)."""
    some = np.flatnonzero(fits)
    if rule == "R":
        return int(some[united[some].argmin()])
    distance = clusters.distances(one)[some]
    if rule == "T":
        return int(some[distance.argmin()])
    return int(some[(_rank(united[some]) + _rank(distance)).argmin()])


def _rank(values: NDArray[np.float64]) -> NDArray[np.intp]:
    return np.unique(np.round(values, 12), return_inverse=True)[1]
