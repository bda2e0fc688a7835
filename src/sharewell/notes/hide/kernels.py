"""Compiled twin of `decoding._decoded`. Nothing imports this at start."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sharewell.compiled import jit

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@jit
def decoded(
    words: Ints, signs: Ints, together: Ints, bounds: Ints, sums: Floats, weights: Floats, own: Floats, steps: Floats
) -> Floats:
    """Marginals of the sequences between bounds."""
    many, labels = len(words), own.shape[1]
    likely = np.zeros((many, labels))
    reach = (weights.shape[1] - 1) // 2
    for at in range(bounds[0], bounds[-1]):
        for label in range(labels):
            total = sums[words[at], 0, label] + weights[signs[at], 0, label]
            for family in range(len(together)):
                total += own[together[family, at], label]
            for place in range(1, 2 * reach + 1):
                other = at + (place - reach - 1 if place <= reach else place - reach)
                if 0 <= other < many:
                    total += sums[words[other], place, label] + weights[signs[other], place, label]
            likely[at, label] = total
        likely[at] = np.exp(likely[at] - likely[at].max())
    return _marginals(likely, bounds, steps)


@jit
def _marginals(likely: Floats, bounds: Ints, steps: Floats) -> Floats:
    many, labels = likely.shape
    forward, backward = likely.copy(), np.ones((many, labels))
    for at in range(len(bounds) - 1):
        first, end = bounds[at], bounds[at + 1]
        for row in range(first + 1, end):
            for label in range(labels):
                total = 0.0
                for other in range(labels):
                    total += forward[row - 1, other] * steps[other, label]
                forward[row, label] *= total
        for row in range(end - 2, first - 1, -1):
            for label in range(labels):
                total = 0.0
                for other in range(labels):
                    total += steps[label, other] * likely[row + 1, other] * backward[row + 1, other]
                backward[row, label] = total
    for row in range(bounds[0], bounds[-1]):
        forward[row] *= backward[row]
        forward[row] /= forward[row].sum()
    return forward
