"""Differential privacy: every published table is about as likely whether or not a given person is in the data.

## Guarantee
Take two original tables that differ in one person (one more or less, or one replaced, as the dictionary says under
`neighbours`). Any set of published tables is at most e^ε times as likely with one of them as with the other, plus a
probability of at most δ. This holds against every attack, whatever else the attacker knows. Losses compose: the ε of
all publications and answers about the same people add up, and the ledger keeps the sum.

## Adversary
Knows everything about everybody but one person, and how the noise was drawn.

## What it does not protect
What is true of people in general: a table can teach that smoking causes cancer, with or without any one smoker. Of a
person with more than `rows_per_person` rows that many enter the table, and the guarantee is about those. Groups
of k people are protected together only at kε. **A table does not show whether noise was drawn at all**: anybody can
check mechanism, scale, sensitivity and their arithmetic; whoever has the folder internal/ can check that the ledger was
charged for this very table; nobody can check afterwards that opendp drew the noise.

## Parameters
epsilon: the largest ε; more than 0.
delta: the largest δ; 0 for pure differential privacy. Of Gaussian noise, ε is stated at this δ.

## Worked example
Counts to which a person contributes at most 3 rows, with discrete Laplace noise of scale 6, have ε = 3/6.

>>> import numpy as np
>>> from sharewell.queries import NoisyTable
>>> term = {"noise": "discrete-laplace", "scale": 6.0, "sensitivity": 3.0, "epsilon": 0.5, "rho": None, "times": 1}
>>> spent = {"epsilon": 0.5, "delta": 0.0, "rho": None, "neighbours": "add-remove", "rows_per_person": 3}
>>> spent |= {"terms": [term]}
>>> table = NoisyTable({"sex": ["F", "M"]}, np.array([12.0, 9.0]), spent)
>>> print(DifferentialPrivacy(0.5).check(table))
differential-privacy = 0.5 epsilon (≤ 0.5: holds)
>>> DifferentialPrivacy(0.4).check(table).failed
True

## Why it is safe
The check recomputes the loss in exact fractions from scale and sensitivity (how far one person can move the counts) of
every draw: sensitivity/scale for Laplace noise and ρ = (sensitivity/scale)²/2 for Gaussian noise, added up over all
draws, with ε = ρ + 2√(ρ ln 1/δ). It does not believe a dictionary that states a smaller loss. For choices by noisy
comparison, and for synthetic tables that opendp composes of many draws, it takes the stated loss, but never less than
sensitivity/scale. A sensitivity below the number of rows of one person, times the marginals that share a draw, and
twice that where one person replaces another, cannot be right and is not judged; nor are unknown neighbours, a δ that
no mechanism here has, or choices without noise on any count.

## Cost
O(draws).

## Source
Dwork, McSherry, Nissim and Smith, 2006; Bun and Steinke, 2016 (ρ, and ε at δ).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from sharewell.algorithm import Criterion, Declared, Finding, Positive, Sense, ShareBelowOne
from sharewell.plain_data import Json
from sharewell.queries.data import EVERY, NoisyTable

_VECTORS = {"discrete-laplace": False, "discrete-gaussian": True}
"""Noise on counts → is its loss ρ?"""
_CHOICES = ("permute-and-flip", "exponential", "report-noisy-max")
_SYNTHESES = ("mst", "aim")
"""Choices and noise on counts together, by the one mechanism that invents records."""
_INVENTS = "synthetic-table"
_SIDES = {"add-remove": 1, "change-one": 2}
_ONE_DRAW = "noisy-marginals"
"""The mechanism that draws the noise of several tables at once."""
_LONGEST = 30


@dataclass(frozen=True)
class LossDetails:
    """The loss as it was computed anew, and as the dictionary states it."""

    epsilon: float
    delta: float
    rho: float
    draws: int
    neighbours: str
    rows_per_person: int


@dataclass(frozen=True)
class DifferentialPrivacy(Declared, Criterion[NoisyTable]):
    """The ε of everything that is published in one table."""

    epsilon: Positive
    delta: ShareBelowOne = 0.0

    sense: ClassVar[Sense] = "≤"
    bounded_by: ClassVar[str] = "epsilon"
    needs_evidence: ClassVar[bool] = True
    """That the noise was drawn and paid for cannot be seen: without the ledger's entry it is the certificate's word."""

    def check(self, data: NoisyTable) -> Finding:
        """With the steward's evidence: the ledger was charged for this table, and for no less than its loss."""
        finding = self._stated(data)
        if data.entry is None or finding.value is None:
            return finding
        if data.entry.published != data.digest:
            return self._undecided("the entry of the ledger is about another table")
        charged = data.entry.rho if data.spent.get("rho") is not None else data.entry.epsilon
        spent = data.spent.get("rho") if data.spent.get("rho") is not None else data.spent.get("epsilon")
        if charged is None or Fraction(charged) < Fraction(str(spent)) * (1 - Fraction(1, 10**9)):
            return self._undecided("the ledger was charged less than the table cost")
        return finding

    def publicly(self, data: NoisyTable) -> Sequence[Finding]:
        """Mechanism, parameters and arithmetic, from the dictionary alone."""
        return (self._stated(data),)

    def _stated(self, data: NoisyTable) -> Finding:
        try:
            pure, rho, draws = _losses(data)
        except (LookupError, TypeError, ValueError, ZeroDivisionError, AttributeError, OverflowError):
            return self._undecided("the dictionary does not say how the noise was drawn, or contradicts itself")
        if rho and not self.delta:
            return self._undecided("Gaussian noise needs a delta")
        gaussian = float(rho) + 2 * math.sqrt(float(rho) * -math.log(self.delta)) if rho else 0.0
        value = pure + Fraction(math.nextafter(gaussian, math.inf) if rho else 0)
        details = LossDetails(
            float(value),
            self.delta if rho else 0.0,
            float(rho),
            draws,
            str(data.spent["neighbours"]),
            int(data.spent["rows_per_person"]),
        )
        return self.finding(value, unit="epsilon", details=details)

    def _undecided(self, note: str) -> Finding:
        return self.finding(None, unit="epsilon", note=note)


