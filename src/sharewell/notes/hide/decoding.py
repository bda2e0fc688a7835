"""How probable each label of each token is: the marginals of a linear-chain conditional random field.

All sequences of a note go through the forward and backward recursions side by side, as one array; what a word adds is
computed once and kept. That makes it as quick as the rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sharewell.notes.hide.features import AROUND, SHARED, gaps, of_word, sections, segments
from sharewell.notes.hide.modelfile import Model
from sharewell.notes.spans import Text

Floats = NDArray[np.float64]
_KEPT = 1 << 14
_PLACES = {f"{by:+d}": row for row, by in enumerate(AROUND, 1)}
_STRONGEST = 8.0
"""No weight of a transition counts for more."""


@dataclass(frozen=True, eq=False)
class Decoder:
    """A model made ready. What it remembers of words is bounded."""

    model: Model
    _words: dict[str, Floats] = field(default_factory=dict, repr=False)
    _gaps: dict[str, Floats] = field(default_factory=dict, repr=False)
    _above: dict[str, Floats] = field(default_factory=dict, repr=False)

    def marginals(self, text: Text) -> Floats:
        """One row a token, one column a label."""
        before = gaps(text)
        return _forward_backward(self.scores(text, before), segments(before), self._transitions)

    def scores(self, text: Text, before: list[str]) -> Floats:
        """What the features of each token add up to, by label."""
        many, labels = len(before), len(self.model.labels)
        if not many:
            return np.zeros((0, labels))
        parts = np.array([self._word(text[token.start : token.end]) for token in text.tokens])
        parts += np.array([self._gap(gap) for gap in before])
        total: Floats = parts[:, 0] + np.array([self._section(head) for head in sections(text)])
        for place, by in enumerate(AROUND, 1):
            if abs(by) < many:
                here = slice(max(0, -by), many - max(0, by))
                total[here] += parts[max(0, by) : many + min(0, by), place]
        return total

    def _word(self, said: str) -> Floats:
        found = self._words.get(said)
        if found is None:
            rows, weights = self._table
            facts = of_word(said, self.model.sheet.affixes)
            found = self._sum(facts[:SHARED])
            found[0] += weights[[rows[fact] for fact in facts[SHARED:] if fact in rows], 0].sum(0)
            found = _kept(self._words, said, found)
        return found

    def _gap(self, gap: str) -> Floats:
        found = self._gaps.get(gap)
        return _kept(self._gaps, gap, self._sum((f"gap={gap}",))) if found is None else found

    def _section(self, head: str) -> Floats:
        found = self._above.get(head)
        return _kept(self._above, head, self._sum((f"section={head}",))[0]) if found is None else found

    def _sum(self, facts: Sequence[str]) -> Floats:
        """What facts of a word add to its own score (first row), and to those of its neighbours (one row each)."""
        rows, weights = self._table
        total: Floats = weights[[rows[fact] for fact in facts if fact in rows]].sum(0)
        return total

    @cached_property
    def _table(self) -> tuple[dict[str, int], Floats]:
        """Fact → its place, and weights: of each fact a row for the word itself, and one for each neighbour."""
        column = {label: at for at, label in enumerate(self.model.labels)}
        places = {feature: _PLACES.get(feature[:2], 0) for feature in self.model.weights}
        told = {feature: feature[2:] if row else feature for feature, row in places.items()}
        rows = {fact: at for at, fact in enumerate(dict.fromkeys(told.values()))}
        weights = np.zeros((len(rows), 1 + len(AROUND), len(column)))
        for feature, by_label in self.model.weights.items():
            for label, weight in by_label.items():
                weights[rows[told[feature]], places[feature], column[label]] = weight
        return rows, weights

    @cached_property
    def _transitions(self) -> Floats:
        return np.asarray(np.exp(np.clip(np.array(self.model.transitions), -_STRONGEST, _STRONGEST)))


def _kept(memory: dict[str, Floats], key: str, value: Floats) -> Floats:
    if len(memory) >= _KEPT:
        memory.clear()
    memory[key] = value
    return value


def _forward_backward(scores: Floats, starts: list[int], transitions: Floats) -> Floats:
    """Marginals of all sequences; each step takes the next token of every sequence that has one.

    Nothing is scaled on the way: sequences are short, and weights of transitions are bounded, so that no product leaves
    the range of floating-point numbers.
    """
    many = len(scores)
    if not many:
        return scores
    lengths = np.diff([*starts, many])
    order = np.argsort(-lengths, kind="stable")  # long ones first: those that go on are the first rows
    first, longest = np.array(starts)[order], int(lengths[order[0]])
    going = np.searchsorted(-lengths[order], -np.arange(longest)).tolist()  # how many are longer than each step
    rows = np.concatenate([first[:count] + step for step, count in enumerate(going)])  # tokens, step by step
    ends = np.cumsum(going).tolist()
    likely = np.exp(scores - scores.max(axis=1, keepdims=True))[rows]
    forward, backward = likely.copy(), np.ones_like(likely)
    for step in range(1, longest):
        here, count = ends[step - 1], going[step]
        forward[here : here + count] *= forward[here - going[step - 1] :][:count] @ transitions
    for step in range(longest - 1, 0, -1):
        here, count = ends[step - 1], going[step]
        ahead = likely[here : here + count] * backward[here : here + count]
        backward[here - going[step - 1] :][:count] = ahead @ transitions.T
    joint = np.empty_like(likely)
    joint[rows] = forward * backward
    return np.asarray(joint / joint.sum(axis=1, keepdims=True))
