"""Who answers an attacker: counts of those who have a secret attribute, among people whom the attacker chooses.

Attackers are taken to be able to choose people one by one: they know, of everybody, enough columns to tell all apart.
`AskedSubsets` asks a session or a service so; `SimulatedAnswers` stands for every mode in which answers can be given,
to measure what each is worth.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from sharewell.errors import SharewellError
from sharewell.plain_data import Json, JsonObject
from sharewell.queries.engine.exact_control import ExactControl

Members = NDArray[np.bool_]


class SubsetAnswers(Protocol):
    """Counts of those who have the attribute."""

    @property
    @abstractmethod
    def persons(self) -> int: ...

    @property
    @abstractmethod
    def epsilon(self) -> float | None:
        """The loss of one fresh answer; None: answers are exact."""

    @abstractmethod
    def count(self, members: Members) -> float | None:
        """How many of these people have it; None: the question is refused."""


@dataclass(frozen=True)
class AskedSubsets:
    """A session or service, asked by a filter that lists people by a column in which all differ."""

    ask: Callable[[JsonObject], Json]
    """Gives the value of the answer to a question; raises a SharewellError where it is refused."""
    column: str
    values: Sequence[str | float] = field(repr=False)
    """Of each person, the value of that column."""
    attribute: JsonObject = field(repr=False)
    """The filter by which the attribute is asked for, such as `{hiv: yes}`."""
    epsilon: float | None = None

    @property
    def persons(self) -> int:
        return len(self.values)

    def count(self, members: Members) -> float | None:
        chosen = [value for value, inside in zip(self.values, members.tolist(), strict=True) if inside]
        try:
            result = self.ask({"measure": "count", "filter": {self.column: {"in": chosen}, **self.attribute}})
        except SharewellError:
            return None
        return float(str(result))


@dataclass
class SimulatedAnswers:
    """Answers about known zeros and ones: exact or noisy, with or without what protects them.

    >>> exact = SimulatedAnswers(np.array([1, 0, 1, 1]))
    >>> exact.count(np.array([True, True, True, False]))
    2.0
    >>> capped = SimulatedAnswers(np.array([1, 0, 1, 1]), epsilon=0.5, cap=1.0)
    >>> [capped.count(np.array(some)) is None for some in ([True] * 4, [True, True, False, False], [False] * 4)]
    [False, False, True]
    """

    bits: NDArray[np.int64] = field(repr=False)
    epsilon: float | None = None
    cap: float | None = None
    """The most ε of all answers together."""
    stored: bool = False
    """Does the same question get the same answer again, for nothing?"""
    control: ExactControl | None = None
    """What decides about exact answers."""
    seed: int = 0
    spent: float = field(default=0.0, init=False)
    _answers: dict[bytes, float] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        self._rng = np.random.default_rng(self.seed)

    @property
    def persons(self) -> int:
        return len(self.bits)

    def count(self, members: Members) -> float | None:
        exact, text = float(self.bits[members].sum()), members.tobytes()
        if self.epsilon is None:
            return None if self.control is not None and self.control.grant(members) else exact
        if self.stored and text in self._answers:
            return self._answers[text]
        if self.cap is not None and self.spent + self.epsilon > self.cap * (1 + 1e-9):
            return None
        self.spent += self.epsilon
        noisy = exact + float(discrete_laplace(self._rng, 1 / self.epsilon, 1)[0])
        self._answers[text] = noisy
        return noisy


def discrete_laplace(rng: np.random.Generator, scale: float, number: int) -> NDArray[np.int64]:
    """As opendp draws it, for attackers who try what noise does."""
    stays = -math.expm1(-1 / scale)
    return (rng.geometric(stays, number) - rng.geometric(stays, number)).astype(np.int64)


def largest_belief(epsilon: float | None, prior: float = 0.5) -> float:
    """What somebody may come to believe at most of what they held for so probable, after answers of this loss.

    >>> round(largest_belief(1.0), 3), largest_belief(None)
    (0.731, 1.0)
    """
    if epsilon is None or epsilon > 700:
        return 1.0
    odds = math.exp(epsilon) * prior
    return odds / (1 - prior + odds)


def most_exact(epsilon: float | None) -> float:
    """The largest probability to hit a whole number exactly, of whoever errs alike wherever it lies: tanh(ε/2).

    A person more moves the number by one, so that each miss by j is at least e^(-jε) times as likely as a hit; all
    probabilities add up to 1. Discrete Laplace noise attains it.

    >>> round(most_exact(1.0), 4)
    0.4621
    """
    return 1.0 if epsilon is None else math.tanh(epsilon / 2)
