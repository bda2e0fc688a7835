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
    words: Ints, signs: Ints, headings: Ints, said: Floats, bounds: Ints, sums: Floats, looks: Ints, spoken: Ints,
    weights: Floats, own_weights: Floats, pairs: Tables, steps: Floats,
) -> Floats:  # fmt: skip
    """Marginals of the sequences between bounds."""
    tokens, labels = len(words), own_weights.shape[1]
    likely = np.zeros((tokens, labels))
    reach = (weights.shape[1] - 1) // 2
    rows = np.zeros(6, dtype=np.int64)
    for row_index in range(bounds[0], bounds[-1]):
        look, first, last = looks[words[row_index]], row_index == 0, row_index == tokens - 1
        rows[0] = headings[row_index]
        rows[1] = pairs.left[pairs.edge_look if first else looks[words[row_index - 1]], look]
        rows[2] = pairs.right[look, pairs.edge_look if last else looks[words[row_index + 1]]]
        rows[3] = pairs.before[0 if first else spoken[words[row_index - 1]], look]
        rows[4] = pairs.after[0 if last else spoken[words[row_index + 1]], look]
        rows[5] = pairs.around[pairs.begun[signs[row_index], look], pairs.edge_sign if last else signs[row_index + 1]]
        word, gap, line = words[row_index], pairs.gaps[signs[row_index]], likely[row_index]
        for label in range(labels):
            line[label] = said[row_index, label] + sums[word, 0, label] + weights[gap, 0, label]
        for row in rows:
            for label in range(labels):
                line[label] += own_weights[row, label]
        for place in range(1, 2 * reach + 1):
            other = row_index + (place - reach - 1 if place <= reach else place - reach)
            if 0 <= other < tokens:
                word, gap = words[other], pairs.gaps[signs[other]]
                for label in range(labels):  # the innermost: weights of one word lie side by side
                    line[label] += sums[word, place, label] + weights[gap, place, label]
        likely[row_index] = np.exp(likely[row_index] - likely[row_index].max())
    return _marginals(likely, bounds, steps)


@jit
def _marginals(likely: Floats, bounds: Ints, steps: Floats) -> Floats:
    tokens, labels = likely.shape
    forward, backward = likely.copy(), np.ones((tokens, labels))
    for sequence in range(len(bounds) - 1):
        first, end = bounds[sequence], bounds[sequence + 1]
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
