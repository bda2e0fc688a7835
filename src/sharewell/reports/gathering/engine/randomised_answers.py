"""Answers that were drawn: which share of them is true, what that tells about one person, and what about all together.

Of k answers the true one is given with probability p, each other with q = (1 − p) / (k − 1). A set of m answers that a
share π of all persons has is then seen with share π·(p + (m − 1)·q) + (1 − π)·m·q, and so (seen − m·q) / (p − q) has
expectation π: the estimate is unbiased. It may lie below 0 or above all, and is left so.

>>> drawn = Randomised(kept=3 << 62, answers=2)
>>> round(drawn.epsilon, 4), drawn.estimate(40, 100, 1)
(1.0986, 30.0)
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
    """How answers were drawn, which readers know."""

    kept: int
    answers: int

    def __post_init__(self) -> None:
        if self.answers < 2 or not DRAWS < self.kept * self.answers < DRAWS * self.answers:
            raise ValueError("kept must be a share of draws above one of as many as there are answers, and below all")

    @property
    def stay(self) -> Fraction:
        """The probability of a true answer."""
        return Fraction(self.kept, DRAWS)

    @property
    def other(self) -> Fraction:
        """The probability of each false answer."""
        return (1 - self.stay) / (self.answers - 1)

    @property
    def epsilon(self) -> float:
        """No true value makes an answer more than e to this as likely as another."""
        return math.log(self.stay / self.other)

    def estimate(self, seen: int, people: int, answers: int) -> float:
        """An unbiased estimate of how many persons have one of some answers, from how many gave one."""
        return float((seen - people * answers * self.other) / (self.stay - self.other))

    def error(self, seen: int, people: int) -> float:
        """The standard error of that estimate, or a little more."""
        spread = Fraction(seen) * (people - seen) / people
        return math.sqrt(spread) / float(self.stay - self.other)