def _losses(data: NoisyTable) -> tuple[Fraction, Fraction, int]:
    """(sum of ε, sum of ρ, number of draws) of every term; a dictionary that states less is contradicted."""
    spent, rows = data.spent, data.spent["rows_per_person"]
    pure, rho, draws, counted = Fraction(0), Fraction(0), 0, False
    if type(rows) is not int or rows < 1 or spent["neighbours"] not in _SIDES:
        raise ValueError
    for term in spent["terms"]:
        times, noise, scale, moved = term["times"], term["noise"], _number(term["scale"]), _number(term["sensitivity"])
        if type(times) is not int or times < 1 or scale <= 0 or moved <= 0:
            raise ValueError
        ratio = moved / scale
        if noise in _VECTORS:
            _refuse_too_near(data, moved, _VECTORS[noise])
            pure += 0 if _VECTORS[noise] else ratio * times
            rho += ratio * ratio / 2 * times if _VECTORS[noise] else 0
        elif noise in _CHOICES or (noise in _SYNTHESES and spent.get("mechanism", _INVENTS) == _INVENTS):
            stated = _number(term["epsilon"] if term.get("rho") is None else term["rho"])
            least = ratio if term.get("rho") is None else ratio * ratio / 8
            pure += max(stated, least) * times if term.get("rho") is None else 0
            rho += 0 if term.get("rho") is None else max(stated, least) * times
        else:
            raise ValueError
        draws, counted = draws + times, counted or noise not in _CHOICES
    claimed = _number(spent.get("epsilon") or 0), _number(spent.get("rho") or 0)
    slack = 1 + Fraction(1, 10**9)
    if not counted or spent.get("delta") or pure > claimed[0] * slack or rho > claimed[1] * slack:
        raise ValueError
    return pure, rho, draws


def _refuse_too_near(data: NoisyTable, moved: Fraction, gaussian: bool) -> None:
    """One person moves counts by so much at least: by all of their rows, twice where they replace somebody else's.

    Each of several marginals that share a draw moves by so much; the published labels show how many there are.
    """
    rows, sides = int(data.spent["rows_per_person"]), _SIDES[data.spent["neighbours"]]
    shared = sides * (_marginals(data) if data.spent.get("mechanism") == _ONE_DRAW else 1)
    enough = moved * moved * (1 + Fraction(1, 10**9)) >= rows * rows * shared if gaussian else moved >= rows * shared
    if not enough:
        raise ValueError


def _marginals(data: NoisyTable) -> int:
    """How many tables the labels show: each leaves out other columns."""
    left_out = np.array([[label == EVERY for label in labels] for labels in data.keys.values()], dtype=np.bool_)
    return len(np.unique(left_out, axis=1).T) if left_out.size else 1


def _number(written: Json) -> Fraction:
    """A number of a dictionary, or one that is written as text: no longer than a number is."""
    if isinstance(written, bool) or (isinstance(written, str) and len(written) > _LONGEST):
        raise TypeError
    return Fraction(float(written) if isinstance(written, str) else written)
