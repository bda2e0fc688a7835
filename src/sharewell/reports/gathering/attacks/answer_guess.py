"""Answer guess: how certainly can somebody who sees a person's drawn answer name the true one?

## Guarantee
None; a measurement. The value is the chance that the guess is right, for a person of whom nothing else is known; where
answers are not drawn, every answer is true: 1.

## Adversary
Sees the answer of one person, knows how answers are drawn, and beforehand takes every value to be equally likely. The
best guess is the answer itself.

## What it does not protect
Somebody who knows more beforehand begins from there: `growth` is the most by which any belief can grow. Several answers
of one person tell more than one does.

## Worked example
With ε = 1 an answer of two values is true with a chance of e / (1 + e).

>>> from sharewell.keys import Key
>>> from sharewell.reports import CountTable, RandomisedResponse
>>> patients = CountTable.of_cells({("no",): 70, ("yes",): 30}, ["smokes"])
>>> released = RandomisedResponse(1.0).protect(patients, [], Key(b"an example key of enough bytes..")).data
>>> result = AnswerGuess().mount(released)
>>> round(result.value, 4), result.details.baseline, round(result.details.growth, 4)
(0.7311, 0.5, 0.2449)
>>> AnswerGuess().mount(patients).value
1.0

## Why it is safe
It reads how answers were drawn, and no answer.

## Cost
O(1).

## Source
Warner, 1965; Evfimievski, Gehrke and Srikant, 2003 (how far a belief can grow).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sharewell.algorithm import NOT_SIMULATED, Attack, Declared, Finding, PolicyError, Truth
from sharewell.randomised import growth
from sharewell.reports.counts.data import CountTable


@dataclass(frozen=True)
class AnswerGuessDetails:
    """The chance without any answer, the most by which a belief can grow, and ε."""

    baseline: float | None
    growth: float | None
    epsilon: float | None


@dataclass(frozen=True)
class AnswerGuess(Declared, Attack[CountTable]):
    """The chance that a drawn answer is the true one."""

    of_tables: ClassVar[bool] = True

    def mount(self, released: CountTable, truth: Truth[CountTable] | None = None) -> Finding:
        if not isinstance(released, CountTable):
            raise PolicyError(f"{self.name} — guesses answers of persons, and these are figures of owners")
        drawn = released.randomised
        if drawn is None:
            details = AnswerGuessDetails(None, None, None)
            note = "the answers were not randomised: they are the true ones"
            return Finding(self.name, 1.0, unit="probability", details=details, note=note)
        details = AnswerGuessDetails(1 / drawn.answers, growth(drawn.ratio), drawn.epsilon)
        return Finding(self.name, float(drawn.stay), unit="probability", details=details, note=NOT_SIMULATED)
