"""Random numbers that belong to a person, not to a position in a loop.

Every number is a hash of (seed, table, person[, further keys], name of the draw). So a person is the same in a hospital
of 100 and of 100,000, a table never disturbs another one, a new draw never shifts an old one, and whole blocks of
people are drawn at once with numpy. The mixer is the finaliser of splitmix64; this is not a source of secrets.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

Words = NDArray[np.uint64]
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


@lru_cache(maxsize=4096)
def _word(text: str) -> np.uint64:
    """64 bits of a text."""
    return np.uint64(int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little"))


def _mix(words: Words) -> Words:
    """Scramble, one to one (the finaliser of splitmix64)."""
    words ^= words >> np.uint64(30)
    words *= np.uint64(0xBF58476D1CE4E5B9)
    words ^= words >> np.uint64(27)
    words *= np.uint64(0x94D049BB133111EB)
    words ^= words >> np.uint64(31)
    return words


Option = TypeVar("Option")


@dataclass(frozen=True)
class Lane:
    """One generator for each element of a block; every method takes the name of the draw."""

    states: Words

    def words(self, draw: str) -> Words:
        """64 random bits each."""
        return _mix(self.states + _word(draw))

    def unit(self, draw: str) -> Floats:
        """Uniform in [0, 1)."""
        return np.asarray((self.words(draw) >> np.uint64(11)).astype(np.float64) * 2.0**-53)

    def chance(self, draw: str, probability: float | Floats) -> Bools:
        """True with the given probability."""
        return np.asarray(self.unit(draw) < probability)

    def below(self, draw: str, bound: int | Ints) -> Ints:
        """A whole number in [0, bound)."""
        return np.asarray(self.unit(draw) * bound).astype(np.int64)

    def pick(self, draw: str, cumulative: Floats) -> Ints:
        """The index of an outcome, by the running sums of its weights."""
        return pick(self.unit(draw), cumulative)

    def normal(self, draw: str) -> Floats:
        """Standard normal (Box-Muller)."""
        radius = np.sqrt(-2.0 * np.log1p(-self.unit(draw)))
        return np.asarray(radius * np.cos(2.0 * np.pi * self.unit(draw + "/angle")))

    def exponential(self, draw: str) -> Floats:
        """Exponential with mean 1."""
        return np.asarray(-np.log1p(-self.unit(draw)))

    def at(self, index: slice | NDArray[np.integer] | NDArray[np.bool_]) -> Lane:
        """The lanes of some elements."""
        return Lane(self.states[index])

    def deeper(self, keys: ArrayLike) -> Lane:
        """A lane for each (element, key), e.g. (person, visit)."""
        return Lane(_mix(self.states + (np.asarray(keys).astype(np.uint64) + np.uint64(1)) * _GOLDEN))


@dataclass(frozen=True)
class Stream:
    """The randomness of one table of one seed."""

    seed: int
    table: str

    def of(self, numbers: ArrayLike) -> Lane:
        """The lanes of numbered people (or households, zips, plans ...)."""
        base = _word(f"{self.seed}/{self.table}")
        return Lane(_mix((np.asarray(numbers).astype(np.uint64) + np.uint64(1)) * _GOLDEN + base))


class Dice:
    """A sequence of draws for text that is put together in plain Python; only `random()` of the library is used."""

    __slots__ = ("unit",)

    def __init__(self, word: int) -> None:
        self.unit = Random(word).random

    def chance(self, probability: float) -> bool:
        """True with the given probability."""
        return self.unit() < probability

    def below(self, bound: int) -> int:
        """A whole number in [0, bound)."""
        return int(self.unit() * bound)

    def of(self, options: Sequence[Option]) -> Option:
        """One of a sequence."""
        return options[int(self.unit() * len(options))]


def cumulative(weights: ArrayLike) -> Floats:
    """Running sums of weights, scaled to end at 1."""
    sums = np.cumsum(np.asarray(weights, dtype=np.float64))
    return np.asarray(sums / sums[-1])


def pick(unit: Floats, sums: Floats) -> Ints:
    """The index of the outcome that each uniform number falls on."""
    return np.minimum(np.searchsorted(sums, unit, side="right"), len(sums) - 1).astype(np.int64)


def poisson_sums(mean: float, most: int) -> Floats:
    """Running probabilities of a Poisson count, cut at `most`."""
    terms = [np.exp(-mean)]
    for k in range(1, most + 1):
        terms.append(terms[-1] * mean / k)
    return cumulative(terms)


def negative_binomial_sums(mean: float, shape: float, most: int) -> Floats:
    """Running probabilities of a Poisson count whose mean is Gamma distributed."""
    success = shape / (shape + mean)
    terms = [success**shape]
    for k in range(most):
        terms.append(terms[-1] * (k + shape) / (k + 1) * (1.0 - success))
    return cumulative(terms)
