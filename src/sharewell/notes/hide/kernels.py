"""Compiled twin of `decoding.side_by_side`. Nothing imports this at start."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sharewell.compiled import jit


@jit
def marginals(
    likely: NDArray[np.float64], bounds: NDArray[np.int64], transitions: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Marginals of sequences that lie between bounds."""
    many, labels = likely.shape
    forward, backward = likely.copy(), np.ones((many, labels))
    for at in range(len(bounds) - 1):
        first, end = bounds[at], bounds[at + 1]
        for row in range(first + 1, end):
            for label in range(labels):
                total = 0.0
                for other in range(labels):
                    total += forward[row - 1, other] * transitions[other, label]
                forward[row, label] *= total
        for row in range(end - 2, first - 1, -1):
            for label in range(labels):
                total = 0.0
                for other in range(labels):
                    total += transitions[label, other] * likely[row + 1, other] * backward[row + 1, other]
                backward[row, label] = total
    for row in range(many):
        total = 0.0
        for label in range(labels):
            forward[row, label] *= backward[row, label]
            total += forward[row, label]
        for label in range(labels):
            forward[row, label] /= total
    return forward
