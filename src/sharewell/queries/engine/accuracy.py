"""How far an answer may be off: exact from the distribution of the noise, which is public.

>>> laplace_half_width(1.0)  # of continuous noise ln 20 = 2.9957
3
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from sharewell.opendp_noise import VectorNoise
from sharewell.plain_data import JsonObject

CONFIDENCE = 0.95
_LARGE = 20_000.0
"""Of wider Gaussian noise the continuous distribution gives the same interval, but for a part of one whole number."""


@dataclass(frozen=True)
class Accuracy:
    """How far an answer is off, known before it is drawn."""

    noise: str
    scale: float
    sensitivity: float
    half_width: float | None
    """Each value is off by at most so much with 95 % probability; None where it cannot be said before."""
    note: str

    def to_json(self) -> JsonObject:
        shown = {"noise": self.noise, "scale": self.scale, "sensitivity": self.sensitivity}
        return {**shown, "half_width": self.half_width, "confidence": CONFIDENCE, "note": self.note}


def half_width(noise: VectorNoise, confidence: float = CONFIDENCE) -> int:
    """The smallest whole number by which the noise of one entry is at most off, either way, with this probability."""
    if noise.accounting == "pure":
        return laplace_half_width(noise.scale, confidence)
    return gaussian_half_width(noise.scale, confidence)


def laplace_half_width(scale: float, confidence: float = CONFIDENCE) -> int:
    """The half width for discrete Laplace noise: P(|X| > w) = 2·a^(w+1) / (1+a) with a = e^(-1/scale).

    >>> laplace_half_width(10.0), laplace_half_width(0.02)
    (30, 0)
    """
    step = 1 / scale
    needed = (math.log(2 / (1 - confidence)) - math.log1p(math.exp(-step))) / step - 1
    return max(0, math.ceil(needed - 1e-12 * max(1.0, abs(needed))))


def gaussian_half_width(scale: float, confidence: float = CONFIDENCE) -> int:
    """The half width for discrete Gaussian noise, by adding up its probabilities.

    >>> gaussian_half_width(10.0)
    20
    """
    if scale > _LARGE:
        from statistics import NormalDist

        return math.ceil(NormalDist().inv_cdf((1 + confidence) / 2) * scale) + 1
    reach = math.ceil(12 * scale) + 2
    weights = np.exp(-(np.arange(reach + 1, dtype=np.float64) ** 2) / (2 * scale * scale))
    weights[1:] *= 2
    inside = np.cumsum(weights) / weights.sum()
    return int(np.searchsorted(inside, confidence))


def ratio_interval(
    total: float, total_off: float, count: float, count_off: float, low: float, high: float
) -> tuple[float, float]:
    """Within what bounds total/count lies if neither is off by more; all that is possible if nobody may be there.

    >>> ratio_interval(100, 10, 10, 2, 0, 20)
    (7.5, 13.75)
    >>> ratio_interval(100, 10, 1, 2, 0, 20)
    (0, 20)
    """
    fewest = count - count_off
    if fewest <= 0:
        return low, high
    ends = [(total + sign * total_off) / some for sign in (-1, 1) for some in (fewest, count + count_off)]
    return max(low, min(high, min(ends))), max(low, min(high, max(ends)))
