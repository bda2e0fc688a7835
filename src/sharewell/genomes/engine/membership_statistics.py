"""Statistics that tell from published allele frequencies who is among the people they were counted in.

Mix is the published frequency in a pool of N people, Pop that of a reference of M people (or the population's own,
which counts as very many). A person's score is a sum over SNPs of a number that depends on their call alone, 0, 1 or 2:
three numbers for each SNP, computed once. All people are then scored block by block, in bounded memory. A missing call
adds nothing; nor does a SNP whose frequency is not known on both sides.

    Homer             D = |g/2 − Pop| − |g/2 − Mix|, T = mean(D) / (sd(D) / √m)
    likelihood ratio  Σ g ln(Mix/Pop) + (2 − g) ln((1 − Mix)/(1 − Pop)), clipped
    WIP               Σ (g − 2p̄)(Mix − Pop) / (p̄(1 − p̄)), p̄ = (N Mix + M Pop)/(N + M): the same to first order

Sources: Homer and others, 2008; Sankararaman and others, 2009.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sharewell.genomes.data.genotypes import Genotypes
from sharewell.genomes.engine.recognition_curves import Estimate, Floats, Point, auc, pooled, power_at, roc, upper_power

__all__ = [
    "Bound",
    "Estimate",
    "Point",
    "STATISTICS",
    "Statistic",
    "auc",
    "bound",
    "homer",
    "likelihood_ratio",
    "pooled",
    "power_at",
    "roc",
    "safe_number",
    "totals",
    "upper_power",
    "wip",
]

BLOCK = 1 << 20
"""Calls that are looked at at once."""
_NORMAL = NormalDist()


@dataclass(frozen=True)
class Statistic:
    """A statistic as tables of SNPs × calls (0, 1, 2) × columns, and what becomes of the sums over them.

    The last column counts SNPs that could tell something.
    """

    name: str
    columns: int
    tables: Callable[[Floats, Floats, int, int | None], Floats]
    """From Mix, Pop, N and M (None: Pop is the population's own)."""
    score: Callable[[Floats], Floats]
    standard: Callable[[Floats, int, int | None], Floats]
    """What has mean 0 and variance 1 for somebody who is in neither, in theory: unlinked SNPs, one ancestry."""


People = Genotypes | ArrayLike
"""Genotypes, or persons × SNPs."""
Group = slice | NDArray[np.intp]
Tables = Callable[[slice, int], Floats]
"""For some SNPs and a group of people: SNPs × calls × columns."""


def totals(people: People, columns: int, tables: Tables, groups: Sequence[Group] = (slice(None),)) -> Floats:
    """Persons × columns: sums over SNPs of tables(SNPs, group)[snp, call, column].

    people: Genotypes, or persons × SNPs. groups: who is scored with which tables; each person is in one.
    """
    found = np.zeros((_persons(people), columns))
    for which, calls in _blocks(people):
        for number, who in enumerate(groups):
            found[who] += _sums(calls[:, who], tables(which, number))
    return found


def _sums(calls: NDArray[np.int8], table: Floats) -> Floats:
    none, one, two = table[:, 0], table[:, 1], table[:, 2]
    found = (calls == 1).astype(np.float64).T @ (one - none) + (calls == 2).astype(np.float64).T @ (two - none)
    found += none.sum(axis=0)
    if (missing := calls < 0).any():
        found -= missing.astype(np.float64).T @ none
    return np.asarray(found)


def homer(people: People, mix: ArrayLike, pop: ArrayLike) -> Floats:
    """T for every person: large for members of the pool. Its null mean is 0 only where N = M.

    >>> homer([[2, 2, 1], [0, 0, 1]], [0.9, 0.9, 0.5], [0.5, 0.6, 0.4]).round(3).tolist()
    [3.024, -1.309]
    """
    return _scored("homer", people, mix, pop, 1, None)


def likelihood_ratio(people: People, mix: ArrayLike, pop: ArrayLike, pool: int, reference: int | None = None) -> Floats:
    """The log likelihood ratio of being in a pool of N people rather than not; M people are the reference.

    >>> likelihood_ratio([[2], [1], [0]], [0.75], [0.5], 10).round(3).tolist()
    [0.811, -0.288, -1.386]
    """
    return _scored("likelihood-ratio", people, mix, pop, pool, reference)


def wip(people: People, mix: ArrayLike, pop: ArrayLike, pool: int, reference: int | None = None) -> Floats:
    """The weighted inner product: null mean 0 and null variance m(1/N + 1/M).

    >>> wip([[2], [1], [0]], [0.75], [0.5], 10).tolist()
    [1.0, 0.0, -1.0]
    """
    return _scored("wip", people, mix, pop, pool, reference)


@dataclass(frozen=True)
class Bound:
    """What the best statistic reaches with unlinked SNPs and one ancestry, in the normal approximation."""

    separation: float
    """Of members' and others' scores, in standard deviations."""

    @property
    def auc(self) -> float:
        return _NORMAL.cdf(self.separation / math.sqrt(2))

    def power(self, fpr: float) -> float:
        return _NORMAL.cdf(self.separation - _NORMAL.inv_cdf(1 - fpr))


def bound(snps: int, pool: int, reference: int | None = None) -> Bound:
    """√(m/N) where the population's frequencies are known, √(m M/(N(N + M))) with M reference people.

    >>> round(bound(1000, 200).auc, 4), round(bound(1000, 200, 200).power(0.05), 3)
    (0.9431, 0.475)
    """
    share = 1.0 if reference is None else reference / (pool + reference)
    return Bound(math.sqrt(snps / pool * share))


FEW_PEOPLE, FEW_PEOPLE_SHARE = 50, 0.9
"""Pools of fewer people publish this share of what the normal approximation allows."""


def safe_number(pool: int, reference: int | None, fpr: float, power: float) -> int:
    """So many unlinked SNPs leave the power at this false-positive rate within the bound.

    The normal approximation is a little too hopeful for few people (simulated: power .92 at ten people where it says
    .90, .83 at thirty where it says .80), so that fewer than fifty people are allowed a tenth less.

    >>> safe_number(1000, None, 0.05, 0.9), safe_number(1000, None, 0.05, 0.5), safe_number(1000, None, 0.05, 0.05)
    (8563, 2705, 0)
    """
    if power >= 1:
        raise ValueError("power must be below 1: no number of SNPs reaches it")
    reach = max(0.0, _NORMAL.inv_cdf(1 - fpr) + _NORMAL.inv_cdf(power)) if power > 0 else 0.0
    if reach < 1e-9:  # the power asked for is the rate itself
        return 0
    people = pool if reference is None else pool * (pool + reference) / reference
    return math.floor(people * reach**2 * (FEW_PEOPLE_SHARE if pool < FEW_PEOPLE else 1.0))


def _homer_tables(mix: Floats, pop: Floats, pool: int, reference: int | None) -> Floats:
    half = np.array([0.0, 0.5, 1.0])
    apart = np.abs(half - pop[:, None]) - np.abs(half - mix[:, None])
    return _known(mix, pop, [apart, apart**2])


def _homer_score(sums: Floats) -> Floats:
    """A person with fewer than two calls, or with the same D everywhere, scores 0."""
    total, squares, count = sums.T
    mean = total / np.maximum(count, 1)
    spread = (squares - count * mean**2) / np.maximum(count - 1, 1)
    small = (count < 2) | (spread <= 1e-12 * squares / np.maximum(count, 1))
    return np.where(small, 0.0, mean / np.sqrt(np.where(small, 1.0, spread / np.maximum(count, 1))))


def _lr_tables(mix: Floats, pop: Floats, pool: int, reference: int | None) -> Floats:
    """Clipped to a quarter of an allele. A frequency known to be 0 or 1 tells nothing: nobody else has the allele."""
    mixed = np.clip(mix, 1 / (4 * pool), 1 - 1 / (4 * pool))
    if reference is None:
        popular = np.where((pop > 0) & (pop < 1), pop, np.nan)
    else:
        popular = np.clip(pop, 1 / (4 * reference), 1 - 1 / (4 * reference))
    has, lacks = np.log(mixed / popular), np.log((1 - mixed) / (1 - popular))
    calls = np.arange(3)
    return _known(mix, popular, [calls * has[:, None] + (2 - calls) * lacks[:, None]])


def _wip_tables(mix: Floats, pop: Floats, pool: int, reference: int | None) -> Floats:
    """A SNP with one allele alone, in pool and reference, tells nothing."""
    both = pop if reference is None else (pool * mix + reference * pop) / (pool + reference)
    both = np.where((both > 0) & (both < 1), both, np.nan)
    weight = (mix - pop) / (both * (1 - both))
    return _known(mix, both, [(np.arange(3) - 2 * both[:, None]) * weight[:, None]])


def _known(mix: Floats, pop: Floats, columns: list[Floats]) -> Floats:
    """SNPs × calls × columns, and a last column that counts; nothing where a frequency is not known."""
    known = np.isfinite(mix) & np.isfinite(pop)
    counted = np.broadcast_to(known[:, None].astype(np.float64), (len(known), 3))
    return np.stack([*(np.where(known[:, None], column, 0.0) for column in columns), counted], axis=2)


def _first(sums: Floats) -> Floats:
    return sums[:, 0]


def _homer_standard(sums: Floats, pool: int, reference: int | None) -> Floats:
    return _homer_score(sums)


def _wip_standard(sums: Floats, pool: int, reference: int | None) -> Floats:
    return sums[:, 0] / np.sqrt(np.maximum(sums[:, 1], 1) * (1 / pool + _inverse(reference)))


def _lr_standard(sums: Floats, pool: int, reference: int | None) -> Floats:
    """To second order the null mean is −m(1/N − 1/M)/2."""
    mean = -sums[:, 1] * (1 / pool - _inverse(reference)) / 2
    return (sums[:, 0] - mean) / np.sqrt(np.maximum(sums[:, 1], 1) * (1 / pool + _inverse(reference)))


STATISTICS: Mapping[str, Statistic] = {
    "homer": Statistic("homer", 3, _homer_tables, _homer_score, _homer_standard),
    "likelihood-ratio": Statistic("likelihood-ratio", 2, _lr_tables, _first, _lr_standard),
    "wip": Statistic("wip", 2, _wip_tables, _first, _wip_standard),
}


def _scored(name: str, people: People, mix: ArrayLike, pop: ArrayLike, pool: int, reference: int | None) -> Floats:
    statistic, (first, second) = STATISTICS[name], _paired(mix, pop)

    def tables(which: slice, group: int) -> Floats:
        return statistic.tables(first[which], second[which], pool, reference)

    return statistic.score(totals(people, statistic.columns, tables))


def _inverse(reference: int | None) -> float:
    return 0.0 if reference is None else 1 / reference


def _paired(mix: ArrayLike, pop: ArrayLike) -> tuple[Floats, Floats]:
    first, second = np.asarray(mix, dtype=np.float64), np.asarray(pop, dtype=np.float64)
    if first.ndim != 1 or first.shape != second.shape:
        raise ValueError("one frequency for each SNP, in the pool and in the reference")
    return first, second


def _persons(people: People) -> int:
    return people.rows if isinstance(people, Genotypes) else len(np.asarray(people))


def _blocks(people: People) -> Iterator[tuple[slice, NDArray[np.int8]]]:
    """SNPs × persons, so many SNPs at a time."""
    step = max(1, BLOCK // max(1, _persons(people)))
    if isinstance(people, Genotypes):
        yield from people.blocks(step)
        return
    calls = np.asarray(people)
    for first in range(0, calls.shape[1] if calls.ndim == 2 else 0, step):
        which = slice(first, first + step)
        yield which, calls[:, which].T
