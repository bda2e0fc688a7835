"""Randomised response: each patient's answer is true with a known probability, otherwise another one.

## Guarantee
ε-differential privacy of every single answer, against everybody who lacks the owner's secret key: whatever the answer
is, no true value makes it more than e^ε times as likely as another. Several measures of one patient add up: m answers
at ε each tell at most m·ε about the patient.

## Adversary
Whoever gathers the answers, and whoever sees them afterwards, with any knowledge about the patient and all other
patients. The owner, who knows its patients anyway, holds the key that the draws derive from.

## What it does not protect
**The owner.** Whoever gathers can estimate the owner's rate, better the more patients it has; where the rate itself is
the secret, sums of masked rows are the way. That somebody is a patient is seen from there being an answer. A patient
whose true value changes gives a new answer, and both together tell 2ε; asked with another ε or other values, the sum.

## Parameters
epsilon: more than 0, at most 20, for one answer.
values: all values that an answer can have, declared beforehand, not taken from the data ("no" and "yes").

## Worked example
Of 10,000 patients 30 % smoke. The estimate is unbiased; its standard error is told.

>>> from sharewell.keys import Key
>>> asked = RandomisedResponse(epsilon=1.0)
>>> round(asked.stay, 4)
0.7311
>>> truth = {f"patient {i}": "yes" if i < 3000 else "no" for i in range(10_000)}
>>> answers = asked.answers(truth, Key(b"an example key of enough bytes.."), measure="smokes")
>>> result = asked.estimate(answers.values())
>>> round(result.shares["yes"], 2), round(result.errors["yes"], 3)
(0.3, 0.011)

In a policy the table of answers is published: of each value how many gave it, how many have it by estimate, and the
standard error of that.

>>> from sharewell.reports import CountTable, LocalPrivacy
>>> patients = CountTable.of_cells({("no",): 7000, ("yes",): 3000}, ["smokes"])
>>> released = asked.protect(patients, [LocalPrivacy(1.0)], Key(b"an example key of enough bytes..")).data
>>> released.arrow.slice(2).to_pylist()
[{'smokes': 'yes', 'count': 4044, 'estimate': '2931.26', 'error': '106.20'}]

## Why it is safe
Of k values the true one is learnt with probability p = e^ε / (e^ε + k − 1), each other with q = 1 / (e^ε + k − 1), and
p / q = e^ε. p is rounded down to a multiple of 2⁻⁶⁴, by more than the arithmetic can err. A draw is the HMAC of
patient, measure, true value, p and all values under the secret key: asked again in the same way, a patient gives the
same answer, so that repeating the question tells nothing new. Asked with another ε, a patient draws anew, and both
answers together tell the sum of the two: were it the same draw, two answers that differ would give the truth away.
Unbiased: a value of true share π is seen with share π·p + (1 − π)·q, hence
(seen − q) / (p − q) has expectation π. It may lie below 0 or above 1, and is left so: cutting it off would bias sums.
A table is drawn person by person, under the key and the table itself: a table that changed is drawn anew, and then
tells 2ε about whoever is in both.

## Cost
One HMAC for each answer. The standard error is about √(s·(1 − s)/n) / (p − q) for n patients and a seen share s.

## Source
Warner, 1965; Kairouz, Bonawitz and Ramage, 2016 (k values); Erlingsson, Pihur and Korolova, 2014 (lasting answers).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar, Protocol, runtime_checkable

import numpy as np
from annotated_types import Interval, MinLen

from sharewell.algorithm import Criteria, DataError, Declared, Key, Mechanism, PolicyError, Protected
from sharewell.key_scope import drawing_key
from sharewell.randomised import DRAWS, Randomised
from sharewell.reports.counts.data import CountTable
from sharewell.reports.counts.engine.dimensions import Dimension

MOST = 20.0
_SLACK = 1 << 13
"""More than e^ε in double precision can err by, in draws."""


@dataclass(frozen=True)
class Estimate:
    """Shares of all values among this many patients, and the standard error of each."""

    people: int
    shares: Mapping[str, float]
    errors: Mapping[str, float]


@dataclass(frozen=True)
class AnswersDrawn:
    """For the steward: how far estimates came out from the truth."""

    people: int
    epsilon: float
    mean_error: float
    """Of the estimates, in persons."""
    standard_error: float
    """The largest one published."""


@runtime_checkable
class Budgeted(Protocol):
    """A criterion that says how much ε mechanisms may use up."""

    def budget(self) -> float: ...


@dataclass(frozen=True)
class RandomisedResponse(Declared, Mechanism[CountTable]):
    """Answers that are true with a known probability."""

    epsilon: Annotated[float, Interval(gt=0, le=MOST)]
    values: Annotated[tuple[str, ...], MinLen(2)] = ("no", "yes")

    of_tables: ClassVar[bool] = True
    engine: ClassVar[str] = "budget"
    falsifies: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(set(self.values)) < len(self.values):
            raise ValueError("values must all be different")
        if self._kept * len(self.values) <= DRAWS:
            raise ValueError("epsilon is so small that no answer would carry information")

    @property
    def _kept(self) -> int:
        """The number of draws that give the true answer."""
        grown = math.exp(self.epsilon)
        return int(grown / (grown + len(self.values) - 1) * DRAWS) - _SLACK

    @property
    def stay(self) -> float:
        """The probability of a true answer."""
        return self._kept / DRAWS

    @property
    def other(self) -> float:
        """The probability of each false answer."""
        return (1 - self.stay) / (len(self.values) - 1)

    def protect(self, data: CountTable, must: Criteria[CountTable], key: Key | None = None) -> Protected[CountTable]:
        """The table of answers, with estimates; of counts of persons by one dimension."""
        if data.truth is None or not data.is_count or len(data.dimensions) != 1 or not data.dimensions[0].is_flat:
            raise PolicyError(
                "randomised-response — asks one question — it needs counts by one dimension, no hierarchy"
            )
        budgets = [one.budget() for one in must if isinstance(one, Budgeted)]
        if budgets and self.epsilon > min(budgets):
            raise PolicyError(f"randomised-response — epsilon is more than the {min(budgets):g} that is asked for")
        (dimension,) = data.dimensions
        odd = sum(int(data.truth.values[i]) for i in dimension.leaves if dimension.codes[i] not in self.values)
        if odd:
            raise DataError(
                f"column {dimension.name} — {odd} person(s) without a declared value — declare it in `values`"
            )
        true = {str(dimension.codes[i]): int(data.truth.values[i]) for i in dimension.leaves}
        people = {f"{value} {i}": value for value, count in true.items() for i in range(count)}
        drawing = drawing_key(key or Key.fresh(), self, data.content)  # another table, other draws
        counts = Counter(self.answers(people, drawing, dimension.name).values())
        declared = (Dimension.flat(dimension.name, self.values),)
        released = CountTable(declared, np.zeros(len(self.values) + 1, np.int64), zeros_shown=False)
        keys: list[tuple[str | None, ...]] = [(value,) for value in self.values]
        places = released.places(keys)
        released = released.with_truth(places, np.array([true.get(value, 0) for value in self.values]))
        shown = released.with_truth(places, np.array([counts[value] for value in self.values])).shown
        drawn = Randomised(self._kept, len(self.values))
        released = replace(released.showing(shown), randomised=drawn)
        deviations = [drawn.estimate(counts[value], len(people), 1) - true.get(value, 0) for value in self.values]
        errors = [drawn.error(counts[value], len(people)) for value in self.values]
        details = AnswersDrawn(len(people), drawn.epsilon, float(np.abs(deviations).mean()), max(errors))
        return Protected(released, details, np.arange(released.size), key is not None)

    def answers(self, truth: Mapping[str, str | None], key: Key, measure: str) -> dict[str, str]:
        """Patient → answer. Every patient has exactly one value; a missing one must be a value of its own."""
        odd = sum(value not in self.values for value in truth.values())
        if odd:
            raise DataError(
                f"measure {measure} — {odd} patient(s) without a value, or with one that was not declared"
                " — declare it, or leave those patients out"
            )
        true_values = {person: value for person, value in truth.items() if value is not None}
        return {person: self._answer(key, measure, person, value) for person, value in true_values.items()}

    def _answer(self, key: Key, measure: str, person: str, value: str) -> str:
        drawn = key.digest("randomised response", measure, person, value, str(self._kept), *self.values)
        if int.from_bytes(drawn[:8], "big") < self._kept:
            return value
        others = [one for one in self.values if one != value]
        return others[int.from_bytes(drawn[8:], "big") % len(others)]

    def estimate(self, answers: Iterable[object]) -> Estimate:
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
