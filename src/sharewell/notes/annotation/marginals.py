"""How probable each label of each token is: the marginals of a linear-chain conditional random field, by the forward
and backward recursions. For models of a house's own notes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from sharewell.notes.annotation.features import features_of, gaps, segments
from sharewell.notes.annotation.modelfile import Model
from sharewell.notes.engine.spans import Text

Floats = NDArray[np.float64]
_STRONGEST = 8.0
"""No weight of a transition counts for more."""


@dataclass(eq=False)
class Decoder:
    """A model made ready."""

    model: Model

    def marginals(self, text: Text) -> Floats:
        """One row a token, one column a label."""
        rows, weights = self._rows, self._weights
        scores = np.zeros((len(text.written), weights.shape[1]))
        for at, features in enumerate(features_of(text, self.model.sheet.affixes)):
            scores[at] = weights[[rows[feature] for feature in features if feature in rows]].sum(axis=0)
        likely = np.exp(scores - scores.max(axis=1, keepdims=True, initial=-np.inf))
        for first, end in pairwise([*segments(gaps(text)), len(likely)]):
            likely[first:end] = forward_backward(likely[first:end], self._transitions)
        return np.asarray(likely)

    @cached_property
    def _rows(self) -> dict[str, int]:
        return {feature: row for row, feature in enumerate(self.model.weights)}

    @cached_property
    def _weights(self) -> Floats:
        labels = {label: column for column, label in enumerate(self.model.labels)}
        weights = np.zeros((len(self._rows), len(labels)))
        for row, by_label in enumerate(self.model.weights.values()):
            weights[row, [labels[label] for label in by_label]] = list(by_label.values())
        return weights

    @cached_property
    def _transitions(self) -> Floats:
        return np.asarray(np.exp(np.clip(np.array(self.model.transitions), -_STRONGEST, _STRONGEST)))


def forward_backward(likely: Floats, transitions: Floats) -> Floats:
    """Marginals of one sequence.

    Nothing is scaled on the way: sequences are short, and weights of transitions are bounded, so that no product leaves
    the range of floating-point numbers.
    """
    forward, backward = likely.copy(), np.ones_like(likely)
    for at in range(1, len(likely)):
        forward[at] *= forward[at - 1] @ transitions
    for at in range(len(likely) - 2, -1, -1):
        backward[at] = transitions @ (likely[at + 1] * backward[at + 1])
    joint = forward * backward
    return np.asarray(joint / joint.sum(axis=1, keepdims=True))
