"""Statistics of membership as their definitions read, one person and one SNP at a time."""

from __future__ import annotations

import math
from collections.abc import Sequence

Calls = Sequence[int]
Shares = Sequence[float]


def _known(*shares: float) -> bool:
    return all(math.isfinite(share) for share in shares)


def homer(calls: Calls, mix: Shares, pop: Shares) -> float:
    apart = [
        abs(g / 2 - p) - abs(g / 2 - f) for g, f, p in zip(calls, mix, pop, strict=True) if g >= 0 and _known(f, p)
    ]
    if len(apart) < 2:
        return 0.0
    mean = sum(apart) / len(apart)
    spread = math.sqrt(sum((d - mean) ** 2 for d in apart) / (len(apart) - 1))
    return 0.0 if spread < 1e-9 else mean / (spread / math.sqrt(len(apart)))


def likelihood_ratio(calls: Calls, mix: Shares, pop: Shares, people: int, reference: int | None) -> float:
    total = 0.0
    for g, f, p in zip(calls, mix, pop, strict=True):
        if g < 0 or not _known(f, p) or (reference is None and p in (0, 1)):
            continue
        f = min(max(f, 1 / (4 * people)), 1 - 1 / (4 * people))
        if reference is not None:
            p = min(max(p, 1 / (4 * reference)), 1 - 1 / (4 * reference))
        total += g * math.log(f / p) + (2 - g) * math.log((1 - f) / (1 - p))
    return total


def wip(calls: Calls, mix: Shares, pop: Shares, people: int, reference: int | None) -> float:
    total = 0.0
    for g, f, p in zip(calls, mix, pop, strict=True):
        if g < 0 or not _known(f, p):
            continue
        both = p if reference is None else (people * f + reference * p) / (people + reference)
        if 0 < both < 1:
            total += (g - 2 * both) * (f - p) / (both * (1 - both))
    return total


def beacon(
    calls: Calls,
    answers: Sequence[bool],
    frequency: Shares,
    order: Sequence[int],
    queries: int,
    people: int,
    error: float,
) -> float:
    """The log likelihood ratio after so many questions for alleles that the person carries."""
    total, asked = 0.0, 0
    for snp in order:
        if calls[snp] <= 0 or asked == queries:
            continue
        asked += 1
        absent, before = (1 - frequency[snp]) ** (2 * people), (1 - frequency[snp]) ** (2 * people - 2)
        inside, outside = error * before, absent
        total += math.log((1 - inside) / (1 - outside)) if answers[snp] else math.log(inside / outside)
    return total


def auc(members: Shares, nulls: Shares) -> float:
    pairs = [(a > b) + (a == b) / 2 for a in members for b in nulls]
    return sum(pairs) / len(pairs)
