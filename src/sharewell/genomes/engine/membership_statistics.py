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
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sharewell.genomes.data.genotypes import Genotypes
from sharewell.genomes.engine.recognition_curves import Floats

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


Group = slice | NDArray[np.intp]
Tables = Callable[[slice, int], Floats]
"""For some SNPs and a group of people: SNPs × calls × columns."""


def totals(people: Genotypes, columns: int, tables: Tables, groups: Sequence[Group] = (slice(None),)) -> Floats:
    """Persons × columns: sums over SNPs of tables(SNPs, group)[snp, call, column].

    groups: who is scored with which tables; each person is in one.
    """
    result = np.zeros((people.rows, columns))
    for which, calls in people.blocks(max(1, BLOCK // max(1, people.rows))):
        for number, who in enumerate(groups):
            result[who] += _sums(calls[:, who], tables(which, number))
    return result


def _sums(calls: NDArray[np.int8], table: Floats) -> Floats:
    none, one, two = table[:, 0], table[:, 1], table[:, 2]
    result = (calls == 1).astype(np.float64).T @ (one - none) + (calls == 2).astype(np.float64).T @ (two - none)
    result += none.sum(axis=0)
    if (missing := calls < 0).any():
        result -= missing.astype(np.float64).T @ none
    return np.asarray(result)


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
    """This many unlinked SNPs leave the power at this false-positive rate within the bound.

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


def _wip_standard(sums: Floats, pool: int, reference: int | None, mean: Floats | float = 0.0) -> Floats:
    return np.asarray((sums[:, 0] - mean) / np.sqrt(np.maximum(sums[:, 1], 1) * (1 / pool + _inverse(reference))))


def _lr_standard(sums: Floats, pool: int, reference: int | None) -> Floats:
    """To second order the null mean is −m(1/N − 1/M)/2."""
    return _wip_standard(sums, pool, reference, -sums[:, 1] * (1 / pool - _inverse(reference)) / 2)


STATISTICS: Mapping[str, Statistic] = {
    "homer": Statistic("homer", 3, _homer_tables, _homer_score, lambda sums, pool, reference: _homer_score(sums)),
    "likelihood-ratio": Statistic("likelihood-ratio", 2, _lr_tables, lambda sums: sums[:, 0], _lr_standard),
    "wip": Statistic("wip", 2, _wip_tables, lambda sums: sums[:, 0], _wip_standard),
}


def score(
    name: str, people: Genotypes, mix: ArrayLike, pop: ArrayLike, pool: int = 1, reference: int | None = None
) -> Floats:
    """One statistic of every person, for a pool of N people and a reference of M: large for members of the pool.

    >>> people, mix, pop = Genotypes.of([[2, 2, 1], [0, 0, 1]]), [0.9, 0.9, 0.5], [0.5, 0.6, 0.4]
    >>> [score(name, people, mix, pop, 10).round(3).tolist() for name in ("homer", "likelihood-ratio", "wip")]
    [[3.024, -1.309], [2.027, -5.951], [2.683, -3.017]]
    """
    statistic, mixed, popular = STATISTICS[name], np.asarray(mix, dtype=np.float64), np.asarray(pop, dtype=np.float64)

    def tables(which: slice, group: int) -> Floats:
        return statistic.tables(mixed[which], popular[which], pool, reference)

    return statistic.score(totals(people, statistic.columns, tables))


def _inverse(reference: int | None) -> float:
    return 0.0 if reference is None else 1 / reference
