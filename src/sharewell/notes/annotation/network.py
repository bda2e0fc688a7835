"""The shipped network: how probable each kind is for each token of a note.

The facts of a token (`annotation.token_facts`) have a row of whole numbers each; their sum goes through a few layers.
A layer looks at each token and two others, at growing distances, so that in the end a token has been seen with seven
others on either side. The last layer scores kinds.

What goes into a product of matrices is rounded to whole numbers so small that every sum of products is exact in 32-bit
floating-point numbers: the order in which a machine adds makes no difference, and any machine finds the same.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import asdict, dataclass, field
from itertools import pairwise
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from sharewell.notes.annotation.token_facts import (
    Evidence,
    Place,
    evidence_facts,
    evidence_of,
    gap_facts,
    gaps_of,
    place_facts,
    places_of,
    word_facts,
)
from sharewell.notes.engine.spans import Span, Text

Floats = NDArray[np.float32]
Key = TypeVar("Key", bound=Hashable)
HIGHEST = 255
"""The greatest whole number that goes into a product."""
_BLOCK = 1 << 10
"""So many tokens are looked at together: a long note takes no more memory."""
_KEPT = 1 << 14
_AT_ONCE = 16
"""So many tokens are a product of their own: larger ones would be shared among threads, which wait more than they
work."""


@dataclass(frozen=True)
class NetworkCard:
    """What a network says of itself."""

    labels: tuple[str, ...]
    """The first one is for what identifies nobody."""
    rules: tuple[str, ...]
    """The rules whose findings it was trained with."""
    calibration: tuple[tuple[float, float], ...]
    """What it calls so probable is right so often, on authors that it has not seen."""
    trained_on: tuple[str, ...]
    """SHA-256 of the files."""
    notes: int
    scale: float
    """What one of the whole numbers of a fact is worth."""


@dataclass(frozen=True, eq=False)
class Layer:
    """One layer: how far the neighbours are that it looks at (0: it looks at the token alone), how many whole numbers
    are one, and its weights."""

    reach: int
    steps: float
    weights: Floats
    """Whole numbers from -127 to 127."""
    scales: Floats
    bias: Floats

    def __call__(self, inside: Floats) -> Floats:
        """Scores of rows. The product is taken a few rows at a time."""
        (count, width), reach = inside.shape, self.reach
        whole = inside * np.float32(self.steps)
        np.rint(whole, out=whole)
        np.minimum(whole, np.float32(HIGHEST), out=whole)
        seen = np.zeros((-(-count // _AT_ONCE) * _AT_ONCE, len(self.weights)), dtype=np.float32)
        if reach:
            seen[:count, width : 2 * width] = whole
            seen[reach:count, :width] = whole[: max(0, count - reach)]
            seen[: max(0, count - reach), 2 * width :] = whole[reach:]
        else:
            seen[:count] = whole
        products: Floats = seen.reshape(-1, _AT_ONCE, len(self.weights)) @ self.weights
        scores = products.reshape(len(seen), -1)[:count]
        scores *= self.scales
        scores += self.bias
        return scores


class _Sums(dict[Key, int], Generic[Key]):
    """Key → where the sum of the rows of its facts is, worked out once for each key."""

    def __init__(self, facts: Callable[[Key], Iterable[str]], rows: dict[str, int], table: Floats) -> None:
        self._facts, self._rows, self._table = facts, rows, table
        self._sums = np.zeros((1 << 8, table.shape[1]), dtype=np.float32)

    def __missing__(self, key: Key) -> int:
        place = self[key] = len(self)
        if place == len(self._sums):
            self._sums = np.concatenate((self._sums, np.zeros_like(self._sums)))
        rows = [row for fact in self._facts(key) if (row := self._rows.get(fact)) is not None]
        self._sums[place] = self._table[rows].sum(axis=0)
        return place

    def of(self, keys: Iterable[Key]) -> Floats:
        if len(self) > _KEPT:
            self.clear()
        places = list(map(self.__getitem__, keys))
        return self._sums[places]


@dataclass(frozen=True, eq=False)
class Network:
    """Facts and their rows, and layers."""

    card: NetworkCard
    facts: tuple[str, ...] = field(repr=False)
    table: Floats = field(repr=False)
    bias: Floats = field(repr=False)
    layers: tuple[Layer, ...] = field(repr=False)

    def __post_init__(self) -> None:
        rows = {fact: row for row, fact in enumerate(self.facts)}
        sums = (_Sums(of, rows, self.table) for of in (word_facts, gap_facts, place_facts, evidence_facts))
        object.__setattr__(self, "_sums", tuple(sums))
        object.__setattr__(self, "rules", frozenset(self.card.rules))
        object.__setattr__(self, "_reach", sum(layer.reach for layer in self.layers))

    rules: frozenset[str] = field(init=False, repr=False)
    _reach: int = field(init=False, repr=False)
    _sums: tuple[_Sums[str], _Sums[tuple[str, str]], _Sums[Place], _Sums[Evidence]] = field(init=False, repr=False)

    def probabilities(
        self,
        note: Text,
        won: Sequence[Span],
        won_tokens: Sequence[range],
        safe: Sequence[Span],
        covered: Sequence[range],
    ) -> NDArray[np.float64]:
        """A row for each token, a column for each label. `covered`: the tokens of the safe phrases."""
        said = evidence_of(note, won, won_tokens, safe, covered)
        written, gaps, places = note.written, gaps_of(note), places_of(note)
        words, around, where, told = self._sums
        scores, sayings = [], sorted(said.items())
        for start in range(0, len(written), _BLOCK):
            first, end = max(0, start - self._reach), min(len(written), start + _BLOCK + self._reach)
            here = slice(first, end)
            sums = words.of(written[here])
            sums += around.of(gaps[here])
            sums += where.of(places[here])
            if here_said := sayings[bisect_left(sayings, (first,)) : bisect_left(sayings, (end,))]:
                sums[[at - first for at, _ in here_said]] += told.of([evidence for _, evidence in here_said])
            scores.append(self._scores(sums)[start - first : start - first + _BLOCK])
        likely = np.exp(np.concatenate(scores).astype(np.float64))
        return np.asarray(likely / likely.sum(axis=1, keepdims=True))

    def _scores(self, sums: Floats) -> Floats:
        sums *= np.float32(self.card.scale)
        sums += self.bias
        inside = np.maximum(sums, np.float32(0))
        for layer in self.layers[:-1]:
            added = layer(inside)
            inside += np.maximum(added, 0, out=added)
        return self.layers[-1](inside)

    def calibrated(self, probable: NDArray[np.float64]) -> NDArray[np.float64]:
        """How often what the network calls so probable is right; what it says itself where nobody measured."""
        if not self.card.calibration:
            return probable
        said, right = zip(*self.card.calibration, strict=True)
        return np.asarray(np.interp(probable, said, right), dtype=np.float64)

    def to_bytes(self) -> bytes:
        """A line that describes it, then numbers: whole ones of a byte each, then the others."""
        shapes = [(layer.reach, layer.steps, *layer.weights.shape) for layer in self.layers]
        head = {"card": asdict(self.card), "facts": self.facts, "width": self.table.shape[1], "layers": shapes}
        whole = [self.table, *(layer.weights for layer in self.layers)]
        rest = [self.bias, *(part for layer in self.layers for part in (layer.scales, layer.bias))]
        numbers = b"".join(part.astype(np.int8).tobytes() for part in whole)
        numbers += b"".join(part.astype("<f4").tobytes() for part in rest)
        return json.dumps(head, ensure_ascii=False, separators=(",", ":")).encode() + b"\n" + numbers

    @classmethod
    def of_bytes(cls, content: bytes) -> Network:
        line, _, numbers = content.partition(b"\n")
        head = json.loads(line)
        width, shapes = head["width"], head["layers"]
        sizes = [len(head["facts"]) * width, *(rows * columns for *_, rows, columns in shapes)]
        ends = np.cumsum([0, *sizes]).tolist()
        whole = np.frombuffer(numbers[: ends[-1]], np.int8).astype(np.float32)
        rest = np.frombuffer(numbers[ends[-1] :], "<f4").astype(np.float32)
        parts = np.split(rest, np.cumsum([width, *(columns for *_, columns in shapes for _ in range(2))])[:-1])
        layers = tuple(
            Layer(reach, steps, whole[start:end].reshape(rows, columns), parts[2 * i + 1], parts[2 * i + 2])
            for i, ((reach, steps, rows, columns), (start, end)) in enumerate(
                zip(shapes, pairwise(ends[1:]), strict=True)
            )
        )
        card = {key: _tuples(entry) for key, entry in head["card"].items()}
        table = whole[: ends[1]].reshape(-1, width)
        return cls(NetworkCard(**card), tuple(head["facts"]), table, parts[0], layers)


def _tuples(entry: Any) -> Any:
    return tuple(map(_tuples, entry)) if isinstance(entry, list) else entry
