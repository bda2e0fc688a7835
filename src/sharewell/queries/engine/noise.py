"""Noise by opendp, and what it costs by opendp's own account.

Two primitives beside the noise on a vector of whole numbers (`sharewell.opendp_noise`, which reports use too): the
largest entries of a noisy vector, and the best entry of a noisy vector of scores. Both are built for a price and draw
from the machine's own randomness, as that noise is.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sharewell.opendp_noise import Accounting, Price, guarded, opendp, smallest_scale


@dataclass(frozen=True)
class TopNoise:
    """Which entries of a vector of counts are the largest, by noisy comparison."""

    accounting: Accounting
    k: int
    scale: float
    sensitivity: float
    loss: float
    monotonic: bool
    """Does one person move all counts in one direction?"""

    @classmethod
    def within(cls, price: Price, k: int, moved: int, monotonic: bool) -> TopNoise:
        def stated(scale: float) -> float:
            return float(_top(price.accounting, k, scale, monotonic).map(moved))

        scale, loss = smallest_scale(stated, _guess(stated(1.0), price), price)
        return cls(price.accounting, k, scale, float(moved), loss, monotonic)

    def choose(self, counts: NDArray[np.int64]) -> list[int]:
        """The places of the k largest, the largest first."""
        result = guarded(lambda: _top(self.accounting, self.k, self.scale, self.monotonic)(counts.tolist()))
        return [int(place) for place in result]


@dataclass(frozen=True)
class QuantileNoise:
    """Which of the public candidates is nearest to a quantile, by noisy comparison of how many rows lie either side."""

    accounting: Accounting
    at: float
    candidates: tuple[int, ...]
    scale: float
    sensitivity: float
    """How far one person moves a score, as opendp states it."""
    parts: int
    """Scores are whole numbers: this many parts of a rank."""
    loss: float

    @classmethod
    def within(cls, price: Price, at: float, candidates: tuple[int, ...], moved: int) -> QuantileNoise:
        """`moved`: by how many rows neighbouring tables differ."""
        scores = guarded(lambda: _scores(at, candidates))
        sensitivity, parts = int(scores.map(moved)), round(int(scores.map(1)) / max(at, 1 - at))

        def stated(scale: float) -> float:
            return float(_best(price.accounting, scale).map(sensitivity))

        first = _guess(stated(float(sensitivity)), price) * sensitivity
        scale, loss = smallest_scale(stated, first, price)
        return cls(price.accounting, at, candidates, scale, float(sensitivity), parts, loss)

    def scores(self, below: NDArray[np.int64], above: NDArray[np.int64]) -> NDArray[np.int64]:
        """How far each candidate is from the quantile, from the numbers of rows below and above it (opendp's score)."""
        share = round(self.at * self.parts)
        result: NDArray[np.int64] = np.abs((self.parts - share) * below - share * above)
        return result

    def choose(self, below: NDArray[np.int64], above: NDArray[np.int64]) -> int:
        """One of the candidates."""
        scores = self.scores(below, above).tolist()
        return self.candidates[int(guarded(lambda: _best(self.accounting, self.scale)(scores)))]

    def rank_error(self, share: float = 0.95) -> float:
        """With this probability the answer is at most this many ranks off from the best candidate."""
        return self.scale / self.parts * math.log(len(self.candidates) / (1 - share))


def _guess(stated_at_one: float, price: Price) -> float:
    """Pure loss falls with the scale, ρ with its square."""
    ratio = stated_at_one / price.amount
    return ratio if price.accounting == "pure" else math.sqrt(ratio)


def _measure(accounting: Accounting) -> Any:
    dp = opendp()
    return dp.max_divergence() if accounting == "pure" else dp.zero_concentrated_divergence()


def _top(accounting: Accounting, k: int, scale: float, monotonic: bool) -> Any:
    dp = opendp()
    domain, metric = dp.vector_domain(dp.atom_domain(T="i64")), dp.linf_distance(T="i64", monotonic=monotonic)
    return dp.m.make_noisy_top_k(domain, metric, _measure(accounting), k=k, scale=scale)


def _scores(at: float, candidates: tuple[int, ...]) -> Any:
    dp = opendp()
    domain = dp.vector_domain(dp.atom_domain(T="i64"))
    return dp.t.make_quantile_score_candidates(domain, dp.symmetric_distance(), candidates=list(candidates), alpha=at)


def _best(accounting: Accounting, scale: float) -> Any:
    """The place of the smallest noisy score."""
    dp = opendp()
    domain, metric = dp.vector_domain(dp.atom_domain(T="i64")), dp.linf_distance(T="i64")
    return dp.m.make_noisy_max(domain, metric, _measure(accounting), scale=scale, negate=True)
