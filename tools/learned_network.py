"""Train the network of `notes.annotation.network` with numpy: forwards, backwards and AdamW, in 32-bit numbers.

A text is encoded as the numbers of the facts that each of its tokens has. While training, some facts are left out at
random, and those that hold letters of a word more often, together: so the network learns from what stands around a word
and how it is written rather than from the word. Texts of a batch lie one after the other, with empty tokens between.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from sharewell.notes.annotation.network import HIGHEST, Layer, Network, NetworkCard
from sharewell.notes.annotation.token_facts import LETTERED

Floats = NDArray[np.float32]
WIDTH = 64
REACHES = (1, 2, 4)
"""Of the layers but the last: how far each one looks."""
_BETWEEN = 8
"""So many empty tokens are between two texts."""
_BATCH = 3000
_LEARNING_RATE, _SHRINK, _BETAS = 3e-3, 0.01, (0.9, 0.999)
_WARM = 100
_LEFT_OUT, _LETTERS_LEFT_OUT, _DROPPED = 0.1, 0.25, 0.15
_SMOOTH = 0.01
_LARGEST = 127
_STEEPEST = 1.0
"""No gradient is longer."""


@dataclass(frozen=True)
class Encoded:
    """A text: the facts of its tokens as numbers, how many each token has, and its labels (-1 where none is wanted)."""

    facts: NDArray[np.int32]
    counts: NDArray[np.int32]
    labels: NDArray[np.int64]


def vocabulary(texts: Iterable[tuple[str, Sequence[Sequence[str]], Sequence[bool]]]) -> tuple[str, ...]:
    """The facts that a network is to know, from (author, facts of each token, is each token's word a name?): those that
    several authors have; of words, those that three authors use where they are no names."""
    authors: dict[str, set[str]] = defaultdict(set)
    counts: Counter[str] = Counter()
    for author, tokens, named in texts:
        for facts, name in zip(tokens, named, strict=True):
            for fact in facts:
                if not (name and fact.startswith("word=")):
                    authors[fact].add(author)
                    counts[fact] += 1
    least = {"word": (3, 4), "front": (4, 12), "back": (4, 12), "tail": (4, 12)}
    few = dict.fromkeys(("rule", "safe", "sure", "part"), (1, 3))
    wanted = {fact: (least | few).get(fact.partition("=")[0], (2, 4)) for fact in counts}
    return tuple(
        sorted(
            fact
            for fact, (by, often) in wanted.items()
            if len(authors[fact]) >= by
            and counts[fact] >= often
            and not (fact.startswith("word=") and not fact[5:].isalpha())
        )
    )


def encoded(tokens: Sequence[Sequence[str]], labels: Sequence[int], known: Mapping[str, int]) -> Encoded:
    numbers = [[known[fact] for fact in facts if fact in known] for facts in tokens]
    return Encoded(
        np.array([fact for facts in numbers for fact in facts], dtype=np.int32),
        np.array(list(map(len, numbers)), dtype=np.int32),
        np.array(labels, dtype=np.int64),
    )


@dataclass
class Weights:
    """What is trained, by name."""

    parts: dict[str, Floats]

    @classmethod
    def drawn(cls, facts: int, labels: int, random: np.random.Generator) -> Weights:
        def normal(*shape: int, by: float) -> Floats:
            return (random.standard_normal(shape) * by).astype(np.float32)

        parts = {"table": normal(facts, WIDTH, by=0.1), "bias": np.zeros(WIDTH, dtype=np.float32)}
        for number in range(len(REACHES)):
            parts[f"w{number}"] = normal(3 * WIDTH, WIDTH, by=(3 * WIDTH) ** -0.5)
            parts[f"b{number}"] = np.zeros(WIDTH, dtype=np.float32)
        parts["last"] = normal(WIDTH, labels, by=WIDTH**-0.5)
        parts["last_bias"] = np.zeros(labels, dtype=np.float32)
        return cls(parts)


class Pass:
    """One batch forwards, and what going backwards needs of it."""

    def __init__(self, weights: Weights, batch: Batch, random: np.random.Generator | None) -> None:
        self.parts, self.batch, self.random = weights.parts, batch, random
        parts = self.parts
        self.sums = batch.facts @ parts["table"] + parts["bias"]
        self.first = self._dropped()
        inside = np.maximum(self.sums, 0) * batch.real * self.first
        self.steps = []
        for number, reach in enumerate(REACHES):
            seen = beside(inside, reach)
            scores = seen @ parts[f"w{number}"] + parts[f"b{number}"]
            kept = self._dropped()
            self.steps.append((seen, scores > 0, kept))
            inside = (inside + np.maximum(scores, 0) * kept) * batch.real
        self.inside = inside
        self.scores = inside @ parts["last"] + parts["last_bias"]

    def _dropped(self) -> Floats:
        shape = (len(self.batch.labels), WIDTH)
        if self.random is None:
            return np.ones((len(self.batch.labels), 1), dtype=np.float32)
        return (self.random.random(shape, dtype=np.float32) >= _DROPPED).astype(np.float32) / np.float32(1 - _DROPPED)

    def gradients(self) -> dict[str, Floats]:
        """Of the mean cross-entropy with smoothed labels."""
        batch, parts = self.batch, self.parts
        likely = np.exp(self.scores - self.scores.max(axis=1, keepdims=True))
        likely /= likely.sum(axis=1, keepdims=True)
        wanted = np.full_like(likely, _SMOOTH / likely.shape[1])
        rows = np.flatnonzero(batch.labels >= 0)
        wanted[rows, batch.labels[rows]] += 1 - _SMOOTH
        self.loss = float(-(wanted[rows] * np.log(likely[rows] + 1e-9)).sum() / max(1, len(rows)))
        back = np.zeros_like(likely)
        back[rows] = (likely[rows] - wanted[rows]) / max(1, len(rows))
        slopes = {"last": self.inside.T @ back, "last_bias": back.sum(axis=0)}
        inner = (back @ parts["last"].T) * batch.real
        for number in reversed(range(len(REACHES))):
            seen, positive, kept = self.steps[number]
            added = inner * positive * kept
            slopes[f"w{number}"], slopes[f"b{number}"] = seen.T @ added, added.sum(axis=0)
            inner = (inner + together(added @ parts[f"w{number}"].T, REACHES[number])) * batch.real
        inner = inner * self.first * (self.sums > 0)
        slopes["bias"] = inner.sum(axis=0)
        slopes["table"] = np.asarray(batch.facts.T @ inner)
        return slopes


@dataclass(frozen=True)
class Batch:
    """Texts one after the other: a row for each token, and empty ones between texts."""

    facts: csr_matrix
    real: Floats
    labels: NDArray[np.int64]

    @classmethod
    def of(
        cls, texts: Sequence[Encoded], known: int, lettered: NDArray[np.bool_], random: np.random.Generator | None
    ) -> Batch:
        counts, labels, real = [], [], []
        empty = np.zeros(_BETWEEN, dtype=np.int64)
        for text in texts:
            counts += [text.counts, empty]
            labels += [text.labels, empty - 1]
            real += [np.ones(len(text.labels)), empty]
        facts, per_token = np.concatenate([text.facts for text in texts]), np.concatenate(counts)
        if random is not None:
            token = np.repeat(np.arange(len(per_token)), per_token)
            gone = (random.random(len(per_token)) < _LETTERS_LEFT_OUT)[token] & lettered[facts]
            kept = ~(gone | (random.random(len(facts)) < _LEFT_OUT))
            facts, per_token = facts[kept], np.bincount(token[kept], minlength=len(per_token))
        ends = np.concatenate(([0], np.cumsum(per_token)))
        ones = np.ones(len(facts), dtype=np.float32)
        matrix = csr_matrix((ones, facts, ends), shape=(len(per_token), known))
        return cls(matrix, np.concatenate(real).astype(np.float32)[:, None], np.concatenate(labels))


def beside(inside: Floats, reach: int) -> Floats:
    """Each row with those before and after it."""
    wide = np.zeros((len(inside), 3 * inside.shape[1]), dtype=np.float32)
    width = inside.shape[1]
    wide[:, width : 2 * width] = inside
    wide[reach:, :width] = inside[:-reach]
    wide[:-reach, 2 * width :] = inside[reach:]
    return wide


def together(wide: Floats, reach: int) -> Floats:
    """The other way: what rows with their neighbours say of each row."""
    width = wide.shape[1] // 3
    rows = wide[:, width : 2 * width].copy()
    rows[:-reach] += wide[reach:, :width]
    rows[reach:] += wide[:-reach, 2 * width :]
    return rows


class AdamW:
    """Loshchilov and Hutter 2019."""

    def __init__(self, weights: Weights) -> None:
        self.weights, self.steps = weights, 0
        self.means = {name: np.zeros_like(part) for name, part in weights.parts.items()}
        self.squares = {name: np.zeros_like(part) for name, part in weights.parts.items()}

    def step(self, slopes: Mapping[str, Floats], rate: float) -> None:
        self.steps += 1
        length = float(np.sqrt(sum(float(np.vdot(slope, slope)) for slope in slopes.values())))
        shorter = np.float32(min(1.0, _STEEPEST / max(length, 1e-9)))
        first, second = _BETAS
        at = rate * np.sqrt(1 - second**self.steps) / (1 - first**self.steps)
        for name, part in self.weights.parts.items():
            slope, mean, square = slopes[name] * shorter, self.means[name], self.squares[name]
            mean += np.float32(1 - first) * (slope - mean)
            np.multiply(slope, slope, out=slope)
            slope -= square
            square += np.float32(1 - second) * slope
            np.sqrt(square, out=slope)
            slope += np.float32(1e-8)
            part *= np.float32(1 - rate * _SHRINK)
            part -= np.float32(at) * (mean / slope)


def trained(texts: Sequence[Encoded], facts: Sequence[str], labels: int, epochs: int, seed: int) -> Weights:
    """The weights after so many rounds over all texts; the same seed gives the same ones on one machine."""
    random = np.random.default_rng(seed)
    weights = Weights.drawn(len(facts), labels, random)
    lettered = np.array([fact.startswith(LETTERED) for fact in facts], dtype=bool)
    texts = [text for text in texts if len(text.labels)]
    most = epochs * (sum(len(text.labels) for text in texts) // _BATCH + 1)
    descent = AdamW(weights)
    for _ in range(epochs):
        for chosen in batches(texts, random):
            rate = _LEARNING_RATE * min(1.0, (descent.steps + 1) / _WARM) * max(0.02, 1 - descent.steps / most)
            one = Pass(weights, Batch.of(chosen, len(facts), lettered, random), random)
            descent.step(one.gradients(), rate)
    return weights


def batches(texts: Sequence[Encoded], random: np.random.Generator) -> Iterable[list[Encoded]]:
    """All texts in random order, some thousand tokens at a time."""
    chosen: list[Encoded] = []
    size = 0
    for number in random.permutation(len(texts)).tolist():
        chosen.append(texts[number])
        size += len(texts[number].labels)
        if size >= _BATCH:
            yield chosen
            chosen, size = [], 0
    if chosen:
        yield chosen


def rounded(weights: Weights, facts: Sequence[str], card: NetworkCard, sample: Sequence[Encoded]) -> Network:
    """The network in whole numbers. How many of them are one is measured on a sample of texts."""
    parts, known = weights.parts, len(facts)
    width = float(np.quantile(np.abs(parts["table"]), 0.9999)) / _LARGEST
    table = np.clip(np.rint(parts["table"] / width), -_LARGEST, _LARGEST).astype(np.float32)
    one = Pass(weights, Batch.of(sample, known, np.zeros(known, dtype=bool), None), None)
    names = [(reach, f"w{number}", f"b{number}") for number, reach in enumerate(REACHES)]
    seen = [*(step[0] for step in one.steps), one.inside]
    layers = []
    for (reach, name, bias), inputs in zip([*names, (0, "last", "last_bias")], seen, strict=True):
        steps = HIGHEST / float(np.quantile(inputs[inputs > 0], 0.9999))
        scales = np.abs(parts[name]).max(axis=0) / _LARGEST + 1e-12
        whole = np.rint(parts[name] / scales).astype(np.float32)
        layers.append(Layer(reach, round(steps, 4), whole, (scales / round(steps, 4)).astype(np.float32), parts[bias]))
    return Network(replace(card, scale=width), tuple(facts), table, parts["bias"], tuple(layers))
