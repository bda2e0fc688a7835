"""Noise error: the average error of a published count, known from the noise alone.

## Guarantee
None; a measure of cost. The value is the mean absolute error of one published count.

## What it does not protect
Not a privacy measure. It says nothing of sums of many counts, nor how large an error is beside its count: that depends
on the data (see query-error).

## Worked example
Noise of the scale 2 puts counts off by two, nearly.

>>> import numpy as np
>>> from sharewell.queries import NoisyTable
>>> drawn = {"marginals": [["sex"]], "terms": [{"noise": "discrete-laplace", "scale": 2.0}]}
>>> result = NoiseError().score(None, NoisyTable({"sex": ["F", "M"]}, np.array([5.0, 7.0]), drawn))
>>> round(result.value, 4), result.details.noise
(1.919, 'discrete-laplace')

## Why it is safe
It reads how noise is drawn, which is public, and neither a count nor the data. A release may therefore be accepted or
rejected by it, and ε be chosen by it, without telling anything of the data: no other measure of a noisy table may be
bounded.

## Cost
O(1).

## Source
Ghosh, Roughgarden and Sundararajan, 2009 (discrete Laplace noise): of the scale b, with α = exp(−1/b), the mean
absolute value is 2α / (1 − α²). Gaussian noise of the scale σ has σ √(2/π), nearly.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from sharewell.algorithm import Declared, Finding, Measure
from sharewell.queries.data import ConfidentialTable, NoisyTable
from sharewell.queries.engine.attackers.published_marginals import UNKNOWN_NOISE, noise_of


@dataclass(frozen=True)
class NoiseErrorDetails:
    """How the noise of a count is distributed."""

    noise: str
    scale: float


@dataclass(frozen=True)
class NoiseError(Declared, Measure[ConfidentialTable | NoisyTable]):
    """The mean absolute value of the noise of one count."""

    def score(self, before: ConfidentialTable | NoisyTable | None, after: ConfidentialTable | NoisyTable) -> Finding:
        law = noise_of(after) if isinstance(after, NoisyTable) else None
        if law is None:
            return Finding(self.name, None, unit="rows", note=f"undecided: {UNKNOWN_NOISE}")
        if law.name == "discrete-gaussian":
            mean = law.scale * math.sqrt(2 / math.pi)
        else:
            alpha = math.exp(-1 / law.scale)
            mean = 2 * alpha / (1 - alpha**2)
        return Finding(self.name, mean, unit="rows", details=NoiseErrorDetails(law.name, law.scale))
