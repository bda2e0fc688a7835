"""How probable each label of each token is: the marginals of a linear-chain conditional random field.

What a word, or two words together, add to a score is computed once and kept, so that a note is a few look-ups and sums
of arrays. All sequences of a note then go through the forward and backward recursions. A pair of neighbours
(`features.pairs`) is found by its place in a table: looks, words and signs of which a model knows a pair are numbered
from 1; 0 is every other one, and no pair has it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate, chain
from types import MappingProxyType
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from sharewell.compiled import numba_or_numpy
from sharewell.notes.annotation.evidence import Facts
from sharewell.notes.annotation.features import AROUND, EDGE, SHARED, gaps, number_shape, of_word, sections, segments
from sharewell.notes.annotation.modelfile import Model
from sharewell.notes.engine.spans import Text

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Key = TypeVar("Key")
Other = TypeVar("Other")
_BLOCK = 1 << 12
"""So many tokens are looked at together: a long note takes no more memory."""
_KEPT = 1 << 15
_FEW_GROUPS = 1 << 10
_NOTHING = [0] * 9
"""No word has more facts of its own than that."""
_REACH = max(AROUND)
_PLACES = {f"{by:+d}": row for row, by in enumerate(AROUND, 1)}
_STRONGEST = 8.0
"""No weight of a transition counts for more."""


class Tables(NamedTuple):
    """Numbers of two neighbours → the row of weights of the pair, 0 for none."""

    left: Ints
    right: Ints
    before: Ints
    after: Ints
    begun: Ints
    """(The preceding sign, the look of a word) → one number for the pair."""
    around: Ints
    """That number and the sign after it → the row of all three."""
    gaps: Ints
    """Sign → the row of weights that it has by itself."""
    edge_look: int
    edge_sign: int


@dataclass(frozen=True, eq=False)
class Pairs:
    """Which number each look, word and sign has, and the tables."""

    looks: dict[str, int]
    spoken: dict[str, int]
    signs: dict[str, int]
    tables: Tables

    @classmethod
    def of(cls, rows: Mapping[str, int]) -> Pairs:
        """From the facts of a model, each with its row of weights."""
        pairs: dict[str, dict[tuple[str, str], int]] = {kind: {} for kind in ("left", "right", "before", "after")}
        around: dict[tuple[str, str, str], int] = {}
        gaps: dict[str, int] = {}
        for fact, row in rows.items():
            kind, _, value = fact.partition("=")
            if kind == "gap":
                gaps[value] = row
            elif kind == "signs":  # signs may be strokes themselves
                sign, _, rest = value.partition("|shape=")
                look, _, after = rest.partition("|")
                around[sign, f"shape={look}", after] = row
            elif kind in pairs:
                first, _, second = value.partition("|")
                pairs[kind][first, second] = row
        neighbour_looks = [look for kind in ("left", "right") for pair in pairs[kind] for look in pair]
        word_pairs = [pair for kind in ("before", "after") for pair in pairs[kind]]
        looks = _numbered((EDGE, *neighbour_looks, *(look for _, look in word_pairs), *(look for _, look, _ in around)))
        spoken = _numbered(word for word, _ in word_pairs)
        signs = _numbered((EDGE, *gaps, *(sign for first, _, second in around for sign in (first, second))))
        begun = _numbered((sign, look) for sign, look, _ in around)
        tables = Tables(
            _table(pairs["left"], looks, looks),
            _table(pairs["right"], looks, looks),
            _table(pairs["before"], spoken, looks),
            _table(pairs["after"], spoken, looks),
            _table(begun, signs, looks),
            _table({((sign, look), after): row for (sign, look, after), row in around.items()}, begun, signs),
            np.array([0, *(gaps.get(sign, 0) for sign in signs)]),
            looks[EDGE],
            signs[EDGE],
        )
        return cls(looks, spoken, signs, tables)


@lru_cache(maxsize=1 << 14)
def _same_number(digits: str) -> str:
    """A number that a model cannot tell from this one, the same for all of them."""
    return _FIRST_OF_SHAPE.setdefault(number_shape(digits), digits) if digits.isascii() else digits


_FIRST_OF_SHAPE: dict[str, str] = {}


def _numbered(keys: Iterable[Key]) -> dict[Key, int]:
    return {key: number for number, key in enumerate(dict.fromkeys(keys), 1)}


def _table(rows: Mapping[tuple[Key, Other], int], ones: Mapping[Key, int], others: Mapping[Other, int]) -> Ints:
    table = np.zeros((len(ones) + 1, len(others) + 1), dtype=np.int64)
    for (first, second), row in rows.items():
        table[ones[first], others[second]] = row
    return table


@dataclass(eq=False)
class Decoder:
    """A model made ready. What it remembers of words is bounded."""

    model: Model
    swift: bool = False
    """Compiled code is worth its import: a long run lies ahead."""

    def ready(self) -> None:
        """For a long run: compiled code, and what the model knows of everyday words."""
        self.swift = True
        known = [fact[5:] for fact in self._rows if fact.startswith("word=") and len(fact) > 5]
        new = [word for word in (*known, *map(str.capitalize, known)) if word not in self._words]
        if new:
            self._learn(new[: _KEPT // 2])

    def marginals(self, text: Text, evidence: Mapping[int, Sequence[Facts]] = MappingProxyType({})) -> Floats:
        """One row a token, one column a label. Some tokens have further facts, in groups: what rules say of them."""
        before, above = gaps(text), sections(text)
        written = text.written
        starts, tokens, said = segments(before), len(written), self._said(evidence, len(written))
        blocks, first = [], 0
        while first < len(starts):  # block by block, each of whole sequences
            last = first + 1
            while last < len(starts) and starts[last] - starts[first] < _BLOCK:
                last += 1
            begin, end = starts[first], starts[last] if last < len(starts) else tokens
            a, b = max(0, begin - _REACH), min(tokens, end + _REACH)
            bounds = np.array([*starts[first:last], end]) - a
            rows = self._block(written[a:b], before[a:b], above[a:b], said[a:b], bounds)
            blocks.append(rows[begin - a : end - a])
            first = last
        return np.concatenate(blocks) if blocks else np.zeros((0, len(self.model.labels)))

    def _said(self, evidence: Mapping[int, Sequence[Facts]], tokens: int) -> Floats:
        """What further facts add to the scores of each token."""
        said, places = np.zeros((tokens, len(self.model.labels))), self._groups
        if len(places) > _KEPT:
            places.clear()
        groups = [group for told in evidence.values() for group in told]
        if new := [group for group in dict.fromkeys(groups) if group not in places]:
            self._learn_groups(new)
        if groups:
            counts = list(map(len, evidence.values()))
            firsts = np.array([0, *accumulate(counts[:-1])])
            sums = self._group_sums[[places[group] for group in groups]]
            said[list(evidence)] = np.add.reduceat(sums, firsts, axis=0)
        return said

    def _learn_groups(self, new: list[Facts]) -> None:
        """Give groups of facts a place each in `_group_sums`."""
        known, own, first = self._rows, self._own, len(self._groups)
        if first + len(new) > len(self._group_sums):
            room = np.zeros((first + 2 * len(new) + _FEW_GROUPS, own.shape[1]))
            room[:first] = self._group_sums[:first]
            self._group_sums = room
        for place, group in enumerate(new, first):
            self._groups[group] = place
            self._group_sums[place] = own[[known[fact] for fact in group if fact in known]].sum(axis=0)

    def _block(self, written: list[str], before: list[str], above: list[str], said: Floats, bounds: Ints) -> Floats:
        """Marginals of the sequences between bounds; what stands outside of them is only looked at."""
        if len(self._words) + len(written) > _KEPT:
            self._words.clear()
            self._same.clear()
        same = self._same
        if new := [word for word in dict.fromkeys(written) if word not in same]:
            alike = {word: _same_number(word) if word.isdigit() else word for word in new}
            if unknown := [word for word in dict.fromkeys(alike.values()) if word not in self._words]:
                self._learn(unknown)
            same |= {word: self._words[other] for word, other in alike.items()}
        words = np.array([same[word] for word in written])
        signs = np.array([self._pairs.signs.get(gap, 0) for gap in before])
        headings = np.array([self._headings.get(heading, 0) for heading in above])
        decoded = numba_or_numpy(self.swift, "sharewell.notes.annotation.kernels:decoded", _decoded)
        kept = (self._sums, self._looks, self._spoken)
        return decoded(
            words, signs, headings, said, bounds, *kept, self._weights, self._own, self._pairs.tables, self._transitions
        )

    def _learn(self, new: list[str]) -> None:
        """Give words a place each in `_sums`, `_looks` and `_spoken`."""
        first, fact_rows, known = len(self._words), [], self._rows
        for place, word in enumerate(new, first):
            facts = of_word(word, self.model.sheet.affixes)
            rows = [known.get(fact, 0) for fact in facts]
            fact_rows.append(rows + _NOTHING[len(rows) :])
            self._words[word] = place
            self._looks[place] = self._pairs.looks.get(f"{facts[0]} {facts[1]}", 0)
            self._spoken[place] = self._pairs.spoken.get(facts[2][5:], 0)
        rows_of, new_places = np.array(fact_rows), slice(first, first + len(new))
        self._sums[new_places] = self._weights[rows_of[:, :SHARED]].sum(axis=1)
        self._sums[new_places, 0] += self._own[rows_of[:, SHARED:]].sum(axis=1)

    @cached_property
    def _groups(self) -> dict[Facts, int]:
        """Group of facts → its place in `_group_sums`."""
        return {}

    @cached_property
    def _group_sums(self) -> Floats:
        return np.zeros((0, len(self.model.labels)))

    @cached_property
    def _pairs(self) -> Pairs:
        return Pairs.of(self._rows)

    @cached_property
    def _headings(self) -> dict[str, int]:
        return {fact[8:]: row for fact, row in self._rows.items() if fact.startswith("section=")}

    @cached_property
    def _words(self) -> dict[str, int]:
        """Word → its place in `_sums`, `_looks` and `_spoken`, which are filled as words come."""
        return {}

    @cached_property
    def _same(self) -> dict[str, int]:
        """Word → the place of what a model cannot tell from it: of numbers, the first that was alike."""
        return {}

    @cached_property
    def _sums(self) -> Floats:
        return np.zeros((_KEPT, *self._weights.shape[1:]))

    @cached_property
    def _looks(self) -> Ints:
        return np.zeros(_KEPT, dtype=np.int64)

    @cached_property
    def _spoken(self) -> Ints:
        return np.zeros(_KEPT, dtype=np.int64)

    @cached_property
    def _rows(self) -> dict[str, int]:
        """Fact → its row of weights; the first row is nothing."""
        facts = (feature[2:] if feature[:2] in _PLACES else feature for feature in self.model.weights)
        return {fact: row for row, fact in enumerate(dict.fromkeys(facts), 1)}

    @cached_property
    def _weights(self) -> Floats:
        """Of each fact: what it adds to the word itself, and to its neighbours."""
        column = {label: i for i, label in enumerate(self.model.labels)}
        weights = np.zeros((len(self._rows) + 1, 1 + len(AROUND), len(column)))
        rows, given = self._rows, self.model.weights
        places = [_PLACES.get(feature[:2], 0) for feature in given]
        where = [rows[feature[2:] if place else feature] for feature, place in zip(given, places, strict=True)]
        counts = list(map(len, given.values()))
        labels = [column[label] for label in chain.from_iterable(given.values())]
        said = list(chain.from_iterable(by_label.values() for by_label in given.values()))
        weights[np.repeat(where, counts), np.repeat(places, counts), labels] = said
        return weights

    @cached_property
    def _own(self) -> Floats:
        return np.ascontiguousarray(self._weights[:, 0])

    @cached_property
    def _transitions(self) -> Floats:
        return np.asarray(np.exp(np.clip(np.array(self.model.transitions), -_STRONGEST, _STRONGEST)))


def _decoded(
    words: Ints, signs: Ints, headings: Ints, said: Floats, bounds: Ints, sums: Floats, looks_of: Ints,
    spoken_of: Ints, weights: Floats, own_weights: Floats, pairs: Tables, steps: Floats,
) -> Floats:  # fmt: skip
    """Marginals of the sequences between bounds: the twin of the compiled code."""
    tokens = len(words)
    parts = sums[words] + weights[pairs.gaps[signs]]
    looks, spoken = looks_of[words], spoken_of[words]
    edge, nothing = np.array([pairs.edge_look]), np.zeros(1, dtype=np.int64)
    rows = (
        headings,
        pairs.left[np.concatenate((edge, looks[:-1])), looks],
        pairs.right[looks, np.concatenate((looks[1:], edge))],
        pairs.before[np.concatenate((nothing, spoken[:-1])), looks],
        pairs.after[np.concatenate((spoken[1:], nothing)), looks],
        pairs.around[pairs.begun[signs, looks], np.concatenate((signs[1:], [pairs.edge_sign]))],
    )
    scores: Floats = said + parts[:, 0] + own_weights[np.array(rows)].sum(axis=0)
    for place, by in enumerate(AROUND, 1):
        if abs(by) < tokens:
            target = slice(max(0, -by), tokens - max(0, by))
            scores[target] += parts[max(0, by) : tokens + min(0, by), place]
    likely = np.exp(scores - scores.max(axis=1, keepdims=True))[bounds[0] : bounds[-1]]
    marginals = np.zeros_like(scores)
    marginals[bounds[0] : bounds[-1]] = forward_backward(likely, bounds - bounds[0], steps)
    return marginals


def forward_backward(likely: Floats, bounds: Ints, transitions: Floats) -> Floats:
    """Marginals of all sequences; each step takes the next token of every sequence that has one.

    Nothing is scaled on the way: sequences are short, and weights of transitions are bounded, so that no product leaves
    the range of floating-point numbers.
    """
    lengths = np.diff(bounds)
    order = np.argsort(-lengths, kind="stable")  # long ones first: those that go on are the first rows
    first, longest = bounds[order], int(lengths[order[0]])
    going = np.searchsorted(-lengths[order], -np.arange(longest)).tolist()  # how many are longer than each step
    rows = np.concatenate([first[:count] + step for step, count in enumerate(going)])  # tokens, step by step
    step_ends = np.cumsum(going).tolist()
    likely = likely[rows]
    forward, backward = likely.copy(), np.ones_like(likely)
    for step in range(1, longest):
        first_row, count = step_ends[step - 1], going[step]
        forward[first_row : first_row + count] *= forward[first_row - going[step - 1] :][:count] @ transitions
    for step in range(longest - 1, 0, -1):
        first_row, count = step_ends[step - 1], going[step]
        ahead = likely[first_row : first_row + count] * backward[first_row : first_row + count]
        backward[first_row - going[step - 1] :][:count] = ahead @ transitions.T
    joint = np.empty_like(likely)
    joint[rows] = forward * backward
    return np.asarray(joint / joint.sum(axis=1, keepdims=True))
