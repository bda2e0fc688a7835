"""How well scores tell members from other people: area under the curve, power at a false-positive rate, and limits.

Thresholds are empirical: the score that a given share of null people (who are not in the pool) exceeds. Several
replicates of an experiment are pooled, and their errors are those of a mean over replicates.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
_NORMAL = NormalDist()
GRID = (0.0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.03, 0.05, 0.075, *(i / 20 for i in range(2, 21)))
"""False-positive rates at which a curve is told."""


@dataclass(frozen=True)
class Estimate:
    """A number and its standard error; None where there was nobody to count."""

    value: float | None
    error: float | None = None


@dataclass(frozen=True)
class Point:
    """One point of a curve."""

    fpr: float
    power: float


def threshold(nulls: ArrayLike, fpr: float) -> float:
    """The score that a further null person exceeds with probability `fpr`, between two observed ones where need be.

    For n null people that is exact where (n + 1) · fpr is a whole number, and a little too strict in between. Fewer
    than 1/fpr − 1 of them cannot tell: it is then the largest score, exceeded with probability 1/(n + 1).

    >>> threshold([1.0, 2.0, 3.0], 0.5), threshold(range(19), 0.05), threshold(range(18), 0.05)
    (2.0, 18.0, 17.0)
    """
    return float(np.quantile(np.asarray(nulls, dtype=np.float64), 1 - fpr, method="weibull"))


def auc(members: ArrayLike, nulls: ArrayLike) -> Estimate:
    """The chance that a member scores higher than a null person, ties counting half; the error is DeLong's.

    >>> auc([3, 4, 5, 6], [1, 2, 3]).value, auc([1], []).value
    (0.9583333333333334, None)
    """
    high, low = np.asarray(members, dtype=np.float64), np.asarray(nulls, dtype=np.float64)
    if not len(high) or not len(low):
        return Estimate(None)
    above, below = _beaten(high, low), _beaten(low, high)
    variance = sum(float(np.var(part, ddof=1)) / len(part) for part in (above, below) if len(part) > 1)
    return Estimate(float(above.mean()), math.sqrt(variance) if min(len(high), len(low)) > 1 else None)


def _beaten(scores: Floats, others: Floats) -> Floats:
    """For each score the share of the others that are lower, equal ones counting half."""
    ordered = np.sort(others)
    ranks = np.searchsorted(ordered, scores, "left") + np.searchsorted(ordered, scores, "right")
    return np.asarray(ranks / (2 * len(others)), dtype=np.float64)


def power(members: ArrayLike, nulls: ArrayLike, fpr: float) -> float:
    """The share of members beyond the threshold; of those on it, as many as make the rate exact."""
    high, low = np.asarray(members, dtype=np.float64), np.asarray(nulls, dtype=np.float64)
    limit = threshold(low, fpr)
    level = float((low == limit).mean())
    share = 0.0 if not level else min(1.0, max(0.0, (fpr - float((low > limit).mean())) / level))
    return float((high > limit).mean() + share * (high == limit).mean())


def power_at(fpr: float, members: ArrayLike, nulls: ArrayLike) -> Estimate:
    """The share of members recognised where a null person is taken for one with probability `fpr`.

    The error counts that of the threshold too, as if both scores were normal with one spread.

    >>> power_at(0.5, [1.5, 2.5, 3.5, 4.5], [1.0, 2.0, 3.0]).value
    0.75
    """
    count, others = len(np.asarray(members)), len(np.asarray(nulls))
    if not count or not others:
        return Estimate(None)
    result = power(members, nulls, fpr)
    inside, steep = _slope(result, fpr, count)
    return Estimate(result, math.sqrt(inside * (1 - inside) / count + steep**2 * fpr * (1 - fpr) / others))


def _slope(result: float, fpr: float, count: int) -> tuple[float, float]:
    """A power that is neither 0 nor 1, and by how much it grows with the false-positive rate, for normal scores."""
    inside = min(max(result, 0.5 / count), 1 - 0.5 / count)
    return inside, _NORMAL.pdf(_NORMAL.inv_cdf(inside)) / _NORMAL.pdf(_NORMAL.inv_cdf(fpr))


def pooled(members: Sequence[ArrayLike], nulls: Sequence[ArrayLike], fpr: float) -> tuple[Estimate, Estimate]:
    """AUC and power over replicates, with one threshold for all: the scores of all of them are one heap.

    Few null people in a replicate so do no harm. What makes all scores of a replicate high or low together counts
    against the statistic. The errors are those of a mean over replicates, to first order.
    """
    parts = [[np.asarray(one, dtype=np.float64) for one in side] for side in (members, nulls)]
    high, low = (np.concatenate(side) for side in parts)
    if len(parts[0]) < 2:
        return auc(high, low), power_at(fpr, high, low)
    areas = [_beaten(ours, low).mean() - _beaten(theirs, high).mean() for ours, theirs in zip(*parts, strict=True)]
    result, limit = power(high, low, fpr), threshold(low, fpr)
    steep = _slope(result, fpr, len(high))[1]
    shares = [(a > limit).mean() - steep * (b > limit).mean() for a, b in zip(*parts, strict=True)]
    return Estimate(auc(high, low).value, _error(areas)), Estimate(result, _error(shares))


def _error(values: Sequence[float]) -> float:
    return float(np.std(values, ddof=1)) / math.sqrt(len(values))


def roc(members: ArrayLike, nulls: ArrayLike) -> tuple[Point, ...]:
    """The curve at the false-positive rates of the grid.

    >>> [(point.fpr, point.power) for point in roc([3, 4], [1, 2])][0]
    (0.0, 1.0)
    """
    high, low = np.asarray(members, dtype=np.float64), np.asarray(nulls, dtype=np.float64)
    if not len(high) or not len(low):
        return ()
    levels = np.unique(np.concatenate([high, low]))[::-1]
    result = 1 - np.searchsorted(np.sort(high), levels, "left") / len(high)
    wrong = 1 - np.searchsorted(np.sort(low), levels, "left") / len(low)
    steps = np.concatenate([[0.0], result]), np.concatenate([[0.0], wrong])
    last = np.flatnonzero(np.append(np.diff(steps[1]) > 0, True))  # of equal rates the greatest power
    return tuple(Point(fpr, float(np.interp(fpr, steps[1][last], steps[0][last]))) for fpr in GRID)


def upper_power(members: ArrayLike, nulls: ArrayLike, fpr: float, confidence: float) -> float | None:
    """With this confidence, the power at a true false-positive rate of `fpr` is at most so much.

    Nothing is assumed of how scores are distributed. Half of the doubt goes to the threshold, which is lowered until
    its true rate is hardly below `fpr`; half to the share of members beyond it (Clopper and Pearson).
    """
    high, low = np.asarray(members, dtype=np.float64), np.sort(np.asarray(nulls, dtype=np.float64))
    if not len(high) or not len(low):
        return None
    doubt = (1 - confidence) / 2
    allowed = surely_reached(len(low), fpr, doubt)
    if allowed > len(low):
        return 1.0
    limit = low[len(low) - allowed]
    return upper_share(int((high >= limit).sum()), len(high), doubt)


def surely_reached(trials: int, chance: float, doubt: float) -> int:
    """The least number that is reached in this many trials with a probability of at most `doubt`.

    >>> surely_reached(100, 0.05, 0.025)
    11
    """
    reached = np.append(_binomial(trials, chance)[::-1].cumsum()[::-1], 0.0)
    return int(np.argmax(reached <= doubt))


def upper_share(count: int, trials: int, doubt: float) -> float:
    """The largest share under which so few successes, or fewer, have the probability `doubt`; rounded up.

    >>> upper_share(0, 100, 0.05), upper_share(5, 100, 0.025), upper_share(3, 3, 0.05)
    (0.029514, 0.112835, 1.0)
    """
    if count >= trials:
        return 1.0
    low, high = count / trials, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        fewer = float(_binomial(trials, middle)[: count + 1].sum())
        low, high = (middle, high) if fewer > doubt else (low, middle)
    return math.ceil(high * 1e6) / 1e6


def _binomial(trials: int, chance: float) -> Floats:
    """The probability of 0, 1, …, all successes."""
    number = np.arange(trials + 1)
    if not 0 < chance < 1:
        return np.asarray(number == (trials if chance >= 1 else 0), dtype=np.float64)
    ways = np.concatenate([[0.0], np.cumsum(np.log(trials - number[:-1]) - np.log(number[1:]))])
    return np.asarray(np.exp(ways + number * math.log(chance) + (trials - number) * math.log1p(-chance)))
