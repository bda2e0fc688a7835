"""Compiled twin of `marginals._decoded`. Nothing imports this at start."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sharewell.compiled import jit
from sharewell.notes.annotation.marginals import Tables

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@jit
def decoded(
    words: Ints, signs: Ints, headings: Ints, bounds: Ints, sums: Floats, looks: Ints, spoken: Ints,
    weights: Floats, own: Floats, pairs: Tables, steps: Floats,
) -> Floats:  # fmt: skip
    """Marginals of the sequences between bounds."""
    many, labels = len(words), own.shape[1]
    likely = np.zeros((many, labels))
    reach = (weights.shape[1] - 1) // 2
    rows = np.zeros(6, dtype=np.int64)
    for at in range(bounds[0], bounds[-1]):
        look, first, last = looks[words[at]], at == 0, at == many - 1
        rows[0] = headings[at]
        rows[1] = pairs.left[pairs.edge_look if first else looks[words[at - 1]], look]
        rows[2] = pairs.right[look, pairs.edge_look if last else looks[words[at + 1]]]
        rows[3] = pairs.before[0 if first else spoken[words[at - 1]], look]
        rows[4] = pairs.after[0 if last else spoken[words[at + 1]], look]
        rows[5] = pairs.around[pairs.begun[signs[at], look], pairs.edge_sign if last else signs[at + 1]]
        for label in range(labels):
            total = sums[words[at], 0, label] + weights[pairs.gaps[signs[at]], 0, label]
            for row in rows:
                total += own[row, label]
            for place in range(1, 2 * reach + 1):
                other = at + (place - reach - 1 if place <= reach else place - reach)
                if 0 <= other < many:
                    total += sums[words[other], place, label] + weights[pairs.gaps[signs[other]], place, label]
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
