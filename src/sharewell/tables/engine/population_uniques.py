"""How many people of a population of known size are unique in it, estimated from the class sizes of a sample.

n persons are released in u classes, f[i] of them of size i; N is the size of the population. An estimator that finds
no solution returns no number and a note. With no unique person in the sample the answer is 0; with n = N it is f[1].
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

import numpy as np

from sharewell.tables.engine.array_types import Floats, Ints

Real = TypeVar("Real", float, Floats)
_NEAR = 12
"""This many terms of the digamma function ψ are added one by one; what lies further away is a series."""
_TERMS = (1 / 12, -1 / 120, 1 / 252, -1 / 240, 1 / 132, -691 / 32760, 1 / 12)
"""B_2k / 2k: the coefficients of the asymptotic series."""


def sums_of_inverses(first: Floats, number: int) -> Floats:
    """1/x + 1/(x+1) + …, this many terms, for each x = first > 0: ψ(x + number) − ψ(x), without what would cancel.

    >>> sums_of_inverses(np.array([1.0, 2.0]), 2).round(12).tolist(), sums_of_inverses(np.array([1e12]), 1000).tolist()
    ([1.5, 0.833333333333], [9.999999995005e-10])
    """
    few = number < 2 * _NEAR
    near = (1.0 / (first + np.arange(number if few else _NEAR)[:, None])).sum(axis=0)
    if few:
        return np.asarray(near)
    x, end = first + _NEAR, first + number
    return np.asarray(np.log1p((end - x) / x) + _away(end) - _away(x) + near)


def sum_of_inverses(first: float, number: int) -> float:
    """The same for one number, ten times as fast.

    >>> sum_of_inverses(2.0, 2), sum_of_inverses(1e12, 1000)
    (0.8333333333333333, 9.999999995005e-10)
    """
    few = number < 2 * _NEAR
    near = sum([1.0 / (first + i) for i in range(number if few else _NEAR)])
    if few:
        return near
    x, end = first + _NEAR, first + number
    return float(math.log1p((end - x) / x) + _away(end) - _away(x) + near)


def sums_to_each(first: Floats, numbers: Ints) -> Floats:
    """[x, number]: the same for each x = first and each number of terms.

    >>> sums_to_each(np.array([1.0, 2.0]), np.array([1, 2])).round(12).tolist()
    [[1.0, 1.5], [0.5, 0.833333333333]]
    """
    terms = 1.0 / (first[:, None] + np.arange(2 * _NEAR))
    up_to = np.concatenate([np.zeros((len(first), 1)), np.cumsum(terms, axis=1)], axis=1)
    sums = up_to[:, np.minimum(numbers, 2 * _NEAR)]
    many = numbers > 2 * _NEAR
    x, end = first[:, None] + _NEAR, first[:, None] + numbers[many]
    sums[:, many] = np.log1p((end - x) / x) + _away(end) - _away(x) + up_to[:, _NEAR, None]
    return sums


def _away(x: Real) -> Real:
    """ψ(x) − ln x, far from 0, by the asymptotic series."""
    inverse, series = 1.0 / (x * x), x * 0.0
    for term in reversed(_TERMS):
        series = (series - term) * inverse
    return series - 0.5 / x


_STEPS = 200
"""More steps than any search for a root needs."""
_SPAN, _FARTHEST = 46.0, math.log(1e18)
"""On a logarithmic scale: how far below its upper end θ + α is looked for, and how far up that end goes at most."""


@dataclass(frozen=True, eq=False)
class ClassSizes:
    """Class sizes in ascending order, and how many classes there are of each."""

    size: Ints
    number: Ints

    @classmethod
    def of(cls, sizes: Ints) -> ClassSizes:
        size, number = np.unique(sizes, return_counts=True)
        return cls(size.astype(np.int64), number.astype(np.int64))

    @property
    def total(self) -> int:
        return int(self.size @ self.number)

    @property
    def classes(self) -> int:
        return int(self.number.sum())

    def having(self, size: int) -> int:
        return int(self.number[self.size == size].sum())

    @property
    def uniques(self) -> int:
        return self.having(1)


@dataclass(frozen=True)
class Estimate:
    """Unique people of the population, or None and why."""

    uniques: float | None
    note: str = ""


Estimator = Callable[[ClassSizes, int], Estimate]


def _known(sizes: ClassSizes, people: int) -> Estimate | None:
    """What needs no estimate."""
    if not sizes.uniques:
        return Estimate(0.0, "nobody is unique in the sample")
    if sizes.total == people:
        return Estimate(float(sizes.uniques), "everybody is in the sample: counted")
    return None


def zayatz(sizes: ClassSizes, people: int) -> Estimate:
    """f1 · P · N/n with P = f1·h1 / Σ f_i·h_i and h_i = i · C(N−i, n−1) / C(N, n): as if classes were as in the sample.

    >>> round(zayatz(ClassSizes.of(np.array([1] * 8 + [2, 2, 8])), 100).uniques, 9)
    24.730612944
    """
    if (known := _known(sizes, people)) is not None:
        return known
    sample = sizes.total
    steps = np.arange(1, int(sizes.size[-1]), dtype=np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):  # beyond N − n + 1 nothing is left: log 0
        logs = np.log(np.maximum(people - sample + 1 - steps, 0)) - np.log(people - steps)
    falling = np.concatenate([[0.0], np.cumsum(logs)])
    weight = sizes.number * sizes.size * np.exp(falling[sizes.size - 1])
    return Estimate(float(sizes.uniques * sizes.uniques / weight.sum() * people / sample))


def pitman(sizes: ClassSizes, people: int) -> Estimate:
    """Γ(θ+1)/Γ(θ+α) · N^α, with θ and α of greatest likelihood in the Pitman sampling formula, 0 < α < 1, θ > −α.

    >>> round(pitman(ClassSizes.of(np.array([1] * 8 + [2, 2, 8])), 100).uniques, 9)
    22.665135978
    """
    if (known := _known(sizes, people)) is not None:
        return known
    fitted = pitman_parameters(sizes)
    if fitted is None:
        return Estimate(None, "pitman: the likelihood has no interior maximum")
    theta, alpha = fitted
    log = math.lgamma(theta + 1) - math.lgamma(theta + alpha) + alpha * math.log(people)
    return Estimate(math.exp(log))


def pitman_parameters(sizes: ClassSizes) -> tuple[float, float] | None:
    """(θ, α) where the likelihood is greatest inside its domain; None if it is greatest at the border."""
    if sizes.classes < 2 or sizes.classes == sizes.total:
        return None

    def slope(alpha: float) -> float:
        return float(_slopes(sizes, np.array([alpha]), np.array([_excess(sizes, alpha)]))[0])

    # The profile's slope may change its sign more than once: every crossing downwards is a maximum.
    grid = [1e-4, *(i / 64 for i in range(1, 64)), 1 - 1e-4, 1 - 1e-6]
    slopes = _slopes(sizes, np.array(grid), _excesses(sizes, np.array(grid))).tolist()
    solutions = []
    for (low, high), (before, after) in zip(pairwise(grid), pairwise(slopes), strict=True):
        if before > 0 >= after:
            alpha = _root(slope, low, high)
            solutions.append((_excess(sizes, alpha) - alpha, alpha))
    return max(solutions, key=lambda at: _likelihood(sizes, *at)) if solutions else None


def _excess(sizes: ClassSizes, alpha: float) -> float:
    """θ + α of greatest likelihood for one α; its logarithm is the root of a function that is nearly a line."""
    classes, total = sizes.classes - 1, sizes.total - 1

    def rises(log: float) -> float:
        excess = math.exp(log)
        each = sum_of_inverses(excess / alpha, classes) / alpha
        return math.log(each / sum_of_inverses(excess - alpha + 1, total))

    high = 0.0
    while rises(high) > 0:
        if high > _FARTHEST:
            return math.exp(high)
        high += math.log(4)
    return math.exp(_root(rises, high - _SPAN, high))


def _excesses(sizes: ClassSizes, alpha: Floats) -> Floats:
    """The same for each α, by regula falsi in the variant of Illinois."""
    classes, total = sizes.classes - 1, sizes.total - 1

    def rises(log: Floats) -> Floats:
        excess = np.exp(log)
        each = sums_of_inverses(excess / alpha, classes) / alpha
        return np.asarray(np.log(each / sums_of_inverses(excess - alpha + 1, total)))

    high = np.zeros_like(alpha)
    while (further := (rises(high) > 0) & (high <= _FARTHEST)).any():
        high = np.where(further, high + math.log(4), high)
    low, place, went_up = high - _SPAN, high, np.zeros(len(alpha), dtype=bool)
    at_low, at_high = rises(low), np.minimum(rises(high), 0.0)
    for step in range(_STEPS):
        before, place = place, high - at_high * (high - low) / (at_high - at_low)
        value = rises(place)
        up = value > 0
        if step:  # an end that stays twice counts half, so that both ends move
            at_low, at_high = np.where(~up & ~went_up, at_low / 2, at_low), np.where(up & went_up, at_high / 2, at_high)
        low, at_low = np.where(up, place, low), np.where(up, value, at_low)
        high, at_high = np.where(up, high, place), np.where(up, at_high, value)
        went_up = up
        if (np.abs(place - before) <= 1e-14 * (1 + np.abs(place))).all():
            break
    return np.exp(place)


def _slopes(sizes: ClassSizes, alpha: Floats, excess: Floats) -> Floats:
    """Σ i/(θ + iα) over the classes, less what the likelihood loses inside them, for each α with its best θ + α."""
    each = sums_of_inverses(excess / alpha, sizes.classes - 1)
    slope = (sizes.classes - 1 - (excess - alpha) / alpha * each) / alpha
    return slope - sums_to_each(1 - alpha, sizes.size - 1) @ sizes.number


def _likelihood(sizes: ClassSizes, theta: float, alpha: float) -> float:
    """ln of the Pitman sampling formula, without what does not depend on θ and α."""
    lgamma, start = math.lgamma, theta / alpha
    classes = lgamma(start + sizes.classes) - lgamma(start + 1) + (sizes.classes - 1) * math.log(alpha)
    records = lgamma(theta + sizes.total) - lgamma(theta + 1)
    inside = math.fsum(
        number * (lgamma(size - alpha) - lgamma(1 - alpha))
        for size, number in zip(sizes.size.tolist(), sizes.number.tolist(), strict=True)
    )
    return classes - records + inside


def snb(sizes: ClassSizes, people: int) -> Estimate:
    """K · β^α: class sizes of the population are 1 + a negative binomial (α, β), thinned to the sample.

    K, the classes of the population, by Shlosser's third estimator (Haas and Stokes, 1998); α and β such that the
    expected numbers of classes of one and of two are those of the sample.
    """
    if (known := _known(sizes, people)) is not None:
        return known
    every, fitted = shlosser(sizes, sizes.total / people), snb_parameters(sizes, people)
    if not fitted:
        return Estimate(None, "snb: no solution for these class sizes")
    note = "snb: several solutions, the largest taken" if len(fitted) > 1 else ""
    return Estimate(max(every * beta**alpha for alpha, beta in fitted), note)


def snb_parameters(sizes: ClassSizes, people: int) -> list[tuple[float, float]]:
    """Every (α, β) that gives the expected numbers of classes of one and of two; there may be none."""
    share, once, twice = sizes.total / people, sizes.uniques, sizes.having(2)
    every = shlosser(sizes, share)
    if not twice or not every > sizes.classes:
        return []

    def alpha(beta: float) -> float:
        return _snb_alpha(share, twice / once, beta)

    def excess(beta: float) -> float:
        return every * snb_expected(share, alpha(beta), beta)[0] - once

    grid = [1e-9, 1e-6, 1e-4, *(i / 256 for i in range(1, 256)), 1 - 1e-4, 1 - 1e-6, 1 - 1e-9]
    values = [excess(beta) for beta in grid]
    solutions = []
    for (low, high), (before, after) in zip(pairwise(grid), pairwise(values), strict=True):
        if before > 0 >= after or before < 0 <= after:
            beta = _root(excess, low, high)
            solutions.append((alpha(beta), beta))
    return solutions


def shlosser(sizes: ClassSizes, share: float) -> float:
    """Haas and Stokes' third form of Shlosser's estimator of the number of classes in the population."""
    size, number = sizes.size.astype(np.float64), sizes.number
    seen = (size * share**2 * (1 - share**2) ** (size - 1) * number).sum()
    lost = (((1 - share**2) ** size - (1 - share) ** size) * number).sum()
    unseen = ((1 - share) ** size * number).sum()
    once = (size * share * (1 - share) ** (size - 1) * number).sum()
    return float(sizes.classes + sizes.uniques * (seen / lost) * (unseen / once) ** 2)


def snb_expected(share: float, alpha: float, beta: float) -> tuple[float, float]:
    """The probabilities that a class of the population has one person, or two, in the sample."""
    missed = (1 - share) * (1 - beta)
    left = 1 - missed
    base = math.exp(alpha * math.log(beta / left))
    once = share * base * (1 + alpha * missed / left)
    twice = alpha * base * share**2 * (1 - beta) / (2 * left**2) * (2 - (1 - alpha) * missed)
    return once, twice


def _snb_alpha(share: float, ratio: float, beta: float) -> float:
    """α for which twice/once is as in the sample: the positive root of a quadratic."""
    missed = (1 - share) * (1 - beta)
    left, rate = 1 - missed, share * (1 - beta)
    a, b, c = rate * missed, rate * (2 - missed) - 2 * ratio * missed * left, -2 * ratio * left**2
    root = math.sqrt(b * b - 4 * a * c)
    return -2 * c / (b + root) if b >= 0 else (root - b) / (2 * a)


def dankar(sizes: ClassSizes, people: int) -> Estimate:
    """Pitman if at most a tenth is released, else the smaller of Zayatz and SNB; Zayatz if there is no solution."""
    by_class = zayatz(sizes, people)
    if 10 * sizes.total <= people:
        first = pitman(sizes, people)
        return first if first.uniques is not None else Estimate(by_class.uniques, f"{first.note}; zayatz taken")
    second = snb(sizes, people)
    if second.uniques is None or by_class.uniques is None:
        return Estimate(by_class.uniques, f"{second.note}; zayatz taken")
    return second if second.uniques < by_class.uniques else by_class


def _root(function: Callable[[float], float], low: float, high: float) -> float:
    """Where a function changes its sign between two places, by Ridders' method: the sign always stays enclosed."""
    at_low, at_high = function(low), function(high)
    root = low
    for _ in range(_STEPS):
        middle = (low + high) / 2
        at_middle = function(middle)
        bent = math.sqrt(at_middle * at_middle - at_low * at_high)
        if bent == 0:
            return middle
        place = middle + (middle - low) * (1 if at_low > at_high else -1) * at_middle / bent
        if place == root or not low < middle < high:
            break
        root, value = place, function(place)
        if value == 0:
            break
        edges = sorted([(low, at_low), (middle, at_middle), (place, value), (high, at_high)])
        (low, at_low), (high, at_high) = next(two for two in pairwise(edges) if (two[0][1] < 0) != (two[1][1] < 0))
        if high - low <= 1e-15 * abs(high):
            break
    return root


ESTIMATORS: dict[str, Estimator] = {"dankar": dankar, "pitman": pitman, "zayatz": zayatz, "snb": snb}
