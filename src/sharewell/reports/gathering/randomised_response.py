"""Randomised response: each patient's answer is true with a known probability, else another one.

Guarantee
---------
ε-differential privacy of every single answer, against everybody who lacks the owner's secret key: whatever the answer
is, no true value makes it more than e^ε times as likely as another. Several measures of one patient add up: m answers
at ε each tell at most m·ε about the patient.

Adversary
---------
Whoever gathers the answers, and whoever sees them afterwards, with any knowledge about the patient and all other
patients. The owner, who knows its patients anyway, holds the key that the draws derive from.

What it does not protect
------------------------
**The owner.** Whoever gathers can estimate the owner's rate, better the more patients it has; where the rate itself is
the secret, sums of masked rows are the way. That somebody is a patient is seen from there being an answer. A patient
whose true value changes gives a new answer, and both together tell 2ε; asked with another ε or other values, the sum.

Parameters
----------
epsilon: more than 0, at most 20, for one answer. values: all values that an answer can have, declared beforehand, not
taken from the data.

Worked example
--------------
Of 10,000 patients 30 % smoke. The estimate is unbiased; its standard error is told.

>>> from sharewell.subjects import Key
>>> asked = RandomisedResponse(epsilon=1.0)
>>> round(asked.stay, 4)
0.7311
>>> truth = {f"patient {i}": "yes" if i < 3000 else "no" for i in range(10_000)}
>>> answers = asked.answers(truth, Key(b"an example key of enough bytes.."), measure="smokes")
>>> found = asked.estimate(answers.values())
>>> round(found.shares["yes"], 2), round(found.errors["yes"], 3)
(0.3, 0.011)

Why it is safe
--------------
Of k values the true one is told with probability p = e^ε / (e^ε + k − 1), each other with q = 1 / (e^ε + k − 1), and
p / q = e^ε. p is rounded down to a multiple of 2⁻⁶⁴, by more than the arithmetic can err. A draw is the HMAC of
patient, measure, true value, p and all values under the secret key: asked again in the same way, a patient gives the
same answer, so that repeating the question tells nothing new. Asked with another ε, a patient draws anew, and both
answers together tell the sum of the two: were it the same draw, two answers that differ would give the truth away.
Unbiased: a value of true share π is seen with share π·p + (1 − π)·q, hence
(seen − q) / (p − q) has expectation π. It may lie below 0 or above 1, and is left so: cutting it off would bias sums.

Cost
----
One HMAC for each answer. The standard error is about √(s·(1 − s)/n) / (p − q) for n patients and a seen share s.

Source
------
Warner, 1965; Kairouz, Bonawitz and Ramage, 2016 (k values); Erlingsson, Pihur and Korolova, 2014 (lasting answers).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from sharewell.errors import DataError
from sharewell.subjects import Key

MOST = 20.0
_DRAWS = 1 << 64
_SLACK = 1 << 13
"""More than e^ε in double precision can err by, in draws."""


@dataclass(frozen=True)
class Estimate:
    """Shares of all values among so many patients, and the standard error of each."""

    people: int
    shares: Mapping[str, float]
    errors: Mapping[str, float]


@dataclass(frozen=True)
class RandomisedResponse:
    """Answers that are true with a known probability."""

    epsilon: float
    values: tuple[str, ...] = ("no", "yes")

    name: ClassVar[str] = "randomised-response"

    def __post_init__(self) -> None:
        if not 0 < self.epsilon <= MOST:
            raise ValueError(f"epsilon — must be more than 0 and at most {MOST:g}")
        if len(self.values) < 2 or len(set(self.values)) < len(self.values):
            raise ValueError("values — at least two, all different")

    @property
    def _kept(self) -> int:
        """So many of the draws tell the truth."""
        grown = math.exp(self.epsilon)
        return int(grown / (grown + len(self.values) - 1) * _DRAWS) - _SLACK

    @property
    def stay(self) -> float:
        """The probability of a true answer."""
        return self._kept / _DRAWS

    @property
    def other(self) -> float:
        """The probability of each false answer."""
        return (1 - self.stay) / (len(self.values) - 1)

    def answers(self, truth: Mapping[str, str], key: Key, measure: str) -> dict[str, str]:
        """Patient → answer. Every patient has exactly one value; a missing one must be a value of its own."""
        odd = sum(value not in self.values for value in truth.values())
        if odd:
            raise DataError(
                f"measure {measure} — {odd} patient(s) without a value, or with one that was not declared"
                " — declare it, or leave those patients out"
            )
        return {person: self._answer(key, measure, person, value) for person, value in truth.items()}

    def _answer(self, key: Key, measure: str, person: str, value: str) -> str:
        drawn = key.digest("randomised response", measure, person, value, str(self._kept), *self.values)
        if int.from_bytes(drawn[:8], "big") < self._kept:
            return value
        others = [one for one in self.values if one != value]
        return others[int.from_bytes(drawn[8:], "big") % len(others)]

    def estimate(self, answers: Iterable[Any]) -> Estimate:
        """True shares from randomised answers, unbiased."""
        counts = Counter(answers)
        people, odd = counts.total(), sum(count for value, count in counts.items() if value not in self.values)
        if odd or not people:
            raise DataError(f"answers — {people}, {odd} of them not among the declared values — is it the right file?")
        seen = {value: counts[value] / people for value in self.values}
        reach = self.stay - self.other
        return Estimate(
            people,
            {value: (share - self.other) / reach for value, share in seen.items()},
            {value: math.sqrt(share * (1 - share) / people) / reach for value, share in seen.items()},
        )
