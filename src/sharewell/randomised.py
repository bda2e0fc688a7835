"""Values that were drawn: how often the true one is kept, what one drawn value tells, and what many tell together.

Of k public values the true one is published with probability p, each other with q = (1 − p) / (k − 1). The ratio
γ = p / q bounds what a drawn value tells about its person. Whoever believed something with probability ρ₁ believes it
afterwards with at most γρ₁ / (γρ₁ + 1 − ρ₁) (Evfimievski, Gehrke and Srikant, 2003), and no belief grows by more than
(√γ − 1) / (√γ + 1). It is local differential privacy with ε = ln γ.

A set of m values that a share π of all persons has is seen with share π·(p + (m − 1)·q) + (1 − π)·m·q, and so
(seen − m·q) / (p − q) has expectation π: the estimate is unbiased. It may lie below 0 or above all, and is left so.

>>> drawn = Randomised(kept=3 << 62, answers=2)
>>> round(drawn.epsilon, 4), drawn.ratio, drawn.estimate(40, 100, 1)
(1.0986, Fraction(3, 1), 30.0)
>>> round(drawn.error(40, 100), 2)
9.8
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

DRAWS = 1 << 64
"""Draws are whole numbers below this; those below `kept` tell the truth."""


@dataclass(frozen=True)
class Randomised:
    """How values were drawn, which readers know."""

    kept: int
    answers: int

    def __post_init__(self) -> None:
        if self.answers < 2 or not DRAWS < self.kept * self.answers < DRAWS * self.answers:
            raise ValueError("kept must be a share of draws above one of as many as there are answers, and below all")

    @classmethod
    def within(cls, ratio: Fraction, answers: int) -> Randomised:
        """The most truthful draws of this many values whose ratio of probabilities is at most this.

        >>> drawn = Randomised.within(Fraction(9), 10)
        >>> float(drawn.stay), drawn.ratio <= 9, round(float(drawn.retention), 4)
        (0.5, True, 0.4444)
        """
        kept = ratio * DRAWS / (ratio + answers - 1)
        return cls(math.floor(kept), answers)

    @property
    def stay(self) -> Fraction:
        """The probability of the true value."""
        return Fraction(self.kept, DRAWS)

    @property
    def other(self) -> Fraction:
        """The probability of each other value."""
        return (1 - self.stay) / (self.answers - 1)

    @property
    def retention(self) -> Fraction:
        """The same draws told otherwise: the value is retained with this probability, else any value replaces it."""
        return self.stay - self.other

    @property
    def ratio(self) -> Fraction:
        """γ: how many times as likely as another a true value can make a published one."""
        return self.stay / self.other

    @property
    def epsilon(self) -> float:
        """No true value makes an answer more than e to this as likely as another."""
        return math.log(self.ratio)

    def estimate(self, seen: int, people: int, answers: int) -> float:
        """An unbiased estimate of how many persons have one of some answers, from how many gave one."""
        return float((seen - people * answers * self.other) / (self.stay - self.other))

    def error(self, seen: int, people: int) -> float:
        """The standard error of that estimate, or a little more."""
        spread = Fraction(seen) * (people - seen) / people
        return math.sqrt(spread) / float(self.stay - self.other)


def posterior(ratio: Fraction, prior: Fraction) -> Fraction:
    """The largest belief after seeing a drawn value, of somebody who had the prior belief.

    >>> posterior(Fraction(9), Fraction(1, 10))
    Fraction(1, 2)
    """
    return ratio * prior / (ratio * prior + 1 - prior)


def ratio_for(prior: Fraction, most: Fraction) -> Fraction:
    """The largest ratio that lets no prior belief of `prior` or less grow above `most`.

    >>> ratio_for(Fraction(1, 10), Fraction(1, 2))
    Fraction(9, 1)
    """
    return most * (1 - prior) / (prior * (1 - most))


def growth(ratio: Fraction) -> float:
    """By how much a belief can grow at most: that of somebody whose prior belief is 1 / (1 + √ratio).

    >>> growth(Fraction(9))
    0.5
    """
    root = math.sqrt(ratio)
    return (root - 1) / (root + 1)


def ratio_for_growth(most: Fraction) -> Fraction:
    """The largest ratio by which no belief grows by more.

    >>> ratio_for_growth(Fraction(1, 5))
    Fraction(9, 4)
    """
    return ((1 + most) / (1 - most)) ** 2
